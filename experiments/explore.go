package experiments

import (
	"context"
	"errors"
	"fmt"

	"bullring/netem/explore"
	"bullring/protocols"
	"bullring/protocols/box"
)

// The ways in which timers expire.
const (
	FreeTimers    = "free"    // at any time: asynchrony
	BoundedTimers = "bounded" // on time, where messages take no longer than the bound
)

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
