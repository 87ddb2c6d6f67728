package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bullring/experiments/catalog"
)

func TestVerify(t *testing.T) {
	inDir(t, sampleSpec(catalog.New()))
	if got := bullring(t, "sweep", "demo.yaml"); got.status != 0 {
		t.Fatal(got.errors)
	}
	pictures, err := filepath.Glob("out/demo/*.svg")
	if inside, _ := filepath.Glob("out/demo/*/*.svg"); len(pictures) == 0 {
		pictures = inside
	}
	if err != nil || len(pictures) != 1 {
		t.Fatalf("%d figures, %v", len(pictures), err)
	}
	figure := pictures[0]
	original := read(t, "out/demo/results.csv")
	for _, c := range []struct {
		args      []string
		status    int
		out, errs string
	}{
		{[]string{"out/demo"}, 0, "identical: 20 of 75 trials, run again here\nas manifest.json says: ", "20 of 20 trials (100%)"},
		{[]string{"out/demo", "--sample", "50%"}, 0, "identical: 38 of 75 trials, run again here\n", ""},
		{[]string{"out/demo", "--all", "--workers", "1"}, 0, "\nmade again from results.csv, and the same: summary.csv, growth.csv, 7 documents, 6 files of figures\n", ""},
		{[]string{"out/demo", "--json", "--progress", "off"}, 0, `"identical": true`, ""},
		{[]string{figure, "--all", "--progress", "off"}, 0, "identical: all 75 trials behind the figure, run again here\n", ""},
		{[]string{"out/demo", "--all", "--sample", "5%"}, statusUsage, "", "[all sample]"},
		{[]string{"out/demo", "--sample", "5"}, statusUsage, "", "it takes a percentage above 0% and up to 100%"},
		{[]string{"out/demo", "--sample", "0%"}, statusUsage, "", "it takes a percentage"},
		{[]string{"out"}, statusUsage, "", "it has no manifest.json"},
		{[]string{"demo.yaml"}, statusUsage, "", "its name has to end in"},
		{[]string{}, statusUsage, "", "DIR"},
	} {
		got := bullring(t, append([]string{"verify"}, c.args...)...)
		if got.status != c.status || !strings.Contains(got.out, c.out) || !strings.Contains(got.errors, c.errs) {
			t.Errorf("%q: status %d\n%s\n%s", c.args, got.status, got.out, got.errors)
		}
	}

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, path := range []string{"out/demo", figure} {
		if got := perform(ctx, catalog.New(), "verify", path); got.status != statusInterrupted || !strings.HasPrefix(got.out, "identical so far: 0 of ") {
			t.Errorf("status %d, %s%s", got.status, got.out, got.errors)
		}
	}

	if err := os.WriteFile("out/demo/results.csv", bytes.Replace(original, []byte(",elected,4,"), []byte(",elected,3,"), 1), 0o666); err != nil {
		t.Fatal(err)
	}
	got := bullring(t, "verify", "out/demo", "--all")
	for _, want := range []string{
		"different: 1 of the trials; compared were all 75 trials, run again here\n", `  row 1 (lcr n=4): leader is "3" in results.csv, but "4" now; the events are the same, only the record differs` + "\n",
		"WRONG: results.csv was changed",
	} {
		if !strings.Contains(got.out, want) {
			t.Errorf("%q is lacking:\n%s", want, got.out)
		}
	}
	if got.status != statusFailed || !strings.Contains(got.errors, "out/demo is not what runs here: 1 of 75 trials differ, and something is wrong with a file") {
		t.Errorf("status %d, %s", got.status, got.errors)
	}

	manifest := bytes.Replace(read(t, "out/demo/manifest.json"), []byte(`"epoch": 1`), []byte(`"epoch": 2`), 1)
	if err := os.WriteFile("out/demo/manifest.json", manifest, 0o666); err != nil {
		t.Fatal(err)
	}
	if got := bullring(t, "verify", "out/demo"); got.status != statusUsage || got.out != "" || !strings.Contains(got.errors, "of epoch 2, and this is version ") {
		t.Errorf("status %d, %s%s", got.status, got.out, got.errors)
	}
}
