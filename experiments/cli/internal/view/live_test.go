package view

import (
	"errors"
	"testing"
	"time"

	"bullring/experiments/real/lab"
	"bullring/experiments/trial"
	"bullring/netem"
	"bullring/netem/live"
)

// recorded is a live run of a setting whose messages took these times. The emulator stands in
// for what it did.
func recorded(t *testing.T, s trial.Setting, end live.End, latencies ...time.Duration) *lab.Trial {
	t.Helper()
	in, err := lab.Instance(registry, s, lab.Options{})
	if err != nil {
		t.Fatal(err)
	}
	rec := &live.Recording{End: end, Wall: 1234567 * time.Nanosecond}
	for _, l := range latencies {
		rec.Steps = append(rec.Steps, live.Step{Record: netem.Record{What: "deliver"}, Latency: l})
	}
	var w trial.Worker
	return &lab.Trial{Instance: in, Recording: rec, Result: w.Run(t.Context(), in, nil)}
}

func TestLive(t *testing.T) {
	var g golden
	lcr := trial.Setting{Algorithm: "lcr", N: 3}
	rest := recorded(t, lcr, live.Rest, 90*time.Microsecond, 110*time.Microsecond, 2*time.Millisecond)
	g.add(t, "at rest", Live{Program: "bullring", Trial: rest})
	g.add(t, "in a file", Live{Program: "bullring", File: "it's.json", Trial: rest})
	imposed := trial.Setting{Algorithm: "lcr", N: 3, Link: "duplicate 10%", Fault: "delay every message by 1ms", OutsideModel: true}
	stuck := recorded(t, imposed, live.OutOfTime)
	stuck.Recording.Stuck = []string{"process 2 does not return from Start"}
	stuck.Wrong = errors.New("process 2 does not return")
	g.add(t, "stuck, with links and faults", Live{Program: "bullring", Trial: stuck})
	g.add(t, "after all its steps", Live{Program: "bullring", Trial: recorded(t, lcr, live.OutOfSteps)})
	g.add(t, "interrupted", Live{Program: "bullring", Trial: recorded(t, lcr, live.Interrupted)})
	g.compare(t, "live")

	got := fields(t, Live{Program: "bullring", File: "it's.json", Trial: rest})
	run := got["live"].(map[string]any)
	if latency := run["latency_ns"].(map[string]any); latency["max"] != 2e6 || run["arrived"] != 3. || run["end"] != "rest" || run["wrong"] != nil || got["view"] != `bullring view 'it'\''s.json'` {
		t.Error(got)
	}
	if got := fields(t, Live{Trial: stuck}); got["file"] != nil || got["view"] != nil || got["live"].(map[string]any)["wrong"] != "process 2 does not return" {
		t.Error(got)
	}
}

func TestComparison(t *testing.T) {
	var g golden
	in := recorded(t, trial.Setting{Algorithm: "bully", N: 3, Initiators: "0", Delay: "10ms", Assume: "1ms", OutsideModel: true}, live.Rest).Instance
	tally := func(runs, violated int) lab.Tally {
		return lab.Tally{
			Runs: runs, Outcomes: map[trial.Outcome]int{"elected": runs}, Violated: map[string]int{"E1": violated},
			Shares: map[string]lab.Share{"split_brain": {Showed: violated, Of: runs}},
		}
	}
	c := &lab.Comparison{Instance: in, Asked: 22, Live: tally(22, 22), Emulated: tally(22, 2), Latencies: []time.Duration{90_000, 110_000}, Lateness: []time.Duration{70_000}}
	g.add(t, "shares that are apart", Comparison{Comparison: c, Files: []string{"found/E1-seed1.json"}, Unkept: 2})
	linked := *c
	linked.Instance = recorded(t, trial.Setting{Algorithm: "lcr", N: 3, Link: "delay 2ms", OutsideModel: true}, live.Rest).Instance
	linked.Live, linked.Latencies, linked.Lateness = tally(3, 0), nil, nil
	g.add(t, "fewer runs than asked for", Comparison{Comparison: &linked})
	g.compare(t, "livecompare")
	got := fields(t, Comparison{Comparison: c, Unkept: 2})
	shares := got["shares"].([]any)
	if violated := shares[1].(map[string]any); len(shares) != 3 || violated["what"] != "E1 violated" || violated["intervals_overlap"] != false || violated["emulated"].(map[string]any)["count"] != 2. {
		t.Error(shares)
	}
	if late := got["late_ns"].(map[string]any); got["messages"] != 2. || got["unkept"] != 2. || late["p50"] != 70_000. || len(got["files"].([]any)) != 0 {
		t.Error(got)
	}
	if none := newCount(0, 0); none.Low != 0 || none.High != 1 {
		t.Errorf("of no run: %+v", none)
	}
}
