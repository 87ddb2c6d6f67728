package cli

import (
	"os"
	"strings"
	"testing"

	"github.com/jonboulle/clockwork"

	"bullring/experiments/catalog"
)

// A dry run counts what the sweep would run, and writes nothing. It also tells which trials
// the folder holds.
func TestDryRun(t *testing.T) {
	inDir(t, sampleSpec(catalog.New()))
	// By this clock no time passes, and no trial of the probe is cut off.
	got := performAt(t.Context(), clockwork.NewFakeClock(), catalog.New(), "sweep", "demo.yaml", "--dry-run", "--workers", "2")
	for _, want := range []string{
		"trials  75, in 15 cells\n", "folder  out/demo: would be made\n", "about 0s with 2 workers, and the drawing of 1 figure; every cell was probed",
		"placement 3: increasing to random, n 5: 4 to 64\n",
	} {
		if got.status != 0 || !strings.Contains(got.out, want) {
			t.Errorf("status %d, %q is lacking:\n%s%s", got.status, want, got.out, got.errors)
		}
	}
	if entries, err := os.ReadDir("."); err != nil || len(entries) != 1 {
		t.Errorf("the folder holds %v, %v", entries, err)
	}
	if !testing.Short() { // it tries trials for seconds
		shard := bullring(t, "sweep", "demo.yaml", "--dry-run", "--shard", "1/2")
		if shard.status != 0 || !strings.Contains(shard.out, "trials  37, in 15 cells\n") {
			t.Errorf("status %d, %s%s", shard.status, shard.out, shard.errors)
		}
	}
	bullring(t, "sweep", "demo.yaml", "--no-plot", "--progress", "off")
	if got := bullring(t, "sweep", "demo.yaml", "--dry-run"); got.status != 0 || !strings.Contains(got.out, "complete, nothing would run") || strings.Contains(got.out, "\nprobe ") {
		t.Errorf("status %d, %s%s", got.status, got.out, got.errors)
	}
	other := strings.Replace(sampleSpec(catalog.New()), "replicates: 5", "replicates: 4", 1)
	if err := os.WriteFile("demo.yaml", []byte(other), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := bullring(t, "sweep", "demo.yaml", "--dry-run"); got.status != statusUsage || !strings.Contains(got.out, "trials  60, in 15 cells") || !strings.Contains(got.errors, "15 trials would be lost: 1 of lcr n=4, 1 of lcr n=8") {
		t.Errorf("status %d, %s%s", got.status, got.out, got.errors)
	}
}
