package figures_test

import (
	"path/filepath"
	"slices"
	"testing"

	"bullring/experiments/campaign/figures"
	"bullring/experiments/internal/sweeptest"
	"bullring/plots"
)

// FuzzReceipt: no receipt makes its reader panic.
func FuzzReceipt(f *testing.F) {
	r := sweeptest.Registry(sweeptest.Triangle)
	s := sweeptest.Sweep(f, r, sweeptest.Tiny+"figures: {y: messages}\n")
	sweeptest.Run(f, s)
	paths, err := figures.Draw(r, s.Dir)
	if err != nil {
		f.Fatal(err)
	}
	svg := paths[slices.IndexFunc(paths, func(p string) bool { return filepath.Ext(p) == ".svg" })]
	entries, err := plots.ReadMeta(svg)
	if err != nil {
		f.Fatal(err)
	}
	meta := map[string]string{}
	for _, m := range entries {
		meta[m.Key] = m.Value
	}
	if err := figures.CheckReceipt(r, meta); err != nil {
		f.Fatal(err)
	}
	f.Add(meta["Manifest"])
	f.Fuzz(func(t *testing.T, receipt string) {
		meta := map[string]string{"Spec": meta["Spec"], "Spec-SHA256": meta["Spec-SHA256"], "Manifest": receipt}
		_ = figures.CheckReceipt(r, meta)
	})
}
