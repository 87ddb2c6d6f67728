package experiments

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/box"
	"bullring/protocols/election"
	"bullring/protocols/failover"
)

// electorate makes the processes of an instance of an election, with their messages
// boxed.
type electorate func(*Instance) func(protocols.ID) protocols.Process[box.Message]

// Electors are the elections of the registry by which a service can find another
// coordinator, NAME or NAME(VARIANT): those whose processes need not start together. The
// one that is preferred stands in front.
func (r *Registry) Electors(preferred string) []string {
	var words []string
	for _, a := range r.algorithms {
		if a.electable() {
			words = append(words, a.Name)
		}
		for _, o := range a.others {
			if o.algorithm.electable() {
				words = append(words, a.Name+"("+o.word+")")
			}
		}
	}
	if i := slices.Index(words, preferred); i > 0 {
		words = slices.Insert(slices.Delete(words, i, i+1), 0, preferred)
	}
	return words
}

// electable reports whether an algorithm is an election whose processes may start one
// after another.
func (a *Algorithm) electable() bool { return a.elects != nil && !a.Assumes.together() }

// together reports whether processes have to start at the same time, which is what an
// algorithm in rounds that a clock counts takes for granted.
func (a Assumptions) together() bool { return a.AllInitiate && a.BoundedDelay }

// elector makes the contests of an instance by an election of the registry.
type elector struct {
	registry *Registry
	in       *Instance
	word     string

	mutex sync.Mutex // an exploration asks in several goroutines
	known map[string]*Instance
}

// contest is the election among some members at one of them.
func (e *elector) contest(self int, members []protocols.ID) failover.Contest {
	among := e.among(members)
	c := failover.Contest{Process: among.Algorithm.elects(among)(protocols.ID(self))}
	for port := range among.Topology.Degree(protocols.ID(self)) {
		c.Neighbors = append(c.Neighbors, among.Topology.Neighbor(protocols.ID(self), port))
	}
	return c
}

// among is the instance of the election among some members: all initiate, and nothing
// else is different.
func (e *elector) among(members []protocols.ID) *Instance {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	key := fmt.Sprint(members)
	if in, known := e.known[key]; known {
		return in
	}
	var ids []string
	ranks := make([]election.Rank, len(members))
	for i, p := range members {
		ranks[i] = e.in.Ranks[p]
		ids = append(ids, strconv.FormatInt(int64(ranks[i].ID), 10))
	}
	name, variant, _ := strings.Cut(strings.TrimSuffix(e.word, ")"), "(")
	in, err := e.registry.Instance(Setting{
		Algorithm: name, Variant: variant, IDs: strings.Join(ids, ","), Topology: e.overlay(name, variant), Seed: e.in.Setting.Seed,
		Assume: e.in.Assumed.String(), Processing: e.in.Setting.Processing, OutsideModel: true,
	})
	if err != nil {
		panic(err) // it is one of Electors
	}
	in.Ranks, in.Tick = ranks, e.in.Tick
	if e.known == nil {
		e.known = map[string]*Instance{}
	}
	e.known[key] = in
	return in
}

// overlay is the topology that is laid over the members: the ring that the election
// runs on, or else the complete graph.
func (e *elector) overlay(name, variant string) string {
	a, err := e.registry.Find(name)
	if err != nil {
		panic(err) // it is one of Electors
	}
	first := a.of(Variant{variant}).Assumes.Topologies[0]
	if family := netem.FamilyOf(first); family == "ring" || family == "biring" {
		return first
	}
	return "complete"
}
