package view

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
	"bullring/netem"
	"bullring/netem/explore"
)

// exploredOf is a search through a system, with the counterexample if there is one, as the
// command explore shows it.
func exploredOf(t *testing.T, ctx context.Context, s search.Search) Exploration {
	t.Helper()
	o := &s.Options
	o.Reduce, o.Seed = !s.Full, s.Setting.Seed
	if o.MaxMemory == 0 {
		o.MaxMemory = explore.DefaultMemory
	}
	e, err := search.Explore(ctx, registry, s)
	if err != nil {
		t.Fatal(err)
	}
	v := Exploration{Exploration: e}
	if of := e.Smallest(ctx, registry); of.Counterexample != nil {
		var text strings.Builder
		run := of.Counterexample
		result, err := of.Play(ctx, registry, run, func(run *trial.Traced) netem.Tracer {
			return netem.TextTrace(&text, run.News)
		})
		if err != nil {
			t.Fatal(err)
		}
		v.Found = &Counterexample{Run: run, Of: of, Result: result, Trace: text.String()}
	}
	return v
}

// sampling are the options of a search that draws runs.
func sampling(how explore.Strategy, runs, steps, changes int) explore.Options {
	return explore.Options{Strategy: how, Sampling: explore.Sampling{Runs: runs, MaxSteps: steps, Changes: changes}}
}

func TestExplorations(t *testing.T) {
	every := trial.Setting{Algorithm: "lcr", N: 3, Placement: search.Every}
	stopped, stop := context.WithCancelCause(t.Context())
	stop(errors.New("a signal"))
	supertrace := explore.Options{Strategy: explore.DepthFirst, Supertrace: true, MaxMemory: 1 << 20}
	var g golden
	for _, c := range []struct {
		name string
		search.Search
		ctx context.Context
	}{
		{"proven", search.Search{Setting: every, Full: true}, t.Context()},
		{"proven, reduced", search.Search{Setting: trial.Setting{Algorithm: "bully", N: 3, Initiators: search.Every}, Budget: explore.Budget{Crashes: 1}}, t.Context()},
		{"proven for a seed", search.Search{Setting: trial.Setting{Algorithm: "dht", N: 3}}, t.Context()},
		{"proven but for draws", search.Search{Setting: trial.Setting{Algorithm: "itairodeh", N: 2}}, t.Context()},
		{"nothing was promised", search.Search{Setting: trial.Setting{Algorithm: "bully", N: 3, Initiators: "0"}, Budget: explore.Budget{Crashes: 2}}, t.Context()},
		{"violated", search.Search{Setting: trial.Setting{Algorithm: "bully", N: 3, Dead: "2"}, Timers: trial.FreeTimers}, t.Context()},
		{"violated, and smaller", search.Search{Setting: trial.Setting{Algorithm: "bully", N: 4}, Timers: trial.FreeTimers, Budget: explore.Budget{Crashes: 1}}, t.Context()},
		{"violated when nothing is left", search.Search{
			Setting: trial.Setting{Algorithm: "changroberts", N: 2, Placement: search.Every, Initiators: search.Every}, Budget: explore.Budget{Losses: 2},
		}, t.Context()},
		{"with attributes, links that reorder", search.Search{
			Setting: trial.Setting{Algorithm: "changroberts", N: 3, Attr: "3,2,1", Unordered: true}, Budget: explore.Budget{Duplicates: 1},
		}, t.Context()},
		{"with a grain and restarts", search.Search{Setting: trial.Setting{Algorithm: "bully", N: 2, Detector: "none"}, Budget: explore.Budget{Crashes: 2, Restarts: 1}, Grain: 2}, t.Context()},
		{"with links that change, and one that is down at first", search.Search{
			Setting: trial.Setting{Algorithm: "ingram", N: 3, Topology: "complete"}, Budget: explore.Budget{LinkChanges: 1},
			Down: []netem.Link{{A: 0, B: 2}}, Notice: explore.AnyNotice,
		}, t.Context()},
		{"proven up to a limit", search.Search{Setting: trial.Setting{Algorithm: "raft", N: 2, Initiators: "0"}, Limits: explore.Limits{Timeouts: 2, Rounds: 2}}, t.Context()},
		{"proven, and no run comes to the limit", search.Search{Setting: trial.Setting{Algorithm: "bully", N: 2}, Limits: explore.Limits{Timeouts: 9}}, t.Context()},
		{"undecided", search.Search{Setting: trial.Setting{Algorithm: "bully", N: 3}, Options: explore.Options{MaxStates: 50}}, t.Context()},
		{"interrupted", search.Search{Setting: trial.Setting{Algorithm: "lcr", N: 3}}, stopped},
		{"random walks", search.Search{Setting: trial.Setting{Algorithm: "lcr", N: 3, Seed: 3}, Options: sampling(explore.RandomWalk, 7, 4, 0)}, t.Context()},
		{"one random walk", search.Search{Setting: trial.Setting{Algorithm: "lcr", N: 3}, Options: sampling(explore.RandomWalk, 1, 4, 0)}, t.Context()},
		{"PCT", search.Search{Setting: trial.Setting{Algorithm: "lcr", N: 3}, Options: sampling(explore.PCT, 7, 1000, 3)}, t.Context()},
		{"own properties", search.Search{
			Setting: trial.Setting{Algorithm: "lcr", N: 3, Properties: "always count(status == \"leader\") <= 1\neventually any(leader == 3)\nsometimes p2.leader == 3"}, Options: explore.Options{Reduce: true},
		}, t.Context()},
		{"states alone", search.Search{Setting: trial.Setting{Algorithm: "bully", N: 3, Initiators: "0"}, Options: explore.Options{Safety: true}}, t.Context()},
		{"states alone, up to a limit", search.Search{Setting: trial.Setting{Algorithm: "raft", N: 2, Initiators: "0"}, Limits: explore.Limits{Timeouts: 2}, Options: explore.Options{Safety: true}}, t.Context()},
		{"on disk", search.Search{Setting: every, Folder: filepath.Join(t.TempDir(), "states"), Options: explore.Options{Safety: true}}, t.Context()},
		{"by bits", search.Search{Setting: every, Full: true, Options: supertrace}, t.Context()},
	} {
		v := exploredOf(t, c.ctx, c.Search)
		if v.Found != nil {
			v.Written, v.Page = "written to case.json", "bullring view case.json"
			v.Found.Because = becauseOf(t, v.Found.Result, "bullring why case.json")
		}
		g.add(t, c.name, v)
		if c.name == "violated" || c.name == "PCT" {
			g.addJSON(t, c.name, v)
		}
	}
	g.compare(t, "explorations")
}

// PCT finds a bug of depth 3 among 3 channels and 3 starts, in runs of 3 starts and 5
// messages, with probability 1/(6*8^2) (Burckhardt et al.).
func TestFieldsOfExplorations(t *testing.T) {
	lcr := trial.Setting{Algorithm: "lcr", N: 3}
	sampled := fields(t, exploredOf(t, t.Context(), search.Search{Setting: lcr, Options: sampling(explore.PCT, 7, 50, 3)}))["sampled"].(map[string]any)
	for name, want := range map[string]float64{"runs": 7, "cut": 0, "max_runs": 7, "max_steps": 50, "changes": 3, "threads": 6, "longest": 8, "bound": 1. / 384} {
		if got := sampled[name].(float64); math.Abs(got-want) > 1e-12 {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	walks := fields(t, exploredOf(t, t.Context(), search.Search{Setting: lcr, Options: sampling(explore.RandomWalk, 7, 4, 0)}))
	if s := walks["sampled"].(map[string]any); s["cut"] != 7. || s["bound"] != 0. || s["changes"] != nil || s["threads"] != nil || walks["states"] != nil || walks["max_memory"] != nil {
		t.Error(walks)
	}
	bounded := fields(t, exploredOf(t, t.Context(), search.Search{
		Setting: trial.Setting{Algorithm: "bully", N: 3, Placement: search.Every, Initiators: search.Every}, Grain: 1, Options: explore.Options{MaxStates: 50},
	}))
	if bounded["grain"] != 1. || bounded["ids"] != nil || bounded["max_states"] != 50. || bounded["stopped"] != "there are more than 50 states, the limit" || bounded["initiators"] != search.Every {
		t.Error(bounded)
	}
}

// A search by bits says how full its table is, and how many new states it is likely to have
// taken for visited ones: the table gets fuller all the time, so no state was missed with a
// greater probability than the next one would be.
func TestTableOfBits(t *testing.T) {
	v := exploredOf(t, t.Context(), search.Search{
		Setting: trial.Setting{Algorithm: "lcr", N: 3}, Full: true, Options: explore.Options{Strategy: explore.DepthFirst, Supertrace: true, MaxMemory: 1 << 20},
	})
	table := fields(t, v)["supertrace"].(map[string]any)
	set, bits, missed := table["set"].(float64), table["bits"].(float64), table["missed"].(float64)
	if bits != 3<<17*16 || table["hashes"] != 3. || set > 3*18 || set < 2*18 || missed <= 0 || missed > 18*math.Pow(set/bits, 3) {
		t.Error(table)
	}
	var g golden
	g.add(t, "", v)
	for _, want := range []string{fmt.Sprintf("\nbits set     %.0f, %.2g %% of the table\n", set, 100*set/bits), fmt.Sprintf("about %.2g (%.2g %%) were taken for\nvisited ones; ", missed, 100*missed/18)} {
		if !strings.Contains(g.String(), want) {
			t.Errorf("no %q in\n%s", want, &g)
		}
	}
}

func TestSearchProgress(t *testing.T) {
	for _, c := range []struct {
		now  explore.Progress
		want string
	}{
		{explore.Progress{States: 1234, Transitions: 60_000, Depth: 7, Memory: 3 << 20}, "1,234 states, 60,000 transitions, depth 7, 5s, 12,000/s, 3 MB"},
		{explore.Progress{Runs: 1, Transitions: 90, Depth: 9}, "1 run, 90 transitions, depth 9, 5s, 18/s"},
	} {
		if got := SearchProgress(c.now, 5*time.Second); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestWorst(t *testing.T) {
	var g golden
	for _, c := range []struct {
		name, file string
		search.Hunt
	}{
		{"proven, attained", "", search.Hunt{Setting: trial.Setting{Algorithm: "lcr", N: 6}}},
		{"over sets of one initiator", "", search.Hunt{
			Setting: trial.Setting{Algorithm: "bully", N: 8, Variant: "A", Dead: "last", Initiators: "random:1"}, Over: []string{"initiators"},
		}},
		{"found", "", search.Hunt{Setting: trial.Setting{Algorithm: "lcr", N: 20}, Budget: 50}},
		{"every schedule", "it's.json", search.Hunt{
			Setting: trial.Setting{Algorithm: "changroberts", N: 3}, Metric: "time", Over: []string{"initiators", search.OverSchedule}, Timers: trial.BoundedTimers,
		}},
		{"every schedule, without a file", "", search.Hunt{Setting: trial.Setting{Algorithm: "changroberts", N: 2}, Metric: "depth", Over: []string{search.OverSchedule}}},
		{"not every schedule", "", search.Hunt{
			Setting: trial.Setting{Algorithm: "bully", N: 3, OutsideModel: true}, Over: []string{search.OverSchedule}, Timers: trial.FreeTimers, MaxStates: 50, Budget: 100,
		}},
		{"with draws", "", search.Hunt{Setting: trial.Setting{Algorithm: "itairodeh", N: 4, Seed: 1}}},
		{"with seeded weights", "", search.Hunt{Setting: trial.Setting{Algorithm: "ghs", N: 3, Seed: 1}}},
		{"with seeded identifiers", "", search.Hunt{Setting: trial.Setting{Algorithm: "dht", N: 3, Seed: 1}}},
		{"with a seeded topology", "", search.Hunt{Setting: trial.Setting{Algorithm: "echo", N: 4, Topology: "er(0.9)", Seed: 1}, Over: []string{"initiators"}}},
		{"outside the model", "", search.Hunt{Setting: trial.Setting{Algorithm: "changroberts", N: 3, Unordered: true, OutsideModel: true, Seed: 1}, Metric: "bits"}},
	} {
		c.Metric = cmp.Or(c.Metric, "messages")
		w, err := search.FindWorst(t.Context(), registry, c.Hunt)
		if err != nil {
			t.Fatal(c.name, err)
		}
		v := Worst{Program: "bullring", File: c.file, Worst: w}
		g.add(t, c.name, v)
		got := fields(t, v)
		scheduled := w.Result.Instance.Setting.Schedule != ""
		if got["value"] != w.Value || got["proven"] != w.Proven || (got["again"] == nil) != (scheduled && c.file == "") || (got["cut_off"] == nil) != (w.CutOff == nil) ||
			got["run"].(map[string]any)["fingerprint"] != string(fingerprint(w.Result)) {
			t.Errorf("%s: %v", c.name, got)
		}
		for _, b := range got["bounds"].([]any) {
			if relation := b.(map[string]any)["relation"]; relation != "<=" && relation != "=" {
				t.Errorf("%s: bound %v", c.name, b)
			}
		}
	}
	g.compare(t, "worst")
}
