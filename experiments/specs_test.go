package experiments_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"bullring/experiments"
	"bullring/experiments/catalog"
)

// The specs that come with the project are about the built-in algorithms. Each
// is run as it is but for the number of replicates, and drawn.
func TestSpecsRun(t *testing.T) {
	if testing.Short() {
		t.Skip("some ten seconds of runs and figures")
	}
	files, err := filepath.Glob("specs/*.yaml")
	if err != nil || len(files) < 5 {
		t.Fatalf("specs %v, %v; want five at least", files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			r := catalog.New()
			text = regexp.MustCompile(`(?m)^replicates: \d+$`).ReplaceAll(text, []byte("replicates: 1"))
			s, err := r.ParseSpec(file, text)
			if err != nil {
				t.Fatal(err)
			}
			if want := filepath.Base(file); s.Name+".yaml" != want {
				t.Errorf("the sweep of %s is named %s", want, s.Name)
			}
			dir := t.TempDir()
			report, err := (&experiments.Sweep{Registry: r, Spec: s, Text: text, File: file, Dir: dir}).Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if report.Failed > 0 || report.Outside > 0 {
				t.Errorf("%d trials failed, %d are outside the model", report.Failed, report.Outside)
			}
			if _, err := experiments.Draw(r, dir); err != nil {
				t.Error(err)
			}
		})
	}
}
