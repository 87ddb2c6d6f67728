package search_test

import (
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"bullring/experiments/catalog"
	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
	"bullring/netem"
	"bullring/netem/explore"
	"bullring/protocols"
)

// A universal claim stands until somebody finds the run that refutes it. The tests of
// this file look for it, among runs drawn from those that the claim is about. What they
// refute is listed in docs/claims.md.

const claimedN = 3

// costs are the metrics of a hunt, and how runs call them.
var costs = map[string]string{"messages": "messages", "bits": "bits", "depth": "causal_depth"}

// drawnCase is a placement and a set of initiators, drawn at random.
func drawnCase(a *trial.Algorithm, random *rand.Rand) trial.Setting {
	var ids, initiators []string
	for _, id := range random.Perm(claimedN) {
		ids = append(ids, strconv.Itoa(id+1))
	}
	if a.Assumes.OneInitiates {
		initiators = append(initiators, strconv.Itoa(random.IntN(claimedN)))
	}
	for len(initiators) == 0 {
		for p := range claimedN {
			if a.Assumes.AllInitiate || random.IntN(2) == 0 {
				initiators = append(initiators, strconv.Itoa(p))
			}
		}
	}
	return trial.Setting{Algorithm: a.Name, IDs: strings.Join(ids, ","), Initiators: strings.Join(initiators, ","), Seed: random.Uint64()}
}

// everyVariant yields each algorithm as it is, and with each word of a variant that is not
// the default.
func everyVariant(registry *trial.Registry) iter.Seq2[*trial.Algorithm, string] {
	return func(yield func(*trial.Algorithm, string) bool) {
		for _, a := range registry.All() {
			words := []string{""}
			for _, group := range a.Variants {
				words = append(words, group[1:]...)
			}
			for _, word := range words {
				if !yield(a, word) {
					return
				}
			}
		}
	}
}

// No run in rounds costs more than what is PROVEN to be the most, whatever its seed
// unless the verdict is for one.
func TestWorstInRoundsIsNotRefuted(t *testing.T) {
	registry, proven := catalog.New(), 0
	var worker trial.Worker
	random := rand.New(rand.NewPCG(1, 2))
	for a, variant := range everyVariant(registry) {
		for metric, name := range costs {
			w, err := search.FindWorst(t.Context(), registry, search.Hunt{Setting: trial.Setting{Algorithm: a.Name, Variant: variant, N: claimedN}, Metric: metric})
			if err != nil || !w.Proven {
				continue // a run of an endless family has no cost, and draws prove nothing
			}
			proven++
			for range 20 {
				s := drawnCase(w.Result.Instance.Algorithm, random)
				s.Algorithm, s.Variant = a.Name, variant
				if w.Result.Instance.Seeded() != "" {
					s.Seed = w.Result.Instance.Setting.Seed
				}
				in, err := registry.Instance(s)
				if err != nil {
					t.Fatal(err)
				}
				if cost, _ := worker.Run(t.Context(), in, nil).Metric(name); cost > w.Value {
					t.Errorf("%s: %v %s, which is more than the %v that are PROVEN: %+v", a.Name, cost, metric, w.Value, s)
				}
			}
		}
	}
	if proven < 100 {
		t.Errorf("%d verdicts are PROVEN; there is little to refute", proven)
	}
}

// walks draws runs from what is explored, and plays those that come to rest on fresh
// processes.
func walks(t *testing.T, registry *trial.Registry, s search.Search, runs int, see func(*trial.Result)) *search.Exploration {
	t.Helper()
	var drawn []explore.Run
	s.Options = explore.Options{Strategy: explore.RandomWalk, Sampling: explore.Sampling{
		Runs: runs, MaxSteps: 300, Seed: 7,
		Each: func(root int, steps []explore.Step, _ []protocols.Verdict) {
			drawn = append(drawn, explore.Run{Root: root, Steps: steps})
		},
	}}
	e, err := search.Explore(t.Context(), registry, s)
	if err != nil {
		t.Fatal(err)
	}
	var worker trial.Worker
	for _, run := range drawn {
		setting := e.Scheduled(&run)
		setting.OutsideModel = true
		in, err := registry.Instance(setting)
		if err != nil {
			t.Fatal(err)
		}
		r := worker.Run(t.Context(), in, nil)
		if r.Failed != nil {
			t.Fatalf("%s: %v", s.Setting.Algorithm, r.Failed)
		}
		see(r)
	}
	return e
}

// No schedule costs more than what is PROVEN to be the most over every schedule. The
// schedules are drawn without what makes the search short: orders that are left out,
// and states that are recognised.
func TestWorstScheduleIsNotRefuted(t *testing.T) {
	registry, proven, reached, varied := catalog.New(), 0, 0, 0
	for _, a := range registry.All() {
		for metric, name := range costs {
			if metric == "bits" && testing.Short() {
				continue // they add up as messages do
			}
			s := trial.Setting{Algorithm: a.Name, N: claimedN}
			w, err := search.FindWorst(t.Context(), registry, search.Hunt{Setting: s, Metric: metric, Over: []string{"schedule"}, MaxStates: 800, Budget: 1})
			if err != nil || !w.Proven {
				continue
			}
			proven++
			least, most := math.Inf(1), 0.0
			walks(t, registry, search.Search{Setting: s, Timers: w.Hunt.Timers, Grain: w.Hunt.Grain}, 12, func(r *trial.Result) {
				cost, _ := r.Metric(name)
				least, most = min(least, cost), max(most, cost)
				if cost > w.Value {
					t.Errorf("%s: %v %s, which is more than the %v that are PROVEN:\n%s", a.Name, cost, metric, w.Value, r.Instance.Setting.Schedule)
				}
			})
			if most == w.Value {
				reached++
			}
			if least < most {
				varied++
			}
		}
	}
	if proven < 45 || reached < proven*9/10 || varied < 8 {
		t.Errorf("of %d verdicts that are PROVEN, %d are reached by a walk, and %d costs vary; there is little to refute", proven, reached, varied)
	}
}

// What was said to hold in every run is violated in none that is drawn: from what was
// explored, and from the network with random delays.
func TestExploredIsNotRefuted(t *testing.T) {
	registry, proven := catalog.New(), 0
	random := rand.New(rand.NewPCG(3, 4))
	for _, a := range registry.All() {
		s := search.Search{Setting: drawnCase(a, random), Options: explore.Options{Reduce: true, MaxStates: 1500}}
		e, err := search.Explore(t.Context(), registry, s)
		if err != nil || !e.Complete || e.Counterexample != nil {
			continue
		}
		proven++
		sound := func(r *trial.Result) {
			if failure := search.FailureOf(r); failure != "" && failure != search.Incorrect {
				t.Errorf("%s: %s was PROVEN, and is violated by %+v", a.Name, failure, r.Instance.Setting)
			}
		}
		if drawn := walks(t, registry, s, 15, sound); drawn.Counterexample != nil {
			t.Errorf("%s: a walk violates %s", a.Name, drawn.Properties[drawn.Counterexample.Property].Name)
		}
		s.Options = explore.Options{Strategy: explore.PCT, Sampling: explore.Sampling{Runs: 15, MaxSteps: 300}}
		if drawn, err := search.Explore(t.Context(), registry, s); err != nil || drawn.Counterexample != nil {
			t.Errorf("%s: a run by priorities violates a property, %v", a.Name, err)
		}
		onTheNetwork(t, registry, s.Setting, e, sound)
	}
	if proven < 20 {
		t.Errorf("%d verdicts are PROVEN; there is little to refute", proven)
	}
}

// onTheNetwork runs a setting on the network. With free timers, every run with random
// delays is one of those that were explored, unless it draws: what can be drawn depends on
// how time passes. With bounded timers that with the longest delays is.
func onTheNetwork(t *testing.T, registry *trial.Registry, s trial.Setting, e *search.Exploration, see func(*trial.Result)) {
	t.Helper()
	var worker trial.Worker
	delays := []string{"exp(1ms)", "uniform(0,1ms)", "pareto(1ms,2ms)"}
	if e.Search.Timers == trial.BoundedTimers {
		delays = []string{trial.DefaultDelay}
	}
	s.OutsideModel = true
	for _, delay := range delays {
		for seed := range uint64(8) {
			if s.Delay = delay; e.Instances[0].Seeded() == "" {
				s.Seed = seed
			}
			in, err := registry.Instance(s)
			if err != nil {
				t.Fatal(err)
			}
			r := worker.Run(t.Context(), in, nil)
			if r.Counters.Draws > 0 {
				return
			}
			if r.End != netem.Quiescent && r.End != netem.Stopped {
				t.Errorf("%s: rest was PROVEN, and a run ends %v: %+v", s.Algorithm, r.End, s)
			}
			see(r)
		}
	}
}

// What a seed decides is said: an algorithm whose cases cost something else with other
// seeds is one of those whose verdict is limited to a seed.
func TestSeedsThatDecideAreTold(t *testing.T) {
	registry := catalog.New()
	var told []string
	var worker trial.Worker
	for _, a := range registry.All() {
		var prints []uint64
		limited := false
		for seed := range uint64(5) {
			in, err := registry.Instance(trial.Setting{Algorithm: a.Name, N: 5, Seed: seed, MaxEvents: 100_000})
			if err != nil {
				t.Fatal(err)
			}
			r := worker.Run(t.Context(), in, nil)
			limited = limited || r.Counters.Draws > 0 || in.Seeded() != ""
			prints = append(prints, r.Fingerprint)
		}
		slices.Sort(prints)
		if len(slices.Compact(prints)) > 1 && !limited {
			t.Errorf("%s: runs of different seeds differ, and nothing says why", a.Name)
		}
		if limited {
			told = append(told, a.Name)
		}
	}
	for _, name := range []string{"itairodeh", "raft", "dht", "repelling", "ghs", "decentralized", "chandylamport"} {
		if !slices.Contains(told, name) {
			t.Errorf("%s: nothing says that the seed decides something: %v", name, told)
		}
	}
}
