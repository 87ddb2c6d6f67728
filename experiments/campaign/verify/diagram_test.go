package verify_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"bullring/experiments/internal/sweeptest"
)

// A diagram of a trial is verified as other figures are, alone and in its folder.
func TestVerifyDiagram(t *testing.T) {
	r := sweeptest.Registry(sweeptest.Triangle)
	s := swept(t, r, `name: shown
replicates: 5
algorithms: ring
axes: {n: 4, placement: random}
figures:
  - {name: d, kind: diagram, y: messages, trial: worst}
  - {name: m, kind: diagram, y: messages}
`)
	for _, path := range []string{s.Dir, filepath.Join(s.Dir, "figures", "d.svg")} {
		if notices(t, r, path) {
			t.Errorf("%s is not verified", path)
		}
	}
	// The diagram of another trial, or none of the run.
	worst, median := sweeptest.Read(t, s, "figures/d.png"), sweeptest.Read(t, s, "figures/m.png")
	for name, content := range map[string][]byte{
		"d.png": median,
		"d.svg": bytes.Replace(sweeptest.Read(t, s, "figures/d.svg"), []byte(`name="Row" content="`), []byte(`name="Row" content="1`), 1),
		"d.csv": bytes.Replace(sweeptest.Read(t, s, "figures/d.csv"), []byte(",0,0,"), []byte(",0,0.5,"), 1),
	} {
		file := filepath.Join(s.Dir, "figures", name)
		before, err := os.ReadFile(file)
		if err != nil || bytes.Equal(before, content) {
			t.Fatalf("%s is not changed: %v", name, err)
		}
		put := func(content []byte) {
			if err := os.WriteFile(file, content, 0o666); err != nil {
				t.Fatal(err)
			}
			m := readManifest(t, s.Dir)
			m.rehash(t, s.Dir)
			m.write(t, s.Dir)
		}
		put(content)
		if !notices(t, r, s.Dir) {
			t.Errorf("%s is of another trial, and nothing is said", name)
		}
		put(before)
	}
	if bytes.Equal(worst, median) || notices(t, r, s.Dir) {
		t.Error("the folder is not as it was")
	}
}
