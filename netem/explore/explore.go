// Package explore goes through every run of a small system: every order in which
// messages arrive and timers expire, every choice, and up to so many losses,
// duplicates, crashes and restarts at every point at which they can strike. It runs
// the handlers that the runtime of package netem runs, and judges what it finds by
// the same checks.
//
// A state is recognised by a hash of the fields of all processes, of the messages
// on the channels and of the timers that are armed; processes need no method for
// it. What a process does in a state when it handles an event is worked out once
// and looked up from then on, so most steps of a search run no handler at all.
//
// What is explored, and what a verdict means, is written down in docs/explore.md.
package explore

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"bullring/internal/value"
	"bullring/protocols"
)

// Options say how a system is explored.
type Options struct {
	Strategy  Strategy
	MaxStates uint64 // ends a search; 0 is as many as there is room for
	MaxMemory uint64 // about how many bytes a search may take; 0 is DefaultMemory
	Workers   int    // of a breadth-first search; 0 is one a processor
	// Reduce leaves out orders of steps that commute, where that is sound.
	Reduce bool
	// Progress, if not nil, is called now and then.
	Progress func(Progress)
	Sampling
}

// DefaultMemory is how many bytes of memory a search takes at most, unless told
// otherwise: 4 GB, or 1 GB where addresses have 32 bits.
const DefaultMemory = 1 << (30 + 2*(^uint(0)>>63))

// Strategy says in which order states are looked at.
type Strategy uint8

// The strategies. The first two are exhaustive.
const (
	BreadthFirst Strategy = iota // the shortest counterexamples
	DepthFirst                   // less memory for what is not yet done
	RandomWalk                   // runs in which every step is drawn from all that are possible
	PCT                          // runs by priorities that change at a few points
)

// Strategies are their names.
var Strategies = []string{"bfs", "dfs", "random", "pct"}

// String is the name of a strategy.
func (s Strategy) String() string { return Strategies[s] }

// Exhaustive reports whether a strategy looks at every state.
func (s Strategy) Exhaustive() bool { return s <= DepthFirst }

// Progress is how far a search is.
type Progress struct {
	States, Transitions uint64
	Depth               int
	Waiting             uint64 // states of the next level
	Memory              uint64 // bytes
	Runs                int
}

// Result is what came of a search.
type Result struct {
	States      uint64 // different ones
	Transitions uint64
	Depth       int    // steps from the beginning to the state farthest from it
	Rests       uint64 // states in which nothing is left to happen
	Memory      uint64 // bytes of the states that are stored, with what leads where
	Complete    bool   // every state was looked at
	Stopped     error  // why not, nil if it is complete or a property is violated
	Reduced     bool   // orders that make no difference, or rotations, were left out
	Properties  []Judged
	// Counterexample is a run that violates a property, nil if none was found.
	Counterexample *Run
	// Most is the largest value of what is measured among the states at rest, and
	// Witness a run that leads to it. Highest is the largest among all states: if it is
	// more, some run never comes to rest.
	Most, Highest uint32
	Witness       *Run
	// Fair and Chance say why properties hold although some runs go on for ever without
	// them: these put something off for ever (Fair), or take draws that repeat for ever,
	// which has probability 0 (Chance).
	Fair, Chance bool
	Sampled      Sampled // of a strategy that is not exhaustive

	best uint32 // the number of the state with the most, and 1
}

// Judged is a property and what a search says of it.
type Judged struct {
	Property
	Verdict protocols.Verdict
	// Excused is the number of states at rest of which an Eventually says nothing,
	// because nothing was promised there.
	Excused uint64
}

// Run is a way from a root.
type Run struct {
	Property int // the property that it violates, by its index among those of the result
	Root     int
	Steps    []Step
	// Cycle is the number of steps at the end that repeat for ever; 0 if the run ends.
	Cycle    int
	Panicked string // what the handler of the last step panicked with
}

// StatesError says that a search ended because there were more states than it was
// to store.
type StatesError struct{ States uint64 }

func (e *StatesError) Error() string {
	return fmt.Sprintf("there are more than %d states, the limit", e.States)
}

// MemoryError says that a search ended for want of memory.
type MemoryError struct{ Bytes uint64 }

func (e *MemoryError) Error() string {
	return fmt.Sprintf("the states take more than %d MB, the limit", e.Bytes>>20)
}

// Explore explores a system. The error says what is wrong with the system or the
// options; a search that ends early is no error.
func Explore[M protocols.Message](ctx context.Context, s *System[M], o Options) (r *Result, err error) {
	if err := s.validate(o); err != nil {
		return nil, err
	}
	defer func() {
		switch x := recover().(type) {
		case nil:
		case value.Incomparable: // a process or a watch, before its first step
			r, err = nil, fmt.Errorf("explore: %w", x)
		case *NotDeterministicError:
			r, err = nil, x
		default:
			panic(x)
		}
	}()
	if o.MaxMemory == 0 {
		o.MaxMemory = DefaultMemory
	}
	sp := newSpace(s)
	if o.Strategy.Exhaustive() {
		r = sp.exhaust(ctx, o)
	} else {
		r = sp.sample(ctx, o)
	}
	if problem := sp.problem.Load(); problem != nil && !errors.Is(*problem, ErrRoom) {
		return nil, *problem
	}
	return r, nil
}

// validate reports what is wrong with a system or options.
func (s *System[M]) validate(o Options) error {
	n := s.Topology.Len()
	switch {
	case n > maxProcesses:
		return fmt.Errorf("explore: %d processes; at most %d can be explored", n, maxProcesses)
	case len(s.Roots) == 0:
		return errors.New("explore: a system without roots")
	case s.Bound < 0 || s.Bound > 0 && s.Step <= 0:
		return fmt.Errorf("explore: a bound of %d steps of %v", s.Bound, s.Step)
	case s.Measure == Time && s.Bound == 0:
		return errors.New("explore: where delays are not bounded there is no time to measure")
	case s.Rotations && s.Budget.Restarts > 0:
		return errors.New("explore: processes that come back have addresses, so that rotations make a difference")
	case s.Budget.invalid():
		return fmt.Errorf("explore: a budget of %+v; each of them is 0 to %d", s.Budget, math.MaxUint8)
	}
	if protocols.BackgroundKinds(protocols.Sample(s.Roots[0].Boot(0))) != nil {
		return errors.New("explore: a service that never ends, such as a failure detector's heartbeats, has no end of states")
	}
	return nil
}

func (b Budget) invalid() bool {
	for _, k := range []int{b.Losses, b.Duplicates, b.Crashes, b.Restarts} {
		if k < 0 || k > math.MaxUint8 {
			return true
		}
	}
	return false
}

func newResult(s *space) *Result {
	r := &Result{Properties: make([]Judged, len(s.properties))}
	for i, p := range s.properties {
		r.Properties[i].Property = p
	}
	return r
}

// exhaust looks at every state.
func (s *space) exhaust(ctx context.Context, o Options) *Result {
	var se *search
	if o.Strategy == DepthFirst {
		se = s.inDepth(ctx, o)
	} else {
		se = s.inBreadth(ctx, o)
	}
	se.hasRoom()
	if se.mayGoOn() {
		se = s.lookForCycles(ctx, o)
		se.hasRoom()
	}
	if se.worst.there {
		se.result.Counterexample = se.counterexample(se.worst)
	}
	if se.result.best > 0 && s.Measure != Nothing {
		se.result.Witness = se.path(se.result.best - 1)
	}
	se.result.judge(se.seen)
	return se.result
}

// hasRoom takes note if the search ran out of numbers, after which nothing is proven.
func (se *search) hasRoom() {
	if problem := se.problem.Load(); problem != nil {
		se.result.Complete, se.result.Stopped = false, *problem
	}
}

// inBreadth searches level by level, again as long as it learns on which channels
// messages are sent.
func (s *space) inBreadth(ctx context.Context, o Options) *search {
	for {
		se := newSearch(s, o)
		if se.run(ctx); !se.again {
			return se
		}
	}
}

// mayGoOn reports whether there may be runs that go on for ever, and it matters.
func (se *search) mayGoOn() bool {
	return se.result.Complete && !se.worst.there && se.cyclic && se.someMinds() && (!se.keep || se.graph.hasCycle())
}

// minds reports whether a run that goes on for ever may violate the property.
func (p Property) minds() bool { return p.Kind == Eventually || p.Kind == Finally }

func (s *space) someMinds() bool { return slices.ContainsFunc(s.properties, Property.minds) }

// lookForCycles searches once more, with all orders of steps, and keeps what leads
// where: a run that goes on for ever must not be without what has to come.
func (s *space) lookForCycles(ctx context.Context, o Options) *search {
	o.Reduce, s.Rotations = false, false
	se := newSearch(s, o)
	se.endless = true
	se.run(ctx)
	if !se.result.Complete {
		return se
	}
	for i, p := range s.properties {
		if !p.minds() {
			continue
		}
		if cycle, by := se.graph.lasso(i, s.Bound > 0); len(cycle) > 0 {
			se.result.Counterexample = se.lasso(i, cycle, by)
			break
		}
	}
	se.result.Fair, se.result.Chance = se.graph.unfair, se.graph.lucky
	return se
}

// judge gives the properties their verdicts. seen has a bit for each that held in
// some state.
func (r *Result) judge(seen uint64) {
	for i := range r.Properties {
		p := &r.Properties[i]
		switch {
		case r.Counterexample != nil && r.Counterexample.Property == i:
			p.Verdict = protocols.Violated
		case p.Kind == Sometimes && seen>>i&1 == 1:
			p.Verdict = protocols.Holds
		case !r.Complete || r.Counterexample != nil:
			p.Verdict = protocols.Undecided
		case p.Kind == Sometimes:
			p.Verdict = protocols.Violated
		default:
			p.Verdict = protocols.Holds
		}
	}
}
