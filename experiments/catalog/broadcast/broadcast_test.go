package broadcast_test

import (
	"fmt"
	"slices"
	"testing"

	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/netem/explore"
	"bullring/protocols"
	"bullring/protocols/broadcast/totalorder"
	"bullring/protocols/consensus/chandratoueg"
)

// asked is the exploration of an algorithm whose process 0 broadcasts, with parameters.
func asked(algorithm string, n, crashes int, param string) catalogtest.Search {
	return catalogtest.Of(algorithm, n).Started("0").Crashing(crashes).With(param)
}

// withF is the exploration with f.
func withF(s catalogtest.Search, f int) catalogtest.Search {
	s.Setting.F = fmt.Sprint(f)
	return s
}

// Each algorithm keeps what it promises, at whatever point of whatever step processes crash.
func TestProven(t *testing.T) {
	catalogtest.Proven(t, registry, testing.Short(), []catalogtest.Proof{
		{Search: asked("besteffort", 3, 2, "").InFull(), States: 41, Transitions: 78},
		{Search: asked("eager", 3, 1, ""), States: 92, Transitions: 287},
		{Search: asked("eager", 3, 2, "").InFull(), States: 122, Transitions: 473},
		{Search: asked("lazy", 3, 2, "").InFull(), States: 57, Transitions: 140},
		{Search: asked("lazy", 4, 2, ""), States: 709, Transitions: 3597},
		{Search: asked("uniform", 3, 1, ""), States: 108, Transitions: 310},
		{Search: asked("uniform", 3, 1, "").Variant("allack"), States: 179, Transitions: 663},
		{Search: asked("uniform", 3, 2, "").Variant("allack"), States: 278, Transitions: 1120},
		{Search: asked("fifo", 3, 0, "requests=2").Unordered(), States: 17, Transitions: 33},
		{Search: asked("fifo", 3, 1, "requests=2").Unordered().Variant("eager"), States: 2192, Transitions: 14347},
		{Search: asked("causal", 3, 0, "reactions=1"), States: 162, Transitions: 337},
		{Search: asked("causal", 3, 0, "reactions=1").Variant("eager"), States: 7434, Transitions: 19477},
		{Search: asked("causal", 3, 1, "reactions=1").Variant("lazy"), States: 1429, Transitions: 2849},
		{Search: catalogtest.Of("totalorder", 2).Started("all").InFull(), States: 23, Transitions: 41},
		{Search: asked("totalorder", 3, 1, ""), States: 3977, Transitions: 19199},
		{Search: asked("totalorder", 3, 1, "").Variant("uniform"), States: 3983, Transitions: 19212},
		{Search: asked("totalorder", 3, 1, "").Unordered(), States: 140281, Transitions: 1336327},
		{Search: asked("totalorder", 3, 1, "").Started("0,1").Variant("lazy"), States: 52661, Transitions: 264806},
		{Search: asked("totalorder", 3, 1, "requests=2"), States: 54370, Transitions: 334518},
		{Search: asked("totalorder", 3, 1, "").Started("0,1"), States: 171328, Transitions: 1082269, Deep: true},
		{Search: asked("totalorder", 4, 1, ""), States: 1405236, Transitions: 13110844, Deep: true},
		{Search: asked("totalorder", 3, 0, "").Started("all"), States: 1675107, Transitions: 9219607, Deep: true},
		{Search: asked("gossip", 3, 0, ""), States: 4957, Transitions: 11686},
		{Search: asked("gossip", 3, 1, ""), States: 9090, Transitions: 39559},
		{Search: asked("gossip", 3, 0, "").Variant("coin"), States: 1722, Transitions: 4213},
		{Search: asked("gossip", 3, 1, "").Variant("blind"), States: 1223, Transitions: 3930},
		{Search: asked("gossip", 2, 0, "").Variant("pull"), States: 430, Transitions: 633},
		{Search: asked("gossip", 3, 0, "cycles=2").Variant("pull"), States: 31330, Transitions: 71805},
		{Search: asked("gossip", 3, 0, "cycles=2").Variant("pushpull"), States: 80946, Transitions: 213233},
	})
}

// What an algorithm does not promise does not hold: the smallest runs that show it.
func TestOtherSide(t *testing.T) {
	for _, c := range []struct {
		catalogtest.Search
		violated string
		steps    int
		outside  string
	}{
		{asked("besteffort", 3, 1, "require=agreement"), "agreement", 2, "more is required than is promised: agreement"},
		{asked("eager", 3, 1, "require=uniform"), "uniform agreement", 1, "more is required than is promised: uniform"},
		{asked("lazy", 3, 1, "require=uniform"), "uniform agreement", 1, "more is required than is promised: uniform"},
		{withF(asked("uniform", 2, 1, ""), 1), "validity", 2, "n is 2 and f is 1, and not n > 2f"},
		{withF(asked("uniform", 4, 2, ""), 2), "validity", 5, "n is 4 and f is 2, and not n > 2f"},
		{asked("besteffort", 2, 0, "requests=2,require=fifo").Unordered(), "FIFO order", 2, "more is required than is promised: fifo"},
		{asked("fifo", 3, 0, "reactions=1,require=causal"), "causal order", 3, "more is required than is promised: causal"},
		{asked("causal", 3, 1, "reactions=1"), "validity", 3, "a process crashes"},
		{asked("causal", 3, 0, "reactions=1").Variant("atonce"), "causal order", 3, "items are delivered when they arrive, in whatever order"},
		{asked("totalorder", 2, 0, "").Started("all").Variant("atonce"), "total order", 4, "items are delivered when they arrive, in whatever order"},
		{asked("causal", 2, 0, "require=total").Started("all"), "total order", 4, "more is required than is promised: total"},
		{withF(asked("totalorder", 2, 1, ""), 1), "validity", 2, "n is 2 and f is 1, and not n > 2f"},
		{withF(asked("totalorder", 3, 2, ""), 1), "validity", 3, "up to 2 processes fail, and f is 1"},
		{withF(asked("totalorder", 4, 2, ""), 2), "validity", 12, "n is 4 and f is 2, and not n > 2f"},
		{asked("gossip", 3, 0, "k=1,require=agreement").Variant("blind"), "agreement", 11, "more is required than is promised: agreement"},
		{asked("gossip", 3, 0, "k=1,require=agreement"), "agreement", 15, "more is required than is promised: agreement"},
		{asked("causal", 3, 0, "reactions=1").Variant("eager,atonce").Unordered(), "causal order", 3, "items are delivered when they arrive, in whatever order"},
	} {
		e := catalogtest.Explore(t, registry, c.Search)
		run := e.Counterexample
		if run == nil || e.Properties[run.Property].Name != c.violated || len(run.Steps) != c.steps || fmt.Sprint(e.Outside) != "["+c.outside+"]" {
			t.Errorf("%s: %+v, outside the model: %q; want %s in %d steps", c.Setting.Algorithm, run, e.Outside, c.violated, c.steps)
		}
	}
}

// Runs inside the model come out right and cost what theory says, whatever the workload, the delays
// and the crashes.
func TestRunsDeliver(t *testing.T) {
	c := catalogtest.NewChecker(t, registry)
	seeds := uint64(6)
	if testing.Short() {
		seeds = 2
	}
	for seed := range seeds {
		for _, a := range registry.All() {
			if a.Name == "dissemination" {
				continue // TestDissemination has its runs: one item a client, no crash
			}
			for _, variant := range slices.Concat([]string{""}, slices.Concat(a.Variants...)) {
				if variant == "atonce" || variant == "unready" {
					continue
				}
				for _, param := range []string{"", "requests=3,reactions=2", "requests=3,think=exp(2ms),loop=open"} {
					c.Run(trial.Setting{Algorithm: a.Name, Variant: variant, N: 5, Param: param, Seed: seed}, families.Delivered)
					c.Run(trial.Setting{Algorithm: a.Name, Variant: variant, N: 4, Param: param, Delay: differing(a.Name), Unordered: true, Seed: seed}, families.Delivered)
					if a.Name == "causal" && !slices.Contains([]string{"eager", "lazy", "uniform"}, variant) {
						continue // over best effort none may crash
					}
					c.Run(trial.Setting{Algorithm: a.Name, Variant: variant, N: 5, Param: param, Delay: differing(a.Name), Fault: "random crashes 1 in 0s..3ms", Seed: seed}, families.Delivered)
				}
			}
		}
	}
	c.Needs("exact", "longest", "requests", "blind")
	c.NeedsAny("needed", "least", "most")
}

// differing are delays that differ, with a bound if the algorithm assumes one.
func differing(algorithm string) string {
	if a, err := registry.Find(algorithm); err == nil && a.Assumes.BoundedDelay {
		return "uniform(0,2ms)"
	}
	return "exp(1ms)"
}

// Delivering at once breaks causal order only where an answer can overtake: its share of early items
// grows with the spread of the delays, and waiting has none.
func TestEarly(t *testing.T) {
	early := func(variant, delay string) (sum float64) {
		for seed := range uint64(10) {
			in, err := registry.Instance(trial.Setting{Algorithm: "causal", Variant: variant, N: 6, Param: "reactions=1", Initiators: "0", Delay: delay, Seed: seed, OutsideModel: true})
			if err != nil {
				t.Fatal(err)
			}
			v, ok := new(trial.Worker).Run(t.Context(), in, nil).Metric("early")
			if !ok {
				t.Fatal("no early items are measured")
			}
			sum += v
		}
		return sum
	}
	if a, b := early("atonce", "1ms"), early("waiting", "uniform(0,2ms)"); a != 0 || b != 0 {
		t.Errorf("%v early items with a constant delay, %v with waiting", a, b)
	}
	if a, b := early("atonce", "uniform(750us,1250us)"), early("atonce", "uniform(0,2ms)"); a != 0 || b == 0 {
		t.Errorf("%v early items with little spread, %v with much", a, b)
	}
}

// A run without crashes and with a constant delay costs what its items and its batches cost, whenever items
// come up: the more come up at a time, the fewer batches there are.
func TestBatches(t *testing.T) {
	c := catalogtest.NewChecker(t, registry)
	seeds := uint64(40)
	if testing.Short() {
		seeds = 2
	}
	for seed := range seeds {
		for n := 2; n <= 8; n++ {
			for _, param := range []string{"", "requests=3,reactions=2", "requests=3,think=exp(2ms),loop=open", "requests=5,think=exp(300us),loop=open", "requests=4,think=exp(9ms)"} {
				for _, initiators := range []string{"all", "random:1", "random:2"} {
					for _, variant := range []string{"eager", "lazy", "uniform"} {
						c.Run(trial.Setting{Algorithm: "totalorder", Variant: variant, N: n, Param: param, Initiators: initiators, Seed: seed}, families.Delivered)
					}
				}
			}
		}
	}
	c.Needs("batches", "exact", "longest")
	decisions := func(param string) float64 {
		in, err := registry.Instance(trial.Setting{Algorithm: "totalorder", N: 8, Param: param})
		if err != nil {
			t.Fatal(err)
		}
		v, _ := new(trial.Worker).Run(t.Context(), in, nil).Metric(trial.SentPrefix + "CONS.DECIDE")
		return v / (8 * 7)
	}
	if a, b := decisions("requests=3,think=exp(100us),loop=open"), decisions("requests=3,think=exp(100ms),loop=open"); a > 3 || b < 20 {
		t.Errorf("24 items: %v batches when they come up almost at once, %v when they come up one by one", a, b)
	}
}

// Whatever is suspected wrongly, processes keep total order, up to some rounds of each batch. Whether they
// ever deliver is not decided there; in drawn runs they do.
func TestWrongSuspicions(t *testing.T) {
	for _, p := range []struct {
		catalogtest.Search
		rounds              int
		states, transitions uint64
	}{
		{catalogtest.Of("totalorder", 2).Started("all"), 3, 57, 65},
		{asked("totalorder", 3, 1, ""), 2, 7747, 38178},
		{asked("totalorder", 3, 0, "").Started("0,1"), 2, 225294, 574600},
	} {
		p.Search = p.Variant("timeout")
		if p.Limits.Rounds = p.rounds; testing.Short() && p.states > 25_000 {
			continue
		}
		e := catalogtest.Explore(t, registry, p.Search)
		if e.States != p.states || e.Transitions != p.transitions || !e.Complete || e.Cut == 0 || len(e.Outside) > 0 {
			t.Errorf("%v: %d states and %d transitions, complete %v, cut off %d, outside %v; want %d and %d", p.Search, e.States, e.Transitions, e.Complete, e.Cut, e.Outside, p.states, p.transitions)
		}
		for _, property := range e.Properties {
			if want := map[bool]protocols.Verdict{true: protocols.Holds, false: protocols.Undecided}[property.Kind == explore.Always]; property.Verdict != want && property.Kind != explore.Sometimes {
				t.Errorf("%v: %s is %v, want %v", p.Search, property.Name, property.Verdict, want)
			}
		}
	}
	c := catalogtest.NewChecker(t, registry)
	for seed := range uint64(20) {
		for n := 3; n <= 6; n++ {
			s := trial.Setting{
				Algorithm: "totalorder", N: n, F: fmt.Sprint((n - 1) / 2), Param: "requests=2,reactions=1,wait=1ms", Delay: "exp(1ms)", Seed: seed,
				Fault: fmt.Sprintf("random crashes %d in 0s..5ms", (n-1)/2), Detector: "heartbeat(1ms,2ms)", MaxEvents: 100_000,
			}
			c.Run(s, families.Delivered)
			s.Variant, s.Detector = "timeout", ""
			c.Run(s, families.Delivered)
		}
	}
}

// The kinds of total order are those of its consensus.
func TestKindsOfConsensus(t *testing.T) {
	a, err := registry.Find("totalorder")
	if err != nil {
		t.Fatal(err)
	}
	for i, kind := range (chandratoueg.Message[totalorder.Batch]{}).Kinds() {
		if a.Kinds[1+i] != "CONS."+kind {
			t.Errorf("%q is the kind of %s", a.Kinds[1+i], kind)
		}
	}
}
