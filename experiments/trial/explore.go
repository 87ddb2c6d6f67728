package trial

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"bullring/faults"
	"bullring/netem"
	"bullring/netem/explore"
	"bullring/protocols"
	"bullring/protocols/box"
)

// How timers expire in an exploration, or in a schedule.
const (
	FreeTimers    = "free"    // at any time: asynchrony
	BoundedTimers = "bounded" // on time; a message takes no longer than the bound on delay
)

// Explore explores instances of the algorithm together. The error tells of a panic outside
// of handlers, or that the algorithm is not deterministic.
func (a *Algorithm) Explore(ctx context.Context, instances []*Instance, n explore.Network, o explore.Options) (r *explore.Result, err error) {
	defer func() {
		if x := recover(); x != nil {
			r, err = nil, NewPanicError(a.Name, x)
		}
	}()
	r, err = a.explore(ctx, instances, n, o)
	if unsteady, ok := errors.AsType[*explore.NotDeterministicError](err); ok {
		err = a.NotDeterministic(unsteady)
	}
	return r, err
}

// NotDeterministic adds the name of the algorithm to the error.
func (a *Algorithm) NotDeterministic(err *explore.NotDeterministicError) error {
	if a.programs {
		return fmt.Errorf("the program that is explored as %s has a state that is incomplete, or is %w", a.Name, err)
	}
	return fmt.Errorf("%s is %w; bullring check %s tells more", a.Name, err, a.Name)
}

// Unexplored names a part of the instance that the explorer does not support, or returns "".
func (in *Instance) Unexplored() string {
	switch {
	case in.Transport != nil:
		return "reliable link"
	case in.Detector != nil:
		return "failure detector that sends heartbeats"
	}
	return in.unplayed()
}

// unplayed names a part of the instance that a run that follows a schedule does not have, or
// returns "". The steps of the schedule have its effects.
func (in *Instance) unplayed() string {
	switch {
	case in.Setting.Link != "" || len(in.Lines) > 0:
		return "links with impairments"
	case slices.ContainsFunc(in.Plan, func(f faults.Fault) bool { return f.Kind != faults.Byzantine && f.Kind != faults.Never }):
		return "plan of faults"
	case in.Delta > 0:
		return "partial synchrony"
	case in.Motion != nil:
		return "motion"
	case in.Forks != nil:
		return "forks"
	case in.Medium != nil:
		return "radio medium"
	}
	return ""
}

// OutsideExplored returns the assumptions that do not hold in an exploration with these
// timers and faults and links that are down at first, or in such a schedule.
func (in *Instance) OutsideExplored(timers string, budget explore.Budget, down []netem.Link) []string {
	a := in.Algorithm.Assumes
	reliable := in.Transport == nil && (!a.Lossy || in.Initiators.Len() < in.N-len(in.Dead))
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
		{a.AllRestart && budget.Crashes > budget.Restarts, stayDown},
		{a.StaysConnected && !in.complete() && budget.Crashes > 0, "a crash may cut the graph in two"},
		{a.BoundedDelay && timers == FreeTimers, "delays have no bound"},
		{budget.Crashes > 0 && fail(in, budget.Crashes) != "", fail(in, budget.Crashes)},
		{!a.Moving && budget.LinkChanges > 0, "the graph changes"},
		{!a.Moving && len(down) > 0, "links are down from the start"},
	} {
		if c.broken {
			broken = append(broken, c.what)
		}
	}
	return broken
}

// NumbersRounds reports whether a process of the instance numbers its rounds: see protocols.Rounder.
func (in *Instance) NumbersRounds() bool {
	if in.InPrograms() {
		return false
	}
	process := in.Algorithm.Processes(in)
	for p := range protocols.ID(in.N) {
		if _, numbered := protocols.RoundOf(box.Open(process(p))); numbered {
			return true
		}
	}
	return false
}

// Network returns the network of an exploration with these timers and faults, or of such a
// schedule. Tick must be set.
func (in *Instance) Network(timers string, grain int, budget explore.Budget) explore.Network {
	n := explore.Network{FIFO: in.FIFO, Blind: in.Blind, Budget: budget, Returns: in.Algorithm.Assumes.AllRestart, Graceful: in.Algorithm.Assumes.Graceful}
	if timers == BoundedTimers {
		n.Bound, n.Step = grain, in.Tick
	}
	return n
}

// explore explores instances of the algorithm together.
func (m model[M]) explore(ctx context.Context, instances []*Instance, network explore.Network, o explore.Options) (*explore.Result, error) {
	network.Commutes = m.family.Commutes
	return explore.Explore(ctx, m.system(instances, network), o)
}

// system returns the system of some instances.
func (m model[M]) system(instances []*Instance, network explore.Network) *explore.System[box.Message] {
	s := &explore.System[box.Message]{
		Topology: instances[0].Topology, Network: network,
		Shown: func(p protocols.Process[box.Message]) any { return box.Open(p) },
	}
	if network.Measure == explore.Nothing {
		s.Properties = m.family.properties(instances[0])
	}
	for _, in := range instances {
		root := explore.Root[box.Message]{
			Boot: inOwnBoxes(in, m.build(in)), Initiators: in.Initiators.List(), Dead: in.Dead, Watch: m.family.explored(in, network.Measure, m.judge),
		}
		if m.reboot != nil {
			root.Reboot = inOwnBoxes(in, m.reboot(in))
		}
		s.Roots = append(s.Roots, root)
	}
	return s
}
