package experiments

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"strconv"
	"strings"
	"time"

	"bullring/netem/explore"
	"bullring/protocols"
	"bullring/protocols/box"
)

// Search is what is to be explored.
type Search struct {
	// Setting is the system. Its placement and its initiators may be Every.
	Setting Setting
	// Timers are free or bounded; "" is bounded where the algorithm assumes a bound
	// on delay, else free.
	Timers string
	// Grain is the number of steps of time in that bound; 0 is 1.
	Grain int
	// Budget is how often each fault may strike.
	Budget explore.Budget
	// Full looks at every order of steps, even where orders make no difference, and
	// at every rotation of the ring.
	Full    bool
	Options explore.Options
}

// Every is every placement of the identities, and every set of initiators that is
// not empty.
const Every = "every"

// The ways in which timers expire.
const (
	FreeTimers    = "free"    // at any time: asynchrony
	BoundedTimers = "bounded" // on time, where messages take no longer than the bound
)

// Exploration is what came of a search.
type Exploration struct {
	Search    Search // with no default left out
	Algorithm *Algorithm
	Instances []*Instance // those that were explored together, by root
	Outside   []string    // the assumptions of the algorithm that do not hold
	*explore.Result
}

// Explore looks at all runs of a system, or draws some. The error says what is
// wrong with what was asked for; a search that ends early is no error.
func Explore(ctx context.Context, r *Registry, s Search) (*Exploration, error) {
	e, err := exploration(r, s)
	if err != nil {
		return nil, err
	}
	e.Result, err = e.Algorithm.Explore(ctx, e.Instances, e.network(), e.Search.Options)
	return e, err
}

// Explore explores some instances. A panic outside of handlers is an error, and that the
// algorithm is not deterministic is one with its name.
func (a *Algorithm) Explore(ctx context.Context, instances []*Instance, n explore.Network, o explore.Options) (r *explore.Result, err error) {
	defer func() {
		if x := recover(); x != nil {
			r, err = nil, newPanicError(a.Name, x)
		}
	}()
	r, err = a.explore(ctx, instances, n, o)
	if unsteady, ok := errors.AsType[*explore.NotDeterministicError](err); ok {
		err = a.NotDeterministic(unsteady)
	}
	return r, err
}

// Explorable reports whether the family of the algorithm says how it is explored.
func (a *Algorithm) Explorable() bool { return a.explore != nil }

func (a *Algorithm) NotDeterministic(err *explore.NotDeterministicError) error {
	return fmt.Errorf("%s is %w; bullring check %s tells more", a.Name, err, a.Name)
}

// exploration reads what is asked for.
func exploration(r *Registry, s Search) (*Exploration, error) {
	instances, err := instances(r, s.Setting)
	if err != nil {
		return nil, err
	}
	a := instances[0].Algorithm
	if !a.Explorable() {
		return nil, fmt.Errorf("%s cannot be explored: its family says not how", a.Name)
	}
	switch {
	case s.Timers == "" && a.Assumes.BoundedDelay:
		s.Timers = BoundedTimers
	case s.Timers == "":
		s.Timers = FreeTimers
	case s.Timers != FreeTimers && s.Timers != BoundedTimers:
		return nil, fmt.Errorf("timers %q; allowed are %s, %s", s.Timers, FreeTimers, BoundedTimers)
	}
	if s.Grain < 0 || s.Grain > 1 && s.Timers == FreeTimers {
		return nil, fmt.Errorf("grain %d: it is the number of steps of time in the bound on delay, and goes with %s timers", s.Grain, BoundedTimers)
	}
	s.Grain = max(s.Grain, 1)
	e := &Exploration{Search: s, Algorithm: a, Instances: instances}
	for _, in := range e.Instances {
		in.Tick = Tick(in, s.Timers, s.Grain)
	}
	return e, e.check()
}

// check refuses what is not explored, and notes in which respects the system lies
// outside the model.
func (e *Exploration) check() error {
	in := e.Instances[0]
	if what := NotExplored(in); what != "" {
		return fmt.Errorf("what is explored has no %s; faults have a budget each, and strike everywhere", what)
	}
	if e.Search.Timers == BoundedTimers && in.Assumed%time.Duration(e.Search.Grain) != 0 {
		return fmt.Errorf("grain %d does not divide the bound on delay, %v", e.Search.Grain, in.Assumed)
	}
	e.Outside = append(in.Outside, in.OutsideExplored(e.Search.Timers, e.Search.Budget)...)
	return nil
}

// OutsideExplored says in which respects what can happen in what is explored, or in
// a schedule, lies outside the model.
func (in *Instance) OutsideExplored(timers string, budget explore.Budget) []string {
	a := in.Algorithm.Assumes
	reliable := !a.Lossy || len(in.Initiators) < in.N-len(in.Dead)
	var broken []string
	for _, c := range []struct {
		broken bool
		what   string
	}{
		{reliable && budget.Losses > 0, "links lose messages"},
		{reliable && budget.Duplicates > 0, "links duplicate messages"},
		{a.NoCrash && budget.Crashes > 0, "a process crashes"},
		{!a.NoCrash && a.DeadAtStart && budget.Crashes > 0, "a process crashes after the start"},
		{(a.NoCrash || a.DeadAtStart || a.NoRestart) && budget.Restarts > 0, "a process restarts"},
		{a.StaysConnected && !in.complete() && budget.Crashes > 0, "a crash may cut the graph in two"},
		{a.BoundedDelay && timers == FreeTimers, "delays have no bound"},
	} {
		if c.broken {
			broken = append(broken, c.what)
		}
	}
	return broken
}

// network is what may happen in what is explored.
func (e *Exploration) network() explore.Network {
	in := e.Instances[0]
	n := ExploredNetwork(in, e.Search.Timers, e.Search.Grain, e.Search.Budget)
	n.Rotations = e.Algorithm.Rotations && !e.Search.Full && len(e.Instances) > 1 && e.Search.Budget.Restarts == 0
	return n
}

// Scheduled is the setting of a run of what was explored: the run repeats with it.
func (e *Exploration) Scheduled(run *explore.Run) Setting {
	s := e.Instances[run.Root].Setting
	s.Schedule = newSchedule(e.Search, run.Steps)
	return s
}

// instances are those that a setting stands for, with Every placement and Every set
// of initiators.
func instances(r *Registry, s Setting) ([]*Instance, error) {
	s.OutsideModel = true
	placed := []Setting{s}
	if s.Placement == Every {
		if s.IDs != "" {
			return nil, fmt.Errorf("identities are given, and every placement of 1..n; give either")
		}
		if s.N > mostPlaced {
			return nil, fmt.Errorf("every placement of %d processes is too many; allowed are up to %d processes", s.N, mostPlaced)
		}
		placed = nil
		for ids := range EachPlacement(s.N) {
			t := s
			t.Placement, t.IDs = "", ids
			placed = append(placed, t)
		}
	}
	var all []*Instance
	for _, t := range placed {
		if s.Initiators != Every {
			in, err := r.Instance(t)
			if err != nil {
				return nil, err
			}
			all = append(all, in)
			continue
		}
		started, err := startedEveryWay(r, t)
		if err != nil {
			return nil, err
		}
		all = append(all, started...)
		if len(all) > mostInstances {
			return nil, fmt.Errorf("every placement of %d processes with every set of initiators is too many; allowed are up to %d instances", s.N, mostInstances)
		}
	}
	return all, nil
}

// What is explored together: every placement of so many processes, every set of
// twice as many initiators, and instances.
const (
	mostPlaced    = 8
	mostInstances = 1 << 16
)

// startedEveryWay are the instances of a setting with every set of initiators.
func startedEveryWay(r *Registry, s Setting) ([]*Instance, error) {
	s.Initiators = "all"
	in, err := r.Instance(s)
	if err != nil {
		return nil, err
	}
	if len(in.Initiators) > 2*mostPlaced {
		return nil, fmt.Errorf("every set of initiators of %d processes is too many; allowed are up to %d processes", len(in.Initiators), 2*mostPlaced)
	}
	var all []*Instance
	for set := uint(1); set < 1<<len(in.Initiators); set++ {
		var words []string
		for left := set; left != 0; left &= left - 1 {
			words = append(words, strconv.Itoa(int(in.Initiators[bits.TrailingZeros(left)])))
		}
		s.Initiators = strings.Join(words, ",")
		started, err := r.Instance(s)
		if err != nil {
			return nil, err
		}
		all = append(all, started)
	}
	return all, nil
}

// explore looks at all runs of some instances.
func (m model[M]) explore(ctx context.Context, instances []*Instance, network explore.Network, o explore.Options) (*explore.Result, error) {
	network.Commutes = m.family.Commutes
	return explore.Explore(ctx, m.system(instances, network, m.build), o)
}

// system is the system of some instances, of processes that build makes.
func (m model[M]) system(instances []*Instance, network explore.Network, build func(*Instance) func(protocols.ID) protocols.Process[M]) *explore.System[box.Message] {
	s := &explore.System[box.Message]{
		Topology: instances[0].Topology, Network: network,
		Shown: func(p protocols.Process[box.Message]) any { return box.Open(p) },
	}
	if network.Measure == explore.Nothing {
		s.Properties = m.family.properties(instances[0])
	}
	for _, in := range instances {
		s.Roots = append(s.Roots, explore.Root[box.Message]{
			Boot: inBoxes(build(in)), Initiators: in.Initiators, Dead: in.Dead, Watch: m.family.explored(in, network.Measure, m.judgeOf),
		})
	}
	return s
}
