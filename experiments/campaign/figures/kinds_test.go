package figures_test

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"gonum.org/v1/plot/cmpimg"

	"bullring/experiments/campaign/figures"
	"bullring/experiments/campaign/spec"
	"bullring/experiments/catalog"
	"bullring/experiments/internal/sweeptest"
)

var update = flag.Bool("update", false, "rewrite the figures in testdata; read the diff")

// pixelTolerance is that of package plots: edges move by a part of a pixel where the compiler
// fuses multiplication and addition.
const pixelTolerance = 0.03

// Each kind has a figure in testdata/kinds.yaml, named like it. Its picture, its numbers and
// its caption are as they were.
func TestKinds(t *testing.T) {
	const golden = "testdata/kinds"
	text, err := os.ReadFile(golden + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	s := sweeptest.Sweep(t, catalog.New(), string(text))
	sweeptest.Run(t, s)
	if _, err := figures.Draw(s.Registry, s.Dir); err != nil {
		t.Fatal(err)
	}
	for k := range spec.Kinds {
		if !slices.ContainsFunc(s.Spec.Figures, func(f spec.Figure) bool { return f.Kind == k && f.Name == k.String() }) {
			t.Errorf("%s.yaml has no %s named like its kind", golden, k)
			continue
		}
		for _, name := range []string{k.String() + ".png", k.String() + ".csv", k.String() + ".txt"} {
			got, kept := filepath.Join(s.Dir, "figures", name), filepath.Join(golden, name)
			if *update {
				text, err := os.ReadFile(got)
				if err == nil {
					err = os.WriteFile(kept, text, 0o644)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			if same, err := equal(got, kept); err != nil || !same {
				t.Errorf("%s is not %s (%v); -update rewrites it", got, kept, err)
			}
		}
	}
}

// equal compares two files: the pixels of pictures, whose metadata name the version.
func equal(one, other string) (bool, error) {
	a, err := os.ReadFile(one)
	b, errOther := os.ReadFile(other)
	if err := errors.Join(err, errOther); err != nil || filepath.Ext(one) != ".png" {
		return string(a) == string(b), err
	}
	return cmpimg.EqualApprox("png", a, b, pixelTolerance)
}
