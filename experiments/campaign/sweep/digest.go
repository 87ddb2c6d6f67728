package sweep

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"bullring/experiments/campaign/results"
)

// digest runs a batch of a sweep that keeps a summary, or reads it from a journal. After a
// cancellation it begins no further trial.
func (w *sweepWorker) digest(ctx context.Context, b *batch) {
	of := w.addDigests
	if b.Stored {
		of = w.readDigests
	}
	first, err := w.instance(b.Cell, 1)
	if err != nil {
		b.End, b.Err = b.First, w.rowError(b.Cell, 1, nil, err)
		return
	}
	b.Input = results.Input{Label: w.cells[b.Cell].Label, Rare: w.cells[b.Cell].Rare, Instance: first}
	b.Digest = results.NewDigest(&w.layout, first.Algorithm)
	b.Err = of(ctx, b)
	if b.Stored || b.Digest.Trials == 0 {
		return
	}
	record, err := digestBody(w.id, b.Cell, b.First, b.Digest)
	if err == nil {
		_, err = w.journal.Append(record)
	}
	if err != nil && b.Err == nil {
		b.Err = w.unwritten(err)
		b.End, b.Digest = b.First, nil // trials that are not kept do not count
	}
}

// digestBody is a record of trials whose rows are not kept.
func digestBody(id identity, cell, first int, d *results.Digest) ([]byte, error) {
	text, err := d.Text()
	return append(appendPlace([]byte{digestRecord}, id, cell, first, d.Trials), text...), err
}

// sampled is how many samples share their memory.
const sampled = 256

// addDigests runs the trials of a batch. A trial that fails is not in the digest: resuming must
// fail there again.
func (w *sweepWorker) addDigests(ctx context.Context, b *batch) error {
	var sampler *results.Sampler
	return w.each(ctx, b, func(ctx context.Context) error {
		if (b.End-b.First)%sampled == 0 {
			sampler = w.layout.Sampler(sampled)
		}
		return w.addDigest(ctx, b, sampler)
	})
}

// addDigest runs the next trial of a batch, and adds it to the digest.
func (w *sweepWorker) addDigest(ctx context.Context, b *batch, sampler *results.Sampler) error {
	t, err := w.trial(ctx, b.Cell, b.End)
	if err != nil {
		return err
	}
	if err := stops(t.Result); err != nil {
		return w.rowError(b.Cell, t.Replicate, t.Instance, err)
	}
	s := sampler.Sample(t)
	b.Digest.Add(&s, t.Replicate-1, func() []byte { return w.rows.Append(nil, t) })
	b.Cost += t.Cost() + t.Instance.N
	b.End++
	return nil
}

// readDigests reads the digests of the trials of a batch: those of a record or, if shards are
// joined, of a whole cell.
func (w *sweepWorker) readDigests(_ context.Context, b *batch) error {
	for i := range w.source.parts {
		p := &w.source.parts[i]
		from, _ := slices.BinarySearchFunc(p.records, b.First, func(r stretch, first int) int { return r.compare(b.Cell, first) })
		for _, r := range p.records[from:] {
			if int(r.cell) != b.Cell || !w.source.join && r.end() > b.End {
				break
			}
			d, err := w.readDigest(p, r)
			if err != nil {
				return err
			}
			b.Digest.Merge(d)
		}
	}
	if b.Digest.Trials != b.End-b.First {
		return fmt.Errorf("the journals hold %d trials of cell %d, and not %d", b.Digest.Trials, b.Cell+1, b.End-b.First)
	}
	return nil
}

// readDigest reads a record.
func (w *sweepWorker) readDigest(p *sourcePart, r stretch) (*results.Digest, error) {
	body, err := p.reader.Read(r.at, nil)
	if err != nil {
		return nil, err
	}
	return parseDigest(p, r, body, w.layout, w.cells[r.cell].Algorithm)
}

// parseDigest reads the body of the record of a stretch.
func parseDigest(p *sourcePart, r stretch, body []byte, l results.Layout, algorithm string) (*results.Digest, error) {
	if len(body) == 0 || body[0] != digestRecord {
		return nil, p.changed(r)
	}
	again, text, ok := placeOf(body[1:])
	if again.at = r.at; !ok || again != r {
		return nil, p.changed(r)
	}
	for _, a := range l.Algorithms {
		if a.Name != algorithm {
			continue
		}
		d, err := results.ParseDigest(&l, a, text)
		if err == nil && d.Trials != int(r.count) {
			err = errors.New("it has another number of trials")
		}
		if err != nil {
			err = fmt.Errorf("%s: the digest at byte %d: %w", p.path, r.at, err)
		}
		return d, err
	}
	return nil, p.changed(r)
}

// stretchOfDigest reads a record of a digest without its first byte. It is not ok unless a text
// of JSON follows.
func stretchOfDigest(body []byte) (stretch, bool) {
	r, text, ok := placeOf(body)
	return r, ok && len(text) > 2 && text[0] == '{' && r.count > 0 && r.first <= maxPlace-r.count
}

// maxPlace is the largest place of a trial in a cell.
const maxPlace = 1<<31 - 1
