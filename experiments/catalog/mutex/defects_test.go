package mutex_test

import (
	"cmp"
	"iter"
	"slices"
	"testing"

	"bullring/experiments"
	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/search"
	"bullring/netem/explore"
)

var defects = catalogtest.Defects{
	Section: "mutual exclusion", Registry: registry, Algorithms: catalogtest.Own(registry),
	Table: slices.Concat(
		centralizedDefects, decentralizedDefects, lamportDefects, ricartAgrawalaDefects, carvalhoRoucairolDefects,
		maekawaDefects, majorityDefects, tokenDefects,
	),
	Searches: searches, Runs: runs,
	Within: map[string]string{"majority": "maekawa"},
	// Clients of the decentralized algorithm can get into each other's way for ever, so that
	// of more than one nothing can be proven.
	Spares: func(algorithm, property string) bool { return algorithm == "decentralized" && property == "ME1" },
}

func TestDefects(t *testing.T) { defects.Hunted(t, testing.Short()) }

func TestHunt(t *testing.T) { defects.Hunt(t) }

// searches are the explorations that an algorithm goes through, all inside its
// model, small ones first and those without a fault before those with one.
func searches(algorithm, _ string) (all []catalogtest.Search) {
	type setting = experiments.Setting
	add := func(crashes int, s setting) {
		s.Algorithm, s.Initiators = algorithm, cmp.Or(s.Initiators, search.Every)
		all = append(all, catalogtest.Search{Setting: s, Budget: explore.Budget{Crashes: crashes}})
	}
	switch algorithm {
	case "centralized", "ricartagrawala", "carvalhoroucairol", "maekawa":
		for n := 2; n <= 3; n++ {
			add(0, setting{N: n})
			add(0, setting{N: n, Param: "requests=2"})
		}
		add(0, setting{N: 3, Initiators: "all", Param: "requests=2,think=1ms"})
		if algorithm == "maekawa" { // the smallest quorums in which a request can be overtaken
			add(0, setting{N: 4, Initiators: "all", Param: "quorums=majority"})
		}
	case "lamport":
		add(0, setting{N: 2, Param: "requests=2"})
		add(0, setting{N: 3, Initiators: "all"})
	case "majority":
		add(0, setting{N: 2})
		add(0, setting{N: 3})
	case "decentralized":
		add(0, setting{N: 3, Initiators: "0", Param: "requests=2,slots=1"})
	case "tokenring":
		for n := 2; n <= 3; n++ {
			add(0, setting{N: n, Param: "requests=2"})
			add(0, setting{N: n, Param: "requests=2,think=1ms"})
		}
	case "regeneratingring": // the shorter timeout has claims made in vain
		for crashes := range 2 {
			for n := 2; n <= 3; n++ {
				add(crashes, setting{N: n, Param: "requests=2"})
				add(crashes, setting{N: n, Param: "requests=2,cs=4ms,timeout=3ms"})
			}
		}
	case "suzukikasami", "raymond":
		for n := 2; n <= 3; n++ {
			add(0, setting{N: n, Param: "requests=2"})
		}
	}
	return all
}

// runs are the runs of an algorithm for mutual exclusion: of few processes, with every
// set of clients, with little and much to do, under constant and random delays.
func runs(algorithm, _ string) iter.Seq[experiments.Setting] {
	a, err := registry.Find(algorithm)
	bounded := err == nil && a.Assumes.BoundedDelay
	return func(yield func(experiments.Setting) bool) {
		for n := 2; n <= 4; n++ {
			for set := 1; set < 1<<n; set++ {
				for _, work := range []string{"", "cs=1ms,requests=3"} {
					for seed := range uint64(5) {
						s := experiments.Setting{Algorithm: algorithm, N: n, Initiators: catalogtest.Addresses(set, n), Param: work, MaxEvents: 10_000}
						if seed > 0 {
							s.Delay, s.Seed = "exp(1ms)", seed
						}
						if seed > 0 && bounded {
							s.Delay = "uniform(0,1ms)"
						}
						if !yield(s) {
							return
						}
					}
				}
			}
		}
	}
}
