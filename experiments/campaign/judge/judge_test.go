package judge_test

import (
	"context"
	"errors"
	"reflect"
	"runtime"
	"testing"
	"time"

	"bullring/experiments/campaign/judge"
	"bullring/experiments/catalog"
	"bullring/experiments/trial"
	"bullring/netem/explore"
)

// judged is the report on an algorithm. Its times are 0.
func judged(t *testing.T, c judge.Case) *judge.Report {
	t.Helper()
	c.Registry = catalog.New()
	r, err := c.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	r.Spent = 0
	for i := range r.Tried {
		r.Tried[i].Spent = 0
	}
	return r
}

// The verdict on algorithms, and the sentence that it has: for the sizes and faults that were explored, and no
// further.
func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		of      trial.Setting
		faults  []explore.Budget
		states  uint64
		verdict judge.Verdict
		says    string
	}{
		{trial.Setting{Algorithm: "lcr"}, nil, 0, judge.Proven, "PROVEN for n = 2, 3 without faults: every run was explored, and none violates anything."},
		{trial.Setting{Algorithm: "floodset"}, nil, 0, judge.Proven, "PROVEN for n = 2, 3 without faults or with up to 1 crash: every run was explored, and none violates anything."},
		{trial.Setting{Algorithm: "bully"}, nil, 10_000, judge.Sampled, "Every run was explored for n = 2, 3 without faults; n = 2 with up to 1 crash or with up to 1 crash, 1 restart."},
		{trial.Setting{Algorithm: "bully"}, nil, 10, judge.Sampled, "SAMPLED: nothing that was tried violates anything, and not every run was explored."},
		{trial.Setting{Algorithm: "lcr", OutsideModel: true}, []explore.Budget{{Losses: 1}}, 0, judge.Refuted, "VIOLATED: E2: 0 leaders."},
		{trial.Setting{Algorithm: "decentralized"}, nil, 0, judge.Refuted, "VIOLATED: ME2: the run goes on for ever: its last 6 steps repeat."},
	} {
		r := judged(t, judge.Case{Setting: c.of, Faults: c.faults, States: c.states, Sizes: []int{2, 3}, Settings: 60})
		found := false
		for _, s := range r.Sentences() {
			found = found || s == c.says
		}
		if r.Verdict != c.verdict || !found {
			t.Errorf("%+v: %s: %q; want %s, %q", c.of, r.Verdict, r.Sentences(), c.verdict, c.says)
		}
		if (r.Failure != nil) != (c.verdict == judge.Refuted) {
			t.Errorf("%+v: failure %+v", c.of, r.Failure)
		}
	}
}

// The smallest run that fails is a setting that fails once more.
func TestFailureReplays(t *testing.T) {
	r := judged(t, judge.Case{Setting: trial.Setting{Algorithm: "lcr", OutsideModel: true}, Faults: []explore.Budget{{Losses: 1}}})
	f := r.Failure
	if f == nil || !f.Replays || f.Setting.N > 2 || f.Explanation == nil || len(f.Explanation.Reasons) == 0 {
		t.Fatalf("%+v", f)
	}
	in, err := catalog.New().Instance(f.Setting)
	if err != nil {
		t.Fatal(err)
	}
	if again := new(trial.Worker).Run(t.Context(), in, nil); !f.Shown().Shows(again) {
		t.Errorf("%s: %+v", f.Check, again.Checks)
	}
}

// Reports are the same for any number of processors.
func TestSameOnEveryMachine(t *testing.T) {
	for _, name := range []string{"lcr", "bully", "raft"} {
		c := judge.Case{Setting: trial.Setting{Algorithm: name}, Sizes: []int{2, 3}, States: 3_000, Settings: 150}
		was := runtime.GOMAXPROCS(1)
		first := judged(t, c)
		runtime.GOMAXPROCS(max(was, 4))
		second := judged(t, c)
		runtime.GOMAXPROCS(was)
		if !reflect.DeepEqual(first, second) {
			t.Errorf("%s:\n%+v\n%+v", name, first, second)
		}
	}
}

// What is outside of the model is skipped, and so are systems that there are not. If nothing is left, there is no
// verdict.
func TestSkipped(t *testing.T) {
	r := judged(t, judge.Case{Setting: trial.Setting{Algorithm: "lcr", Topology: "ring"}, Sizes: []int{2}, Stages: []judge.Stage{judge.Explore}})
	if r.Verdict != judge.Proven || len(r.Tried) != 5 {
		t.Errorf("%s: %+v", r.Verdict, r.Tried)
	}
	for _, a := range r.Tried[1:] {
		if a.Result != judge.Skipped || a.Why == "" {
			t.Errorf("%+v", a)
		}
	}
	r = judged(t, judge.Case{Setting: trial.Setting{Algorithm: "lcr", Dead: "last"}, Sizes: []int{3}, Settings: 20})
	if r.Verdict != judge.Inconclusive || len(r.Sentences()) != 1 {
		t.Errorf("%s: %q", r.Verdict, r.Sentences())
	}
	r = judged(t, judge.Case{Setting: trial.Setting{Algorithm: "echo", Topology: "hypercube"}, Sizes: []int{2, 3}, Settings: 20})
	if len(r.Tried) < 2 || r.Verdict != judge.Proven {
		t.Errorf("%s: %+v", r.Verdict, r.Tried)
	}
}

// A limit of time makes nothing violated, and the end of the context returns what was tried.
func TestTime(t *testing.T) {
	r := judged(t, judge.Case{Setting: trial.Setting{Algorithm: "lcr"}, Limit: time.Nanosecond})
	if r.Verdict != judge.Inconclusive || r.Failure != nil {
		t.Errorf("%s: %+v", r.Verdict, r.Tried)
	}
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	c := judge.Case{Registry: catalog.New(), Setting: trial.Setting{Algorithm: "lcr"}, Progress: func(a judge.Attempt) {
		if a.Stage == judge.Explore {
			cancel(why)
		}
	}}
	r, err := c.Run(ctx)
	if !errors.Is(err, why) || r == nil || len(r.Tried) == 0 || r.Tried[0].Result != judge.Held || r.Failure != nil {
		t.Errorf("%v: %+v", err, r)
	}
	if _, err := (&judge.Case{Registry: catalog.New(), Setting: trial.Setting{Algorithm: "no such"}}).Run(t.Context()); err == nil {
		t.Error("an algorithm that there is not is judged")
	}
	if _, err := (&judge.Case{Registry: catalog.New(), Setting: trial.Setting{Algorithm: "lcr"}, Sizes: []int{3, 2}}).Run(t.Context()); err == nil {
		t.Error("sizes in descending order are taken")
	}
}
