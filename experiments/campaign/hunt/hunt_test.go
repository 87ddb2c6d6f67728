package hunt_test

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"bullring/experiments/campaign/hunt"
	"bullring/experiments/catalog"
	"bullring/experiments/trial"
)

// of is a hunt of some settings of an algorithm.
func of(t *testing.T, algorithm string, settings uint64) *hunt.Hunt {
	t.Helper()
	registry := catalog.New()
	a, err := registry.Find(algorithm)
	if err != nil {
		t.Fatal(err)
	}
	return &hunt.Hunt{Registry: registry, Algorithm: a, Seed: 1, Settings: settings}
}

// Outside of the model of the bully several failures are found, and the smallest run of each shows it.
func TestFindsWhatFails(t *testing.T) {
	h := of(t, "bully", 600)
	h.OutsideModel = true
	r := h.Run(t.Context())
	if len(r.Found) < 5 || r.Drawn != 600 || r.Runs > r.Drawn {
		t.Fatalf("%d failures in %d runs of %d settings", len(r.Found), r.Runs, r.Drawn)
	}
	different := map[string]bool{}
	for _, f := range r.Found {
		key := string(f.Failure) + " " + strings.Join(f.Kind, ", ")
		if different[key] || len(f.Kind) == 0 {
			t.Errorf("%s is there twice", key)
		}
		different[key] = true
		in, err := h.Registry.Instance(f.Shrunk.Setting)
		if err != nil {
			t.Fatal(err)
		}
		if again := new(trial.Worker).Run(t.Context(), in, nil); !f.Failure.Shows(again) {
			t.Errorf("the smallest run of %s does not show it: %v", key, again.Checks)
		}
		if in, err = h.Registry.Instance(f.Setting); err != nil {
			t.Fatal(err)
		}
		if first := new(trial.Worker).Run(t.Context(), in, nil); !f.Failure.Shows(first) {
			t.Errorf("setting %d does not show %s: %v", f.First, key, first.Checks)
		}
	}
}

// The same hunt finds the same, for any number of workers.
func TestHuntedAlike(t *testing.T) {
	var want *hunt.Report
	var wanted []string
	for _, workers := range []int{1, 2, 5} {
		h := of(t, "bully", 400)
		h.OutsideModel, h.Workers = true, workers
		r := h.Run(t.Context())
		var reasons []string
		for _, f := range r.Found {
			for _, one := range f.Explanation.Reasons {
				reasons = append(reasons, fmt.Sprint(f.Explanation.Violation, one.Texts(), one.Effect))
			}
			f.Shrunk.Result, f.Explanation = nil, nil // of another registry
		}
		if want == nil {
			want, wanted = r, reasons
		}
		if !reflect.DeepEqual(r, want) || !slices.Equal(reasons, wanted) || len(reasons) < len(r.Found) {
			t.Errorf("with %d workers the hunt has %+v, want %+v", workers, r, want)
		}
	}
}

// Inside its model nothing of LCR fails, and a handler that is wrong is found.
func TestInsideTheModel(t *testing.T) {
	r := of(t, "lcr", 600).Run(t.Context())
	if len(r.Found) > 0 || r.Runs < 100 || r.Runs == r.Drawn {
		t.Errorf("%d runs of %d settings, found %+v", r.Runs, r.Drawn, r.Found)
	}
	for _, event := range []string{"start", "deliver PROBE", "deliver ANNOUNCE"} {
		if r.Coverage.Events[event] == 0 {
			t.Errorf("no run shows %q: %v", event, r.Coverage.Events)
		}
	}
	if r.Coverage.Pairs[hunt.Pair{First: "start", Then: "deliver PROBE"}] == 0 {
		t.Errorf("no PROBE arrives after a start: %v", r.Coverage.Pairs)
	}
}

// Maekawa's algorithm without INQUIRE waits for ever, as its paper says: with one failure to be
// found the hunt ends there.
func TestEndsWithAFailure(t *testing.T) {
	h := of(t, "maekawa", 5000)
	h.Failures = 1
	h.Fix = func(s *trial.Setting) { s.Variant = "naive" }
	r := h.Run(t.Context())
	if len(r.Found) != 1 || r.Found[0].Failure != "ME2" || r.Drawn == 5000 {
		t.Fatalf("after %d settings: %+v", r.Drawn, r.Found)
	}
}

// What a hunt starts with is run first, as it is.
func TestStart(t *testing.T) {
	start := trial.Setting{Algorithm: "bully", N: 4, Fault: "at 1ms partition {0 1 | 2 3} for 20ms", OutsideModel: true, MaxEvents: 1000}
	h := of(t, "bully", 1)
	h.OutsideModel, h.Start = true, []trial.Setting{start}
	r := h.Run(t.Context())
	if len(r.Found) != 1 || r.Found[0].First != 1 || !reflect.DeepEqual(r.Found[0].Setting, start) || !slices.Contains(r.Found[0].Needs, "partition") {
		t.Fatalf("%+v", r.Found)
	}
}

// Only faults of the given classes are drawn; without classes there are none.
func TestClasses(t *testing.T) {
	for _, classes := range [][]string{{}, {"crashes"}, {"partitions", "loss"}} {
		h := of(t, "bully", 300)
		h.OutsideModel, h.Classes = true, classes
		drawn := hunt.Often(h.Run(t.Context()).Coverage.Faults)
		allowed := []string{"crash", "restart", "heal", "heal everything", "start"}
		if slices.Contains(classes, "loss") {
			allowed = []string{"partition", "heal", "heal everything", "drop", "start", "lose"}
		}
		for _, kind := range drawn {
			if len(classes) == 0 || !slices.Contains(allowed, kind) {
				t.Errorf("a swarm of %q has faults of kind %q", classes, kind)
			}
		}
		if len(classes) > 0 && len(drawn) == 0 {
			t.Errorf("no fault of %q is drawn", classes)
		}
	}
}

// A hunt that is interrupted, or whose time is over, says what it has found.
func TestEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	h := of(t, "bully", 0)
	h.OutsideModel = true
	h.Progress = func(r *hunt.Report) {
		if r.Drawn > 300 {
			cancel()
		}
	}
	if r := h.Run(ctx); r.Drawn < 300 || len(r.Found) == 0 {
		t.Errorf("interrupted after %d settings, with %d failures", r.Drawn, len(r.Found))
	}
	looks := 0
	h.Over = func() bool { looks++; return looks > 2 }
	h.Progress = nil
	if r := h.Run(t.Context()); r.Drawn == 0 || len(r.Found) == 0 {
		t.Errorf("over after %d settings, with %d failures", r.Drawn, len(r.Found))
	}
}
