package history_test

import (
	"slices"
	"strings"
	"testing"

	"bullring/experiments"
	"bullring/experiments/catalog"
	"bullring/experiments/history"
	"bullring/internal/value"
	"bullring/protocols"
)

func withStates(t *testing.T, s experiments.Setting) *history.History {
	t.Helper()
	s.OutsideModel = true
	in, err := catalog.New().Instance(s)
	if err != nil {
		t.Fatal(err)
	}
	return history.WithStates(t.Context(), in)
}

// The fields that a run changes are shown, with the values of the first step; what no step
// changes is configuration.
func TestStates(t *testing.T) {
	h := withStates(t, experiments.Setting{Algorithm: "bully", N: 3, Initiators: "0", Dead: "last"})
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
	s := experiments.Setting{Algorithm: "bully", N: 4, Initiators: "0", Dead: "last", Transport: "reliable(5ms,3)", Detector: "heartbeat(5ms,20ms)", MaxTime: "1s"}
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
		h := of(t, experiments.Setting{Algorithm: "bully", N: 4, Seed: seed, Initiators: "0", Dead: "last", Delay: "uniform(0,4ms)", Assume: "1ms"})
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
