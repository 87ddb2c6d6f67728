package sweep

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"bullring/experiments/campaign/journal"
	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/spec"
	"bullring/experiments/trial"
	"bullring/internal/counts"
)

// Union joins folders of results into the folder of one sweep that has the trials of all of
// them. No trial is run.
type Union struct {
	Registry *trial.Registry
	Paths    []string // folders of results
	// Source is the sweep of the union. If it is nil, it is the sweep of the first folder that
	// has the trials of all others.
	Source *Source
	Dir    string // for the results; trials that it holds already belong to the union
}

// LackingError says that none of the folders of a union has some trials of its sweep. The
// journal in Dir keeps the others.
type LackingError struct {
	Dir    string
	Trials int      // that are lacking
	AtMost int      // trials of the sweep
	Cells  []string // with the number of their trials that are lacking
}

func (e *LackingError) Error() string {
	return fmt.Sprintf("%s of %s are missing: %s; %s keeps the others, and bullring sweep SPEC.yaml -o %[4]s runs what is missing",
		counts.Grouped(e.Trials), counts.Several(e.AtMost, "trial"), results.SomeOf(e.Cells), e.Dir)
}

// HoldsResults reports whether a folder holds tables or a journal of a whole sweep.
func HoldsResults(dir string) bool {
	if beginningOf(filepath.Join(dir, JournalFile)) != nil {
		return true
	}
	_, err := os.Stat(filepath.Join(dir, results.SpecFile))
	return err == nil
}

// HoldsShards reports whether a path is the journal of a shard, or a folder with such.
func HoldsShards(path string) bool {
	if _, ok := shardOfFile(filepath.Base(path)); ok {
		return true
	}
	files, err := shardFiles(path)
	return err == nil && len(files) > 0
}

// Sweep returns the sweep of the union, whose Run takes all trials from the folders.
func (u *Union) Sweep() (*Sweep, error) {
	paths := u.Paths
	same := func(path string) bool { return filepath.Clean(path) == filepath.Clean(u.Dir) }
	if HoldsResults(u.Dir) && !slices.ContainsFunc(paths, same) {
		paths = append([]string{u.Dir}, paths...)
	}
	var parts []*earlier
	for _, path := range paths {
		e, err := earlierOf(u.Registry, path)
		if err == nil {
			err = e.unusable(u.Registry)
		}
		if err != nil {
			return nil, err
		}
		parts = append(parts, e)
	}
	if u.Source != nil {
		return u.of(*u.Source, parts), nil
	}
	var reasons []string
	for _, e := range parts {
		s := u.of(Source{Registry: u.Registry, Spec: e.spec, Text: e.text, File: e.source}, parts)
		lost, err := lostInUnion(s)
		switch {
		case err != nil:
			return nil, err
		case lost == "":
			return s, nil
		}
		reasons = append(reasons, fmt.Sprintf("with the sweep of %s, of %s", filepath.Dir(e.path), lost))
	}
	return nil, fmt.Errorf("no folder has a sweep with the trials of all others: %s; give --spec FILE with the sweep of the union", strings.Join(reasons, "; "))
}

// of is a sweep with the trials of the parts.
func (u *Union) of(src Source, parts []*earlier) *Sweep {
	src.OutsideModel = src.OutsideModel || slices.ContainsFunc(parts, func(e *earlier) bool { return e.outside })
	return &Sweep{Source: src, Dir: u.Dir, union: parts}
}

// earlierOf is the sweep whose results are in a folder. A journal holds all rows that tables
// beside it may have.
func earlierOf(r *trial.Registry, dir string) (e *earlier, err error) {
	path := filepath.Join(dir, JournalFile)
	if first := beginningOf(path); first != nil {
		e, err = earlierJournal(r, path, first)
	} else {
		var kept *results.Folder
		var m *results.Manifest
		if kept, err = results.Open(r, dir); err != nil {
			return nil, err
		}
		if m, err = results.ReadManifest(dir); err != nil {
			return nil, err
		}
		e, err = earlierTables(kept, m)
		if err == nil {
			e.attempts = attemptsOf(m)
		}
	}
	if err != nil {
		return nil, err
	}
	e.joined = true
	if e.spec.Keep.Summary {
		return nil, fmt.Errorf("%s keeps a summary of its trials: digests that overlap cannot be told apart, nor compared row by row; let the sweep in that folder grow, or merge its shards", dir)
	}
	return e, nil
}

// attemptsOf are the processes that made tables. A manifest tells the program of the last of
// them in full, and the versions of the others.
func attemptsOf(m *results.Manifest) []attempt {
	var all []attempt
	for _, of := range m.Attempts {
		a := attempt{Program: m.Program, Machine: of.Machine, Workers: of.Workers, Start: of.Start}
		if of.Version != m.Program.String() {
			a.Program = m.Program
			a.Program.Version, a.Program.Revision, a.Program.Modified = of.Version, "", false
		}
		all = append(all, a)
	}
	return all
}

// lostInUnion names trials of the folders that the sweep does not have; "" for none.
func lostInUnion(s *Sweep) (string, error) {
	l, err := results.LayoutOf(s.Registry, s.Spec)
	if err != nil {
		return "", err
	}
	parts, err := partsOfUnion(s, s.Spec.Cells(), l)
	for _, g := range parts {
		if g.Dropped > 0 {
			return fmt.Sprintf("%s %s", filepath.Dir(g.from.path), g.lost()), nil
		}
	}
	return "", err
}

// partsOfUnion compares the sweep with each folder. Those with all columns come first, so that
// their rows are taken, and the rows of the others compared with them.
func partsOfUnion(s *Sweep, cells []spec.Cell, l results.Layout) ([]*growth, error) {
	var parts []*growth
	for _, e := range s.union {
		g, err := growthFrom(s, e, cells, l)
		if err != nil {
			return nil, err
		}
		parts = append(parts, g)
	}
	for i := range cells { // one of them may know where the stopping rule stops, and others not
		least := s.Spec.Replicates
		for _, g := range parts {
			least = min(least, g.limit[i])
		}
		for _, g := range parts {
			g.limit[i] = least
		}
	}
	slices.SortStableFunc(parts, func(a, b *growth) int { return min(a.Again, 1) - min(b.Again, 1) })
	return parts, nil
}

// runUnion fills the journal of the sweep with the trials of the folders, and writes the
// results from it.
func runUnion(ctx context.Context, s *Sweep, cells []spec.Cell, l results.Layout) (*Report, error) {
	to := s.target()
	parts, err := partsOfUnion(s, cells, l)
	if err != nil {
		return nil, err
	}
	for _, g := range parts {
		if g.Dropped > 0 && !s.Drop {
			return nil, fmt.Errorf("%s has trials that the sweep of the union does not have, and %s; give a sweep that has them, or --drop to drop them", filepath.Dir(g.from.path), g.lost())
		}
	}
	self := s.attempt(results.NewRowWriter(l).Header(), s.clock().Now())
	if err := to.fitsShards(self); err != nil {
		return nil, err
	}
	c, err := to.take()
	if err != nil {
		return nil, err
	}
	defer c.Close()
	if err := (&unionJournal{sweep: s, cells: cells, layout: l, parts: parts}).write(&self); err != nil {
		return nil, err
	}
	if report, err := to.completed(cells, l); report != nil || err != nil {
		return to.leave(c, report, err, cells, l)
	}
	return s.goOn(ctx, cells, l, c, self, nil)
}

// unionJournal writes the journal of a union.
type unionJournal struct {
	sweep  *Sweep
	cells  []spec.Cell
	layout results.Layout
	parts  []*growth

	held *contents // the records of the parts that were taken
	ends []int64   // where the records of each of these parts end
}

// write puts the journal into the folder in one step, with the trials of all parts. If two of
// them differ in a trial, or one was changed meanwhile, nothing is written.
func (u *unionJournal) write(self *attempt) (err error) {
	path := filepath.Join(u.sweep.Dir, JournalFile)
	into := filepath.Join(u.sweep.Dir, "."+JournalFile+".0.tmp") // as wholefile names its temporary files
	if err := os.Remove(into); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	defer os.Remove(into) // it has another name if all went well
	u.held = &contents{path: into}
	j, _, err := journal.Open(into, u.held.enter)
	if err != nil {
		return err
	}
	err = u.begin(j, self)
	for _, g := range u.parts {
		if err == nil {
			err = u.take(j, self.id(), g)
		}
	}
	var lacking *LackingError
	if err == nil {
		lacking, err = u.lacking(j.Reader())
	}
	if err = errors.Join(err, j.Close()); err != nil {
		return err
	}
	if err := os.Rename(into, path); err != nil {
		return err
	}
	if lacking != nil {
		return lacking
	}
	return nil
}

// begin records the processes that ran the trials. Those of the folder itself are there once,
// although another part may have been joined into it before.
func (u *unionJournal) begin(j *journal.Journal, self *attempt) error {
	var seen, own []attempt
	for _, g := range u.parts {
		if filepath.Dir(g.from.path) == filepath.Clean(u.sweep.Dir) {
			own = g.from.attempts
		}
	}
	for _, g := range u.parts {
		for _, a := range g.from.attempts {
			twin := func(b attempt) bool {
				return b.Start.Equal(a.Start) && b.Machine == a.Machine && b.Workers == a.Workers && b.Program.String() == a.Program.String()
			}
			if filepath.Dir(g.from.path) != filepath.Clean(u.sweep.Dir) && slices.ContainsFunc(own, twin) {
				continue
			}
			now := *self
			now.Program, now.Machine, now.Workers, now.Start = a.Program, a.Machine, a.Workers, a.Start
			seen = append(seen, now)
		}
	}
	slices.SortStableFunc(seen, func(a, b attempt) int { return a.Start.Compare(b.Start) })
	for _, a := range seen {
		record, err := a.record()
		if err == nil {
			err = u.enter(j, record)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// enter appends a record, and notes where it is.
func (u *unionJournal) enter(j *journal.Journal, record []byte) error {
	at, err := j.Append(record)
	if err != nil {
		return err
	}
	return u.held.enter(at, record)
}

// take appends the trials of a part that the journal lacks, and compares the others with what
// the journal holds.
func (u *unionJournal) take(j *journal.Journal, id identity, g *growth) error {
	g.tellJoined()
	held := *u.held
	held.records = slices.Clone(held.records)
	present := sourcePart{contents: &held, reader: j.Reader()}
	b, rows := &batch{}, results.NewRowWriter(u.layout)
	flush := func() error {
		if len(b.Rows) == 0 {
			return nil
		}
		err := u.enter(j, appendStretch(nil, id, b))
		b.Rows = b.Rows[:0]
		return err
	}
	err := g.eachRow(func(r *earlierRow) error {
		if r.now < 0 || r.place >= g.limit[r.now] {
			return nil
		}
		if _, holds, _ := held.find(r.now, r.place); holds {
			return u.compare(&present, g, r)
		}
		if r.lacking != "" {
			return nil
		}
		if r.now != b.Cell || r.place != b.First+len(b.Rows) || len(b.Rows) == batchLimit {
			if err := flush(); err != nil {
				return err
			}
			b.Cell, b.First = r.now, r.place
		}
		b.Rows = append(b.Rows, rows.AppendFields(nil, r.fields))
		return nil
	})
	if err = errors.Join(err, flush()); err != nil {
		return err
	}
	u.ends = append(u.ends, endOfRecords(u.held))
	return u.held.sort()
}

// endOfRecords is the place of the last record.
func endOfRecords(c *contents) (end int64) {
	for _, r := range c.records {
		end = max(end, r.at)
	}
	return end
}

// tellJoined logs what is taken.
func (g *growth) tellJoined() {
	log := g.sweep.log()
	if text := g.from.damage.String(); text != "" {
		log.Warn(damaged, "file", g.from.path, "damage", text)
	}
	log.Info("taking", "file", g.from.path, "trials", g.Kept)
	g.warnOfVersion()
}

// compare returns an error if a row of a part differs from the row of the trial in the journal.
func (u *unionJournal) compare(present *sourcePart, g *growth, r *earlierRow) error {
	text, err := present.row(r.now, r.place)
	if err != nil {
		return err
	}
	fields, err := results.FieldsOf(text)
	if err != nil {
		return err
	}
	i := r.differs(fields)
	if i < 0 {
		return nil
	}
	part, _ := slices.BinarySearch(u.ends, present.current.at)
	names := u.layout.Columns()
	return fmt.Errorf("%s and %s differ in trial %d of %s: its %s is %q in the one and %q in the other; bullring verify tells which of them another run confirms",
		u.parts[part].from.path, g.from.path, r.place+1, u.cells[r.now].Canonical(), names[i], fields[i], r.fields[i])
}

// differs returns the first column in which the row differs from these fields, -1 for none. A
// column whose value the row does not tell is none.
func (r *earlierRow) differs(fields []string) int {
	for i, text := range fields {
		if text != r.fields[i] && !(r.lacks != nil && r.lacks[i]) {
			return i
		}
	}
	return -1
}

// lacking returns the trials of the sweep that the journal does not hold; nil for none.
func (u *unionJournal) lacking(reader *journal.Reader) (*LackingError, error) {
	e := &LackingError{Dir: u.sweep.Dir, AtMost: u.sweep.Spec.Replicates * len(u.cells)}
	there := make([]int, len(u.cells))
	for _, r := range u.held.records {
		there[r.cell] += int(r.count)
	}
	read, err := results.NewRowReader(u.layout, u.layout.Columns())
	if err != nil {
		return nil, err
	}
	part := sourcePart{contents: u.held, reader: reader}
	for i := range u.cells {
		lacking := u.sweep.Spec.Replicates - there[i]
		if u.sweep.Spec.Until != nil {
			if lacking, err = u.lackingByRule(&part, read, i); err != nil {
				return nil, err
			}
		}
		if lacking > 0 {
			e.Trials += lacking
			e.Cells = append(e.Cells, fmt.Sprintf("%s of %s", counts.Grouped(lacking), u.cells[i].Canonical()))
		}
	}
	if e.Trials == 0 {
		return nil, nil
	}
	return e, nil
}

// lackingByRule returns how many trials of a cell the stopping rule lacks, at least.
func (u *unionJournal) lackingByRule(part *sourcePart, read *results.RowReader, cell int) (int, error) {
	var first []results.Sample
	for {
		look := stopsAt(u.layout, u.sweep.Spec, first)
		if look <= len(first) {
			return 0, nil
		}
		for len(first) < look {
			if _, holds, _ := u.held.find(cell, len(first)); !holds {
				return look - len(first), nil
			}
			row, err := part.row(cell, len(first))
			if err != nil {
				return 0, err
			}
			fields, err := results.FieldsOf(row)
			if err != nil {
				return 0, err
			}
			s, err := read.Sample(fields)
			if err != nil {
				return 0, err
			}
			first = append(first, s)
		}
	}
}
