package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bullring/experiments/catalog"
	"bullring/experiments/trial"
)

// inDir changes to a directory that holds a sweep.
func inDir(t *testing.T, text string) {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.WriteFile("demo.yaml", []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// A manifest can be published: it does not tell on which machine it was made, or in which folder.
func TestManifestNamesNoHostAndNoFolder(t *testing.T) {
	inDir(t, sampleSpec(catalog.New()))
	bullring(t, "sweep", "demo.yaml", "--no-plot", "--progress", "off")
	manifest, err := os.ReadFile("out/demo/manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, private := range []string{`"` + host, host + `"`, folder, filepath.Base(folder) + "/"} {
		if strings.Contains(string(manifest), private) {
			t.Errorf("the manifest has %s", private)
		}
	}
}

func TestSweep(t *testing.T) {
	inDir(t, sampleSpec(catalog.New()))
	got := bullring(t, "sweep", "demo.yaml", "--workers", "1")
	if got.status != 0 || !strings.HasPrefix(got.errors, "75 of 75 trials (100%), ") || strings.Contains(got.errors, "\r") {
		t.Errorf("status %d, %q", got.status, got.errors)
	}
	for _, want := range []string{
		"trials    75 of 75, in 15 cells\n", "outcomes  elected 75\n", "check E1  holds 75, violated 0, undecided 0\n",
		"results.csv", " in " + filepath.Join("out", "demo") + "\n", "figures   demo as PNG, SVG, PDF and CSV in ",
	} {
		if !strings.Contains(got.out, want) {
			t.Errorf("%q is lacking:\n%s", want, got.out)
		}
	}
	other := bullring(t, "sweep", "demo.yaml", "-o", "other", "--workers", "8", "--no-plot", "--progress", "off")
	if other.status != 0 || other.errors != "" || strings.Contains(other.out, "figures") {
		t.Errorf("status %d, %q\n%s", other.status, other.errors, other.out)
	}
	if a, b := read(t, "out/demo/results.csv"), read(t, "other/results.csv"); !bytes.Equal(a, b) {
		t.Error("eight workers write other results than one")
	}
	if _, err := os.Stat("other/figures/demo.png"); err == nil {
		t.Error("--no-plot draws")
	}
	if got := bullring(t, "plot", "other"); got.status != 0 || !strings.Contains(got.out, "demo.png\n") {
		t.Errorf("plot: status %d, %s%s", got.status, got.out, got.errors)
	}
	if a, b := read(t, "out/demo/figures/demo.png"), read(t, "other/figures/demo.png"); !bytes.Equal(a, b) {
		t.Error("plot draws other figures than sweep")
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestReplay(t *testing.T) {
	inDir(t, sampleSpec(catalog.New()))
	bullring(t, "sweep", "demo.yaml", "--no-plot")
	got := bullring(t, "replay", "out/demo", "75", "--trace")
	if got.status != 0 || !strings.Contains(got.out, "The run agrees with row 75 of out/demo.") || !strings.Contains(got.out, "deliver") {
		t.Errorf("status %d, %s", got.status, got.errors)
	}
	if got := bullring(t, "replay", "out/demo", "76"); got.status != statusUsage || !strings.Contains(got.errors, "rows 1 to 75") {
		t.Errorf("status %d, %s", got.status, got.errors)
	}
	for _, command := range []string{"replay", "why"} {
		got := bullring(t, command, "out/demo/results.csv", "3")
		if got.status != statusUsage || !strings.Contains(got.errors, "out/demo/results.csv is a file; give the folder of the results: out/demo\n") {
			t.Errorf("%s: status %d, %s", command, got.status, got.errors)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := perform(ctx, catalog.New(), "replay", "out/demo", "1"); got.status != statusInterrupted {
		t.Errorf("status %d, %s", got.status, got.errors)
	}
	const path = "out/demo/results.csv"
	tampered := bytes.Replace(read(t, path), []byte(",elected,4,"), []byte(",elected,3,"), 1)
	if err := os.WriteFile(path, tampered, 0o666); err != nil {
		t.Fatal(err)
	}
	if got := bullring(t, "replay", "out/demo", "1"); got.status != statusFailed || !strings.Contains(got.errors, "does not repeat: leader is") {
		t.Errorf("status %d, %s", got.status, got.errors)
	}
}

// What goes wrong in a sweep, and with which status it ends.
func TestSweepFailures(t *testing.T) {
	const sweep = "name: demo\nreplicates: 2\nalgorithms: [NAME]\naxes: {n: [3, 4]}\n"
	for _, c := range []struct {
		registry *trial.Registry
		text     string
		status   int
		error    string
	}{
		{ownRegistry(), strings.ReplaceAll(sweep, "NAME", "honest"), 0, "4 of 4"},
		{ownRegistry(), strings.ReplaceAll(sweep, "NAME", "boastful"), statusFailed, "boastful breaks a proven bound"},
		{ownRegistry(), strings.ReplaceAll(sweep, "NAME", "silent"), statusFailed, " trials a check is violated, inside the model"},
		{ownRegistry(), strings.ReplaceAll(sweep, "NAME", "honet"), statusUsage, "demo.yaml:3:14: "},
		{ownRegistry(), "name: [", statusUsage, "demo.yaml:1:"},
		{catalog.New(), strings.ReplaceAll(sweep, "NAME", "{algorithm: lcr, dead: 1}"), statusUsage, "the guarantees of lcr do not apply here"},
		{catalog.New(), strings.Repeat("# nothing\n", 200_000), statusUsage, "has more than 1048576 bytes"},
	} {
		inDir(t, c.text)
		got := perform(t.Context(), c.registry, "sweep", "demo.yaml")
		if got.status != c.status || !strings.Contains(got.errors, c.error) {
			t.Errorf("status %d, %q; want %d, %q", got.status, got.errors, c.status, c.error)
		}
	}
	inDir(t, strings.ReplaceAll(sweep, "NAME", "honest"))
	if got := perform(t.Context(), ownRegistry(), "plot", "."); got.status != statusUsage {
		t.Errorf("plot without results: status %d, %s", got.status, got.errors)
	}
	perform(t.Context(), ownRegistry(), "sweep", "demo.yaml")
	if got := perform(t.Context(), ownRegistry(), "plot", "out/demo"); got.status != statusUsage || !strings.Contains(got.errors, "declares neither figures nor tables") {
		t.Errorf("plot without figures: status %d, %s", got.status, got.errors)
	}
}
