package history_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"bullring/experiments/catalog"
	"bullring/experiments/show/history"
	"bullring/experiments/trial"
	"bullring/internal/value"
	"bullring/protocols"
)

func withStates(t *testing.T, s trial.Setting) *history.History {
	t.Helper()
	return history.WithStates(t.Context(), instance(t, s))
}

// The fields that a run changes are shown, with the values of the first step; what no step
// changes is configuration.
func TestStates(t *testing.T) {
	h := withStates(t, trial.Setting{Algorithm: "bully", N: 3, Initiators: "0", Dead: "last"})
	got := map[string][]string{}
	for _, e := range h.Events {
		for _, f := range e.Changed {
			if e.Who == 1 {
				got[f.Name] = append(got[f.Name], f.Value)
			}
		}
	}
	if len(got["phase"]) < 2 || got["cfg"] != nil {
		t.Errorf("process 1 changed %v", got)
	}
	for name, values := range got {
		if len(slices.Compact(slices.Clone(values))) != len(values) {
			t.Errorf("%s changed to what it was: %q", name, values)
		}
	}
}

// States cost nothing that is measured, and behind transformers it is the algorithm whose
// fields are shown.
func TestStatesBehindTransformers(t *testing.T) {
	s := trial.Setting{Algorithm: "bully", N: 4, Initiators: "0", Dead: "last", Transport: "reliable(5ms,3)", Detector: "heartbeat(5ms,20ms)", MaxTime: "1s"}
	with, without := withStates(t, s), of(t, s)
	if with.Result.Fingerprint != without.Result.Fingerprint {
		t.Error("a run with states is another run")
	}
	named := func(f value.Field) bool { return f.Name == "phase" }
	if !slices.ContainsFunc(with.Events, func(e history.Event) bool { return slices.ContainsFunc(e.Changed, named) }) {
		t.Error("no event changes the phase of a process")
	}
}

// A check breaks at the event that the explanation is about.
func TestBrokenFrom(t *testing.T) {
	violated := 0
	for seed := range uint64(40) {
		h := of(t, trial.Setting{Algorithm: "bully", N: 4, Seed: seed, Initiators: "0", Dead: "last", Delay: "uniform(0,4ms)", Assume: "1ms"})
		for _, c := range h.Result.Checks {
			at := slices.IndexFunc(h.Events, func(e history.Event) bool { return slices.Contains(e.Broken, c.Name) })
			if c.Verdict != protocols.Violated || c.Broke == nil {
				continue
			}
			violated++
			if at < 0 || strings.HasPrefix(h.What, c.Name) && !slices.Equal(h.Targets, []int{at + 1}) {
				t.Errorf("seed %d: %s breaks at event %d; explained are %v", seed, c.Name, at+1, h.Targets)
			}
		}
	}
	if violated < 5 {
		t.Errorf("%d violations show nothing", violated)
	}
}

// The states of every algorithm read without knowledge of Go: names differ, and no value shows
// how memory is laid out.
func TestStatesRead(t *testing.T) {
	noise := regexp.MustCompile(`0x|nil|map\[|[{}]\{|\.\.\.|9223372036854775807|\b(true|false)[ ,)]`)
	for _, a := range catalog.New().All() {
		fields := 0
		for seed := uint64(3); seed < 9 && fields == 0; seed++ { // a computation may draw that there is no work
			h := withStates(t, trial.Setting{Algorithm: a.Name, N: 5, Placement: "random", Fault: "at 6ms crash 4; at 20ms restart 4", Seed: seed, MaxEvents: 200})
			for _, e := range h.Events {
				names := map[string]bool{}
				for _, f := range e.Changed {
					fields++
					if names[f.Name] || noise.MatchString(f.Value) || strings.Contains(f.Value, ":") && strings.Contains(f.Value, "{") {
						t.Errorf("%s: %s = %s", a.Name, f.Name, f.Value)
					}
					names[f.Name] = true
				}
			}
		}
		if fields == 0 {
			t.Errorf("%s: no step changes a field", a.Name)
		}
	}
}

// A field says what it stands for.
func TestStatesSay(t *testing.T) {
	for _, c := range []struct {
		algorithm, field string
		want             []string // some of the values
	}{
		{"bully", "decision", []string{"undecided", "leader", "follower of 3"}},
		{"bully", "phase", []string{"electing", "settled", "idle"}},
		{"modifiedring", "leader", []string{"none", "2"}},
		{"ghs", "testEdge", []string{"none", "1"}},
		{"maekawa", "answers", []string{"[silent locked]", "[failed locked]"}},
		{"ricartagrawala", "deferred", []string{"{}", "{1 2}"}},
		{"centralized", "usage", []string{"waits, 0 of 1 entered", "inside, 1 of 1 entered", "outside, 1 of 1 entered"}},
		{"floodmax", "box", []string{"odd round [MAX(3) from 2]"}},
		{"electiontree", "index", []string{"1.3"}},
		{"berkeley", "answers", []string{"[0s none none]"}},
		{"itairodeh", "role", []string{"active", "passive"}},
	} {
		var values []string
		for _, e := range withStates(t, trial.Setting{Algorithm: c.algorithm, N: 3}).Events {
			for _, f := range e.Changed {
				if f.Name == c.field {
					values = append(values, f.Value)
				}
			}
		}
		for _, want := range c.want {
			if !slices.Contains(values, want) {
				t.Errorf("%s: %s is %q, and never %s", c.algorithm, c.field, values, want)
			}
		}
	}
}

// A cause is named once: the only process of a ring sends to itself in the step before.
func TestCausesDiffer(t *testing.T) {
	h := withStates(t, trial.Setting{Algorithm: "lcr", N: 1})
	if last := h.Events[len(h.Events)-1]; last.What != "deliver" || !slices.Equal(last.After, []int{1}) {
		t.Errorf("the causes of %+v are not 1", last)
	}
}
