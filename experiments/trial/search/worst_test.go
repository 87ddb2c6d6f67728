package search_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"bullring/experiments/catalog"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/experiments/trial/search"
	"bullring/netem"
	"bullring/netem/explore"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/lcr"
)

func worst(t *testing.T, h search.Hunt) *search.Worst {
	t.Helper()
	w, err := search.FindWorst(t.Context(), catalog.New(), h)
	if err != nil {
		t.Fatalf("%+v: %v", h, err)
	}
	return w
}

// attains reports whether the run costs what theory says is the most.
func attains(w *search.Worst) bool {
	return slices.ContainsFunc(w.Limits(), func(b trial.BoundResult) bool { return b.Relation == trial.AtMost && b.Ratio == 1 })
}

// The published worst cases are found among all cases, and attained.
func TestWorstCases(t *testing.T) {
	for _, c := range []struct {
		name  string
		hunt  search.Hunt
		value float64
		cases int64
	}{
		{"n(n+1)/2", search.Hunt{Setting: trial.Setting{Algorithm: "lcr", N: 8}}, 36, 5040},
		{"n(n+3)/2", search.Hunt{Setting: trial.Setting{Algorithm: "lcr", N: 6, Variant: "all-terminate"}}, 27, 120},
		{"3N-1", search.Hunt{Setting: trial.Setting{Algorithm: "changroberts", N: 7, Initiators: "random:1"}}, 20, 720 * 7},
		{"N(N+3)/2", search.Hunt{Setting: trial.Setting{Algorithm: "changroberts", N: 6}}, 27, 120 * 63},
		{"2n floor(lg n) + 2n", search.Hunt{Setting: trial.Setting{Algorithm: "peterson", N: 8}, Over: []string{"ids"}}, 64, 5040},
		{"N^2-N-1", detectors("A"), 55, 7},
		{"N^2-N-2", detectors("B"), 54, 7},
		{"N^2-2N", detectors("C"), 48, 7},
	} {
		c.hunt.Metric = "messages"
		w := worst(t, c.hunt)
		if w.Value != c.value || !w.Proven || w.Cases.Int64() != c.cases || w.Looked != int(c.cases) || !attains(w) {
			t.Errorf("%s: %v messages, want %v; proven %v, %d of %v cases, want %d; %v",
				c.name, w.Value, c.value, w.Proven, w.Looked, w.Cases, c.cases, w.Limits())
		}
	}
}

// detectors is the hunt for the worst detector of a dead coordinator.
func detectors(variant string) search.Hunt {
	return search.Hunt{
		Setting: trial.Setting{Algorithm: "bully", N: 8, Variant: variant, Dead: "last", Initiators: "random:1"},
		Over:    []string{"initiators"},
	}
}

// Rotations left out or not, what is found is the maximum over all placements and
// sets of initiators, one after another, on any topology.
func TestWorstIsTheMaximum(t *testing.T) {
	for _, s := range []trial.Setting{
		{Algorithm: "changroberts", N: 4}, {Algorithm: "changroberts", N: 4, Topology: "biring"}, {Algorithm: "peterson", N: 4},
		{Algorithm: "ringlist", N: 4, Dead: "1"}, {Algorithm: "bully", N: 4, Dead: "0", Variant: "C"}, {Algorithm: "modifiedring", N: 4},
	} {
		for _, metric := range []string{"messages", "bits", "causal_depth", "time"} {
			cases, most := allCases(t, s, metric)
			w := worst(t, search.Hunt{Setting: s, Metric: strings.TrimPrefix(metric, "causal_")})
			want := cases
			if w.UpToRotation {
				want /= s.N
			}
			if w.Value != most || w.Cases.Int64() != int64(want) || !w.Proven {
				t.Errorf("%+v: %v %s over %v cases, want %v over %d", s, w.Value, metric, w.Cases, most, want)
			}
		}
	}
}

// allCases runs every placement with every set of initiators.
func allCases(t *testing.T, s trial.Setting, metric string) (cases int, most float64) {
	t.Helper()
	registry := catalog.New()
	var worker trial.Worker
	for _, ids := range orders("1234") {
		for set := 1; set < 16; set++ {
			var starts []string
			for p := range 4 {
				if set>>p&1 == 1 {
					starts = append(starts, fmt.Sprint(p))
				}
			}
			s.IDs, s.Initiators = strings.Join(strings.Split(ids, ""), ","), strings.Join(starts, ",")
			if s.Dead != "" && slices.Contains(starts, s.Dead) {
				continue
			}
			in, err := registry.Instance(s)
			if err != nil {
				t.Fatal(err)
			}
			value, _ := worker.Run(t.Context(), in, nil).Metric(metric)
			cases, most = cases+1, max(most, value)
		}
	}
	return cases, most
}

// orders are all orders of some letters.
func orders(letters string) []string {
	if len(letters) < 2 {
		return []string{letters}
	}
	var all []string
	for i, l := range letters {
		for _, rest := range orders(letters[:i] + letters[i+1:]) {
			all = append(all, string(l)+rest)
		}
	}
	return all
}

// The local search finds the worst case among 10^12, and is told from a proof.
func TestWorstByLocalSearch(t *testing.T) {
	n, budget, placements := 16, uint64(24_000), int64(1_307_674_368_000)
	if testing.Short() {
		n, budget, placements = 10, 6_000, 362_880
	}
	w := worst(t, search.Hunt{Setting: trial.Setting{Algorithm: "lcr", N: n}, Metric: "messages", Budget: budget})
	if w.Value != float64(n*(n+1)/2) || w.Proven || w.Looked != int(budget) || w.Cases.Int64() != placements {
		t.Errorf("%v messages in %d runs; proven %v of %v", w.Value, w.Looked, w.Proven, w.Cases)
	}
}

// No run with random delays costs more than every schedule does at most, and the
// order of events is what makes the difference where theory says so.
func TestWorstSchedules(t *testing.T) {
	registry := catalog.New()
	for _, s := range []trial.Setting{
		{Algorithm: "lcr", N: 4}, {Algorithm: "changroberts", N: 4, Initiators: "0,2"}, {Algorithm: "peterson", N: 4},
		{Algorithm: "bully", N: 3}, {Algorithm: "bully", N: 3, Dead: "last", Variant: "A"}, {Algorithm: "bully", N: 4, Dead: "last", Variant: "C"},
		{Algorithm: "ringlist", N: 3, Initiators: "0"}, {Algorithm: "modifiedring", N: 3, Initiators: "0"},
	} {
		for _, metric := range []string{"messages", "bits", "causal_depth"} {
			w := worst(t, search.Hunt{Setting: s, Metric: strings.TrimPrefix(metric, "causal_"), Over: []string{"schedule"}})
			if !w.Proven || w.States == 0 || w.Result.Instance.Setting.Schedule == "" {
				t.Errorf("%+v: proven %v, %d states", s, w.Proven, w.States)
			}
			var worker trial.Worker
			for seed := range uint64(100) {
				random := s
				random.Seed, random.Delay = seed, "uniform(0,1ms)"
				in, err := registry.Instance(random)
				if err != nil {
					t.Fatal(err)
				}
				if value, _ := worker.Run(t.Context(), in, nil).Metric(metric); value > w.Value {
					t.Errorf("%+v: %v %s with seed %d, and the most is %v", s, value, metric, seed, w.Value)
				}
			}
		}
	}
}

// The longest times are those of theory: 2N+d rounds, and 4 for the bully with a
// detector that does not win.
func TestWorstTimes(t *testing.T) {
	for _, c := range []struct {
		hunt search.Hunt
		want float64
	}{
		{search.Hunt{Setting: trial.Setting{Algorithm: "changroberts", N: 4}, Timers: "bounded"}, 3*4 - 1},
		{search.Hunt{Setting: trial.Setting{Algorithm: "lcr", N: 4}, Timers: "bounded", Grain: 2}, 4},
		{search.Hunt{Setting: trial.Setting{Algorithm: "bully", N: 4, Dead: "last", Variant: "A", Initiators: "random:1"}}, 4},
	} {
		c.hunt.Metric, c.hunt.Over = "time", []string{"ids", "schedule"}
		if c.hunt.Setting.Algorithm != "lcr" {
			c.hunt.Over = append(c.hunt.Over, "initiators")
		}
		if w := worst(t, c.hunt); w.Value != c.want || !w.Proven {
			t.Errorf("%+v: %v, want %v; proven %v", c.hunt, w.Value, c.want, w.Proven)
		}
	}
}

// hunts go through all cases, explore, and search locally.
var hunts = map[string]search.Hunt{
	"cases":     {Setting: trial.Setting{Algorithm: "changroberts", N: 5}, Metric: "messages"},
	"schedules": {Setting: trial.Setting{Algorithm: "changroberts", N: 4}, Metric: "depth", Over: []string{"ids", "initiators", "schedule"}},
	"climbs":    {Setting: trial.Setting{Algorithm: "bully", N: 6, Dead: "random:1"}, Metric: "bits", Budget: 2000},
	"delays":    {Setting: trial.Setting{Algorithm: "bully", N: 5, Initiators: "random:2"}, Metric: "time", Over: []string{"initiators", "schedule"}, Budget: 500, MaxStates: 100},
}

// One worker and two find the same, and the run repeats.
func TestWorstIsTheSame(t *testing.T) {
	for name, h := range hunts {
		h.Setting.Seed, h.Workers = 3, 1
		one := worst(t, h)
		h.Workers = 2
		two := worst(t, h)
		first, second := one.Result.Instance.Setting, two.Result.Instance.Setting
		if first != second || one.Value != two.Value || one.Looked != two.Looked || one.States != two.States || one.Proven != two.Proven {
			t.Errorf("%s: %v, %+v with one worker, %v, %+v with two", name, one.Value, first, two.Value, second)
		}
		if err := replayed(t, search.NewCase(one.Result, "", "")); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		h.Setting.Seed++
		if other := worst(t, h); !other.Proven && other.Result.Instance.Setting == first {
			t.Errorf("%s: another seed finds the same run, %+v", name, first)
		}
	}
}

// Where not every schedule can be looked at, some are drawn, and that is told.
func TestWorstCutOff(t *testing.T) {
	w := worst(t, hunts["delays"])
	if _, states := errors.AsType[*explore.StatesError](w.CutOff); !states || w.Proven || w.States != 0 || w.Looked != 16*(500/16) {
		t.Errorf("cut off by %v; proven %v, %d states, %d runs", w.CutOff, w.Proven, w.States, w.Looked)
	}
	if w.Result.Instance.Setting.Delay != "uniform(0s,1ms)" || len(w.Result.Instance.Outside) > 0 {
		t.Errorf("delay %s, outside the model in %q", w.Result.Instance.Setting.Delay, w.Result.Instance.Outside)
	}
	h := hunts["schedules"]
	h.Budget = 10
	if w := worst(t, h); w.CutOff == nil || w.Proven {
		t.Errorf("with a budget of 10: cut off by %v; proven %v", w.CutOff, w.Proven)
	}
}

// Whoever is stopped tells what was found by then, and proves nothing.
func TestWorstInterrupted(t *testing.T) {
	for name, h := range hunts {
		ctx, stop := context.WithCancel(t.Context())
		h.Workers = 1
		h.Progress = func(done, all int) {
			if done >= 10 {
				stop()
			}
		}
		w, err := search.FindWorst(ctx, catalog.New(), h)
		if !errors.Is(err, context.Canceled) || w == nil || w.Proven || w.Result.End != netem.Quiescent {
			t.Errorf("%s: %+v, %v", name, w, err)
		}
		if w, err := search.FindWorst(ctx, catalog.New(), h); !errors.Is(err, context.Canceled) || w != nil {
			t.Errorf("%s, stopped before it began: %+v, %v", name, w, err)
		}
	}
}

// restless is LCR but for who never stops talking.
type restless struct{ *lcr.Process }

// Receive implements protocols.Process.
func (r restless) Receive(n protocols.Node[lcr.Message], from protocols.ID, m lcr.Message) {
	n.Send(n.Neighbor(0), m)
}

// A run without an end has no cost.
func TestWorstWithoutEnd(t *testing.T) {
	registry := &trial.Registry{}
	registry.Register(families.Election(trial.Algorithm{
		Name: "restless", Title: "it goes on", Assumes: trial.Assumptions{Topologies: []string{"ring"}},
	}, func(*trial.Instance) election.Promise { return election.Promise{} },
		func(in *trial.Instance) func(protocols.ID) election.Process[lcr.Message] {
			return func(p protocols.ID) election.Process[lcr.Message] {
				return restless{lcr.New(in.Ranks.At(p), lcr.Config{})}
			}
		}))
	_, err := search.FindWorst(t.Context(), registry, search.Hunt{Setting: trial.Setting{Algorithm: "restless", N: 2}, Metric: "messages"})
	if endless, is := errors.AsType[*search.EndlessError](err); !is || endless.Result.End != netem.OutOfEvents {
		t.Errorf("%v", err)
	}
}

// lingering sets a timer again and again once it has got a message: its runs send a
// few messages, and never come to rest.
type lingering struct{ *lcr.Process }

// Receive implements protocols.Process.
func (l lingering) Receive(n protocols.Node[lcr.Message], _ protocols.ID, _ lcr.Message) {
	n.SetTimer(0, 0)
}

// Timeout implements protocols.Process.
func (l lingering) Timeout(n protocols.Node[lcr.Message], t protocols.Timer) { n.SetTimer(t, 0) }

// What never comes to rest has no worst run, though its states are few and all were
// looked at.
func TestWorstScheduleWithoutEnd(t *testing.T) {
	registry := &trial.Registry{}
	registry.Register(families.Election(trial.Algorithm{
		Name: "lingering", Title: "it lingers", Assumes: trial.Assumptions{Topologies: []string{"ring"}},
	}, func(*trial.Instance) election.Promise { return election.Promise{} },
		func(in *trial.Instance) func(protocols.ID) election.Process[lcr.Message] {
			return func(p protocols.ID) election.Process[lcr.Message] {
				return lingering{lcr.New(in.Ranks.At(p), lcr.Config{})}
			}
		}))
	w, err := search.FindWorst(t.Context(), registry, search.Hunt{
		Setting: trial.Setting{Algorithm: "lingering", N: 2, MaxEvents: 1000}, Metric: "messages", Over: []string{"schedule"}, Budget: 16,
	})
	if _, endless := errors.AsType[*search.EndlessError](err); !endless {
		t.Errorf("%+v, %v", w, err)
	}
}

// A run that draws random numbers is the worst of its seed: other seeds cost more.
func TestDrawsProveNothing(t *testing.T) {
	registry := catalog.New()
	for _, c := range []struct {
		algorithm string
		n         int
		dearer    trial.Setting // than what is found for seed 1
	}{
		{"itairodeh", 4, trial.Setting{IDs: "1,2,3,4", Initiators: "1,2,3", Seed: 4}},
		{"raft", 3, trial.Setting{N: 3, Seed: 4}},
	} {
		w := worst(t, search.Hunt{Setting: trial.Setting{Algorithm: c.algorithm, N: c.n, Seed: 1}, Metric: "messages"})
		c.dearer.Algorithm = c.algorithm
		in, err := registry.Instance(c.dearer)
		if err != nil {
			t.Fatal(err)
		}
		dearer, _ := new(trial.Worker).Run(t.Context(), in, nil).Metric("messages")
		if w.Proven || !w.Drew || dearer <= w.Value {
			t.Errorf("%s: proven %v, drew %v; %v messages, and %v with another seed", c.algorithm, w.Proven, w.Drew, w.Value, dearer)
		}
	}
	// Over schedules every draw is followed, and that is a proof again.
	w := worst(t, search.Hunt{Setting: trial.Setting{Algorithm: "chandylamport", N: 2}, Metric: "messages", Over: []string{"schedule"}})
	if !w.Proven || w.Drew {
		t.Errorf("chandylamport over schedules: proven %v, drew %v", w.Proven, w.Drew)
	}
}

func TestHuntErrors(t *testing.T) {
	for _, c := range []struct {
		hunt search.Hunt
		want string
	}{
		{search.Hunt{Metric: "mesages"}, `metric "mesages" (did you mean "messages"?); allowed are messages, bits, depth, time`},
		{search.Hunt{Over: []string{"id"}}, `over "id" (did you mean "ids"?); allowed are ids, initiators, schedule`},
		{search.Hunt{Over: []string{"ids", "ids"}}, "ids stands there twice"},
		{search.Hunt{Over: []string{"initiators"}}, "lcr assumes that every process initiates"},
		{search.Hunt{Setting: trial.Setting{Placement: "random"}}, "nothing varies"},
		{search.Hunt{Setting: trial.Setting{IDs: "1,2"}, Over: []string{"ids"}}, "the identities are given"},
		{search.Hunt{Setting: trial.Setting{Algorithm: "ringlist", Initiators: "0"}, Over: []string{"initiators"}}, `initiators "0" are given`},
		{search.Hunt{Setting: trial.Setting{Initiators: "0"}}, "not every process initiates"},
		{search.Hunt{Setting: trial.Setting{N: 1001}}, "n is 1001; the worst case is looked for among up to 1000"},
		{search.Hunt{Setting: trial.Setting{Delay: "uniform(0,1ms)"}}, "with a constant delay"},
		{search.Hunt{Setting: trial.Setting{Fault: "at 1ms crash 0", OutsideModel: true}}, "without plan of faults"},
		{search.Hunt{Timers: "free"}, "timers and grain are for schedules"},
		{search.Hunt{Metric: "time", Over: []string{"schedule"}}, "no longest time; give bounded timers"},
		{search.Hunt{Timers: "loose", Over: []string{"schedule"}}, `timers "loose"; allowed are free, bounded`},
	} {
		if c.hunt.Setting.Algorithm == "" {
			c.hunt.Setting.Algorithm = "lcr"
		}
		if c.hunt.Setting.N == 0 && c.hunt.Setting.IDs == "" {
			c.hunt.Setting.N = 4
		}
		if c.hunt.Metric == "" {
			c.hunt.Metric = "messages"
		}
		w, err := search.FindWorst(t.Context(), catalog.New(), c.hunt)
		if err == nil || w != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.hunt, err, c.want)
		}
	}
}
