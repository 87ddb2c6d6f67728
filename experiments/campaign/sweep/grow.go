package sweep

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"bullring/experiments/campaign/journal"
	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/spec"
	"bullring/experiments/trial/setting"
	"bullring/internal/build"
	"bullring/internal/counts"
)

// Growth says what a sweep or its shard does with the trials of an earlier version of the
// sweep, which are in the folder.
type Growth struct {
	Kept    int      // trials of the shard whose rows are kept
	Again   int      // trials of the shard that run again, because their rows lack a column
	Lacking []string // the columns that they lack
	Dropped int      // trials that this version does not have in any shard
}

// growth is a sweep that takes trials from an earlier version of it.
type growth struct {
	Growth
	sweep  *Sweep
	cells  []spec.Cell
	layout results.Layout
	from   *earlier
	before results.Layout // of the earlier rows

	place   []int       // of each earlier cell in this version, -1 if it has none
	limit   []int       // trials of a cell of this version, at most
	dropped []int       // trials of each earlier cell
	stamp   os.FileInfo // of the earlier rows
	begun   bool        // the journal has the attempt of this process
}

// growthOf returns what a sweep takes from an earlier version of it in its folder; nil if
// there is none. It is an error if trials would be lost, unless they may be dropped.
func growthOf(s *Sweep, self *attempt, cells []spec.Cell, l results.Layout) (*growth, error) {
	if s.Again && s.Drop { // nothing is taken, and all may be lost
		return nil, nil
	}
	to := s.target()
	from, err := to.earlierIn(self)
	if from == nil || err != nil {
		return nil, err
	}
	g, err := growthFrom(s, from, cells, l)
	if err == nil && !s.Drop {
		err = g.loss()
	}
	m, missing := results.ReadManifest(s.Dir)
	switch {
	case err != nil:
		return nil, err
	case from.attempts != nil && missing == nil && m.Complete && to.describes(m, self.Header) && m.UnchangedRows(s.Dir) == nil:
		return nil, nil // the tables have more than the journal
	case s.join != nil && from.attempts != nil:
		return nil, fmt.Errorf("%s belongs to an earlier version of this sweep, which is not complete; give another directory", from.path)
	}
	return g, nil
}

// growthFrom compares a sweep with an earlier version of it. It reads all earlier rows.
func growthFrom(s *Sweep, from *earlier, cells []spec.Cell, l results.Layout) (*growth, error) {
	g := &growth{sweep: s, cells: cells, layout: l, from: from, dropped: make([]int, len(from.cells))}
	g.findPlaces()
	g.limit = slices.Repeat([]int{s.Spec.Replicates}, len(cells))
	var err error
	if g.stamp, err = os.Stat(from.path); err != nil {
		return nil, err
	}
	if g.before, err = results.LayoutOf(s.Registry, from.spec); err != nil {
		return nil, err
	}
	if s.Again {
		return g, g.countPlaces()
	}
	if err := from.unusable(s.Registry); err != nil {
		return nil, err
	}
	if err := g.fitsKept(); err != nil {
		return nil, err
	}
	if s.Spec.Keep.Summary {
		return g, g.countDigests()
	}
	return g, g.count()
}

// findPlaces finds the cells of the earlier version in this one: first those that are written
// alike, then those in which one version leaves out a default that the other gives.
func (g *growth) findPlaces() {
	g.place = slices.Repeat([]int{-1}, len(g.from.cells))
	if g.from.spec.Seed != g.sweep.Spec.Seed {
		return // all trials are others
	}
	taken := make([]bool, len(g.cells))
	for _, name := range []func(*spec.Cell) trialsName{asWritten, g.resolved} {
		if !slices.Contains(g.place, -1) {
			return
		}
		at := map[trialsName]int{}
		for i := range g.cells {
			if !taken[i] {
				at[name(&g.cells[i])] = i
			}
		}
		for i := range g.from.cells {
			if g.place[i] >= 0 {
				continue
			}
			if now, ok := at[name(&g.from.cells[i])]; ok && !taken[now] {
				g.place[i], taken[now] = now, true
			}
		}
	}
}

// trialsName identifies the trials of a cell. Cells with the same key have the same seeds.
type trialsName struct {
	key     string
	setting setting.Setting
	rare    spec.Rare
}

func asWritten(c *spec.Cell) trialsName { return trialsName{c.Key(), c.Setting, c.Rare} }

// resolved names the trials of a cell by their setting with all defaults.
func (g *growth) resolved(c *spec.Cell) trialsName {
	key := c.Key()
	in, err := results.InstanceOf(g.sweep.Registry, c, results.TrialSeed(g.sweep.Spec.Seed, key, 1), true)
	if err != nil {
		return asWritten(c) // it is of an earlier version, and can run no more
	}
	set := in.Setting
	set.Seed = 0
	return trialsName{key, set, c.Rare}
}

// countPlaces counts the trials that have no place in this version, whose rows are not
// read: all trials run again.
func (g *growth) countPlaces() error {
	if g.from.spec.Keep.Summary {
		return g.from.eachDigest(g.before, func(cell, first int, d *results.Digest) error {
			if now := g.place[cell]; now < 0 || first+d.Trials > g.limit[now] {
				g.drop(cell, d.Trials)
			}
			return nil
		})
	}
	return g.from.each(func(cell, place int, _ []string) error {
		if now := g.place[cell]; now < 0 || place >= g.limit[now] {
			g.drop(cell, 1)
		}
		return nil
	})
}

func (g *growth) drop(cell, trials int) {
	g.dropped[cell] += trials
	g.Dropped += trials
}

// count counts the trials that are kept, and all others. It finds the limits that a
// stopping rule sets to cells.
func (g *growth) count() error {
	reader, err := results.NewRowReader(g.layout, g.layout.Columns())
	if err != nil {
		return err
	}
	here := earlierCell{before: -1}
	err = g.eachRow(func(r *earlierRow) error {
		if r.before != here.before {
			g.finish(&here)
			here = earlierCell{before: r.before, now: r.now}
		}
		switch {
		case r.now < 0 || r.place >= g.limit[r.now]:
			g.drop(r.before, 1)
			return nil
		case r.lacking != "":
			g.Again += g.mine(r.now, r.place)
			if !slices.Contains(g.Lacking, r.lacking) {
				g.Lacking = append(g.Lacking, r.lacking)
			}
			return nil
		}
		g.Kept += g.mine(r.now, r.place)
		if g.sweep.Spec.Until == nil {
			return nil
		}
		s, err := reader.Sample(r.fields)
		here.add(r.place, s)
		return err
	})
	g.finish(&here)
	return err
}

// mine is 1 if the trial belongs to the shard, and 0 otherwise.
func (g *growth) mine(cell, place int) int {
	if shard, _ := dealOf(g.sweep.Spec).owner(g.sweep.Shard.count(), cell, place); shard != g.sweep.Shard.Index {
		return 0
	}
	return 1
}

// earlierCell gathers the trials of a cell that a stopping rule judges.
type earlierCell struct {
	before, now int
	places      []int
	first       []results.Sample // of the first trials, up to a gap
}

func (c *earlierCell) add(place int, s results.Sample) {
	c.places = append(c.places, place)
	if place == len(c.first) {
		c.first = append(c.first, s)
	}
}

// finish applies the stopping rule to a cell. Trials behind the one at which it stops are
// dropped. With a gap in the trials it may not be known yet where the rule stops.
func (g *growth) finish(c *earlierCell) {
	if len(c.places) == 0 {
		return
	}
	look := stopsAt(g.layout, g.sweep.Spec, c.first)
	if look > len(c.first) {
		return
	}
	g.limit[c.now] = look
	for _, place := range c.places {
		if place >= look {
			g.Kept -= g.mine(c.now, place)
			g.drop(c.before, 1)
		}
	}
}

// stopsAt returns how many trials of a cell the stopping rule wants. If that is more than the
// first ones, which are given, it is no more than a lower limit.
func stopsAt(l results.Layout, s *spec.Spec, first []results.Sample) int {
	look := results.LeastTrials(s)
	for look <= len(first) {
		next := l.Next(s, first[:look])
		if next == look {
			break
		}
		look = next
	}
	return look
}

// earlierRow is a row of the earlier version.
type earlierRow struct {
	before, now int      // cells; now is -1 if this version does not have it
	place       int      // within the cell, from 0
	fields      []string // of this version's row
	lacking     string   // a column whose value the row does not tell
	lacks       []bool   // all such columns, if lacking names one
}

// eachRow calls visit with the rows of the earlier version, cell by cell. A row is valid
// during the call.
func (g *growth) eachRow(visit func(*earlierRow) error) error {
	adapter := results.NewRowAdapter(g.before, g.layout)
	r := earlierRow{before: -1}
	seeds := func(int) uint64 { return 0 }
	return g.from.each(func(cell, place int, fields []string) (err error) {
		now := g.place[cell]
		if now >= 0 && cell != r.before {
			c := &g.cells[now]
			key := c.Key()
			seeds = func(place int) uint64 { return results.TrialSeed(g.sweep.Spec.Seed, key, place+1) }
			in, err := g.sweep.replicates(c).Instance(seeds(0))
			if err != nil {
				return err
			}
			adapter.Cell(results.Input{Label: c.Label, Rare: c.Rare, Instance: in})
		}
		r = earlierRow{before: cell, now: now, place: place}
		if now < 0 {
			return visit(&r)
		}
		r.fields, r.lacking, err = adapter.Row(fields)
		r.lacks = adapter.Lacks
		switch {
		case err != nil:
			return fmt.Errorf("%s: trial %d of %s: %w; %s", g.from.path, place+1, g.cells[now].Canonical(), err, g.from.advice())
		case !adapter.IsTrial(r.fields, place+1, seeds(place)):
			return fmt.Errorf("%s: trial %d of %s has another seed than the sweep gives it; %s", g.from.path, place+1, g.cells[now].Canonical(), g.from.advice())
		}
		return visit(&r)
	})
}

// subtract takes the trials that are kept from those that are left of the cells. They are in
// the earlier version, and in the journal of a shard that has taken some.
func (g *growth) subtract(e *Estimate, self *attempt, left []int) error {
	held := &contents{}
	if path := filepath.Join(g.sweep.Dir, g.sweep.Shard.journalFile()); g.sweep.Shard.partial() {
		now, err := readJournal(path)
		switch {
		case err == nil && (len(now.attempts) == 0 || !g.from.ran(g.sweep, &now.attempts[0])):
			held = now
			if err := held.fits(g.sweep.Registry, *self, len(g.cells), dealOf(g.sweep.Spec)); err != nil {
				return err
			}
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return err
		}
	}
	for _, r := range held.records {
		left[r.cell] -= int(r.count)
	}
	e.Stored = held.trials
	if g.sweep.Spec.Keep.Summary {
		return g.eachKeptDigest(func(cell, _ int, d *results.Digest) error {
			left[cell] -= d.Trials
			e.Stored += d.Trials
			return nil
		})
	}
	return g.eachKept(func(cell, number int, _ []string) error {
		if _, holds, _ := held.find(cell, number); !holds {
			left[cell]--
			e.Stored++
		}
		return nil
	})
}

// eachKept calls visit with the rows that the shard keeps. A number is that of a trial among
// those of its cell that belong to the shard.
func (g *growth) eachKept(visit func(cell, number int, fields []string) error) error {
	deal := dealOf(g.sweep.Spec)
	return g.eachRow(func(r *earlierRow) error {
		if r.now < 0 || r.lacking != "" || r.place >= g.limit[r.now] {
			return nil
		}
		shard, number := deal.owner(g.sweep.Shard.count(), r.now, r.place)
		if shard != g.sweep.Shard.Index {
			return nil
		}
		return visit(r.now, number, r.fields)
	})
}

// loss returns an error that names the trials that are dropped; nil if all have a place.
func (g *growth) loss() error {
	if g.Dropped == 0 {
		return nil
	}
	return fmt.Errorf("%s holds an earlier version of this sweep, or another sweep, and %s; give another directory, or --drop to drop them", g.sweep.Dir, g.lost())
}

// lost names the trials that are dropped.
func (g *growth) lost() string {
	var cells []string
	for i := range g.from.cells {
		if n := g.dropped[i]; n > 0 {
			cells = append(cells, fmt.Sprintf("%s of %s", counts.Grouped(n), g.from.cells[i].Canonical()))
		}
	}
	why := ""
	if g.from.spec.Seed != g.sweep.Spec.Seed {
		why = fmt.Sprintf(", because its seed was %d, and is %d now", g.from.spec.Seed, g.sweep.Spec.Seed)
	}
	return fmt.Sprintf("%s would be lost%s: %s", counts.Several(g.Dropped, "trial"), why, results.SomeOf(cells))
}

// seed puts the rows that are kept into the journal. That of a whole sweep appears in one
// step, with all of them, in the place of a journal of the earlier version. That of a shard,
// which other processes may be opening, is filled in its place; if seed is killed, the next
// one adds what is lacking.
func (g *growth) seed(self *attempt) error {
	dir, name := g.sweep.Dir, g.sweep.Shard.journalFile()
	path := filepath.Join(dir, name)
	if stamp, err := os.Stat(g.from.path); err != nil || !os.SameFile(stamp, g.stamp) || stamp.Size() != g.stamp.Size() {
		return errors.Join(fmt.Errorf("%s was changed by another process; run the same command again", g.from.path), err)
	}
	into := path
	if !g.sweep.Shard.partial() {
		into = filepath.Join(dir, "."+name+".0.tmp") // as wholefile names its temporary files
		if err := os.Remove(into); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	held := &contents{path: into}
	j, _, err := journal.Open(into, held.enter)
	if err != nil {
		return err
	}
	err = g.fill(j, held, self)
	if err = errors.Join(err, j.Close()); err != nil {
		return err
	}
	if into != path {
		if err := os.Rename(into, path); err != nil {
			return err
		}
	}
	return g.removeJoined()
}

// removeJoined removes shards of the earlier version, whose rows are in its tables. One of
// the same division is cleared by the process that runs it.
func (g *growth) removeJoined() error {
	files, err := shardFiles(g.sweep.Dir)
	if err != nil {
		return err
	}
	for _, file := range files {
		shard, _ := shardOfFile(filepath.Base(file))
		if first := beginningOf(file); first == nil || shard.Of == g.sweep.Shard.Of || !g.from.ran(g.sweep, first) {
			continue
		}
		if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// ran reports whether an attempt ran trials of the earlier version.
func (e *earlier) ran(s *Sweep, a *attempt) bool {
	return trialsOf(s.Registry, a) == e.hash && a.Header == e.header
}

// fill appends to a journal the rows that are kept and that it lacks.
func (g *growth) fill(j *journal.Journal, held *contents, self *attempt) error {
	if len(held.attempts) > 0 && g.from.ran(g.sweep, &held.attempts[0]) {
		if err := j.Clear(); err != nil { // a shard that was joined: the tables have its rows
			return err
		}
		*held = contents{path: held.path}
	}
	err := held.sort()
	if err == nil {
		err = held.fits(g.sweep.Registry, *self, len(g.cells), dealOf(g.sweep.Spec))
	}
	if err != nil {
		return err
	}
	if len(held.attempts) == 0 {
		if err := g.begin(j, self); err != nil {
			return err
		}
		g.begun = true
	}
	if g.sweep.Spec.Keep.Summary {
		return g.fillDigests(j, self.id())
	}
	b, id := &batch{}, self.id()
	flush := func() error {
		if len(b.Rows) == 0 {
			return nil
		}
		_, err := j.Append(appendStretch(nil, id, b))
		b.Rows = b.Rows[:0]
		return err
	}
	rows := results.NewRowWriter(g.layout)
	err = g.eachKept(func(cell, number int, fields []string) error {
		if _, holds, _ := held.find(cell, number); holds {
			return nil
		}
		if cell != b.Cell || number != b.First+len(b.Rows) || len(b.Rows) == batchLimit {
			if err := flush(); err != nil {
				return err
			}
			b.Cell, b.First = cell, number
		}
		b.Rows = append(b.Rows, rows.AppendFields(nil, fields))
		return nil
	})
	return cmp.Or(err, flush())
}

// begin records the processes that ran trials which are kept, as far as a journal tells, and
// this one.
func (g *growth) begin(j *journal.Journal, self *attempt) error {
	attempts := []attempt{*self}
	if g.Kept > 0 {
		attempts = append(slices.Clone(g.from.attempts), *self)
	}
	for _, a := range attempts {
		now := *self
		now.Program, now.Machine, now.Workers, now.Start = a.Program, a.Machine, a.Workers, a.Start
		record, err := now.record()
		if err == nil {
			_, err = j.Append(record)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// tell logs how many of the trials that the sweep has at most are kept.
func (g *growth) tell(trials int) {
	log := g.sweep.log()
	if text := g.from.damage.String(); text != "" {
		log.Warn(damaged, "file", g.from.path, "damage", text)
	}
	log.Info("growing", "file", g.from.path, "kept trials", g.Kept, "of", trials)
	g.warnOfVersion()
}

// warnOfVersion warns of trials that another version of the program ran.
func (g *growth) warnOfVersion() {
	if this := build.ThisProgram().String(); g.Kept > 0 && g.from.version != this {
		g.sweep.log().Warn("another version of the same epoch ran the trials that are kept", "its version", g.from.version, "this version", this)
	}
}
