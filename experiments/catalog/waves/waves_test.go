package waves_test

import (
	"fmt"
	"strings"
	"testing"

	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/experiments/trial/search"
	"bullring/protocols"
	"bullring/protocols/wave"
	"bullring/protocols/wave/tarry"
)

// graphs are topologies of several shapes, random ones included, of each class.
var graphs = map[string][]string{
	trial.AnyTree:           {"tree", "tree(3)", "line", "star"},
	trial.StronglyConnected: {"ring", "biring", "complete", "grid", "hypercube", "er(50%)", "tree"},
	trial.Connected:         {"biring", "complete", "grid", "hypercube", "er(50%)", "tree", "star", "line"},
}

// Every run is held to the bounds of its declaration, the exact ones included, on every kind of graph,
// whatever the size, the delays, the order of messages and the initiators.
func TestCosts(t *testing.T) {
	for _, a := range registry.All() {
		c, delayed := catalogtest.NewChecker(t, registry), 0
		for _, topology := range graphs[a.Assumes.Topologies[1]] {
			for _, n := range []int{1, 2, 3, 4, 8, 16} {
				for seed := range uint64(6) {
					s := trial.Setting{Algorithm: a.Name, N: n, Topology: topology, Seed: seed, Unordered: seed%2 == 1}
					if !a.Assumes.AllInitiate {
						s.Initiators = "random:1"
						if !a.Assumes.OneInitiates && seed%3 > 0 {
							s.Initiators = fmt.Sprintf("random:%d", min(n, int(seed)))
						}
					}
					if len(a.Variants) > 0 && seed%3 == 2 {
						s.Variant = "random"
					}
					if seed > 2 {
						s.Delay = []string{"uniform(0,2ms)", "mix(90% 0s,10% 3ms)", "uniform(1ms,2ms)"}[seed-3]
					}
					if _, err := registry.Instance(s); err != nil {
						continue // there is no such graph, or it is not connected
					}
					c.Run(s, families.WaveDecided)
					if seed > 2 {
						delayed++
					}
				}
			}
		}
		c.Needs("decided", "deciders")
		c.NeedsAny("latest")
		if a.Name != "finn" {
			c.Needs("exact")
		}
		if delayed < 50 {
			t.Errorf("%s: %d runs with random delays", a.Name, delayed)
		}
	}
}

// explored is the exploration of an algorithm with every set of initiators that it may have.
func explored(algorithm string, n int, topology string) catalogtest.Search {
	return catalogtest.Of(algorithm, n).On(topology).Started(search.Every)
}

// Whatever the order of messages, and whichever links the token takes, all checks hold.
func TestProven(t *testing.T) {
	tour := func(algorithm string, n int) catalogtest.Search {
		return catalogtest.Of(algorithm, n).Variant("random")
	}
	catalogtest.Proven(t, registry, testing.Short(), []catalogtest.Proof{
		{Search: catalogtest.Of("tree", 2).InFull(), States: 7, Transitions: 8},
		{Search: catalogtest.Of("tree", 7), States: 55, Transitions: 89},
		{Search: explored("phase", 3, "line"), States: 120, Transitions: 188},
		{Search: explored("phase", 4, "biring"), States: 11050, Transitions: 26363},
		{Search: explored("phase", 3, "ring"), States: 80, Transitions: 112},
		{Search: explored("finn", 2, "line").InFull(), States: 23, Transitions: 25},
		{Search: explored("finn", 3, "line"), States: 469, Transitions: 750},
		{Search: explored("finn", 3, "complete"), States: 246524, Transitions: 664302},
		{Search: tour("tarry", 4), States: 310, Transitions: 345},
		{Search: tour("tarry", 5), States: 58097, Transitions: 79036},
		{Search: tour("dfs", 5), States: 6017, Transitions: 7240},
		{Search: tour("awerbuch", 4).Unordered(), States: 186, Transitions: 280},
		{Search: catalogtest.Of("awerbuch", 5), States: 194, Transitions: 441},
		{Search: tour("cidon", 4), States: 6853, Transitions: 23145},
		{Search: tour("cidon", 4).Unordered(), States: 252841, Transitions: 1345275},
	})
}

// With a phase less than the graph is wide a decision misses a process. If a leaf does not begin, or the
// token is lost with a process, no process decides. Two initiators both take the token for theirs.
func TestOutsideTheModel(t *testing.T) {
	for _, c := range []struct {
		catalogtest.Search
		violated, outside string
	}{
		{explored("phase", 3, "line").With("phases=1"), "dependence", "the diameter is 2, and there are 1 phases"},
		{explored("phase", 4, "line").With("phases=2"), "dependence", "the diameter is 3, and there are 2 phases"},
		{catalogtest.Of("tree", 3).On("line").Started("1"), "decision", "not every process initiates"},
		{catalogtest.Of("tree", 3).On("line").Crashing(1), "decision", "a process crashes"},
		{catalogtest.Of("phase", 3).On("line").Crashing(1), "decision", "a process crashes"},
		{catalogtest.Of("finn", 3).On("line").Crashing(1), "decision", "a process crashes"},
		{catalogtest.Of("tarry", 3).On("line").Crashing(1), "decision", "a process crashes"},
		{catalogtest.Of("dfs", 3).On("line").Crashing(1), "decision", "a process crashes"},
		{catalogtest.Of("awerbuch", 3).On("line").Crashing(1), "decision", "a process crashes"},
		{catalogtest.Of("cidon", 3).On("line").Crashing(1), "decision", "a process crashes"},
		{catalogtest.Of("cidon", 3).Started("0,1"), "traversal", "more than one process initiates"},
	} {
		e := catalogtest.Explore(t, registry, c.Search)
		if run := e.Counterexample; run == nil || e.Properties[run.Property].Name != c.violated || fmt.Sprint(e.Outside) != "["+c.outside+"]" {
			t.Errorf("%v: %+v, outside the model: %q", c.Search, run, e.Outside)
		}
	}
	for _, c := range []struct {
		trial.Setting
		want trial.Outcome
	}{
		{trial.Setting{Algorithm: "phase", N: 3, Topology: "line", Param: "phases=1", Initiators: "0"}, families.Premature},
		{trial.Setting{Algorithm: "tree", N: 3, Topology: "line", Initiators: "1"}, families.Lost},
	} {
		if r := catalogtest.NewChecker(t, registry).Outside(c.Setting); r.Outcome != c.want {
			t.Errorf("%+v: %v, want %v", c.Setting, r.Outcome, c.want)
		}
	}
}

// Of all schedules, one costs as many messages as the bound says, and none more: with Cidon some schedules
// cost more than others, with the others all the same.
func TestWorstSchedules(t *testing.T) {
	for _, c := range []struct {
		algorithm  string
		n          int
		most, calm float64 // messages at worst, and with constant delays
	}{
		{"tarry", 4, 12, 12}, {"dfs", 4, 12, 12}, {"awerbuch", 4, 24, 24}, {"cidon", 3, 10, 8}, {"cidon", 4, 21, 15},
	} {
		hunt := search.Hunt{Setting: trial.Setting{Algorithm: c.algorithm, N: c.n}, Metric: "messages", Over: []string{search.OverSchedule}}
		w, err := search.FindWorst(t.Context(), registry, hunt)
		if err != nil {
			t.Fatal(err)
		}
		calm, _ := catalogtest.NewChecker(t, registry).Run(hunt.Setting, families.WaveDecided).Metric("messages")
		if !w.Proven || w.Value != c.most || calm != c.calm || len(w.Limits()) == 0 || w.Limits()[0].Value != c.most {
			t.Errorf("%+v: at worst %v (proven %v, bounds %+v), with constant delays %v", c, w.Value, w.Proven, w.Limits(), calm)
		}
	}
}

// Tarry's tree need not be a depth-first search tree: without rule R3 the token leaves a branch before it is
// done.
func TestTarryIsNoSearch(t *testing.T) {
	called := &trial.Registry{}
	called.Register(families.Wave(trial.Algorithm{
		Name: "tarry", Assumes: trial.Assumptions{Topologies: []string{"complete"}, OneInitiates: true},
	}, families.Search, func(*trial.Instance) func(protocols.ID) wave.Process[tarry.Message] {
		return func(protocols.ID) wave.Process[tarry.Message] { return tarry.New(true) }
	}))
	e := catalogtest.Explore(t, called, catalogtest.Of("tarry", 4))
	if run := e.Counterexample; run == nil || e.Properties[run.Property].Name != "depthfirst" {
		t.Errorf("%+v", e.Properties)
	}
}

// One process initiates a traversal: process 0, or the first that lives, if none is named.
func TestOneInitiates(t *testing.T) {
	for _, c := range []struct{ given, dead, is, outside string }{
		{"", "", "0", ""},
		{"2", "", "2", ""},
		{"last", "", "last", ""},
		{"", "0", "1", "a process crashes"},
		{"0,1", "", "0,1", "more than one process initiates"},
		{"all", "", "all", "more than one process initiates"},
	} {
		in, err := registry.Instance(trial.Setting{Algorithm: "tarry", N: 3, Initiators: c.given, Dead: c.dead, OutsideModel: true})
		if err != nil {
			t.Fatal(err)
		}
		if in.Setting.Initiators != c.is || strings.Join(in.Outside, "; ") != c.outside {
			t.Errorf("%+v: initiators %s, outside the model: %q", c, in.Setting.Initiators, in.Outside)
		}
	}
	for fault, outside := range map[string]string{"at 3ms start 0": "", "at 3ms start 1": "more than one process initiates"} {
		if r := catalogtest.NewChecker(t, registry).Outside(trial.Setting{Algorithm: "tarry", N: 3, Fault: fault}); strings.Join(r.Instance.Outside, "; ") != outside {
			t.Errorf("%s is outside the model: %q", fault, r.Instance.Outside)
		}
	}
	s := catalogtest.NewChecker(t, registry).Instance(trial.Setting{Algorithm: "tarry", N: 3, Schedule: "timers free\nstart 0\nstart 1", OutsideModel: true})
	if strings.Join(s.Outside, "; ") != "more than one process initiates" {
		t.Errorf("a schedule that starts another process is outside the model: %q", s.Outside)
	}
	if e := catalogtest.Explore(t, registry, explored("dfs", 4, "complete")); len(e.Instances) != 4 {
		t.Errorf("every initiator of four are %d instances", len(e.Instances))
	}
}
