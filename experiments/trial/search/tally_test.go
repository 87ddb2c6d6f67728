package search_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/combin"

	"bullring/experiments/catalog"
	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
)

// The tally over placements is that of runs on every one of them, also where a case stands for its
// rotations. It does not depend on the workers.
func TestTallyIsThatOfEveryPlacement(t *testing.T) {
	registry := catalog.New()
	const n = 5
	for _, c := range []struct{ algorithm, metric, column string }{
		{"lcr", "messages", "messages"}, {"franklin", "time", "time"}, {"changroberts", "depth", "causal_depth"},
		{"ringlist", "bits", "bits"}, {"lcr", "sent_PROBE", "sent_PROBE"},
	} {
		least, most, sum := 1e9, 0.0, 0.0
		placements := combin.Permutations(n, n)
		for _, p := range placements {
			words := make([]string, n)
			for i, id := range p {
				words[i] = fmt.Sprint(id + 1)
			}
			in, err := registry.Instance(trial.Setting{Algorithm: c.algorithm, IDs: strings.Join(words, ",")})
			if err != nil {
				t.Fatal(err)
			}
			v, ok := new(trial.Worker).Run(t.Context(), in, nil).Metric(c.column)
			if !ok {
				t.Fatalf("%s has no %s", c.algorithm, c.column)
			}
			least, most, sum = min(least, v), max(most, v), sum+v
		}
		for _, workers := range []int{1, 3} {
			got, err := search.FindTally(t.Context(), registry, search.Hunt{
				Setting: trial.Setting{Algorithm: c.algorithm, N: n}, Metric: c.metric, Over: []string{search.OverIDs}, Workers: workers,
			})
			if err != nil {
				t.Fatal(err)
			}
			mean := big.NewRat(int64(sum), int64(len(placements)))
			if got.Least.Cost.Cmp(new(big.Rat).SetFloat64(least)) != 0 || got.Most.Cost.Cmp(new(big.Rat).SetFloat64(most)) != 0 || got.Mean.Cmp(mean) != 0 {
				t.Errorf("%s, %s: %v, %v, mean %v; want %v, %v, %v", c.algorithm, c.metric, got.Least.Cost, got.Most.Cost, got.Mean, least, most, mean)
			}
			for _, e := range []search.Extreme{got.Least, got.Most} {
				again, err := search.FindTally(t.Context(), registry, search.Hunt{Setting: e.Setting, Metric: c.metric, Over: []string{}})
				if err != nil || again.Cases != 1 || again.Mean.Cmp(e.Cost) != 0 {
					t.Errorf("%s again: %v, %+v; want %v", c.algorithm, err, again, e.Cost)
				}
			}
		}
	}
}

// Over every schedule the tally has the most that is proven.
func TestTallyOverSchedules(t *testing.T) {
	h := search.Hunt{Setting: trial.Setting{Algorithm: "bully", N: 4, Dead: "last", Variant: "A"}, Metric: "time", Over: []string{"initiators", search.OverSchedule}}
	got, err := search.FindTally(t.Context(), catalog.New(), h)
	if err != nil || got.Most.Cost.Cmp(big.NewRat(4, 1)) != 0 || got.Least.Cost != nil || got.Mean != nil { // docs/worst.md
		t.Errorf("%v, %+v", err, got)
	}
	h.MaxStates = 9
	if _, err := search.FindTally(t.Context(), catalog.New(), h); err == nil || !strings.Contains(err.Error(), "not every schedule was looked at") {
		t.Errorf("cut off: %v", err)
	}
}

func TestTallyErrors(t *testing.T) {
	stopped, stop := context.WithCancelCause(t.Context())
	stop(errors.New("enough"))
	for _, c := range []struct {
		ctx  context.Context
		hunt search.Hunt
		want string
	}{
		{t.Context(), search.Hunt{Setting: trial.Setting{Algorithm: "lcr", N: 9}, Metric: "messages", Budget: 100}, "there are 40320 cases, more than the budget of 100"},
		{t.Context(), search.Hunt{Setting: trial.Setting{Algorithm: "itairodeh", N: 3}, Metric: "messages", Over: []string{}}, "draw random numbers"},
		{t.Context(), search.Hunt{Setting: trial.Setting{Algorithm: "lcr", N: 3}, Metric: "mesages"}, `metric "mesages" (did you mean "messages"?)`},
		{t.Context(), search.Hunt{Setting: trial.Setting{Algorithm: "lcr", N: 3}, Metric: "rate"}, "allowed are messages, bits, depth, time, "},
		{t.Context(), search.Hunt{Setting: trial.Setting{Algorithm: "lcr", N: 3}, Metric: "mistake_rate"}, "a run has no mistake_rate"},
		{t.Context(), search.Hunt{Setting: trial.Setting{Algorithm: "raymond", N: 7, Initiators: "0,1,2", Topology: "line"}, Metric: "messages_per_entry", Over: []string{}}, "no multiple of 1/1, and so not known exactly"},
		{stopped, search.Hunt{Setting: trial.Setting{Algorithm: "lcr", N: 3}, Metric: "messages"}, "enough"},
	} {
		if got, err := search.FindTally(c.ctx, catalog.New(), c.hunt); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, %+v, want %s", c.hunt.Setting, err, got, c.want)
		}
	}
}
