package sweep

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"time"

	"bullring/experiments"
	"bullring/experiments/journal"
	"bullring/experiments/results"
	"bullring/experiments/spec"
	"bullring/internal/build"
	"bullring/internal/wholefile"
)

// JournalFile is where a sweep keeps its finished trials until it is complete.
const JournalFile = "sweep.journal"

// journalFile is where the trials of a shard are kept.
func (s Shard) journalFile() string {
	if !s.partial() {
		return JournalFile
	}
	return fmt.Sprintf("shard-%d-of-%d.journal", s.Index, s.Of)
}

// Records of a journal begin with one of these. Those of trials and the last one
// go on with the identity of the shard that they belong to.
const (
	attemptRecord = 'A' // a process begins: an attempt as JSON
	trialsRecord  = 'T' // trials of a cell: cell, first, count, and rows, each with its length
	endRecord     = 'E' // the shard is complete: an ending as JSON
)

// identity is that of a shard of a sweep: of its trials, of what its results mean and
// of what their columns are.
type identity [8]byte

// attempt is one process that works on a journal. All that is needed to run, or
// to join, the sweep is in it.
type attempt struct {
	Identity string        `json:"identity"` // of the shard
	File     string        `json:"file"`
	Spec     string        `json:"spec"`
	Included *includedFile `json:"included,omitempty"`
	Trials   string        `json:"trials_sha256,omitempty"` // see trialsHash; "" of earlier versions
	Epoch    int           `json:"epoch"`
	Outside  bool          `json:"outside_model"`
	Header   string        `json:"header"` // of results.csv
	Shard    Shard         `json:"shard"`
	Program  build.Program `json:"program"`
	Machine  build.Machine `json:"machine"`
	Workers  int           `json:"workers"`
	Start    time.Time     `json:"start"`
}

type includedFile struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// ending tells that all trials of a shard are there.
type ending struct {
	Trials int       `json:"trials"`
	End    time.Time `json:"end"`
}

// stretch is a record of trials.
type stretch struct {
	cell, first, count int32
	at                 int64
}

func (s stretch) end() int { return int(s.first + s.count) }

// compare orders stretches.
func (s stretch) compare(cell, first int) int {
	return cmp.Or(cmp.Compare(int(s.cell), cell), cmp.Compare(int(s.first), first))
}

// stored is what a journal holds.
type stored struct {
	path     string
	attempts []attempt
	ids      map[identity]bool // that records of trials have
	records  []stretch         // in order, once they are sorted
	trials   int
	ending   *ending
	damage   journal.Damage
}

// enter takes a record.
func (s *stored) enter(at int64, body []byte) error {
	if len(body) == 0 {
		return nil
	}
	switch rest := body[1:]; body[0] {
	case attemptRecord:
		if len(s.attempts) == mostAttempts {
			return fmt.Errorf("%s says that more than %d processes wrote it: it is no journal of a sweep", s.path, mostAttempts)
		}
		var attempt attempt
		err := json.Unmarshal(rest, &attempt)
		if err == nil {
			err = attempt.Shard.check()
		}
		if err != nil {
			return fmt.Errorf("%s: the record at byte %d: %w", s.path, at, err)
		}
		s.attempts = append(s.attempts, attempt)
	case trialsRecord:
		r, ok := stretchOf(rest)
		if !ok {
			return fmt.Errorf("%s: the record at byte %d is sound, but holds no trials: it is of another version", s.path, at)
		}
		r.at = at
		s.records = append(s.records, r)
		s.trials += int(r.count)
		s.belongs(identity(rest))
	case endRecord:
		if len(rest) < len(identity{}) {
			return fmt.Errorf("%s: the record at byte %d is sound, but no end of a shard: it is of another version", s.path, at)
		}
		s.ending = &ending{}
		if err := json.Unmarshal(rest[len(identity{}):], s.ending); err != nil {
			return fmt.Errorf("%s: the record at byte %d: %w", s.path, at, err)
		}
		s.belongs(identity(rest))
	}
	return nil
}

// mostAttempts is how many processes may have worked on a shard: it bounds the memory
// for what each of them says.
const mostAttempts = 10_000

func (s *stored) belongs(id identity) {
	if s.ids == nil {
		s.ids = map[identity]bool{}
	}
	s.ids[id] = true
}

// sort puts the records in the order of the sweep.
func (s *stored) sort() error {
	slices.SortFunc(s.records, func(a, b stretch) int { return a.compare(int(b.cell), int(b.first)) })
	for i := 1; i < len(s.records); i++ {
		if a, b := s.records[i-1], s.records[i]; a.cell == b.cell && a.end() > int(b.first) {
			return fmt.Errorf("%s: trial %d of cell %d is there twice; two processes wrote it at once: remove it", s.path, b.first+1, b.cell+1)
		}
	}
	return nil
}

// find returns the stretch that holds a trial of a cell or, if there is none, the
// next one of the cell.
func (s *stored) find(cell, first int) (r stretch, holds, next bool) {
	i, exact := slices.BinarySearchFunc(s.records, first, func(r stretch, first int) int { return r.compare(cell, first) })
	if !exact && i > 0 && int(s.records[i-1].cell) == cell && s.records[i-1].end() > first {
		return s.records[i-1], true, false
	}
	if i == len(s.records) || int(s.records[i].cell) != cell {
		return stretch{}, false, false
	}
	return s.records[i], exact, !exact
}

// complete reports whether all trials are there that were there at the end.
func (s *stored) complete() bool { return s.ending != nil && s.ending.Trials == s.trials }

// appendStretch writes the body of a record of trials.
func appendStretch(body []byte, id identity, b *results.Batch) []byte {
	body = append(body, trialsRecord)
	body = append(body, id[:]...)
	for _, v := range []int{b.Cell, b.First, len(b.Rows)} {
		body = binary.AppendUvarint(body, uint64(v))
	}
	for _, row := range b.Rows {
		body = binary.AppendUvarint(body, uint64(len(row)))
		body = append(body, row...)
	}
	return body
}

// stretchOf reads it, but for the first byte. It is not ok unless there are as many rows
// as it says.
func stretchOf(body []byte) (r stretch, ok bool) {
	if len(body) < len(identity{}) {
		return r, false
	}
	rows := body[len(identity{}):]
	for _, v := range []*int32{&r.cell, &r.first, &r.count} {
		u, size := binary.Uvarint(rows)
		if size <= 0 || u > math.MaxInt32 {
			return r, false
		}
		*v, rows = int32(u), rows[size:]
	}
	count := 0
	whole := eachRow(rows, func([]byte) { count++ })
	return r, whole && count > 0 && count == int(r.count) && r.first <= math.MaxInt32-r.count
}

// rowsOf cuts the rows of such a body apart.
func rowsOf(into [][]byte, body []byte) [][]byte {
	rows := body[len(identity{}):]
	for range 3 { // cell, first, count
		_, size := binary.Uvarint(rows)
		rows = rows[size:]
	}
	eachRow(rows, func(row []byte) { into = append(into, row) })
	return into
}

// eachRow calls f with every row, and reports whether nothing else is there.
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

// readJournal reads what a journal holds that nobody has to be writing.
func readJournal(path string) (*stored, error) {
	s := &stored{path: path}
	damage, err := journal.Scan(path, s.enter)
	if err != nil {
		return nil, err
	}
	s.damage = damage
	return s, s.sort()
}

// openJournal opens the journal of the sweep's shard, and refuses one of another
// sweep, unless all is to be run again: then it holds nothing.
func (s *Sweep) openJournal(self attempt, cells []spec.Cell) (*journal.Journal, *stored, error) {
	path := filepath.Join(s.Dir, s.Shard.journalFile())
	held := &stored{path: path}
	enter := held.enter
	if s.Again {
		enter = func(int64, []byte) error { return nil }
	}
	j, damage, err := journal.Open(path, enter)
	if err != nil {
		if errors.Is(err, journal.ErrLocked) {
			err = fmt.Errorf("%s is being written by another bullring: wait until it has finished, or give another directory", path)
		}
		return nil, nil, err
	}
	if s.Again {
		err = j.Clear()
	} else if err = held.sort(); err == nil {
		held.damage = damage
		err = held.fits(s.Registry, self, len(cells), dealOf(s.Spec))
	}
	if err != nil {
		return nil, nil, errors.Join(err, j.Close())
	}
	return j, held, nil
}

// fits reports why the journal is not one of the attempt's shard, of a sweep of so many
// cells.
func (s *stored) fits(r *experiments.Registry, self attempt, cells int, d deal) error {
	ids := map[identity]bool{self.id(): true}
	for i := range s.attempts {
		other := &s.attempts[i]
		if text := other.unlike(r, &self); text != "" {
			return fmt.Errorf("%s holds %d trials, but %s; give another directory, or remove that file", s.path, s.trials, text)
		}
		if other.Trials == "" {
			ids[other.formerID()] = true
		}
	}
	for id := range s.ids {
		if !ids[id] {
			return fmt.Errorf("%s holds trials of another sweep; give another directory, or remove that file", s.path)
		}
	}
	for _, r := range s.records {
		if int(r.cell) >= cells || r.end() > d.count(self.Shard, int(r.cell)) {
			return fmt.Errorf("%s: the record at byte %d is of trials %d to %d of cell %d, which the sweep does not have, or not in this shard; remove that file",
				s.path, r.at, r.first+1, r.end(), r.cell+1)
		}
	}
	return nil
}

// unlike says why results of an attempt do not go with those of this program's; "" if
// they do.
func (s *attempt) unlike(r *experiments.Registry, self *attempt) string {
	switch {
	case trialsOf(r, s) != self.Trials:
		return fmt.Sprintf("belongs to another sweep, or to a version of %s with other trials", self.File)
	case s.Epoch != self.Epoch:
		return fmt.Sprintf("is of epoch %d (version %s), and this program's runs of epoch %d (version %s): the same seed means another run",
			s.Epoch, s.Program, self.Epoch, self.Program)
	case s.Outside != self.Outside:
		return fmt.Sprintf("was begun with --outside-model=%v", s.Outside)
	case s.Header != self.Header:
		return fmt.Sprintf("was made by version %s, whose tables have other columns than those of this one, %s", s.Program, self.Program)
	case s.Shard.count() != self.Shard.count() || s.Shard.Index != self.Shard.Index:
		return fmt.Sprintf("is of shard %v", s.Shard)
	}
	return ""
}

// fitsShards reports why the attempt cannot stand beside shards that its folder holds.
// The first of them that says what it is stands for all: a folder on a cluster may have
// a thousand, and as many tasks that begin at once.
func (s *Sweep) fitsShards(self attempt) error {
	files, err := shardFiles(s.Dir)
	if err != nil {
		return err
	}
	for _, file := range files {
		other := beginningOf(file)
		if other == nil || filepath.Base(file) == s.Shard.journalFile() {
			continue
		}
		const advice = "give another directory, or remove the shards that are there"
		if s.Shard.partial() && other.Shard.Of != s.Shard.Of {
			return fmt.Errorf("%s is a part of %d, and shard %v is not; %s", file, other.Shard.Of, s.Shard, advice)
		}
		twin := *other
		twin.Shard = self.Shard
		if text := twin.unlike(s.Registry, &self); text != "" {
			return fmt.Errorf("%s is there, but %s; %s", file, text, advice)
		}
		return nil
	}
	return nil
}

// beginningOf is the first attempt in a journal; nil if it cannot be read.
func beginningOf(path string) *attempt {
	found := errors.New("found")
	held := &stored{path: path}
	if _, err := journal.Scan(path, func(at int64, body []byte) error {
		if err := held.enter(at, body); err != nil || held.attempts != nil {
			return cmp.Or(err, found)
		}
		return nil
	}); !errors.Is(err, found) {
		return nil
	}
	return &held.attempts[0]
}

// id is the identity of the attempt's shard.
func (s *attempt) id() identity {
	if s.Trials == "" {
		return s.formerID()
	}
	return identityOf(fmt.Appendf(nil, "%s %d %v %q %v", s.Trials, s.Epoch, s.Outside, s.Header, s.Shard))
}

// formerID is the identity that earlier versions gave to the shard: by the text of the
// sweep.
func (s *attempt) formerID() identity {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%q %d %v %q %v", s.Spec, s.Epoch, s.Outside, s.Header, s.Shard)
	if s.Included != nil {
		fmt.Fprintf(&b, " %q %q", s.Included.Name, s.Included.Text)
	}
	return identityOf(b.Bytes())
}

func identityOf(text []byte) identity {
	return identity([]byte(wholefile.Hash(text))[:len(identity{})])
}

// record is the attempt as a record.
func (s *attempt) record() ([]byte, error) {
	text, err := json.Marshal(s)
	return append([]byte{attemptRecord}, text...), err
}

// endOf is the last record of a shard.
func endOf(id identity, trials int, at time.Time) ([]byte, error) {
	text, err := json.Marshal(ending{trials, at})
	return slices.Concat([]byte{endRecord}, id[:], text), err
}

// rowSource reads rows of trials that have run before. A worker has its own.
type rowSource struct {
	deal  deal
	join  bool // parts are those of shards, else there is one, of which trials are
	parts []sourcePart
}

// sourcePart is a journal, and the record at hand.
type sourcePart struct {
	*stored
	reader  *journal.Reader
	current stretch
	body    []byte
	rows    [][]byte
}

// row is the row of a trial of a cell. It is good until the next call.
func (s *rowSource) row(cell, trial int) ([]byte, error) {
	p := &s.parts[0]
	if s.join {
		shard, number := s.deal.owner(len(s.parts), cell, trial)
		p, trial = &s.parts[shard], number
	}
	if c := p.current; c.count == 0 || int(c.cell) != cell || trial < int(c.first) || trial >= c.end() {
		if err := p.load(cell, trial); err != nil {
			return nil, err
		}
	}
	return p.rows[trial-int(p.current.first)], nil
}

// load reads the record that holds a trial.
func (p *sourcePart) load(cell, trial int) error {
	r, holds, _ := p.find(cell, trial)
	if !holds {
		return fmt.Errorf("%s holds no trial %d of cell %d", p.path, trial+1, cell+1)
	}
	body, err := p.reader.Read(r.at, p.body)
	if err != nil {
		return err
	}
	p.body, p.current = body, stretch{}
	again := stretch{}
	if len(body) > 0 && body[0] == trialsRecord {
		again, _ = stretchOf(body[1:])
	}
	if again.at = r.at; again != r {
		return fmt.Errorf("%s: the record at byte %d is another than it was", p.path, r.at)
	}
	p.current, p.rows = r, rowsOf(p.rows[:0], body[1:])
	return nil
}
