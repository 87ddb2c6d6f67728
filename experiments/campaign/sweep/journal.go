package sweep

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"time"

	"bullring/experiments/campaign/journal"
	"bullring/experiments/campaign/spec"
	"bullring/experiments/trial"
)

// JournalFile keeps the finished trials of a sweep until the sweep is complete.
const JournalFile = "sweep.journal"

// The first byte of a record tells its kind. In the records of trials and in
// endRecord the identity of the shard follows.
const (
	attemptRecord = 'A' // a process begins: an attempt as JSON
	trialsRecord  = 'T' // trials of a cell: cell, first, count, and rows, each behind its length
	digestRecord  = 'S' // trials of a cell whose rows are not kept: cell, first, count, and their digest
	endRecord     = 'E' // the shard is complete: an ending as JSON
)

// ending says that all trials of a shard are in the journal.
type ending struct {
	Trials int       `json:"trials"`
	End    time.Time `json:"end"`
}

// stretch locates a record of trials.
type stretch struct {
	cell, first, count int32
	at                 int64
}

func (s stretch) end() int { return int(s.first + s.count) }

// compare orders a stretch before or behind a trial of a cell.
func (s stretch) compare(cell, first int) int {
	return cmp.Or(cmp.Compare(int(s.cell), cell), cmp.Compare(int(s.first), first))
}

// contents is what a journal holds.
type contents struct {
	path     string
	attempts []attempt
	ids      map[identity]bool // in the records of trials
	records  []stretch         // sorted by sort
	trials   int               // a trial that is in two records counts once
	ending   *ending
	damage   journal.Damage
}

// enter reads a record.
func (c *contents) enter(at int64, body []byte) error {
	if len(body) == 0 {
		return nil
	}
	switch rest := body[1:]; body[0] {
	case attemptRecord:
		if len(c.attempts) == mostAttempts {
			return fmt.Errorf("%s says that more than %d processes wrote it: it is no journal of a sweep", c.path, mostAttempts)
		}
		var attempt attempt
		err := json.Unmarshal(rest, &attempt)
		if err == nil {
			err = attempt.Shard.check()
		}
		if err != nil {
			return fmt.Errorf("%s: the record at byte %d: %w", c.path, at, err)
		}
		c.attempts = append(c.attempts, attempt)
	case trialsRecord, digestRecord:
		of := stretchOf
		if body[0] == digestRecord {
			of = stretchOfDigest
		}
		r, ok := of(rest)
		if !ok {
			return fmt.Errorf("%s: the record at byte %d is sound, but holds no trials: it is of another version", c.path, at)
		}
		r.at = at
		c.records = append(c.records, r)
		c.trials += int(r.count)
		c.belongs(identity(rest))
	case endRecord:
		if len(rest) < len(identity{}) {
			return fmt.Errorf("%s: the record at byte %d is sound, but no end of a shard: it is of another version", c.path, at)
		}
		c.ending = &ending{}
		if err := json.Unmarshal(rest[len(identity{}):], c.ending); err != nil {
			return fmt.Errorf("%s: the record at byte %d: %w", c.path, at, err)
		}
		c.belongs(identity(rest))
	}
	return nil
}

// mostAttempts is the largest number of attempts in a journal. It bounds the memory for
// them.
const mostAttempts = 10_000

func (c *contents) belongs(id identity) {
	if c.ids == nil {
		c.ids = map[identity]bool{}
	}
	c.ids[id] = true
}

// sort puts the records into the order of the sweep, and returns an error if a trial is in two
// of them.
func (c *contents) sort() (wrong error) {
	slices.SortFunc(c.records, func(a, b stretch) int {
		return cmp.Or(a.compare(int(b.cell), int(b.first)), cmp.Compare(a.at, b.at))
	})
	last := stretch{cell: -1} // the one of the current cell that ends last
	for _, r := range c.records {
		if last.cell == r.cell && last.end() > int(r.first) {
			if wrong == nil {
				wrong = c.twice(last, r)
			}
			c.trials -= min(last.end(), r.end()) - int(r.first)
		}
		if last.cell != r.cell || r.end() > last.end() {
			last = r
		}
	}
	return wrong
}

// twice is the error of a trial that is in two records.
func (c *contents) twice(a, b stretch) error {
	return fmt.Errorf("%s: trial %d of cell %d is in the records at byte %d and at byte %d: the file was put together from copies, or two processes wrote it at once; move it away, and run the sweep or its shard again",
		c.path, b.first+1, b.cell+1, a.at, b.at)
}

// find returns the stretch that holds a trial. If there is none, it returns the next
// stretch of the cell.
func (c *contents) find(cell, first int) (r stretch, holds, next bool) {
	i, exact := slices.BinarySearchFunc(c.records, first, func(r stretch, first int) int { return r.compare(cell, first) })
	if !exact && i > 0 && int(c.records[i-1].cell) == cell && c.records[i-1].end() > first {
		return c.records[i-1], true, false
	}
	if i == len(c.records) || int(c.records[i].cell) != cell {
		return stretch{}, false, false
	}
	return c.records[i], exact, !exact
}

// complete reports whether the journal has an end, and all trials that it had then.
func (c *contents) complete() bool { return c.ending != nil && c.ending.Trials == c.trials }

// appendStretch appends a record of trials.
func appendStretch(body []byte, id identity, b *batch) []byte {
	body = appendPlace(append(body, trialsRecord), id, b.Cell, b.First, len(b.Rows))
	for _, row := range b.Rows {
		body = binary.AppendUvarint(body, uint64(len(row)))
		body = append(body, row...)
	}
	return body
}

// appendPlace appends which trials a record is of.
func appendPlace(body []byte, id identity, cell, first, count int) []byte {
	body = append(body, id[:]...)
	for _, v := range []int{cell, first, count} {
		body = binary.AppendUvarint(body, uint64(v))
	}
	return body
}

// stretchOf reads a record of trials without its first byte. It is not ok unless the record
// has the number of rows that it gives.
func stretchOf(body []byte) (r stretch, ok bool) {
	r, rows, ok := placeOf(body)
	if !ok {
		return r, false
	}
	count := 0
	whole := eachRow(rows, func([]byte) { count++ })
	return r, whole && count > 0 && count == int(r.count) && r.first <= math.MaxInt32-r.count
}

// placeOf reads which trials a record is of, and returns the rest.
func placeOf(body []byte) (r stretch, rest []byte, ok bool) {
	if len(body) < len(identity{}) {
		return r, nil, false
	}
	rest = body[len(identity{}):]
	for _, v := range []*int32{&r.cell, &r.first, &r.count} {
		u, size := binary.Uvarint(rest)
		if size <= 0 || u > math.MaxInt32 {
			return r, nil, false
		}
		*v, rest = int32(u), rest[size:]
	}
	return r, rest, true
}

// rowsOf returns the rows of a record of trials without its first byte.
func rowsOf(into [][]byte, body []byte) [][]byte {
	rows := body[len(identity{}):]
	for range 3 { // cell, first, count
		_, size := binary.Uvarint(rows)
		rows = rows[size:]
	}
	eachRow(rows, func(row []byte) { into = append(into, row) })
	return into
}

// eachRow calls f with every row, and reports whether the bytes end with the last row.
func eachRow(rows []byte, f func(row []byte)) (whole bool) {
	for len(rows) > 0 {
		length, size := binary.Uvarint(rows)
		if size <= 0 || uint64(len(rows)-size) < length {
			return false
		}
		f(rows[size : size+int(length)])
		rows = rows[size+int(length):]
	}
	return true
}

// readJournal reads a journal, which another process may be writing.
func readJournal(path string) (*contents, error) {
	s := &contents{path: path}
	damage, err := journal.Scan(path, s.enter)
	if err != nil {
		return nil, err
	}
	s.damage = damage
	return s, s.sort()
}

// openJournal opens the journal of the shard for writing. It refuses a journal of another
// sweep. If the target is replaced it discards what the journal held.
func (to target) openJournal(self attempt, cells []spec.Cell) (*journal.Journal, *contents, error) {
	path := filepath.Join(to.dir, to.shard.journalFile())
	held := &contents{path: path}
	enter := held.enter
	if to.again {
		enter = func(int64, []byte) error { return nil }
	}
	j, damage, err := journal.Open(path, enter)
	if err != nil {
		if errors.Is(err, journal.ErrLocked) {
			err = fmt.Errorf("%s is being written by another bullring: wait until it has finished, or give another directory", path)
		}
		return nil, nil, err
	}
	if to.again {
		err = j.Clear()
	} else if err = held.sort(); err == nil {
		held.damage = damage
		err = held.fits(to.Registry, self, len(cells), dealOf(to.Spec))
	}
	if err != nil {
		return nil, nil, errors.Join(err, j.Close())
	}
	return j, held, nil
}

// fits returns an error if the journal does not belong to the attempt's shard of a sweep of
// so many cells.
func (c *contents) fits(r *trial.Registry, self attempt, cells int, d deal) error {
	ids := map[identity]bool{self.id(): true}
	for i := range c.attempts {
		other := &c.attempts[i]
		if text := other.mismatch(r, &self); text != "" {
			return fmt.Errorf("%s holds %d trials, but %s; give another directory, or remove that file", c.path, c.trials, text)
		}
		if other.Trials == "" {
			ids[other.formerID()] = true
		}
	}
	for id := range c.ids {
		if !ids[id] {
			return fmt.Errorf("%s holds trials of another sweep; give another directory, or remove that file", c.path)
		}
	}
	for _, r := range c.records {
		if err := c.within(r, cells, d, self.Shard); err != nil {
			return err
		}
	}
	return nil
}

// within returns an error unless the shard of a sweep of so many cells has the trials of a
// record.
func (c *contents) within(r stretch, cells int, d deal, shard Shard) error {
	if int(r.cell) < cells && r.end() <= d.count(shard, int(r.cell)) {
		return nil
	}
	return fmt.Errorf("%s: the record at byte %d is of trials %d to %d of cell %d, which the sweep does not have, or not in this shard; remove that file",
		c.path, r.at, r.first+1, r.end(), r.cell+1)
}

// endOf returns the last record of a shard.
func endOf(id identity, trials int, at time.Time) ([]byte, error) {
	text, err := json.Marshal(ending{trials, at})
	return slices.Concat([]byte{endRecord}, id[:], text), err
}
