package elections_test

import (
	"math"
	"testing"
	"time"

	"bullring/des"
	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
)

// On graphs that never change the costs are exact with constant delay, for all placements.
func TestTopologyAwareOnGraphs(t *testing.T) {
	c := newChecker(t)
	for _, topology := range []string{"line", "star", "biring", "complete", "hypercube"} {
		for _, variant := range []string{"closeness,max", "degree,min"} {
			for _, n := range []int{2, 4} {
				if n == 2 && topology == "biring" {
					continue
				}
				catalogtest.Permutations(n, func(ids string) {
					c.run(trial.Setting{Algorithm: "topologyaware", Variant: variant, IDs: ids, Topology: topology})
				})
			}
			for seed := range uint64(5) {
				c.run(trial.Setting{Algorithm: "topologyaware", Variant: variant, N: 40, Placement: "random", Topology: "regular(4)", Seed: seed})
				c.run(trial.Setting{Algorithm: "topologyaware", Variant: variant, N: 40, Placement: "random", Topology: "regular(4)", Seed: seed, Delay: "uniform(0,3ms)", Attr: "random:3"})
			}
		}
	}
}

// A line of four with a delay of 1 ms and an interval of 2 ms. Process 2 is the most central, and better than 1, which is
// as central. Until 1 ms each process leads itself; then 0 follows 1; from 4 ms on 1 and 3 follow 2, and from 7 ms on all
// do. The link 0-1 goes down at 20 ms, and 2-3 at 30 ms: 0 and 3 lead themselves at once, and 1 goes on to follow 2.
func TestStandingsAreMeasured(t *testing.T) {
	s := trial.Setting{
		Algorithm: "topologyaware", N: 4, Topology: "line", Param: "interval=2ms",
		Fault: "at 20ms down 0<->1; at 30ms down 2<->3", Until: "40ms",
	}
	r := ran(t, s)
	for name, want := range map[string]float64{
		"best_here":   (4*1./4 + 3*3./4 + 33) / 40,
		"leader_path": (1*0 + 3*1./3 + 3*1./3 + 13*2./3 + 10*1./2 + 10*1) / 40,
		"agreed":      33. / 40,
	} {
		if v, ok := r.Metric(name); !ok || math.Abs(v-want) > 1e-12 {
			t.Errorf("%s is %v %v, want %v", name, v, ok, want)
		}
	}
	s.Fault = "at 1us down 0<->1; at 1us down 1<->2; at 1us down 2<->3"
	if v, ok := ran(t, s).Metric("leader_path"); !ok || v != 0 {
		t.Errorf("leader_path is %v %v in the microsecond before all were alone", v, ok)
	}
	if v, ok := ran(t, trial.Setting{Algorithm: "topologyaware", N: 1, Until: "1ms"}).Metric("leader_path"); ok {
		t.Errorf("leader_path is %v of a process that is alone", v)
	}
	if _, ok := ran(t, trial.Setting{Algorithm: "ingram", N: 4}).Metric("best_here"); ok {
		t.Error("an election without a criterion measures the best")
	}
}

// Each run keeps to the time that E2 gives an election after the last change, and some need nearly all of it.
func TestTopologyAwareRest(t *testing.T) {
	settings := uint64(2_000)
	if testing.Short() {
		settings = 200
	}
	longest := longestRest(t, settings, 20*time.Millisecond, func(n int) time.Duration { return time.Duration(11*(n-1)) * time.Millisecond }, func(d *des.Stream) trial.Setting {
		return trial.Setting{Algorithm: "topologyaware", Variant: []string{"closeness", "degree"}[d.Intn(2)]}
	})
	if longest > 1 || longest < 0.5 {
		t.Errorf("the longest took %.2f of the time that it had", longest)
	}
}
