package mutex_test

import (
	"iter"
	"slices"
	"testing"

	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
)

var defects = catalogtest.Defects{
	Section: "mutual exclusion", Registry: registry, Algorithms: catalogtest.Own(registry),
	Table: slices.Concat(
		centralizedDefects, decentralizedDefects, lamportDefects, ricartAgrawalaDefects, carvalhoRoucairolDefects,
		maekawaDefects, majorityDefects, tokenDefects,
	),
	Searches: catalogtest.Searches(
		"", centralizedSearches, decentralizedSearches, lamportSearches, ricartAgrawalaSearches, carvalhoRoucairolSearches,
		maekawaSearches, majoritySearches, tokenSearches,
	),
	Runs:   runs,
	Within: map[string]string{"majority": "maekawa"},
	// Clients of the decentralized algorithm can get into each other's way for ever, so that
	// of more than one nothing can be proven.
	Spares: func(algorithm, property string) bool { return algorithm == "decentralized" && property == "ME1" },
}

func TestDefects(t *testing.T) { defects.Hunted(t, testing.Short()) }

func TestHunt(t *testing.T) { defects.Hunt(t) }

// runs are the runs of an algorithm for mutual exclusion: of few processes, with every
// set of clients, with little and much to do, under constant and random delays.
func runs(algorithm, _ string) iter.Seq[trial.Setting] {
	a, err := registry.Find(algorithm)
	bounded := err == nil && a.Assumes.BoundedDelay
	return func(yield func(trial.Setting) bool) {
		for n := 2; n <= 4; n++ {
			for set := 1; set < 1<<n; set++ {
				for _, work := range []string{"", "cs=1ms,requests=3"} {
					for seed := range uint64(5) {
						s := trial.Setting{Algorithm: algorithm, N: n, Initiators: catalogtest.Addresses(set, n), Param: work, MaxEvents: 10_000}
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
