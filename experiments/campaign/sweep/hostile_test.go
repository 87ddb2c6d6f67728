package sweep_test

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bullring/experiments/campaign/journal"
	"bullring/experiments/campaign/sweep"
	"bullring/experiments/internal/sweeptest"
)

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

// A sound record need not hold sound rows: the error names them, and the sweep stops.
// Package results has a test of what can be wrong with rows.
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
	s.Progress = nil
	if _, err := s.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "move it away") {
		t.Errorf("the sweep went on: %v", err)
	}
}
