package sweep

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"slices"
	"time"

	"gonum.org/v1/gonum/stat"

	"bullring/experiments/results"
	"bullring/experiments/spec"
	"bullring/netem"
)

// Limits of a probe, as parts of its budget.
const (
	probeTrial = 4       // a trial is cut off after a fourth of it
	probeCell  = 100     // only the first trial of a cell begins after a hundredth of it
	probeMost  = 30      // trials of a cell
	probeCells = 1 << 10 // cells
	// growthPoints is the number of the largest probed n from which the growth is computed:
	// at small n, the fixed cost of a trial hides it.
	growthPoints = 3
	// steepest is the largest plausible exponent.
	steepest = 4
)

// probe tries some trials of a sweep.
type probe struct {
	*sweepRun
	budget time.Duration
	series []*series
	of     []*series     // by cell
	probed []*probedCell // by cell; nil if the cell was not probed
	row    int           // length of the longest row, in bytes
	tried  int
	took   time.Duration
}

// probedCell is the cost of the trials of a cell.
type probedCell struct {
	cost
	trials int
}

// cost is the cost of a trial.
type cost struct {
	time    float64 // in seconds
	least   float64 // the same, or the time until a trial was cut off
	memory  float64 // in bytes
	atLeast bool    // a trial was cut off
}

// series is a series of cells that differ in n only.
type series struct {
	entry, number int
	cells         []int   // by n
	sound         []int   // of these, the cells that were probed to the end
	cutAt         int     // number, from 1, of the first cell that was cut off, by n; 0 if none was
	like          *series // the series to estimate from: itself, or a near one with a sound cell
}

func newProbe(r *sweepRun, budget time.Duration) *probe {
	p := &probe{sweepRun: r, budget: budget, probed: make([]*probedCell, len(r.cells))}
	p.series, p.of = seriesOf(r.cells)
	return p
}

// run probes cells until the budget is spent. It begins each series at its smallest n, and
// leaves a series when a trial is cut off.
func (p *probe) run(ctx context.Context) error {
	start := p.clock().Now()
	within, cancel := p.within(ctx, p.budget)
	defer cancel()
	for _, at := range p.order() {
		p.took = p.clock().Since(start)
		if within.Err() != nil || p.took >= p.budget {
			break
		}
		s := p.series[at.series]
		if s.cutAt > 0 {
			continue
		}
		cell := s.cells[at.rank]
		probed, err := p.tryCell(within, cell)
		if err != nil {
			return err
		}
		if probed == nil {
			break
		}
		p.probed[cell] = probed
		if probed.atLeast {
			s.cutAt = at.rank + 1
			continue
		}
		s.sound = append(s.sound, cell)
	}
	p.took = p.clock().Since(start)
	p.liken()
	return ctx.Err()
}

// within returns a context that is cancelled after a time, by the clock of the sweep.
func (p *probe) within(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	timer := p.clock().AfterFunc(d, cancel)
	return ctx, func() {
		timer.Stop()
		cancel()
	}
}

// candidate is a cell to probe: its series, the rank of its n in it, and its turn.
type candidate struct{ series, rank, turn int }

// order returns the cells to probe. Entries take turns. Within an entry, small n come
// before large n, and the first series before the others.
func (p *probe) order() []candidate {
	var all []candidate
	first := map[int]int{} // series of an entry
	for i, s := range p.series {
		if _, ok := first[s.entry]; !ok {
			first[s.entry] = i
		}
		for rank, cell := range s.cells {
			if p.deal.count(p.Shard, cell) > 0 {
				all = append(all, candidate{i, rank, i - first[s.entry] + rank})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Or(cmp.Compare(a.turn, b.turn), cmp.Compare(a.rank, b.rank)) })
	return all[:min(len(all), probeCells)]
}

// tryCell tries some trials of a cell. Of several, the first does not count: it allocates
// the memory that the others use. The result is nil if the budget was spent before a trial
// reached its own limit.
func (p *probe) tryCell(ctx context.Context, cell int) (*probedCell, error) {
	before := memoryInUse()
	w := p.newProbeWorker()
	most := min(probeMost, p.deal.count(p.Shard, cell))
	c := &probedCell{}
	var took, first time.Duration
	for c.trials < most && (c.trials == 0 || took < p.budget/probeCell) && !c.atLeast {
		single, cut, err := w.try(ctx, cell, c.trials)
		if err != nil {
			return nil, err
		}
		p.tried++
		if cut && single < p.budget/probeTrial {
			return nil, nil // the probe ended, not the trial
		}
		c.trials++
		c.atLeast = cut
		if took += single; c.trials == 1 {
			first = single
		}
	}
	switch {
	case c.trials == 1:
		c.time = first.Seconds()
	case c.atLeast: // a later trial was cut off
		c.time = took.Seconds() / float64(c.trials)
	default:
		c.time = (took - first).Seconds() / float64(c.trials-1)
	}
	c.least = c.time
	c.memory = max(0, float64(memoryInUse())-float64(before))
	runtime.KeepAlive(w)
	return c, nil
}

// probeWorker is a worker and its last trial.
type probeWorker struct {
	*sweepWorker
	probe *probe
	last  *results.Trial
	text  []byte
}

func (p *probe) newProbeWorker() *probeWorker {
	return &probeWorker{sweepWorker: &sweepWorker{sweepRun: p.sweepRun, rows: results.NewRowWriter(p.layout)}, probe: p}
}

// try runs a trial as a worker of the sweep does, and reports whether it was cut off.
func (w *probeWorker) try(ctx context.Context, cell, number int) (took time.Duration, cut bool, err error) {
	ctx, cancel := w.probe.within(ctx, w.probe.budget/probeTrial)
	defer cancel()
	replicate := w.replicate(cell, number)
	start := w.clock().Now()
	in, err := w.instance(cell, replicate)
	if err != nil {
		return 0, false, w.rowError(cell, replicate, nil, err)
	}
	w.last = &results.Trial{Label: w.cells[cell].Label, Replicate: replicate, Result: w.worker.Run(ctx, in, nil)}
	if w.last.Failed != nil {
		return 0, false, w.rowError(cell, replicate, in, w.last.Failed)
	}
	w.text = w.rows.Append(w.text[:0], w.last)
	w.probe.row = max(w.probe.row, len(w.text))
	return w.clock().Since(start), w.last.End == netem.Interrupted, nil
}

// liken finds, for each series without a sound cell, the nearest series that has one, if
// possible of the same entry.
func (p *probe) liken() {
	var sound []*series
	for _, s := range p.series {
		if len(s.sound) > 0 {
			sound = append(sound, s)
		}
	}
	for _, s := range p.series {
		distance := func(o *series) int {
			d := max(o.number-s.number, s.number-o.number)
			if o.entry != s.entry {
				d += len(p.series)
			}
			return d
		}
		s.like = s
		if len(s.sound) == 0 && len(sound) > 0 {
			s.like = slices.MinFunc(sound, func(a, b *series) int { return distance(a) - distance(b) })
		}
	}
}

// cost returns the cost of a trial of a cell: as measured, or by the growth of its series
// with n. It is no less than the time after which a trial of the same or a smaller n was
// cut off.
func (p *probe) cost(cell int) cost {
	if c := p.probed[cell]; c != nil && !c.atLeast {
		return c.cost
	}
	s := p.of[cell]
	c := p.grown(s.like, p.cells[cell].N)
	if s.cutAt > 0 {
		if cut := s.cells[s.cutAt-1]; p.cells[cell].N >= p.cells[cut].N {
			least := p.probed[cut]
			c.time, c.least, c.memory = max(c.time, least.time), least.time, max(c.memory, least.memory)
			c.atLeast = true
		}
	}
	return c
}

// grown extrapolates the cost of a series to an n, from the nearest probed n below or, if
// there is none, above.
func (p *probe) grown(s *series, n int) cost {
	if len(s.sound) == 0 {
		return cost{atLeast: true} // no trial ended
	}
	from := s.sound[0]
	for _, cell := range s.sound {
		if p.cells[cell].N <= n {
			from = cell
		}
	}
	ratio := float64(n) / float64(p.cells[from].N)
	grow := func(of func(c cost) float64) float64 {
		return of(p.probed[from].cost) * math.Pow(ratio, p.exponent(s, of))
	}
	time := grow(func(c cost) float64 { return c.time })
	return cost{time: time, least: time, memory: grow(func(c cost) float64 { return c.memory })}
}

// exponent is the growth of a cost with n, by least squares in the logarithms over the
// largest probed n of a series; 1 if there are too few points. Values below 0 or above
// steepest are noise of the clock.
func (p *probe) exponent(s *series, of func(c cost) float64) float64 {
	var x, y []float64
	for _, cell := range s.sound[max(0, len(s.sound)-growthPoints):] {
		if v := of(p.probed[cell].cost); v > 0 {
			x, y = append(x, math.Log(float64(p.cells[cell].N))), append(y, math.Log(v))
		}
	}
	if len(x) < 2 {
		return 1
	}
	_, exponent := stat.LinearRegression(x, y, nil, false)
	return min(max(0, exponent), steepest)
}

// seriesOf groups cells that differ in n only. It returns the series, and the series of
// each cell.
func seriesOf(cells []spec.Cell) (all []*series, of []*series) {
	known := map[spec.Cell]*series{}
	for i, c := range cells {
		c.N = 0
		s := known[c]
		if s == nil {
			s = &series{entry: c.Entry, number: len(all)}
			known[c] = s
			all = append(all, s)
		}
		s.cells = append(s.cells, i)
		of = append(of, s)
	}
	for _, s := range all {
		slices.SortStableFunc(s.cells, func(a, b int) int { return cells[a].N - cells[b].N })
	}
	return all, of
}

// memoryInUse is the live memory of the heap.
func memoryInUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
