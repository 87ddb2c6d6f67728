package sweep

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"slices"
	"time"

	"bullring/experiments/results"
	"bullring/experiments/spec"
	"bullring/netem"
)

// Limits of a probe, as parts of its budget.
const (
	probeTrial = 4       // a trial is cut off after a fourth
	probeCell  = 100     // no trial of a cell begins after a hundredth, but the first
	probeMost  = 30      // trials of a cell
	probeCells = 1 << 10 // cells
	// growthPoints is how many of the largest n that were probed tell how the cost
	// grows: at small ones what every trial costs hides it.
	growthPoints = 3
	// steepest is the largest exponent that is believed.
	steepest = 4
)

// probe tries some trials of a sweep.
type probe struct {
	*sweepRun
	budget time.Duration
	series []*series
	of     []*series     // by cell
	probed []*probedCell // by cell; nil if it was not
	row    int           // bytes of the longest row
	tried  int
	took   time.Duration
}

// probedCell is what the trials of a cell took.
type probedCell struct {
	cost
	trials int
}

// cost is that of a trial.
type cost struct {
	time    float64 // in seconds
	least   float64 // the same, or what it took until a trial was cut off
	memory  float64 // in bytes
	atLeast bool    // one was cut off
}

// series is the cells that differ in n alone.
type series struct {
	entry, number int
	cells         []int // by growing n
	sound         []int // of these, probed to their end
	cutAt         int   // number of the first cell, in order of n, that was cut off, from 1; 0 for none
	like          *series
}

func newProbe(r *sweepRun, budget time.Duration) *probe {
	p := &probe{sweepRun: r, budget: budget, probed: make([]*probedCell, len(r.cells))}
	p.series, p.of = seriesOf(r.cells)
	return p
}

// run probes cells until the budget is used up. Each series is begun at its smallest
// n, and goes no further when a trial was cut off.
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

// candidate is a cell to probe: the series, and the rank of its n there, and when its
// turn comes.
type candidate struct{ series, rank, turn int }

// order is the cells to probe: all entries in turn, and of each the small n of its
// first series before the larger ones and before those of the next.
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

// tryCell tries some trials of a cell. Where it has several, the first does not count:
// it makes the memory that the others find. The result is nil if time was up before a
// trial was cut off for itself.
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
			return nil, nil // the probe was at its end, which tells nothing of the trial
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
	case c.atLeast: // a later one was cut off
		c.time = took.Seconds() / float64(c.trials)
	default:
		c.time = (took - first).Seconds() / float64(c.trials-1)
	}
	c.least = c.time
	c.memory = max(0, float64(memoryInUse())-float64(before))
	runtime.KeepAlive(w)
	return c, nil
}

// probeWorker is a worker, and the last trial that it ran.
type probeWorker struct {
	*sweepWorker
	probe *probe
	last  *results.Trial
	text  []byte
}

func (p *probe) newProbeWorker() *probeWorker {
	return &probeWorker{sweepWorker: &sweepWorker{sweepRun: p.sweepRun, rows: results.NewRowWriter(p.layout)}, probe: p}
}

// try runs a trial, as a worker of the sweep does, and tells whether it was cut off.
func (w *probeWorker) try(ctx context.Context, cell, number int) (took time.Duration, cut bool, err error) {
	ctx, cancel := w.probe.within(ctx, w.probe.budget/probeTrial)
	defer cancel()
	replicate := w.replicate(cell, number)
	start := w.clock().Now()
	in, err := w.instance(&w.cells[cell], w.seed(cell, replicate))
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

// liken finds for each series in which nothing was tried to its end the nearest one,
// of its entry if there is one, in which something was.
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

// cost is what a trial of a cell takes: as measured, or by the growth of its series
// with n, and not less than what the same or a smaller n took until it was cut off.
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

// grown is the cost that a series would have at an n, from the probed n that is
// nearest below, or above if there is none.
func (p *probe) grown(s *series, n int) cost {
	if len(s.sound) == 0 {
		return cost{atLeast: true} // nothing at all came to its end
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

// exponent is the growth of a cost with n, by least squares in the logarithms, over
// the largest n of a series that were probed; 1 if they do not show it. Below 0 and
// above the limit it is noise of the clock.
func (p *probe) exponent(s *series, of func(c cost) float64) float64 {
	var x, y []float64
	for _, cell := range s.sound[max(0, len(s.sound)-growthPoints):] {
		if v := of(p.probed[cell].cost); v > 0 {
			x, y = append(x, math.Log(float64(p.cells[cell].N))), append(y, math.Log(v))
		}
	}
	mean := func(v []float64) float64 {
		sum := 0.0
		for _, e := range v {
			sum += e
		}
		return sum / float64(len(v))
	}
	mx, my := mean(x), mean(y)
	sxx, sxy := 0.0, 0.0
	for i := range x {
		sxx += (x[i] - mx) * (x[i] - mx)
		sxy += (x[i] - mx) * (y[i] - my)
	}
	if sxx == 0 {
		return 1
	}
	return min(max(0, sxy/sxx), steepest)
}

// seriesOf are the cells that differ in n alone, by series, and the series of each
// cell.
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

// memoryInUse is what lives in the heap.
func memoryInUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
