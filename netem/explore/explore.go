// Package explore goes through every run of a small system: every order in which
// messages arrive and timers expire, every random choice, and up to a given number of losses,
// duplicates, crashes and restarts at every point at which they can strike. It runs the
// same handlers as package netem, and the same checks judge the runs.
//
// The way of a state: a [System] has roots, where runs begin. The search expands a state
// into all its steps. A step runs a handler on copies of a process and a message; the
// reply is stored, so most steps of a search only look it up. The new state is recognised
// by a hash of the fields of all processes, messages and armed timers; processes need no
// method for it. A [Watch] judges the state. When a property is violated, the path from
// the root becomes a [Run], which a [Player] plays on the system itself.
//
// The package never calls a sample a search: a [Result] is Complete, or has a
// counterexample, or says in Stopped why it ended. It knows no algorithm, and processes
// need not know that they are explored.
//
// docs/explore.md says what is explored and what a verdict means.
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

// Options say how to explore a system.
type Options struct {
	Strategy  Strategy
	MaxStates uint64 // more states end the search; 0 is no limit
	MaxMemory uint64 // of a search, in bytes, about; 0 is DefaultMemory
	Workers   int    // of a breadth-first search; 0 is one for each processor
	// Counterexamples is how many runs to look for that violate a property, of a breadth-first search. They differ
	// in the property, or in the kind or the process of the step that violates it. With more than one, nothing
	// is left out: each of them is as short as any of its kind. 0 is one.
	Counterexamples int
	// Supertrace recognises states by a few bits, in a table of three quarters of
	// MaxMemory. It goes with DepthFirst, and makes a search a sample.
	Supertrace bool
	// Safety leaves out the search for runs without an end: only states are judged, also those at rest.
	Safety bool
	// Disk, if not nil, says where to keep the states. It goes with Safety and BreadthFirst. Nothing is reduced then
	// but rotations.
	Disk *Disk
	// Reduce leaves out orders of steps that commute, and timers that make no difference,
	// where that is sound.
	Reduce bool
	// Progress, if not nil, is called now and then.
	Progress func(Progress)
	Sampling

	alwaysIdle bool // leaves out timers also where the search has more states then; for tests
}

// DefaultMemory is the default limit of a search's memory in bytes: 4 GB, or 1 GB where
// addresses have 32 bits.
const DefaultMemory = 1 << (30 + 2*(^uint(0)>>63))

// Strategy is the order in which states are visited.
type Strategy uint8

// The strategies. The first two visit every state, the others draw runs.
const (
	BreadthFirst Strategy = iota // the shortest counterexamples
	DepthFirst                   // less memory for states that wait to be expanded
	RandomWalk                   // runs in which every step is drawn from all possible steps
	PCT                          // runs by random priorities that change at a few points
)

// Strategies are the names of the strategies.
var Strategies = []string{"bfs", "dfs", "random", "pct"}

// String is the name of a strategy.
func (s Strategy) String() string { return Strategies[s] }

// DrawsRuns reports whether a strategy draws runs.
func (s Strategy) DrawsRuns() bool { return s > DepthFirst }

// Exhaustive reports whether a search visits every state if it has room.
func (o *Options) Exhaustive() bool { return !o.Strategy.DrawsRuns() && !o.Supertrace }

// Progress tells how far a search has come.
type Progress struct {
	States, Transitions uint64
	Depth               int
	Waiting             uint64 // states of the next level
	Memory              uint64 // bytes
	Disk                uint64 // bytes on disk since the search began or went on, and those of hashes from before
	Runs                int
}

// Result is the result of a search.
type Result struct {
	States      uint64 // different states
	Transitions uint64
	Depth       int      // steps from the beginning to the farthest state
	Rests       uint64   // states in which only faults can happen
	Memory      uint64   // bytes of the stored states and of the graph between them
	Complete    bool     // every state was visited, up to the limits of the system
	Cut         uint64   // states before a limit: what follows is not known
	Stopped     error    // the reason if not; nil too if a property is violated
	Growths     []Growth // what rises along the run to a state that was found last, if the search was stopped
	Reduced     bool     // equivalent orders of steps, rotations or timers were left out
	Properties  []Judged
	// Counterexample is a run that violates a property, nil if none was found.
	Counterexample *Run
	// Counterexamples are all that Options asked for, the shortest first.
	Counterexamples []*Run
	// Most is the largest measure of a state at rest, and Witness is a run to that
	// state. Highest is the largest measure of all states. If it is larger than Most,
	// some run never comes to rest.
	Most, Highest uint32
	Witness       *Run
	// Fair and Chance say why properties hold although some endless runs miss them:
	// these runs delay a step for ever (Fair), or repeat the same draws for ever, which
	// has probability 0 (Chance).
	Fair, Chance bool
	// Endless says that runs without an end may violate an Eventually or a Finally, and that none was looked for: see
	// Options.Safety.
	Endless  bool
	OnDisk   *OnDisk   // of a search with Disk
	Sampled  Sampled   // of a strategy that draws runs
	Bitstate *Bitstate // of Supertrace
	Asked    *Asked    // of processes in a program, if it is complete. A search leaves it nil

	best uint64 // 1 + the number of the state with the largest measure; 0 is none
}

// Asked counts the questions to a program what a process does: in a state, at an event, with answers to its
// own questions.
type Asked struct {
	Questions uint64
	Again     uint64 // asked again, of a process that came to the state by itself; the answer was the same
}

// Judged is a property with its verdict.
type Judged struct {
	Property
	Verdict protocols.Verdict
	// Excused is the number of states at rest where an Eventually is undecided because
	// the algorithm promises nothing there.
	Excused uint64
}

// Run is a path of steps from a root.
type Run struct {
	Property int // the index in Result.Properties of the property that it violates
	Root     int
	Steps    []Step
	// Cycle is the number of steps at the end that repeat for ever; 0 if the run ends.
	Cycle    int
	Panicked string // the panic of the last step's handler
}

// StatesError says that a search ended at its limit of states.
type StatesError struct{ States uint64 }

func (e *StatesError) Error() string {
	return fmt.Sprintf("there are more than %d states, the limit", e.States)
}

// memoryError says that a search ended at its limit of memory.
type memoryError struct{ Bytes uint64 }

func (e *memoryError) Error() string {
	return fmt.Sprintf("the states take more than %d MB, the limit", e.Bytes>>20)
}

// Explore explores a system. An error means that the system or the options are wrong, or
// that a process is not deterministic. A search that ends early is no error.
func Explore[M protocols.Message](ctx context.Context, s *System[M], o Options) (r *Result, err error) {
	defer func() {
		switch x := recover().(type) {
		case nil:
		case value.Incomparable: // a process or a watch, before its first step
			r, err = nil, fmt.Errorf("explore: %w", x)
		case *NotDeterministicError:
			r, err = nil, x
		case *FailedError:
			r, err = nil, x
		default:
			panic(x)
		}
	}()
	if err := s.validate(o); err != nil {
		return nil, err
	}
	if o.MaxMemory == 0 {
		o.MaxMemory = DefaultMemory
	}
	sp := newSpace(s)
	switch {
	case o.Counterexamples > 1:
		o.Reduce, sp.Rotations = false, false
	case o.Disk != nil:
		o.Reduce = false // which steps may be delayed depends on whether states were visited
	}
	switch {
	case o.Disk != nil:
		if r, err = searchOnDisk(ctx, sp, o); err != nil {
			return nil, err
		}
	case o.Supertrace:
		r = supertrace(ctx, sp, o, newBitTable(o.MaxMemory/4*3))
	case o.Strategy.DrawsRuns():
		r = sample(ctx, sp, o)
	default:
		r = exhaust(ctx, sp, o)
	}
	if problem := sp.problem.Load(); problem != nil && !errors.Is(*problem, errRoom) {
		return nil, *problem
	}
	return r, nil
}

// validate reports the first mistake in a system or options.
func (s *System[M]) validate(o Options) error {
	n := s.Topology.Len()
	switch {
	case n > maxProcesses:
		return fmt.Errorf("explore: %d processes; at most %d can be explored", n, maxProcesses)
	case len(s.Roots) == 0:
		return errors.New("explore: a system without roots")
	case s.Bound < 0 || s.Bound > 0 && s.Step <= 0:
		return fmt.Errorf("explore: a bound of %d steps of %v", s.Bound, s.Step)
	case o.Supertrace && o.Strategy != DepthFirst:
		return fmt.Errorf("explore: supertrace with strategy %v; it goes with %v", o.Strategy, DepthFirst)
	case o.Counterexamples > 1 && o.Strategy != BreadthFirst:
		return fmt.Errorf("explore: %d counterexamples with strategy %v; more than one goes with %v", o.Counterexamples, o.Strategy, BreadthFirst)
	case o.Disk != nil && (o.Strategy != BreadthFirst || !o.Safety || o.Counterexamples > 1 || s.Measure != Nothing):
		return errors.New("explore: a search on disk is breadth-first, looks for no runs without an end, for one counterexample, and measures nothing")
	case s.Measure == Time && s.Bound == 0:
		return errors.New("explore: without a bound on delays there is no time to measure")
	case s.Rotations && s.Budget.Restarts > 0:
		return errors.New("explore: restarted processes have addresses, so rotations make a difference")
	case s.Rotations && s.Moves():
		return errors.New("explore: links that change have addresses, so rotations make a difference")
	case s.Limits.Timeouts < 0 || s.Limits.Rounds < 0:
		return fmt.Errorf("explore: limits of %+v; each is 1 or more, or 0 for no limit", s.Limits)
	case s.Budget.invalid():
		return fmt.Errorf("explore: a budget of %+v; each number is 0 to %d", s.Budget, math.MaxUint8)
	}
	if err := s.noLinks(); err != nil {
		return err
	}
	if protocols.BackgroundKinds(protocols.Sample(s.Roots[0].Boot(0))) != nil {
		return errors.New("explore: a service that never ends, such as a failure detector's heartbeats, has infinitely many states")
	}
	return nil
}

func (b Budget) invalid() bool {
	for _, k := range []int{b.Losses, b.Duplicates, b.Crashes, b.Restarts, b.LinkChanges} {
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

// exhaust visits every state.
func exhaust(ctx context.Context, s *space, o Options) *Result {
	var se *search
	if o.Strategy == DepthFirst {
		se = inDepth(ctx, s, o)
	} else if se = withIdleTimers(ctx, s, o); se == nil {
		s.idle = false
		se = inBreadth(ctx, s, o)
	}
	se.hasRoom()
	switch mayGoOn := se.mayGoOn(); {
	case mayGoOn && o.Safety:
		se.result.Endless = true
	case mayGoOn:
		se = lookForCycles(ctx, s, o)
		se.hasRoom()
	}
	for _, v := range se.found.nearest() {
		se.result.found(se.counterexample(v))
	}
	if se.result.best > 0 && s.Measure != Nothing {
		se.result.Witness = se.path(uint32(se.result.best - 1))
		if s.idle {
			se.result.Witness = withExpiries(s, se.result.Witness)
		}
	}
	if se.result.Stopped != nil && se.problem.Load() == nil {
		se.result.Growths = growthsOf(se)
	}
	se.result.judge(se.seen, se.found.most > 1)
	return se.result
}

// hasRoom notes if the search ran out of numbers: then the result is not complete.
func (se *search) hasRoom() {
	if problem := se.problem.Load(); problem != nil {
		se.result.Complete, se.result.Stopped = false, *problem
	}
}

// inBreadth searches level by level. It repeats the search while it learns of channels
// on which messages are sent, see learn, and if the graph turns out to be needed.
func inBreadth(ctx context.Context, s *space, o Options) *search {
	keep := false
	for {
		se := newSearch(s, o)
		se.keep = keep
		if se.run(ctx); !se.again {
			return se
		}
		keep = keep || se.wantsGraph()
	}
}

// mayGoOn reports whether there may be endless runs that violate a property.
func (se *search) mayGoOn() bool {
	return se.result.Complete && !se.found.there() && se.cyclic && se.hasLiveness() && (!se.keep || se.graph.hasCycle())
}

// isLiveness reports whether an endless run may violate the property.
func (p Property) isLiveness() bool { return p.Kind == Eventually || p.Kind == Finally }

// lookForCycles searches once more, with all orders of steps, and keeps the graph. It
// looks for a cycle on which a property with a deadline at the end never comes true.
func lookForCycles(ctx context.Context, s *space, o Options) *search {
	o.Reduce, s.Rotations, s.idle = false, false, false
	se := newSearch(s, o)
	se.keep, se.endless = true, true
	se.run(ctx)
	if !se.result.Complete {
		return se
	}
	for i, p := range s.properties {
		if !p.isLiveness() {
			continue
		}
		if cycle, by := se.graph.lasso(i, s.Bound > 0); len(cycle) > 0 {
			se.result.found(se.lasso(i, cycle, by))
			break
		}
	}
	se.result.Fair, se.result.Chance = se.graph.unfair, se.graph.lucky
	return se
}

// found adds a counterexample.
func (r *Result) found(run *Run) {
	if r.Counterexample == nil {
		r.Counterexample = run
	}
	r.Counterexamples = append(r.Counterexamples, run)
}

// judge gives the properties their verdicts. seen has a bit for each property that held
// in some state. several says that the search went on after its first counterexample.
func (r *Result) judge(seen uint64, several bool) {
	for i := range r.Properties {
		p := &r.Properties[i]
		switch {
		case slices.ContainsFunc(r.Counterexamples, func(run *Run) bool { return run.Property == i }):
			p.Verdict = protocols.Violated
		case p.Kind == Sometimes && seen>>i&1 == 1:
			p.Verdict = protocols.Holds
		case !r.Complete || r.Counterexample != nil && (!several || p.isLiveness()) || r.Cut > 0 && p.Kind != Always || r.Endless && p.isLiveness():
			p.Verdict = protocols.Undecided
		case p.Kind == Sometimes:
			p.Verdict = protocols.Violated
		default:
			p.Verdict = protocols.Holds
		}
	}
}
