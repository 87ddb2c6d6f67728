package results_test

import (
	"strconv"
	"testing"

	"bullring/experiments/campaign/results"
	"bullring/experiments/catalog"
)

// The setting of each trial has the seed of its row, and the folder has its claims.
func TestSettingsOfRows(t *testing.T) {
	const dir = "../../cli/testdata/earlier/complete"
	folder, err := results.Open(catalog.New(), dir)
	if err != nil {
		t.Fatal(err)
	}
	seeds := map[uint64]bool{}
	if _, err := folder.Rows(func(r *results.Record) (bool, error) {
		s, err := r.Setting()
		if err != nil {
			return false, err
		}
		seed, err := r.Field("seed")
		if strconv.FormatUint(s.Seed, 10) != seed || s.N != folder.Cells[r.Cell].N || s.Algorithm != folder.Cells[r.Cell].Algorithm {
			t.Errorf("%s: %+v; the seed is %s", r.Where, s, seed)
		}
		seeds[s.Seed] = true
		return true, err
	}); err != nil || len(seeds) != 64 {
		t.Errorf("%d seeds, %v", len(seeds), err)
	}
}

// A folder is claimed from its first file on, by the process that writes it and after it.
func TestClaimed(t *testing.T) {
	dir := t.TempDir()
	if results.Claimed(dir) {
		t.Error("an empty folder is claimed")
	}
	for _, file := range []string{"", "a.csv"} {
		c, err := results.OpenClaims(dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		if file != "" {
			if _, err := c.Take([]string{file}); err != nil {
				t.Fatal(err)
			}
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		if got := results.Claimed(dir); got != (file != "") {
			t.Errorf("with the file %q: %v", file, got)
		}
	}
}
