package sweep

import (
	"context"
	"errors"
	"slices"
	"time"

	"bullring/experiments/campaign/journal"
	"bullring/experiments/campaign/paper"
	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/spec"
)

// sweepRun is a running sweep.
type sweepRun struct {
	*Sweep
	to     target
	cells  []spec.Cell
	layout results.Layout
	deal   deal
	trials int // of the shard, at most

	self    attempt
	id      identity
	grown   *growth           // nil unless trials are taken from an earlier version
	former  *results.Manifest // of the tables of an earlier version, or nil
	claims  *results.Claims   // nil in a shard
	journal *journal.Journal
	held    *contents         // content of the journal at the start
	readers []*journal.Reader // of the journals of Sweep.join

	tally  *tally
	output *results.Tables // nil in a shard
	pool   *pool

	start     time.Time
	reported  time.Time // when Progress was last called
	cellsDone int
	written   bool // all files of the folder are
}

// begin opens the journal and the tables. grown, if not nil, has trials for the journal.
func (s *Sweep) begin(cells []spec.Cell, l results.Layout, c *results.Claims, self attempt, grown *growth) (*sweepRun, error) {
	r := &sweepRun{Sweep: s, to: s.target(), cells: cells, layout: l, deal: dealOf(s.Spec), claims: c, tally: newTally(l), self: self, start: s.clock().Now()}
	for i := range cells {
		r.trials += r.deal.count(s.Shard, i)
	}
	r.id = r.self.id()
	if m, err := results.ReadManifest(s.Dir); err == nil && !r.to.describes(m, self.Header) {
		r.former = m
	}
	if c != nil { // find files in the way before any trial runs
		if err := c.Free(r.to.ownFiles()); err != nil {
			return nil, err
		}
	}
	if grown != nil && !s.Again && s.join == nil {
		r.grown = grown
		grown.tell(r.trials)
		if err := grown.seed(&r.self); err != nil {
			return nil, err
		}
	}
	var err error
	if r.journal, r.held, err = r.to.openJournal(r.self, cells); err != nil {
		return nil, err
	}
	if err := r.prepare(); err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

// damaged is the warning of a damaged journal.
const damaged = "the journal is damaged; the trials in the damaged records run again"

// prepare records an attempt in the journal, and creates the tables.
func (r *sweepRun) prepare() error {
	if text := r.held.damage.String(); text != "" {
		r.log().Warn(damaged, "file", r.held.path, "damage", text)
	}
	if r.held.trials > 0 && !r.isNewlyGrown() && r.union == nil {
		r.log().Info("resuming", "file", r.held.path, "stored trials", r.held.trials, "of", r.trials)
	}
	if last := len(r.held.attempts) - 1; last >= 0 && r.held.attempts[last].Program.String() != r.self.Program.String() {
		r.log().Warn("another version of the same epoch began the journal", "its version", r.held.attempts[last].Program.String(), "this version", r.self.Program.String())
	}
	err := r.record()
	if err != nil {
		return err
	}
	for _, part := range r.join {
		reader, err := journal.NewReader(part.path)
		if err != nil {
			return err
		}
		r.readers = append(r.readers, reader)
	}
	if r.Shard.partial() {
		return nil
	}
	if err := r.claims.RemoveStale(r.to.temporary()); err != nil {
		return err
	}
	r.output, err = results.CreateTables(r.to.folder(r.cells), r.outsideModel(), r.layout, r.self.Header)
	return r.unwritten(err)
}

// isNewlyGrown reports whether this process began the journal, with trials of an earlier
// version.
func (r *sweepRun) isNewlyGrown() bool { return r.grown != nil && r.grown.begun }

// record records the attempt, unless it is in the journal.
func (r *sweepRun) record() error {
	if r.isNewlyGrown() || r.union != nil { // the journal tells who ran the trials
		return nil
	}
	record, err := r.self.record()
	if err != nil {
		return err
	}
	_, err = r.journal.Append(record)
	r.held.attempts = append(r.held.attempts, r.self)
	return r.unwritten(err)
}

// close discards what was not committed, and closes the journals.
func (r *sweepRun) close() {
	if r.output != nil {
		r.output.Discard()
	}
	for _, reader := range r.readers {
		reader.Close()
	}
	if r.journal != nil {
		r.journal.Close()
	}
}

// run runs the trials and writes the results.
func (r *sweepRun) run(ctx context.Context) (*Report, error) {
	w := work{
		cells: len(r.cells), goal: r.goal, stored: r.stored,
		emit: r.accept, finish: r.finishCell, long: r.Spec.Keep.Summary,
	}
	if r.Spec.Until != nil {
		w.more = r.more
	}
	r.pool = newPool(w)
	all, failure := r.pool.run(ctx, r.workers(), func() func(*batch) {
		w := r.newWorker()
		return func(b *batch) { w.do(ctx, b) }
	})
	r.tell(true)
	if failure == nil && !all {
		failure = &StoppedError{Done: r.pool.finished, Trials: r.trials, Dir: r.Dir, Cause: context.Cause(ctx)}
	}
	if _, ok := errors.AsType[*WriteError](failure); !ok {
		failure = errors.Join(failure, r.unwritten(r.commit(failure)))
	}
	return r.report(), failure
}

// unwritten turns an error of writing into a [*WriteError].
func (r *sweepRun) unwritten(err error) error {
	if err == nil {
		return nil
	}
	gone := r.journal != nil && !r.journal.There()
	return &WriteError{Journal: r.held.path, Gone: gone, Cause: err}
}

// goal returns how many trials of a cell to run at first.
func (r *sweepRun) goal(cell int) int {
	return min(r.deal.count(r.Shard, cell), results.LeastTrials(r.Spec))
}

// more returns how many trials a cell needs, given the samples of the first ones. It
// depends on these samples only.
func (r *sweepRun) more(_ int, kept []results.Sample) int { return r.layout.Next(r.Spec, kept) }

// stored finds trials that have run before: see [work].
func (r *sweepRun) stored(cell, first, end int) (ran bool, until int) {
	if r.join != nil {
		return true, end
	}
	s, holds, next := r.held.find(cell, first)
	switch {
	case holds:
		return true, s.end()
	case next:
		return false, int(s.first)
	}
	return false, end
}

// accept takes the next trials, in the order of the sweep.
func (r *sweepRun) accept(b *batch) error {
	for i := range b.Kept {
		r.tally.add(&b.Kept[i])
	}
	if b.Digest != nil {
		r.tally.addDigest(b.Cell*r.Spec.Replicates, b.Digest)
	}
	if e, ok := errors.AsType[*RowError](b.Err); ok && r.output != nil && b.Digest == nil {
		e.Row = r.tally.done
	}
	defer r.tell(false)
	if r.output == nil {
		return nil
	}
	if b.Digest != nil {
		return r.unwritten(r.output.AcceptDigest(b.Cell, b.Input, b.Digest))
	}
	return r.unwritten(r.output.Accept(b.Cell, b.First, b.Rows, b.Kept))
}

// finishCell is called when a cell has no more trials.
func (r *sweepRun) finishCell(int) error {
	r.cellsDone++
	if r.output == nil {
		return nil
	}
	return r.unwritten(r.output.FinishCell())
}

// commit writes the files or, in a shard, ends the journal. failure is the reason why the
// sweep is not complete, or nil.
func (r *sweepRun) commit(failure error) error {
	if r.output == nil {
		return r.endShard(failure)
	}
	kept, err := r.claims.Take(r.to.ownFiles())
	if err != nil {
		return err
	}
	if err := r.output.Commit(); err != nil {
		return err
	}
	m := r.manifest()
	m.Files, m.Rows, m.Summarised, m.Complete = r.output.Files, r.output.Rows, r.output.Summarised, failure == nil
	if failure != nil {
		m.Stopped = failure.Error()
	}
	if err := r.claims.RemoveUnfinished(r.to.allFiles()); err != nil {
		return err
	}
	if f := r.former; f != nil {
		if err := removeFormer(r.Dir, slices.Concat(f.Files, f.Shown()), m.Files); err != nil {
			return err
		}
	}
	if err := paper.WriteDocuments(r.output.Folder, m, nil, kept); err != nil {
		return err
	}
	if r.written = true; failure == nil {
		j := r.journal
		r.journal = nil
		if err := j.Remove(); err != nil {
			return err
		}
	}
	return r.claims.Settle()
}

// endShard records that the shard is complete.
func (r *sweepRun) endShard(failure error) error {
	if failure != nil {
		return nil
	}
	record, err := endOf(r.id, r.tally.done, r.clock().Now().UTC().Truncate(time.Second))
	if err != nil {
		return err
	}
	if r.held.ending == nil {
		_, err = r.journal.Append(record)
	}
	return err
}

// report describes the finished run.
func (r *sweepRun) report() *Report {
	report := r.tally.report(len(r.cells), r.trials)
	report.Stored = r.pool.finished - r.pool.ran
	if r.grown != nil {
		report.Growth = &r.grown.Growth
	}
	if r.output == nil {
		report.Files = []string{r.Shard.journalFile()}
		return report
	}
	if !r.written {
		return report
	}
	for _, f := range r.output.Files {
		report.Files = append(report.Files, f.Name)
	}
	report.Files = append(report.Files, results.ManifestFile)
	return report
}

// tell calls Sweep.Progress, but not too often.
func (r *sweepRun) tell(end bool) {
	if r.Progress == nil {
		return
	}
	now := r.clock().Now()
	if !end && now.Sub(r.reported) < progressEvery {
		return
	}
	r.reported = now
	r.Progress(Progress{
		Done: r.pool.finished, Trials: r.trials, Fixed: r.Spec.Until == nil, Stored: r.pool.finished - r.pool.ran,
		Cells: len(r.cells), CellsDone: r.cellsDone, Elapsed: now.Sub(r.start),
		Outcomes: r.tally.counts(), Failed: r.tally.failed, CutOff: r.tally.cutOff,
	})
}
