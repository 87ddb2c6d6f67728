package families

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"bullring/experiments/trial"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/failover"
)

// Electors returns the elections of the registry that can find another coordinator for a
// service, as NAME or NAME(VARIANT). Their processes need not start together, nor do they
// elect before they are started, and their messages can name an epoch. The preferred one comes first.
func Electors(r *trial.Registry, preferred string) []string {
	var words []string
	for _, a := range r.All() {
		for variant, d := range a.Declarations() {
			together := d.Assumes.AllInitiate && d.Assumes.BoundedDelay // clocks count rounds
			unasked := d.Assumes.Moving                                 // each component elects, whenever it has to
			bare := d.Assumes.NoContent                                 // no message says to which epoch it belongs
			switch {
			case d.Family != electionFamily.Name || together || unasked || bare:
			case variant == "":
				words = append(words, a.Name)
			default:
				words = append(words, a.Name+"("+variant+")")
			}
		}
	}
	if i := slices.Index(words, preferred); i > 0 {
		words = slices.Insert(slices.Delete(words, i, i+1), 0, preferred)
	}
	return words
}

// elector makes the contests of an instance: elections among its live processes.
type elector struct {
	registry *trial.Registry
	in       *trial.Instance
	word     string

	mutex sync.Mutex // an exploration has several goroutines
	known map[string]*trial.Instance
}

// contest returns the election among some members, at one of them.
func (e *elector) contest(self int, members []protocols.ID) failover.Contest {
	among := e.among(members)
	c := failover.Contest{Process: among.Algorithm.Processes(among)(protocols.ID(self))}
	for port := range among.Topology.Degree(protocols.ID(self)) {
		c.Neighbors = append(c.Neighbors, among.Topology.Neighbor(protocols.ID(self), port))
	}
	return c
}

// among returns the instance of the election among some members. All of them initiate.
func (e *elector) among(members []protocols.ID) *trial.Instance {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	key := fmt.Sprint(members)
	if in, known := e.known[key]; known {
		return in
	}
	var ids []string
	for _, p := range members {
		ids = append(ids, strconv.FormatInt(int64(e.in.Ranks.At(p).ID), 10))
	}
	name, variant, _ := strings.Cut(strings.TrimSuffix(e.word, ")"), "(")
	in, err := e.registry.Instance(trial.Setting{
		Algorithm: name, Variant: variant, IDs: strings.Join(ids, ","), Topology: e.overlay(name, variant), Seed: e.in.Setting.Seed,
		Assume: e.in.Assumed.String(), Processing: e.in.Setting.Processing, OutsideModel: true,
	})
	if err != nil {
		panic(err) // it is one of Electors
	}
	in.Ranks = in.Ranks.With(func(p protocols.ID) float64 { return e.in.Ranks.At(members[p]).Attr })
	in.Tick = e.in.Tick
	if e.known == nil {
		e.known = map[string]*trial.Instance{}
	}
	e.known[key] = in
	return in
}

// overlay returns the topology of the members: the ring if the election runs on one, else
// the complete graph.
func (e *elector) overlay(name, variant string) string {
	a, err := e.registry.Find(name)
	if err != nil {
		panic(err) // it is one of Electors
	}
	first := a.Assumes.Topologies[0]
	for word, d := range a.Declarations() {
		if word == variant {
			first = d.Assumes.Topologies[0]
		}
	}
	if family := netem.FamilyOf(first); family == "ring" || family == "biring" {
		return first
	}
	return "complete"
}
