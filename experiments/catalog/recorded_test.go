package catalog_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"bullring/experiments/catalog"
	"bullring/experiments/show/history"
	"bullring/experiments/trial"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/box"
)

// recordedSettings are runs whose recordings are played: algorithms with clocks, draws, timers and
// detectors; each plain, over reliable links and with heartbeats.
func recordedSettings() (all []trial.Setting) {
	faults := []string{"", "at 1.5ms crash 1; at 6ms restart 1", "crash 2 after 1 sends; at 0s crash 1", "at 3ms start 1; drop 3rd message; duplicate 2nd message"}
	stacks := []trial.Setting{{}, {Transport: "reliable(5ms,8)"}, {Detector: "heartbeat(2ms,5ms)"}, {Transport: "reliable(5ms,8)", Detector: "heartbeat(2ms,5ms)"}, {Detector: "none"}}
	algorithms := []string{
		"lcr", "changroberts", "itairodeh", "bully", "raft", "modifiedring", "ringlist", "echo", "berkeley", "chandylamport",
		"ricartagrawala", "maekawa", "tokenring", "sequencer", "centralized-failover", "repelling",
	}
	for k, a := range algorithms {
		for i, s := range stacks {
			s.Algorithm, s.N, s.Seed, s.Placement, s.OutsideModel = a, 4, uint64(7*k+i), "random", true
			s.Delay, s.MaxTime, s.MaxEvents = "exp(1ms)", "80ms", 1500
			s.Initiators = []string{"", "0"}[(k+i)%2]
			s.Dead = []string{"", "", "last"}[(k+2*i)%3]
			s.Fault, s.Link = faults[(k+i)%len(faults)], []string{"", "loss 20%", "delay 2ms duplicate 20% reorder 30%"}[(k+3*i)%3]
			s.Unordered = strings.Contains(s.Link, "reorder")
			all = append(all, s)
		}
	}
	return all
}

// A recorded run is played with the same messages and decisions, whatever it ran on.
func TestRecordedRunsArePlayed(t *testing.T) {
	registry := catalog.New()
	seen := map[string]int{}
	for _, s := range recordedSettings() {
		in, err := registry.Instance(s)
		if err != nil {
			if s.Transport == "" && s.Detector == "" {
				t.Errorf("%s: %v", s.Algorithm, err)
			}
			continue // it refuses this stack
		}
		ran := history.Of(t.Context(), in)
		s = in.Setting
		s.Schedule, s.Fault, s.Link = ran.Schedule(), "", ""
		if in, err = registry.Instance(s); err != nil {
			t.Errorf("%s %s %s: %v", s.Algorithm, s.Transport, s.Detector, err)
			continue
		}
		played := history.Of(t.Context(), in)
		if got, want := summary(played), summary(ran); got != want || !sameVerdicts(ran.Result, played.Result) {
			t.Errorf("%+v\nran    %s\nplayed %s (%v)", ran.Result.Instance.Setting, want, got, played.Result.Failed)
		}
		for _, word := range []string{", restarts", ", clocks", ", choose", ", reads", ", suspects", "lose ", "duplicate ", ", crash after"} {
			if strings.Contains(string(s.Schedule), word) {
				seen[word]++
			}
		}
		seen["runs"]++
	}
	t.Log(seen)
	if len(seen) < 9 {
		t.Errorf("the schedules have only %v", seen)
	}
}

// sameVerdicts reports whether the verdicts of two runs are the same. In a schedule no time passes
// for E2, which allows for a crash for a while: it may be undecided there.
func sameVerdicts(ran, played *trial.Result) bool {
	return slices.EqualFunc(ran.Checks, played.Checks, func(a, b protocols.Check) bool {
		return a.Name == b.Name && (a.Verdict == b.Verdict || a.Name == "E2" && b.Verdict == protocols.Undecided)
	})
}

// summary has the values that are equal in a run and its recording.
func summary(h *history.History) string {
	r := h.Result
	c := r.Counters
	news := make([]string, r.Instance.N)
	for i := range h.Events {
		if e := &h.Events[i]; e.News != "" {
			news[e.Who] += e.News + "; "
		}
	}
	return fmt.Sprint(r.Outcome, " sent ", c.Sent, " by one ", c.MaxSent, " bits ", c.Bits, " delivered ", c.Delivered, " service ", c.Service, " draws ", c.Draws, "\n       ", strings.Join(news, " | "))
}

// Stack returns the processes of a run.
func TestStackIsThatOfARun(t *testing.T) {
	for _, s := range []trial.Setting{
		{Algorithm: "lcr", N: 5}, {Algorithm: "bully", N: 4, Transport: "reliable(5ms,8)", Detector: "heartbeat(2ms,5ms)", MaxTime: "50ms", OutsideModel: true},
	} {
		in, err := catalog.New().Instance(s)
		if err != nil {
			t.Fatal(err)
		}
		net := netem.New[box.Message](netem.Config{Topology: in.Topology, Delay: in.Delay, FIFO: in.FIFO, MaxTime: in.MaxTime}, trial.Stack(in))
		net.Boot()
		for p := range in.Initiators.All() {
			net.StartAt(p, 0)
		}
		net.Run(t.Context())
		ran := new(trial.Worker).Run(t.Context(), in, nil)
		if net.Fingerprint() != ran.Fingerprint || !slices.Equal(net.Counters().Sent, ran.Counters.Sent) {
			t.Errorf("%s: %+v, and in a run %+v", s.Algorithm, net.Counters(), ran.Counters)
		}
	}
}

// A fault starts a process that is no initiator, or has started: the bounds are not of such a run.
func TestLateStartsAreNotCalm(t *testing.T) {
	for schedule, calm := range map[trial.Schedule]bool{
		"timers free\nstart 0\nstart 1": true, "timers free\nstart 0\nstart 1\nstart 2": false, "timers free\nstart 0\nstart 1\nstart 0": false,
	} {
		in, err := catalog.New().Instance(trial.Setting{Algorithm: "bully", N: 3, Initiators: "0,1", Schedule: schedule, OutsideModel: true})
		if err != nil {
			t.Fatal(err)
		}
		if in.Calm() != calm {
			t.Errorf("%q: calm %v", schedule, in.Calm())
		}
	}
}
