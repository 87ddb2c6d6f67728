package experiments

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/failover"
)

// electorate makes the processes of an instance of an election, with their messages
// boxed.
type electorate func(*Instance) func(protocols.ID) election.Process[protocols.Message]

// Electors are the elections of the registry by which a service can find another
// coordinator: those whose processes need not start together. The first of them that
// is preferred stands in front.
func (r *Registry) Electors(preferred string) []string {
	var words []string
	for _, a := range r.algorithms {
		if a.elects != nil && !a.Assumes.together() {
			words = append(words, a.Name)
		}
	}
	if i := slices.Index(words, preferred); i > 0 {
		words = slices.Insert(slices.Delete(words, i, i+1), 0, preferred)
	}
	return words
}

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
	in, err := e.registry.Instance(Setting{
		Algorithm: e.word, IDs: strings.Join(ids, ","), Topology: e.overlay(), Seed: e.in.Setting.Seed,
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

// overlay is the topology that is laid over the members: that of the election if
// it is the same for everybody, whatever their number, else the complete graph.
func (e *elector) overlay() string {
	a, err := e.registry.Find(e.word)
	if err != nil {
		panic(err) // it is one of Electors
	}
	switch first := a.Assumes.Topologies[0]; netem.FamilyOf(first) {
	case "ring", "biring":
		return first
	}
	return "complete"
}
