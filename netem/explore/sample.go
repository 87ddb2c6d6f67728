package explore

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"bullring/des"
	"bullring/protocols"
)

// Sampling says which runs to draw. It is for strategies that are not exhaustive.
type Sampling struct {
	Seed     uint64
	Runs     int // 0 is DefaultRuns
	MaxSteps int // of a run; 0 is DefaultSteps
	// Changes is the depth of the bugs that PCT looks for: the number of steps, at
	// least 1, whose order they depend on. 0 is DefaultChanges.
	Changes int
	// Each, if not nil, gets every run: the root, the steps, and the Watch's verdicts
	// at the end.
	Each func(root int, steps []Step, verdicts []protocols.Verdict)
}

// The defaults of Sampling.
const (
	DefaultRuns    = 10_000
	DefaultSteps   = 10_000
	DefaultChanges = 3
)

// Sampled describes the runs that were drawn.
type Sampled struct {
	Runs     int
	Cut      int // runs that were not at rest after MaxSteps, or at a limit of the system
	Threads  int // the most channels, timers and processes with steps in one run
	MaxSteps int // of a run
	// Bound is a lower bound (PCT) of the probability that one run finds a bug of
	// depth Changes: 1/(Threads*MaxSteps^(Changes-1)). It is 0 if there is none.
	Bound float64
	// Held is the number of runs that came to a state in which a property holds, by property. It says
	// something of those that are Sometimes.
	Held []int
}

// sampler draws runs.
type sampler struct {
	*space
	x       *expander
	options Options
	random  des.Stream
	result  *Result
	moves   []choice
	steps   []Step
	seen    uint64 // a bit for each property that held in some state
	held    uint64 // in some state of this run

	ranks   map[uint64]int // of the threads of a run, by action: the largest goes first
	lowest  int
	changes []int // the steps at which the highest priority drops
	threads int
	longest int // run so far
}

// choice is a possible move with the state to which it leads.
type choice struct {
	move
	to       state
	step     Step
	panicked string
}

func sample(ctx context.Context, s *space, o Options) *Result {
	o.Runs, o.MaxSteps, o.Changes = cmp.Or(o.Runs, DefaultRuns), cmp.Or(o.MaxSteps, DefaultSteps), cmp.Or(o.Changes, DefaultChanges)
	d := &sampler{space: s, x: newExpander(s), options: o, result: newResult(s)}
	d.result.Sampled.Held = make([]int, len(s.properties))
	for d.result.Sampled.Runs < o.Runs && d.result.Counterexample == nil {
		if problem := s.problem.Load(); problem != nil {
			d.result.Stopped = *problem
			break
		}
		if ctx.Err() != nil {
			d.result.Stopped = context.Cause(ctx)
			break
		}
		d.random = des.NewStream(o.Seed, "explore", uint64(d.result.Sampled.Runs))
		d.draw(d.result.Sampled.Runs % len(s.roots))
		if d.result.Sampled.Runs++; o.Progress != nil && d.result.Sampled.Runs%64 == 0 {
			o.Progress(Progress{Transitions: d.result.Transitions, Runs: d.result.Sampled.Runs})
		}
	}
	if d.result.Stopped == nil && d.result.Counterexample == nil {
		d.result.Stopped = fmt.Errorf("%d runs were drawn", d.result.Sampled.Runs)
	}
	d.bound()
	d.result.judge(d.seen, false)
	return d.result
}

// bound computes the bound of PCT (Burckhardt, Kothari, Musuvathi & Nagarakatte, ASPLOS
// 2010). The points at which priorities change are drawn from as many steps as the longest
// run so far has. So the bound holds for the runs after the longest one.
func (d *sampler) bound() {
	s := &d.result.Sampled
	s.Threads, s.MaxSteps = d.threads, d.longest
	if d.options.Strategy == PCT && d.threads > 0 && d.longest > 0 {
		s.Bound = 1 / (float64(d.threads) * math.Pow(float64(d.longest), float64(d.options.Changes-1)))
	}
}

// draw draws a run.
func (d *sampler) draw(root int) {
	at, rest := d.begin(root), false
	d.steps = d.steps[:0]
	d.prepare()
	if d.options.Each != nil {
		defer func() {
			d.options.Each(root, slices.Clone(d.steps), d.watches.at(at.words[d.layout.watch]).watch.Verdicts(rest))
		}()
	}
	d.held = d.watched(at.words).holds
	defer d.count()
	if i := first(d.watched(at.words).broken); i > 0 {
		d.violates(i, root, "")
		return
	}
	for len(d.steps) < d.options.MaxSteps {
		rest = d.possible(&at)
		if rest {
			d.result.Rests++
			if i := first(d.watched(at.words).lacking); i > 0 {
				d.violates(i, root, "")
				return
			}
		}
		if len(d.moves) == 0 {
			if d.x.cut {
				d.result.Sampled.Cut++
			}
			d.longest = max(d.longest, len(d.steps))
			return
		}
		c := d.choose()
		d.result.Transitions++
		d.steps = append(d.steps, c.step)
		if c.panicked != "" {
			d.violates(0, root, c.panicked)
			return
		}
		at.set(&c.to)
		d.held |= d.watched(at.words).holds
		if i := first(d.watched(at.words).broken); i > 0 {
			d.violates(i, root, "")
			rest = d.possible(&at)
			return
		}
		d.result.Depth = max(d.result.Depth, len(d.steps))
	}
	d.result.Sampled.Cut++
	d.longest = max(d.longest, len(d.steps))
}

// count counts what held in the run.
func (d *sampler) count() {
	d.seen |= d.held
	for i := range d.result.Sampled.Held {
		d.result.Sampled.Held[i] += int(d.held >> i & 1)
	}
}

func (d *sampler) violates(property, root int, panicked string) {
	d.longest = max(d.longest, len(d.steps))
	d.result.found(&Run{Property: property, Root: root, Steps: slices.Clone(d.steps), Panicked: panicked})
}

// possible collects the possible moves, and reports whether only faults can happen.
func (d *sampler) possible(at *state) (rest bool) {
	d.moves, rest = d.moves[:0], true
	d.x.expand(at, everyone, func(m move) {
		rest = rest && d.optional(m)
		d.moves = append(d.moves, choice{m, state{slices.Clone(d.x.next.words), d.x.next.print}, d.x.stepOf(m), d.x.panicked})
	})
	return rest && !d.x.cut
}

// choose draws the next step.
func (d *sampler) choose() choice {
	if d.options.Strategy == RandomWalk {
		return d.moves[d.random.Intn(len(d.moves))]
	}
	return d.byPriority()
}

// prepare draws the points at which priorities change.
func (d *sampler) prepare() {
	d.ranks, d.lowest, d.changes = map[uint64]int{}, 0, d.changes[:0]
	for range d.options.Changes - 1 {
		d.changes = append(d.changes, 1+d.random.Intn(max(d.longest, 1)))
	}
}

// byPriority takes a move of the thread with the highest priority. The threads are the
// channels, the timers, the processes that start and the faults: each has one next step,
// up to random choices.
func (d *sampler) byPriority() choice {
	first := d.highest()
	for i, at := range d.changes {
		if at == len(d.steps)+1 {
			d.lowest--
			d.ranks[first], d.changes[i] = d.lowest, 0
			first = d.highest()
		}
	}
	var its []choice
	for _, m := range d.moves {
		if m.thread() == first {
			its = append(its, m)
		}
	}
	return its[d.random.Intn(len(its))]
}

// thread is the thread of a move. A crash in the middle of a step belongs to the crash.
func (m move) thread() uint64 {
	if m.amid >= 0 {
		return move{what: Crash, who: m.who}.action()
	}
	return m.action()
}

// highest is the thread with the highest priority among those that have a step. A thread
// gets its priority at random when it first has one.
func (d *sampler) highest() uint64 {
	best, found := uint64(0), false
	for _, m := range d.moves {
		t := m.thread()
		if _, known := d.ranks[t]; !known {
			d.ranks[t] = 1 + d.random.Intn(math.MaxInt32)
			d.threads = max(d.threads, len(d.ranks))
		}
		if !found || d.ranks[t] > d.ranks[best] {
			best, found = t, true
		}
	}
	return best
}
