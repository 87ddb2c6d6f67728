package termination_test

import (
	"fmt"
	"testing"

	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/protocols"
)

var algorithms = []string{"scholten", "safra", "mattern", "huang"}

// Runs of any size announce termination as soon as theory says, with as many control messages as it says.
func TestBounds(t *testing.T) {
	c := catalogtest.NewChecker(t, registry)
	latest := map[string]float64{}
	for _, algorithm := range algorithms {
		for seed := range uint64(60) {
			n := 1 + int(seed%9)
			for _, s := range []trial.Setting{
				{Param: "work=20"}, {Param: "work=3,busy=1.5ms"}, {Param: "work=6", Delay: "exp(1ms)"}, {Param: "work=4,busy=1ms", Delay: "uniform(0,4ms)", Unordered: true},
			} {
				s.Algorithm, s.N, s.Initiators, s.Seed = algorithm, n, fmt.Sprint(int(seed)%n), seed
				if seed%2 == 0 && (algorithm == "safra" || algorithm == "mattern") {
					s.Initiators = "all"
				}
				r := c.Run(s, families.Terminated)
				for _, b := range r.Bounds {
					if b.Name == "detected" {
						latest[fmt.Sprint(algorithm, " ", n)] = max(latest[fmt.Sprint(algorithm, " ", n)], b.Measured)
					}
				}
			}
		}
	}
	c.Needs("signals", "probes", "replies", "waves")
	c.NeedsAny("returns", "detected")
	// The bounds on the delay are not loose: some run of nine processes comes near.
	for of, least := range map[string]float64{"scholten 9": 5, "safra 9": 25, "mattern 9": 5, "huang 9": 1} {
		if latest[of] < least {
			t.Errorf("%s: the longest delay is %v; want %v", of, latest[of], least)
		}
	}
}

// Dijkstra and Scholten's signals go back on any graph.
func TestGraphs(t *testing.T) {
	c := catalogtest.NewChecker(t, registry)
	for _, topology := range []string{"line", "star", "tree", "grid(3x3)", "er(0.4)", "biring"} {
		for seed := range uint64(10) {
			c.Run(trial.Setting{Algorithm: "scholten", N: 9, Topology: topology, Param: "work=10", Seed: seed}, families.Terminated)
		}
	}
	c.Needs("signals")
}

// With equal delays the computation is the same below all four: the same messages at the same time.
func TestSameComputation(t *testing.T) {
	c := catalogtest.NewChecker(t, registry)
	sent := 0.0
	for seed := range uint64(40) {
		var first *trial.Result
		for _, algorithm := range algorithms {
			r := c.Run(trial.Setting{Algorithm: algorithm, N: 8, Initiators: "3", Param: fmt.Sprintf("work=8,busy=%dms", seed%3), Seed: seed}, families.Terminated)
			if first == nil {
				first = r
			}
			for _, metric := range []string{"work_messages", "terminated_time"} {
				is, _ := r.Metric(metric)
				was, ok := first.Metric(metric)
				if is != was || !ok {
					t.Errorf("seed %d: %s of %s is %v, of %s %v", seed, metric, algorithm, is, first.Instance.Algorithm.Name, was)
				}
			}
			work, _ := r.Metric("work_messages")
			control, _ := r.Metric("control_messages")
			all, _ := r.Metric("messages")
			if sent += work; work+control != all {
				t.Errorf("%s: %v work and %v control messages, of %v", algorithm, work, control, all)
			}
		}
	}
	if sent < 1000 {
		t.Errorf("%v work messages are too few", sent)
	}
}

// Over reliable links on lossy ones, nothing knows which messages are under way. Termination announced
// too soon shows all the same, when work goes on.
func TestReliableLinks(t *testing.T) {
	c, early := catalogtest.NewChecker(t, registry), 0
	for seed := range uint64(60) {
		s := trial.Setting{N: 4, Param: "work=6", Initiators: "0", Delay: "uniform(0,4ms)", Link: "loss 20%", Transport: "reliable(10ms,0)", Seed: seed}
		for _, algorithm := range algorithms {
			s.Algorithm = algorithm
			c.Run(s, families.Terminated)
		}
		s.Algorithm, s.Variant = "mattern", "one-wave"
		if r := c.Play(s); r.Outcome == families.TooSoon {
			early++
		}
	}
	if early == 0 {
		t.Error("no wrong announcement in spite of one wave")
	}
}

// Outside the model, where a message is lost: without a signal, a reply, a return or the token nobody
// learns of the end.
func TestOutcomes(t *testing.T) {
	c := catalogtest.NewChecker(t, registry)
	for algorithm, kind := range map[string]string{"scholten": "SIGNAL", "safra": "TOKEN", "mattern": "REPLY", "huang": "RETURN"} {
		s := trial.Setting{Algorithm: algorithm, N: 4, Initiators: "0", Param: "work=6", Fault: "drop 1st " + kind, Seed: 1}
		if r := c.Outside(s); r.Outcome != families.Unannounced || r.Verdict("liveness") != protocols.Violated || r.Verdict("safety") != protocols.Holds {
			t.Errorf("%s without a %s: %s, %+v", algorithm, kind, r.Outcome, r.Checks)
		}
	}
}
