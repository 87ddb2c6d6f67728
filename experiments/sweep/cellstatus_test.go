package sweep_test

import (
	"slices"
	"strconv"
	"testing"

	"bullring/experiments"
	"bullring/experiments/internal/sweeptest"
	"bullring/experiments/results"
	"bullring/experiments/sweep"
)

// The journals of shards tell the same of each cell, and of trials that failed, as the joined
// table.
func TestDetailIsThatOfTheTable(t *testing.T) {
	silent := sweeptest.RegistryOf(sweeptest.Triangle, func(*experiments.Instance) bool { return false })
	dir := t.TempDir()
	for i := range 3 {
		s := sweeptest.Sweep(t, silent, sweeptest.Small)
		s.Dir, s.Shard = dir, sweep.Shard{Index: i, Of: 3}
		sweeptest.Run(t, s)
	}
	all, err := sweep.StatusOf(silent, []string{dir})
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	d, err := all[0].Detail()
	if err != nil {
		t.Fatal(err)
	}
	join(t, silent, dir)
	rows := sweeptest.Rows(t, sweeptest.Read(t, &sweep.Sweep{Dir: dir}, results.ResultsFile))
	seeds := map[string]bool{} // of failed trials
	var want []sweep.CellStatus
	for _, row := range rows {
		if row["replicate"] == "1" {
			want = append(want, sweep.CellStatus{Name: d.Cells[len(want)].Name, Trials: 7})
		}
		cell := &want[len(want)-1]
		cell.Done++
		if row["outside"] == "" && (row["E1"] == "violated" || row["E2"] == "violated") {
			cell.Failed++
			seeds[row["algorithm"]+row["seed"]] = true
		}
	}
	if !slices.Equal(d.Cells, want) || len(seeds) == 0 {
		t.Errorf("the journals tell\n%+v\nand the table\n%+v", d.Cells, want)
	}
	for _, f := range d.Failures {
		if !seeds[f.Instance.Algorithm.Name+strconv.FormatUint(f.Instance.Setting.Seed, 10)] || !slices.Equal(f.Checks, []string{"E2"}) {
			t.Errorf("%+v did not fail so", f)
		}
	}
	if len(d.Failures) == 0 || d.Rate != 0 || d.Left >= 0 {
		t.Errorf("%d failures, %v trials a second, %v left", len(d.Failures), d.Rate, d.Left)
	}
}
