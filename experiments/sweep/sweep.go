package sweep

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/jonboulle/clockwork"

	"bullring/experiments"
	"bullring/experiments/journal"
	"bullring/experiments/paper"
	"bullring/experiments/results"
	"bullring/experiments/spec"
	"bullring/internal/build"
	"bullring/netem"
)

// Sweep runs every cell of a spec, replicate by replicate, and writes the results
// into a folder: see [Manifest]. The tables are the same to the byte whatever the
// number of workers, of shards, and of times that it was killed and went on.
//
// Every trial that has finished is kept in a journal in the folder. A sweep whose
// journal is there goes on where it ended; one that is complete is not run again.
type Sweep struct {
	Registry *experiments.Registry
	Spec     *spec.Spec // of Registry.ParseSpec
	Text     []byte     // that Spec was parsed from
	File     string     // and its file, for messages
	Dir      string     // is made if need be
	Shard    Shard      // to run of it; a part writes its journal alone, for Join

	Workers      int  // goroutines that run trials; 0 is GOMAXPROCS
	OutsideModel bool // run even cells of which an algorithm promises nothing
	Again        bool // run it even if it is complete, or begun, and forget what was there

	// Rehearse, if not nil, makes a function that reports why a figure of the sweep could not
	// be drawn when all trials have run: see RehearseFigures.
	Rehearse func(a *results.Folder, outside bool) func(*spec.Figure) error

	// Progress, if not nil, is told how far the sweep is: at most ten times a
	// second, and at the end. It must not take long.
	Progress func(Progress)
	// Begun, if not nil, is called when everything has been checked and trials are about to
	// run: from now on Run ends by itself when its context is cancelled.
	Begun func()
	// Log, if not nil, is told what is worth knowing while the sweep runs.
	Log *slog.Logger
	// Clock tells Progress and the manifest the time; nil is the real one. No table
	// depends on it.
	Clock clockwork.Clock

	trials string    // hash of what decides them, once it is known
	join   []*stored // run nothing, and take the trials of all shards from there
}

// Progress is how far a sweep is.
type Progress struct {
	Done, Trials int  // Trials: at most, unless Fixed
	Fixed        bool // how many trials there are does not depend on how they come out
	Stored       int  // of those done, that had run before
	Cells        int
	CellsDone    int
	Elapsed      time.Duration
	Outcomes     []Count // of the trials that were looked at, in order
	Failed       int     // of these, inside the model, and a check is violated
	CutOff       int     // of these, ended at a limit, inside the model
}

// progressEvery is the shortest time between two calls of Sweep.Progress.
const progressEvery = 100 * time.Millisecond

// Report is what there is to say of a sweep that has run.
type Report struct {
	Cells   int
	Trials  int  // that the sweep, or its shard, asks for, at most
	Done    int  // of them, from the first on
	Stored  int  // of these, that had run before
	Already bool // it was complete, and nothing was run
	// Outdated: the folder holds the same trials for an earlier version of the sweep, with
	// other labels, comparisons or figures. Run writes its files anew, without figures.
	Outdated bool
	Outside  int // of those done, outside the model of their algorithm
	Failed   int // of these, inside the model, and a check is violated all the same
	// CutOff is how many ended at a limit, inside the model.
	CutOff int
	// FirstFailed is the row of the first of the failed, 0 for none.
	FirstFailed int
	Outcomes    []Count
	Checks      []CheckCount
	Files       []string // written, by name
}

// Count is how often something was so.
type Count struct {
	Name  string
	Times int
}

// CheckCount is how often a check came out how.
type CheckCount struct {
	Name                       string
	Holds, Violated, Undecided int
	NotPromised                int
}

// StoppedError says that a sweep was cancelled.
type StoppedError struct {
	Done, Trials int
	Dir          string
	Cause        error // of the context
}

func (e *StoppedError) Error() string {
	return fmt.Sprintf("stopped after %d of %d trials, which are kept in %s: the same command goes on from there (%v)", e.Done, e.Trials, e.Dir, e.Cause)
}

// Unwrap returns why.
func (e *StoppedError) Unwrap() error { return e.Cause }

// RowError says that a trial went wrong, and how to see it.
type RowError struct {
	Dir       string
	Row       int // 0 in a shard, where nobody knows
	Cell      string
	Replicate int
	Seed      uint64
	Instance  *experiments.Instance // nil if there is none: the cause is that
	Cause     error
}

func (e *RowError) Error() string {
	where := fmt.Sprintf("%s, replicate %d, seed %d", e.Cell, e.Replicate, e.Seed)
	if e.Row == 0 {
		return fmt.Sprintf("%s: %v; the shard was stopped there", where, e.Cause)
	}
	dir := e.Dir
	if strings.ContainsAny(dir, " \t\"'\\$") {
		dir = strconv.Quote(dir)
	}
	return fmt.Sprintf("row %d (%s): %v; the sweep was stopped there; to see this run: bullring replay %s %d",
		e.Row, where, e.Cause, dir, e.Row)
}

// Unwrap returns what went wrong.
func (e *RowError) Unwrap() error { return e.Cause }

// WriteError says that a file of the folder could not be written, as on a full disk.
// What it had of files stays as it was.
type WriteError struct {
	Journal string // keeps the trials that had finished
	Gone    bool   // it was moved or removed meanwhile
	Cause   error
}

func (e *WriteError) Error() string {
	if e.Gone {
		return fmt.Sprintf("%v; %s, which kept the trials that had finished, was moved or removed meanwhile: moved back, the same command goes on from there", e.Cause, e.Journal)
	}
	return fmt.Sprintf("%v; the trials that had finished are kept in %s, and the same command goes on from there", e.Cause, e.Journal)
}

// Unwrap returns why.
func (e *WriteError) Unwrap() error { return e.Cause }

// Run runs the sweep, or what is left of it. Whatever is wrong with it is found
// before anything runs.
//
// When the context is cancelled, Run finishes the trials in hand and ends with a
// [*StoppedError]. A trial that breaks a proven bound, or in which the algorithm
// panics, ends it with a [*RowError]. An algorithm that is not deterministic, or breaks
// another rule that protocols.Process has, is a [*ConductError] before anything runs.
// Either way the tables hold the trials from the first to the last that is told of,
// in whole rows, the manifest says that they are not complete, and the journal keeps
// all that have finished.
func (s *Sweep) Run(ctx context.Context) (*Report, error) {
	cells, layout, err := s.resolve()
	if err != nil {
		return nil, err
	}
	if err := s.claim(); err != nil {
		return nil, err
	}
	report, err := s.already(cells, layout)
	switch {
	case err != nil || report != nil && !report.Outdated && s.isTidy():
		return report, err
	case report == nil:
		err = s.fitsShards(s.attempt(results.NewRowWriter(layout).Header(), s.clock().Now()))
		if err == nil && s.join == nil {
			err = s.checkConduct(ctx, cells)
		}
	}
	if err != nil {
		return nil, err
	}
	c, err := s.hold()
	if err != nil {
		return nil, err
	}
	defer c.Close()
	// Another process may have completed it just now.
	report, err = s.already(cells, layout)
	if err == nil && report != nil && report.Outdated {
		err = s.rewrite(c, cells, layout)
	}
	if report != nil || err != nil {
		return report, errors.Join(err, s.tidy(c))
	}
	r, err := s.begin(cells, layout, c)
	if err != nil {
		return nil, err
	}
	defer r.close()
	if s.Begun != nil {
		s.Begun()
	}
	return r.run(ctx)
}

// outsideModel: whoever runs the sweep, or whoever wrote it, wants it so.
func (s *Sweep) outsideModel() bool { return s.OutsideModel || s.Spec.OutsideModel }

func (s *Sweep) workers() int {
	if s.Workers > 0 {
		return s.Workers
	}
	return runtime.GOMAXPROCS(0)
}

func (s *Sweep) clock() clockwork.Clock {
	if s.Clock == nil {
		return clockwork.NewRealClock()
	}
	return s.Clock
}

func (s *Sweep) log() *slog.Logger {
	if s.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return s.Log
}

// sweepRun is a sweep under way.
type sweepRun struct {
	*Sweep
	cells  []spec.Cell
	layout results.Layout
	deal   deal
	trials int // of the shard, at most

	self    attempt
	id      identity
	claims  *results.Claims // nil of a shard
	journal *journal.Journal
	held    *stored           // that the journal held at the start
	readers []*journal.Reader // of the journals of Sweep.join

	tally  *tally
	output *results.Tables // nil in a shard
	pool   *pool

	start     time.Time
	told      time.Time
	cellsDone int
	written   bool // all files of the folder
}

// begin opens the journal and the tables.
func (s *Sweep) begin(cells []spec.Cell, l results.Layout, c *results.Claims) (*sweepRun, error) {
	r := &sweepRun{Sweep: s, cells: cells, layout: l, deal: dealOf(s.Spec), claims: c, tally: newTally(l), start: s.clock().Now()}
	for i := range cells {
		r.trials += r.deal.count(s.Shard, i)
	}
	r.self = s.attempt(results.NewRowWriter(l).Header(), r.start)
	r.id = r.self.id()
	if c != nil { // what is in the way is known before any trial runs
		if err := c.Free(s.ownFiles()); err != nil {
			return nil, err
		}
	}
	var err error
	if r.journal, r.held, err = s.openJournal(r.self, cells); err != nil {
		return nil, err
	}
	if err := r.prepare(); err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

// prepare begins an attempt in the journal, and the tables.
func (r *sweepRun) prepare() error {
	if text := r.held.damage.String(); text != "" {
		r.log().Warn("the journal is damaged; what is left out runs again", "file", r.held.path, "damage", text)
	}
	if r.held.trials > 0 {
		r.log().Info("going on", "file", r.held.path, "trials there", r.held.trials, "of", r.trials)
	}
	if last := len(r.held.attempts) - 1; last >= 0 && r.held.attempts[last].Program.String() != r.self.Program.String() {
		r.log().Warn("the journal was begun by another version of the same epoch", "its version", r.held.attempts[last].Program.String(), "this version", r.self.Program.String())
	}
	record, err := r.self.record()
	if err != nil {
		return err
	}
	if _, err := r.journal.Append(record); err != nil {
		return r.unwritten(err)
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
	if err := r.claims.RemoveStale(r.temporary()); err != nil {
		return err
	}
	r.output, err = results.CreateTables(r.archive(r.cells), r.outsideModel(), r.layout, r.self.Header)
	return r.unwritten(err)
}

// attempt is this process's.
func (s *Sweep) attempt(header string, start time.Time) attempt {
	self := attempt{
		File: filepath.Base(s.File), Spec: string(s.Text), Trials: s.trialsHash(), Epoch: netem.Epoch, Outside: s.outsideModel(), Header: header,
		Shard: s.Shard, Program: build.ThisProgram(), Machine: build.ThisMachine(), Workers: s.workers(), Start: start.UTC().Truncate(time.Second),
	}
	if in := s.Spec.Included; in != nil {
		self.Included = &includedFile{in.Name, string(in.Text)}
	}
	return self
}

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

// run deals the trials and writes what comes of them.
func (r *sweepRun) run(ctx context.Context) (*Report, error) {
	w := work{
		cells: len(r.cells), goal: r.goal, stored: r.stored,
		emit: r.accept, finish: r.finishCell,
	}
	if r.Spec.Until != nil {
		w.more = r.more
	}
	r.pool = newPool(w)
	all, failure := r.pool.run(ctx, r.workers(), func() func(*results.Batch) {
		w := r.newWorker()
		return func(b *results.Batch) { w.do(ctx, b) }
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

// unwritten says of an error in writing that nothing is lost.
func (r *sweepRun) unwritten(err error) error {
	if err == nil {
		return nil
	}
	gone := r.journal != nil && !r.journal.There()
	return &WriteError{Journal: r.held.path, Gone: gone, Cause: err}
}

// goal is how many trials of a cell to run at first.
func (r *sweepRun) goal(cell int) int {
	return min(r.deal.count(r.Shard, cell), results.LeastTrials(r.Spec))
}

// more is how many trials a cell takes, as far as those show that there are. It
// depends on them alone.
func (r *sweepRun) more(_ int, kept []results.Sample) int { return r.layout.Next(r.Spec, kept) }

// stored tells what of a cell has run before: see [work].
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

// accept takes the next trials.
func (r *sweepRun) accept(b *results.Batch) error {
	for i := range b.Kept {
		r.tally.add(&b.Kept[i])
	}
	if e, ok := errors.AsType[*RowError](b.Err); ok && r.output != nil {
		e.Row = r.tally.done
	}
	defer r.tell(false)
	if r.output == nil {
		return nil
	}
	return r.unwritten(r.output.Accept(b))
}

func (r *sweepRun) finishCell(int) error {
	r.cellsDone++
	if r.output == nil {
		return nil
	}
	return r.unwritten(r.output.FinishCell())
}

// commit writes the files, or ends the shard's journal. failure is why the sweep is
// not complete, if it is not.
func (r *sweepRun) commit(failure error) error {
	if r.output == nil {
		return r.endShard(failure)
	}
	if err := r.claims.Take(r.ownFiles()); err != nil {
		return err
	}
	if err := r.output.Commit(); err != nil {
		return err
	}
	m := r.manifest()
	m.Files, m.Rows, m.Complete = r.output.Files, r.output.Rows, failure == nil
	if failure != nil {
		m.Stopped = failure.Error()
	}
	if err := paper.WriteDocuments(r.output.Folder, m, nil); err != nil {
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

func (r *sweepRun) report() *Report {
	report := r.tally.report(len(r.cells), r.trials)
	report.Stored = r.pool.finished - r.pool.ran
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

// tell tells Sweep.Progress, not too often.
func (r *sweepRun) tell(end bool) {
	if r.Progress == nil {
		return
	}
	now := r.clock().Now()
	if !end && now.Sub(r.told) < progressEvery {
		return
	}
	r.told = now
	r.Progress(Progress{
		Done: r.pool.finished, Trials: r.trials, Fixed: r.Spec.Until == nil, Stored: r.pool.finished - r.pool.ran,
		Cells: len(r.cells), CellsDone: r.cellsDone, Elapsed: now.Sub(r.start),
		Outcomes: r.tally.counts(), Failed: r.tally.failed, CutOff: r.tally.cutOff,
	})
}

// sweepWorker runs batches of trials.
type sweepWorker struct {
	*sweepRun
	rows   *results.RowWriter
	reader *results.RowReader
	source rowSource
	worker experiments.Worker

	ends   []int  // of the rows of the batch at hand
	kept   []byte // the rows of a journal, as they are there
	record []byte // for the journal
	cell   int    // the one at hand, from 1
	key    string
}

func (r *sweepRun) newWorker() *sweepWorker {
	w := &sweepWorker{sweepRun: r, rows: results.NewRowWriter(r.layout)}
	var names []string
	for _, c := range w.rows.Table.Columns {
		names = append(names, c.Name)
	}
	var err error
	if w.reader, err = results.NewRowReader(r.layout, names); err != nil {
		panic(err) // it is the same layout
	}
	w.source = rowSource{deal: r.deal, join: r.join != nil}
	for i, part := range r.join {
		w.source.parts = append(w.source.parts, sourcePart{stored: part, reader: r.readers[i]})
	}
	if r.join == nil {
		w.source.parts = []sourcePart{{stored: r.held, reader: r.journal.Reader()}}
	}
	return w
}

// do runs a batch, or reads it. After a cancellation it does no more trials.
func (w *sweepWorker) do(ctx context.Context, b *results.Batch) {
	w.ends = w.ends[:0]
	if b.Stored {
		b.Err = w.read(ctx, b)
	} else {
		b.Err = w.run(ctx, b)
	}
	from := 0
	for _, end := range w.ends {
		b.Rows = append(b.Rows, b.Text[from:end])
		from = end
	}
	if b.Stored || len(b.Rows) == 0 {
		return
	}
	sound := *b
	if _, broken := errors.AsType[*RowError](b.Err); broken { // it has to break again
		sound.Rows = b.Rows[:len(b.Rows)-1]
	}
	if len(sound.Rows) == 0 {
		return
	}
	w.record = appendStretch(w.record[:0], w.id, &sound)
	if _, err := w.journal.Append(w.record); err != nil && b.Err == nil {
		b.Err = w.unwritten(err)
		b.End, b.Rows, b.Kept = b.First, b.Rows[:0], b.Kept[:0] // not kept, not done
	}
}

// read takes the batch from a journal. A label may have been changed since.
func (w *sweepWorker) read(ctx context.Context, b *results.Batch) error {
	end := b.End
	b.End = b.First
	w.kept = w.kept[:0]
	for i := b.First; i < end && ctx.Err() == nil; i++ {
		row, err := w.source.row(b.Cell, i)
		if err != nil {
			return err
		}
		w.kept = append(w.kept, row...)
		b.End = i + 1
	}
	in := csv.NewReader(bytes.NewReader(w.kept))
	in.ReuseRecord, in.FieldsPerRecord = true, len(w.rows.Table.Columns)
	label := w.cells[b.Cell].Label
	for i := b.First; i < b.End; i++ {
		from := in.InputOffset()
		fields, err := in.Read()
		if err != nil {
			return fmt.Errorf("a row of the journal: %w", err)
		}
		if name := fields[w.reader.Algorithm]; name != w.cells[b.Cell].Algorithm {
			return fmt.Errorf("a row of the journal is of the algorithm %q, and its cell of %q", name, w.cells[b.Cell].Algorithm)
		}
		s, err := w.reader.Sample(fields)
		if err != nil {
			return fmt.Errorf("a row of the journal: %w", err)
		}
		if i == 0 {
			instance, err := w.instance(&w.cells[b.Cell], w.seed(b.Cell, w.replicate(b.Cell, i)))
			if err != nil {
				return err
			}
			s.Input = results.Input{Label: label, Instance: instance}
		}
		b.Kept = append(b.Kept, s)
		if fields[w.reader.Label] == label {
			b.Text = append(b.Text, w.kept[from:in.InputOffset()]...)
		} else {
			fields[w.reader.Label] = label
			b.Text = w.rows.AppendFields(b.Text, fields)
		}
		w.ends = append(w.ends, len(b.Text))
	}
	if _, err := in.Read(); err != io.EOF {
		return errors.New("a row of the journal is more than a row")
	}
	return nil
}

// run runs the trials of the batch.
func (w *sweepWorker) run(ctx context.Context, b *results.Batch) error {
	end := b.End
	b.End = b.First
	for i := b.First; i < end && ctx.Err() == nil; i++ {
		t, err := w.trial(ctx, b.Cell, i)
		if err != nil {
			return err
		}
		b.End = i + 1
		b.Text = w.rows.Append(b.Text, t)
		w.ends = append(w.ends, len(b.Text))
		s := w.layout.SampleOf(t)
		if i == 0 {
			s.Input = results.Input{Label: t.Label, Instance: t.Instance}
		}
		b.Kept = append(b.Kept, s)
		b.Cost += int(t.Counters.Events) + t.Instance.N
		if err := cmp.Or(t.BrokenBound(), t.Failed); err != nil {
			return w.rowError(b.Cell, t.Replicate, t.Instance, err)
		}
	}
	return nil
}

// trial runs a trial of a cell to its end, whatever the context: a trial in hand is
// finished.
func (w *sweepWorker) trial(ctx context.Context, cell, number int) (*results.Trial, error) {
	replicate := w.replicate(cell, number)
	in, err := w.instance(&w.cells[cell], w.seed(cell, replicate))
	if err != nil {
		return nil, w.rowError(cell, replicate, nil, err)
	}
	return &results.Trial{Label: w.cells[cell].Label, Replicate: replicate, Result: w.worker.Run(context.WithoutCancel(ctx), in, nil)}, nil
}

// replicate is the number, from 1, of the shard's trial of a cell.
func (w *sweepWorker) replicate(cell, number int) int {
	return w.deal.first(w.Shard, cell) + number*w.deal.step(w.Shard) + 1
}

func (w *sweepWorker) seed(cell, replicate int) uint64 {
	if w.cell != cell+1 {
		w.cell, w.key = cell+1, w.cells[cell].Key()
	}
	return results.TrialSeed(w.Spec.Seed, w.key, replicate)
}

func (w *sweepWorker) rowError(cell, replicate int, in *experiments.Instance, cause error) error {
	return &RowError{Dir: w.Dir, Cell: results.CellName(&w.cells[cell]), Replicate: replicate, Seed: w.seed(cell, replicate), Instance: in, Cause: cause}
}
