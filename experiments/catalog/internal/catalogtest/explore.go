package catalogtest

import (
	"flag"
	"fmt"
	"testing"

	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
	"bullring/netem"
	"bullring/netem/explore"
	"bullring/protocols"
)

var deep = flag.Bool("deep", false, "explore what takes longer, too")

// Search is an exploration, which its methods make another one of.
type Search search.Search

// Of is the exploration of an algorithm with n processes, reduced.
func Of(algorithm string, n int) Search {
	return Search{Setting: trial.Setting{Algorithm: algorithm, N: n}, Options: explore.Options{Reduce: true}}
}

// InFull is the exploration without reductions.
func (s Search) InFull() Search {
	s.Full, s.Options.Reduce = true, false
	return s
}

// Every is the exploration of every placement.
func (s Search) Every() Search {
	s.Setting.Placement = search.Every
	return s
}

// EveryWay is the exploration of every placement, and of every set of initiators.
func (s Search) EveryWay() Search { return s.Every().Started(search.Every) }

// Started says who initiates.
func (s Search) Started(by string) Search {
	s.Setting.Initiators = by
	return s
}

// On says on which topology.
func (s Search) On(topology string) Search {
	s.Setting.Topology = topology
	return s
}

// Variant says which words of the algorithm's variants.
func (s Search) Variant(words string) Search {
	s.Setting.Variant = words
	return s
}

// With says which parameters.
func (s Search) With(param string) Search {
	s.Setting.Param = param
	return s
}

// Unordered has links reorder messages.
func (s Search) Unordered() Search {
	s.Setting.Unordered = true
	return s
}

// Crashing has k processes crash.
func (s Search) Crashing(k int) Search {
	s.Budget.Crashes = k
	return s
}

// Changing has up to k links come and go.
func (s Search) Changing(k int) Search {
	s.Budget.LinkChanges = k
	return s
}

// Without has links that are down at first.
func (s Search) Without(links ...netem.Link) Search {
	s.Down = links
	return s
}

// ToldLate has processes told of links at any time after their changes.
func (s Search) ToldLate() Search {
	s.Notice = explore.AnyNotice
	return s
}

// UpTo has runs cut off after so many timeouts.
func (s Search) UpTo(timeouts int) Search {
	s.Limits.Timeouts = timeouts
	return s
}

// Restarting has k of them come back.
func (s Search) Restarting(k int) Search {
	s.Budget.Restarts = k
	return s
}

// Losing has links lose a message and deliver another twice, in any order.
func (s Search) Losing() Search {
	s.Budget.Losses, s.Budget.Duplicates = 1, 1
	return s.Unordered()
}

// String says what is explored, for messages of tests.
func (s Search) String() string {
	t := s.Setting
	return fmt.Sprintf("%s %s n=%d %s without %v %s initiators %q %+v notice %v full %v", t.Algorithm, t.Variant, t.N, t.Topology, s.Down, t.Param, t.Initiators, s.Budget, s.Notice, s.Full)
}

// Explore explores, which has to be possible.
func Explore(t *testing.T, registry *trial.Registry, s Search) *search.Exploration {
	t.Helper()
	e, err := search.Explore(t.Context(), registry, search.Search(s))
	if err != nil {
		t.Fatalf("%v: %v", s, err)
	}
	return e
}

// Proof is what is proven by an exploration: all its properties, in so many states and
// transitions. A number that changes is a change of an algorithm or of what is explored.
type Proof struct {
	Search              Search
	States, Transitions uint64
	Deep                bool // it takes so long that only -deep explores it
	Outside             bool // of the model of the algorithm
}

// smallProof is the number of states of the largest proof of the small form.
const smallProof = 25_000

// Proven explores what is proven, in its small form with no more states than smallProof.
func Proven(t *testing.T, registry *trial.Registry, short bool, proofs []Proof) {
	t.Helper()
	explored := 0
	for _, p := range proofs {
		if p.Deep && !*deep || short && p.States > smallProof {
			continue
		}
		explored++
		e := Explore(t, registry, p.Search)
		if e.States != p.States || e.Transitions != p.Transitions {
			t.Errorf("%v: %d states and %d transitions, want %d and %d", p.Search, e.States, e.Transitions, p.States, p.Transitions)
		}
		if !e.Complete || (len(e.Outside) > 0) != p.Outside {
			t.Errorf("%v: complete %v, stopped by %v, outside the model: %v", p.Search, e.Complete, e.Stopped, e.Outside)
		}
		for _, property := range e.Properties {
			if property.Verdict != protocols.Holds {
				t.Errorf("%v: %s is %v", p.Search, property.Name, property.Verdict)
			}
		}
	}
	if explored == 0 {
		t.Error("nothing was explored")
	}
}
