package termination_test

import (
	"testing"

	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
	"bullring/protocols"
)

// of is an exploration with one initiator, without parameters that are the default.
func of(algorithm string, n int, params string) catalogtest.Search {
	s := catalogtest.Of(algorithm, n).Started("0")
	if params != "" {
		s = s.With(params)
	}
	return s
}

// Whatever processes draw and in whatever order messages come: termination is announced, and not too
// soon.
func TestProven(t *testing.T) {
	catalogtest.Proven(t, registry, testing.Short(), []catalogtest.Proof{
		{Search: of("scholten", 1, ""), States: 2, Transitions: 1},
		{Search: of("scholten", 2, "busy=1ms").InFull(), States: 126, Transitions: 242},
		{Search: of("scholten", 3, ""), States: 2810, Transitions: 7615},
		{Search: of("scholten", 3, "work=1").Unordered(), States: 32, Transitions: 37},
		{Search: of("scholten", 3, "work=1,busy=1ms"), States: 56, Transitions: 75},
		{Search: of("scholten", 3, "").On("line"), States: 376, Transitions: 602},
		{Search: of("scholten", 4, "work=1"), States: 136, Transitions: 175},
		{Search: of("huang", 1, ""), States: 2, Transitions: 1},
		{Search: of("huang", 2, "busy=1ms").InFull(), States: 126, Transitions: 205},
		{Search: of("huang", 3, ""), States: 14315, Transitions: 36577},
		{Search: of("huang", 3, "work=1").Unordered(), States: 51, Transitions: 91},
		{Search: of("huang", 3, "work=1,busy=1ms"), States: 67, Transitions: 107},
		{Search: of("huang", 4, "work=1"), States: 337, Transitions: 772},
		{Search: of("safra", 1, ""), States: 2, Transitions: 1},
		{Search: of("safra", 2, "busy=1ms").Started("all").InFull(), States: 295, Transitions: 605},
		{Search: of("safra", 3, ""), States: 9416, Transitions: 24476},
		{Search: of("safra", 3, "").Started("all"), States: 35542, Transitions: 115664},
		{Search: of("safra", 3, "work=1").Unordered().Started("all"), States: 1322, Transitions: 2819},
		{Search: of("safra", 3, "work=1,busy=1ms").Started("all"), States: 1933, Transitions: 4594},
		{Search: of("safra", 4, "work=1").Started("all"), States: 26174, Transitions: 69898},
		{Search: of("mattern", 1, ""), States: 2, Transitions: 1},
		{Search: of("mattern", 2, "busy=1ms").Started("all").InFull(), States: 323, Transitions: 646},
		{Search: of("mattern", 3, ""), States: 33526, Transitions: 87987},
		{Search: of("mattern", 3, "").Started("all"), States: 136790, Transitions: 420529},
		{Search: of("mattern", 3, "work=1").Unordered().Started("all"), States: 5732, Transitions: 14980},
		{Search: of("mattern", 3, "work=1,busy=1ms").Started("all"), States: 4996, Transitions: 13059},
		{Search: of("mattern", 4, "work=1"), States: 9410, Transitions: 25747},
	})
}

// The wrong variants announce termination too soon. With three processes it takes two messages of one
// process: with one each they are proven.
func TestWrongVariants(t *testing.T) {
	catalogtest.Proven(t, registry, false, []catalogtest.Proof{
		{Search: of("safra", 3, "work=1").Variant("white").Started("all"), States: 479, Transitions: 1044},
		{Search: of("mattern", 3, "work=1").Variant("one-wave").Started("all"), States: 2284, Transitions: 5002},
	})
	for _, c := range []struct {
		catalogtest.Search
		steps int
	}{
		{of("safra", 3, "").Variant("white"), 7},
		{of("safra", 3, "").Variant("white").Started("all"), 8},
		{of("mattern", 3, "").Variant("one-wave"), 8},
		{of("mattern", 3, "").Variant("one-wave").Started("all"), 9},
	} {
		e := catalogtest.Explore(t, registry, c.Search)
		run := e.Counterexample
		if run == nil || e.Properties[run.Property].Name != "safety" || len(run.Steps) != c.steps || len(e.Outside) > 0 {
			t.Errorf("%v: %+v; want safety violated in %d steps", c.Search, run, c.steps)
			continue
		}
		in, err := registry.Instance(e.Scheduled(run))
		if err != nil {
			t.Fatal(err)
		}
		if r := new(trial.Worker).Run(t.Context(), in, nil); r.Verdict("safety") != protocols.Violated {
			t.Errorf("%v, played: safety %v", c.Search, r.Verdict("safety"))
		}
	}
}
