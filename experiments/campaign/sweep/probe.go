package sweep

import (
	"context"
	"time"

	"bullring/des"
	"bullring/netem"
)

// Limits of a probe.
const (
	probeTrial = 4   // a trial is cut off after a fourth of the budget
	probeCell  = 100 // after a hundredth of it, no further trial of the cell begins
	probeMost  = 30  // trials of a cell
)

// probe tries some trials of a sweep.
type probe struct {
	*sweepWorker
	budget time.Duration
	mean   map[int]time.Duration // of a trial, by cell
	tried  int
	cut    bool // a trial was cut off
}

// run tries the cells one after the other, in an order that mixes them, until the budget is
// spent.
func (p *probe) run(ctx context.Context) (took time.Duration, err error) {
	start := p.clock().Now()
	order := des.NewStream(1, "probe")
	for _, i := range order.Perm(len(p.cells)) {
		cell := int(i)
		if took = p.clock().Since(start); took >= p.budget || ctx.Err() != nil {
			break
		}
		if most := min(probeMost, p.deal.count(p.Shard, cell)); most > 0 {
			if err := p.tryCell(ctx, cell, most); err != nil {
				return 0, err
			}
		}
	}
	return p.clock().Since(start), ctx.Err()
}

// tryCell tries up to so many trials of a cell. Of several, the first does not count: it
// allocates the memory that the others use.
func (p *probe) tryCell(ctx context.Context, cell, most int) error {
	var first, all time.Duration
	trials, cut := 0, false
	for trials < most && (trials == 0 || all < p.budget/probeCell) && !cut {
		took, err := p.try(ctx, cell, trials, &cut)
		if err != nil {
			return err
		}
		if trials++; trials == 1 {
			first = took
		}
		all += took
	}
	p.tried += trials
	p.cut = p.cut || cut
	p.mean[cell] = first
	if trials > 1 {
		p.mean[cell] = (all - first) / time.Duration(trials-1)
	}
	return nil
}

// try runs a trial as a worker of the sweep does, and sets cut if it was cut off.
func (p *probe) try(ctx context.Context, cell, number int, cut *bool) (time.Duration, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer p.clock().AfterFunc(p.budget/probeTrial, cancel).Stop()
	start := p.clock().Now()
	t, err := p.trial(ctx, cell, number)
	if err == nil && t.Failed != nil {
		err = p.rowError(cell, t.Replicate, t.Instance, t.Failed)
	}
	if err != nil {
		return 0, err
	}
	p.kept = p.rows.Append(p.kept[:0], t)
	*cut = t.End == netem.Interrupted
	return p.clock().Since(start), nil
}
