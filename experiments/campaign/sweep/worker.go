package sweep

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"bullring/experiments/campaign/results"
	"bullring/experiments/trial"
)

// sweepWorker runs batches of trials.
type sweepWorker struct {
	*sweepRun
	rows   *results.RowWriter
	reader *results.RowReader
	source rowSource
	worker trial.Worker

	ends   []int  // of the rows of the current batch, in its Text
	kept   []byte // rows as a journal holds them
	record []byte // for the journal

	cell      int           // the current cell, from 1
	seeds     results.Seeds // of the cell
	instances *trial.Replicates
}

func (r *sweepRun) newWorker() *sweepWorker {
	w := &sweepWorker{sweepRun: r, rows: results.NewRowWriter(r.layout)}
	var err error
	if w.reader, err = results.NewRowReader(r.layout, r.layout.Columns()); err != nil {
		panic(err) // the layout is the same
	}
	w.source = rowSource{deal: r.deal, join: r.join != nil}
	for i, part := range r.join {
		w.source.parts = append(w.source.parts, sourcePart{contents: part, reader: r.readers[i]})
	}
	if r.join == nil {
		w.source.parts = []sourcePart{{contents: r.held, reader: r.journal.Reader()}}
	}
	return w
}

// do runs a batch, or reads it from a journal. After a cancellation it begins no further
// trial.
func (w *sweepWorker) do(ctx context.Context, b *batch) {
	if w.Spec.Keep.Summary {
		w.digest(ctx, b)
		return
	}
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
	if _, broken := errors.AsType[*RowError](b.Err); broken { // resuming must fail there again
		sound.Rows = b.Rows[:len(b.Rows)-1]
	}
	if len(sound.Rows) == 0 {
		return
	}
	w.record = appendStretch(w.record[:0], w.id, &sound)
	if _, err := w.journal.Append(w.record); err != nil && b.Err == nil {
		b.Err = w.unwritten(err)
		b.End, b.Rows, b.Kept = b.First, b.Rows[:0], b.Kept[:0] // trials that are not kept do not count
	}
}

// run runs the trials of a batch.
func (w *sweepWorker) run(ctx context.Context, b *batch) error {
	sampler := w.layout.Sampler(b.End - b.First)
	return w.each(ctx, b, func(ctx context.Context) error { return w.add(ctx, b, sampler) })
}

// each calls add for each trial of a batch. It is interrupted only between trials.
func (w *sweepWorker) each(ctx context.Context, b *batch, add func(context.Context) error) (err error) {
	end := b.End
	b.End = b.First
	whole := context.WithoutCancel(ctx) // a trial that has begun runs to its end
	next := func() bool {
		if err != nil || b.End == end || ctx.Err() != nil {
			return false
		}
		err = add(whole)
		return true
	}
	all := func() {
		for next() {
		}
	}
	for w.worker.Batch(all) != nil {
		next() // without a batch: its handler ends the goroutine
	}
	return err
}

// add runs the next trial of a batch, and adds its results.
func (w *sweepWorker) add(ctx context.Context, b *batch, sampler *results.Sampler) error {
	i := b.End
	t, err := w.trial(ctx, b.Cell, i)
	if err != nil {
		return err
	}
	b.End = i + 1
	b.Text = w.rows.Append(b.Text, t)
	w.ends = append(w.ends, len(b.Text))
	s := sampler.Sample(t)
	if i == 0 {
		s.Input = results.Input{Label: t.Label, Rare: t.Rare, Instance: t.Instance}
	}
	b.Kept = append(b.Kept, s)
	b.Cost += t.Cost() + t.Instance.N
	if err := stops(t.Result); err != nil {
		return w.rowError(b.Cell, t.Replicate, t.Instance, err)
	}
	return nil
}

// stops returns why a trial stops the sweep, or nil. A program that is wrong does not: the sweep measures it.
func stops(r *trial.Result) error {
	if r.Late() != nil || r.Instance.InPrograms() && (r.Failed == nil || r.Panicked()) {
		return nil
	}
	return cmp.Or(r.BrokenBound(), r.Failed)
}

// trial runs a trial.
func (w *sweepWorker) trial(ctx context.Context, cell, number int) (*results.Trial, error) {
	replicate := w.replicate(cell, number)
	in, err := w.instance(cell, replicate)
	if err != nil {
		return nil, w.rowError(cell, replicate, nil, err)
	}
	t, err := results.RunTrial(ctx, w.Registry, &w.worker, &w.cells[cell], in, replicate, nil)
	if err != nil {
		return nil, w.rowError(cell, replicate, in, err)
	}
	return t, nil
}

// read reads a batch from a journal, and gives its rows the current label.
func (w *sweepWorker) read(ctx context.Context, b *batch) error {
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
	label, i := w.cells[b.Cell].Label, b.First
	err := w.reader.Read(w.kept, b.End-b.First, w.cells[b.Cell].Algorithm, func(text []byte, fields []string, s results.Sample) error {
		if i == 0 {
			instance, err := w.instance(b.Cell, w.replicate(b.Cell, i))
			if err != nil {
				return err
			}
			s.Input = results.Input{Label: label, Rare: w.cells[b.Cell].Rare, Instance: instance}
		}
		b.Kept = append(b.Kept, s)
		if fields[w.reader.Label] == label {
			b.Text = append(b.Text, text...)
		} else {
			fields[w.reader.Label] = label
			b.Text = w.rows.AppendFields(b.Text, fields)
		}
		w.ends = append(w.ends, len(b.Text))
		i++
		return nil
	})
	if err != nil {
		return fmt.Errorf("trial %d of cell %d, from the journal: %w", i+1, b.Cell+1, err)
	}
	return nil
}

// replicate is the replicate, from 1, of the shard's trial with that number within a cell.
func (w *sweepWorker) replicate(cell, number int) int {
	return w.deal.first(w.Shard, cell) + number*w.deal.step(w.Shard) + 1
}

// enter makes a cell the current one.
func (w *sweepWorker) enter(cell int) {
	if w.cell != cell+1 {
		w.cell, w.instances = cell+1, w.replicates(&w.cells[cell])
		w.seeds = results.SeedsOf(w.Spec.Seed, w.cells[cell].Key())
	}
}

func (w *sweepWorker) seed(cell, replicate int) uint64 {
	w.enter(cell)
	return w.seeds.Of(replicate)
}

func (w *sweepWorker) instance(cell, replicate int) (*trial.Instance, error) {
	w.enter(cell)
	return w.instances.Instance(w.seed(cell, replicate))
}

func (w *sweepWorker) rowError(cell, replicate int, in *trial.Instance, cause error) error {
	return &RowError{Dir: w.Dir, Cell: results.CellName(&w.cells[cell]), Replicate: replicate, Seed: w.seed(cell, replicate), Instance: in, Rare: w.cells[cell].Rare, Cause: cause}
}
