package search_test

import (
	"fmt"
	"testing"

	"bullring/experiments/catalog"
	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
	"bullring/netem/explore"
)

// Timers that make no difference can be left out of a search for what costs most, too: of every algorithm and every
// measure the most is that of a full search, and the run that is shown has that cost when it is played with all its
// timers.
func TestIdleTimersKeepTheMost(t *testing.T) {
	registry, compared, fewer := catalog.New(), 0, 0
	most := uint64(60_000)
	if testing.Short() {
		most = 4000
	}
	var worker trial.Worker
	for _, a := range registry.All() {
		for _, n := range []int{2, 3} {
			for _, measure := range []explore.Measure{explore.Messages, explore.Bits, explore.Depth, explore.Time} {
				in, err := registry.Instance(trial.Setting{Algorithm: a.Name, N: n})
				if err != nil {
					t.Fatal(err)
				}
				timers := trial.FreeTimers
				if a.Assumes.BoundedDelay {
					timers = trial.BoundedTimers
				} else if measure == explore.Time {
					continue // there is no time to measure
				}
				in.SetTick(timers, 1)
				network := in.Network(timers, 1, explore.Budget{})
				network.Measure = measure
				explored := func(reduce bool) *explore.Result {
					r, err := a.Explore(t.Context(), []*trial.Instance{in}, network, explore.Options{Reduce: reduce, MaxStates: most})
					if err != nil {
						return &explore.Result{Stopped: err} // it is not explored at all
					}
					return r
				}
				full := explored(false)
				if full.Stopped != nil || full.Witness == nil {
					continue
				}
				reduced := explored(true)
				name := fmt.Sprintf("%s, n = %d, measure %v", a.Name, n, measure)
				if reduced.Stopped != nil || reduced.Most != full.Most || reduced.Highest != full.Highest {
					t.Errorf("%s: most %d, highest %d, stopped by %v; in full %d and %d", name, reduced.Most, reduced.Highest, reduced.Stopped, full.Most, full.Highest)
					continue
				}
				compared++
				if reduced.States < full.States {
					fewer++
				}
				e := &search.Exploration{Search: search.Search{Timers: timers, Grain: 1}, Instances: []*trial.Instance{in}}
				played, err := registry.Instance(e.Scheduled(reduced.Witness))
				if err != nil {
					t.Fatal(err)
				}
				r := worker.Run(t.Context(), played, nil)
				if r.Failed != nil {
					t.Errorf("%s: the run is not played: %v", name, r.Failed)
				}
				if cost, ok := r.Metric(costs[measureNames[measure]]); measure != explore.Time && (!ok || uint32(cost) != full.Most) {
					t.Errorf("%s: a run of cost %v is shown for %d", name, cost, full.Most)
				}
			}
		}
	}
	t.Logf("%d searches, %d of them with fewer states", compared, fewer)
	if compared < 50 || fewer < 10 {
		t.Errorf("%d searches, %d of them with fewer states: there is little to compare", compared, fewer)
	}
}

var measureNames = map[explore.Measure]string{explore.Messages: "messages", explore.Bits: "bits", explore.Depth: "depth"}
