package sweep_test

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"bullring/experiments"
	"bullring/experiments/internal/sweeptest"
	"bullring/experiments/journal"
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

// hostile changes the records of the journal in a folder: change returns what is to stand in
// place of a record.
func hostile(t *testing.T, dir string, change func(body []byte) [][]byte) {
	t.Helper()
	path := filepath.Join(dir, sweep.JournalFile)
	var records [][]byte
	if _, err := journal.Scan(path, func(_ int64, body []byte) error {
		records = append(records, change(bytes.Clone(body))...)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	j, _, err := journal.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, body := range records {
		if _, err := j.Append(body); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
}

// trialsOf returns the beginning of a record of trials, up to its cell, and the cell, the first
// trial, their number, and the rows, each behind its length.
func trialsOf(body []byte) (begin []byte, cell, first, count uint64, rows []byte) {
	const identity = 1 + 8
	rows = body[identity:]
	for _, v := range []*uint64{&cell, &first, &count} {
		u, size := binary.Uvarint(rows)
		*v, rows = u, rows[size:]
	}
	return body[:identity:identity], cell, first, count, rows
}

func trials(begin []byte, cell, first, count uint64, rows []byte) []byte {
	for _, v := range []uint64{cell, first, count} {
		begin = binary.AppendUvarint(begin, v)
	}
	return append(begin, rows...)
}

// ofOneRow returns a record with one row.
func ofOneRow(body []byte, row string) []byte {
	begin, cell, first, _, _ := trialsOf(body)
	return trials(begin, cell, first, 1, append(binary.AppendUvarint(nil, uint64(len(row))), row...))
}

// A sound record need not hold rows of its cell: it is named, and counted by nothing. Package
// results has a test of what can be wrong with rows.
func TestHostileRows(t *testing.T) {
	for name, c := range map[string]struct {
		change func(body []byte) []byte
		says   string
	}{
		"another algorithm": {func(body []byte) []byte { return swap(body) }, "and its cell of"},
		"another cell": {func(body []byte) []byte {
			begin, _, first, count, rows := trialsOf(body)
			return trials(begin, 1<<20, first, count, rows)
		}, "which the sweep does not have"},
		"another trial": {func(body []byte) []byte {
			begin, cell, _, count, rows := trialsOf(body)
			return trials(begin, cell, 1<<20, count, rows)
		}, "which the sweep does not have"},
	} {
		s := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), sweeptest.Long)
		if err := stopAfter(t, s, 100); err == nil {
			t.Fatal("it was not stopped")
		}
		changed := false
		hostile(t, s.Dir, func(body []byte) [][]byte {
			if body[0] == 'T' && !changed {
				body, changed = c.change(body), true
			}
			return [][]byte{body}
		})
		if d, err := status(t, s.Dir).Detail(); err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), s.Dir) {
			t.Errorf("%s: its cells are %+v, %v", name, d, err)
		}
		s.Progress = nil
		if report, err := s.Run(t.Context()); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: the sweep went on: %+v, %v", name, report, err)
		}
	}
}

// swap makes the first row of a record one of the other algorithm.
func swap(body []byte) []byte {
	_, _, _, _, rows := trialsOf(body)
	length, size := binary.Uvarint(rows)
	row := string(rows[size : size+int(length)])
	return ofOneRow(body, strings.NewReplacer("ring,", "bird,", "bird,", "ring,").Replace(row))
}

// Trials that stand in a journal twice count once, and a sentence says what to do.
func TestDoubledTrials(t *testing.T) {
	s := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), sweeptest.Long)
	if err := stopAfter(t, s, 100); err == nil {
		t.Fatal("it was not stopped")
	}
	sound := status(t, s.Dir)
	want, err := sound.Detail()
	if err != nil {
		t.Fatal(err)
	}
	hostile(t, s.Dir, func(body []byte) [][]byte {
		if body[0] != 'T' {
			return [][]byte{body}
		}
		begin, cell, first, count, rows := trialsOf(body)
		if count < 2 {
			return [][]byte{body, body}
		}
		length, size := binary.Uvarint(rows)
		return [][]byte{body, body, trials(begin, cell, first+1, count-1, rows[size+int(length):])}
	})
	got := status(t, s.Dir)
	if len(got.Damage) != 1 || !strings.Contains(got.Damage[0], "trial 1 of cell 1 is in the records at byte") || !strings.Contains(got.Damage[0], "move it away") {
		t.Errorf("the damage is %q", got.Damage)
	}
	if got.Done != sound.Done {
		t.Errorf("%d trials are done, and %d without the doubled ones", got.Done, sound.Done)
	}
	d, err := got.Detail()
	if err != nil || !slices.Equal(d.Cells, want.Cells) {
		t.Errorf("the cells are %+v, and %+v without the doubled trials; %v", d, want.Cells, err)
	}
	s.Progress = nil
	if _, err := s.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "move it away") {
		t.Errorf("the sweep went on: %v", err)
	}
}
