package lab_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"bullring/experiments/catalog"
	"bullring/experiments/real/lab"
	"bullring/experiments/trial"
	"bullring/netem"
	"bullring/netem/live"
	"bullring/protocols"
)

// try runs a setting live.
func try(t *testing.T, s trial.Setting, o lab.Options) *lab.Trial {
	t.Helper()
	s.Seed = max(s.Seed, 1)
	registry := catalog.New()
	in, err := lab.Instance(registry, s, o)
	if err != nil {
		t.Fatalf("%s: %v", s.Algorithm, err)
	}
	tried, err := lab.Try(t.Context(), registry, in, o, nil)
	if err != nil {
		t.Fatalf("%s: %v", s.Algorithm, err)
	}
	return tried
}

// TestReplayOfEachAlgorithm: the replay of a live run is the run that was recorded, and keeps
// the bounds that hold for every order of events.
func TestReplayOfEachAlgorithm(t *testing.T) {
	for _, a := range catalog.New().All() {
		for name, s := range map[string]trial.Setting{
			"plain": {}, "behind transformers": {Transport: "reliable(5ms)", Detector: "heartbeat(5ms,50ms)", OutsideModel: true},
			"delayed": {Link: "delay uniform(0,2ms) duplicate 10% loss 10% reorder 10%", Unordered: true, OutsideModel: true},
			"faulty":  {Delay: "1ms", Fault: "crash 1 after 2 sends; at 2ms crash 2 for 3ms; delay message to 3 by 2ms; clock 3 drift 10000ppm", OutsideModel: true},
			"failing": {Fault: "fail 2 mttf 3ms mttr 2ms until 20ms; fail 1 mttf exp(5ms) mttr exp(1ms) until 20ms", OutsideModel: true},
			"held":    {Detector: "heartbeat(3ms,12ms)", Dead: "last", Link: "rate 100kbit", Fault: "pause 2 for 5ms; clog *->1 for 4ms; slow 3 by 1ms for 10ms", OutsideModel: true},
		} {
			t.Run(a.Name+" "+name, func(t *testing.T) {
				t.Parallel()
				s.Algorithm, s.N, s.Placement, s.Assume = a.Name, 5, "random", "5ms"
				tried := try(t, s, lab.Options{Limit: 150 * time.Millisecond})
				if tried.Wrong != nil {
					t.Fatal(tried.Wrong)
				}
				if err := tried.Result.BrokenBound(); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// TestLiveCounts: counts that hold in each schedule hold live.
func TestLiveCounts(t *testing.T) {
	for _, sockets := range []live.Transport{live.TCP, live.UDP} {
		tried := try(t, trial.Setting{Algorithm: "lcr", N: 5, Placement: "decreasing"}, lab.Options{Sockets: sockets})
		c := &tried.Result.Counters
		if rest := tried.Recording.End == live.Rest; sockets == live.TCP && !rest || rest && (c.Messages() != 15 || tried.Result.Outcome != "elected") {
			t.Errorf("%v: %v, %d messages, %s", sockets, tried.Recording.End, c.Messages(), tried.Result.Outcome)
		}
	}
}

// TestViolationIsReplayed: a bully that waits a hundredth of the delay elects too early.
func TestViolationIsReplayed(t *testing.T) {
	tried := try(t, trial.Setting{Algorithm: "bully", N: 3, Initiators: "0", Delay: "100ms", Assume: "1ms", OutsideModel: true}, lab.Options{})
	if tried.Wrong != nil || tried.Result.Verdict("E1") != protocols.Violated {
		t.Fatal(tried.Wrong, tried.Result.Checks)
	}
	in, err := catalog.New().Instance(tried.Replay)
	if err != nil {
		t.Fatal(err)
	}
	if again := new(trial.Worker).Run(t.Context(), in, nil); again.Fingerprint != tried.Result.Fingerprint || again.Verdict("E1") != protocols.Violated {
		t.Errorf("fingerprint %x, then %x, %v", tried.Result.Fingerprint, again.Fingerprint, again.Checks)
	}
}

// TestDisagreement: a recording that was changed is not what its replay shows.
func TestDisagreement(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*live.Recording)
		want   string
	}{
		"a count":   {func(r *live.Recording) { s := last(r); s.Sent = append(s.Sent, r.Steps[0].Sent[0]) }, "messages PROBE were sent"},
		"a step":    {func(r *live.Recording) { r.Steps = r.Steps[:len(r.Steps)-1] }, "something is left to happen"},
		"a message": {func(r *live.Recording) { last(r).Message = r.Steps[0].Sent[0].Message }, "is not possible"},
		"a draw":    {func(r *live.Recording) { last(r).Choices = []int{3} }, "fewer choices"},
		"a panic":   {func(r *live.Recording) { r.Failed = &live.PanicError{}; last(r).Panics = true }, "panicked in one of the two"},
		"a frame":   {func(r *live.Recording) { r.Failed = &live.PanicError{Value: errors.New("too long")} }, "the live run failed"},
	} {
		tried := try(t, trial.Setting{Algorithm: "lcr", N: 3, IDs: "1,2,3"}, lab.Options{})
		c.change(tried.Recording)
		in, err := catalog.New().Instance(lab.Replay(tried.Instance, tried.Recording))
		if err != nil {
			t.Fatal(err)
		}
		err = lab.Agree(tried.Recording, new(trial.Worker).Run(t.Context(), in, nil))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %q", name, err, c.want)
		}
	}
}

// TestArrivalsAreCompared: a recording in which another number of messages arrived than in its replay does
// not agree with it, although as many were sent.
func TestArrivalsAreCompared(t *testing.T) {
	tried := try(t, trial.Setting{Algorithm: "lcr", N: 3, IDs: "1,2,3"}, lab.Options{})
	if tried.Wrong != nil {
		t.Fatal(tried.Wrong)
	}
	arrival := *last(tried.Recording)
	arrival.Sent = nil
	tried.Recording.Steps = append(tried.Recording.Steps, arrival)
	const want = "6 messages arrived in the live run, and 5 in the replay"
	if err := lab.Agree(tried.Recording, tried.Result); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v; want %q", err, want)
	}
}

// TestOvertaken: the setting of a replay says that links do not keep the order of messages if one
// was handled, or lost at its arrival, before an earlier one of the same link.
func TestOvertaken(t *testing.T) {
	in, err := lab.Instance(catalog.New(), trial.Setting{Algorithm: "lcr", N: 4, Seed: 1}, lab.Options{})
	if err != nil {
		t.Fatal(err)
	}
	step := func(what string, from, to protocols.ID, number uint64) live.Step {
		return live.Step{Record: netem.Record{What: what, From: from, Who: to, Number: number}}
	}
	for _, c := range []struct {
		first, second live.Step
		want          bool
	}{
		{step("deliver", 0, 1, 1), step("deliver", 0, 1, 2), false},
		{step("deliver", 0, 1, 2), step("deliver", 0, 1, 1), true},
		{step("lost", 0, 1, 2), step("deliver", 0, 1, 1), true},
		{step("deliver", 0, 1, 2), step("lost", 0, 1, 1), true},
		{step("deliver", 0, 1, 2), step("lose", 0, 1, 1), false},
		{step("deliver", 0, 1, 2), step("deliver", 0, 3, 1), false},
		{step("deliver", 3, 1, 2), step("deliver", 0, 1, 1), false},
		{step("deliver", 0, 1, 1), step("deliver", 0, 1, 1), false},
	} {
		got := lab.Replay(in, &live.Recording{Steps: []live.Step{c.first, c.second}}).Unordered
		if got != c.want {
			t.Errorf("%s of %d from %d to %d, then %s of %d from %d to %d: unordered %v", c.first.What, c.first.Number, c.first.From, c.first.Who,
				c.second.What, c.second.Number, c.second.From, c.second.Who, got)
		}
	}
}

// TestReplayOfOvertakenMessages: a run in which a message is overtaken is repeated.
func TestReplayOfOvertakenMessages(t *testing.T) {
	for seed := uint64(1); ; seed++ {
		if seed > 50 {
			t.Fatal("no message was overtaken in 50 runs")
		}
		tried := try(t, trial.Setting{Algorithm: "peterson", N: 3, Link: "0->1: delay 10ms reorder 50%", Seed: seed, OutsideModel: true}, lab.Options{})
		if tried.Wrong != nil {
			t.Fatal(tried.Wrong)
		}
		if tried.Replay.Unordered {
			return
		}
	}
}

// TestAssumedBound: a live run that is told no bound on delay has 50 ms more than what links impose.
func TestAssumedBound(t *testing.T) {
	for _, c := range []struct {
		s    trial.Setting
		want time.Duration
	}{
		{trial.Setting{}, 50 * time.Millisecond},
		{trial.Setting{Delay: "uniform(0,20ms)"}, 70 * time.Millisecond},
		{trial.Setting{Link: "delay 30ms", OutsideModel: true}, 80 * time.Millisecond},
		{trial.Setting{Delay: "20ms", Assume: "20ms"}, 20 * time.Millisecond},
	} {
		c.s.Algorithm, c.s.N = "bully", 3
		in, err := lab.Instance(catalog.New(), c.s, lab.Options{})
		if err != nil || in.Assumed != c.want {
			t.Errorf("delay %q, link %q, assume %q: %v, and not %v; %v", c.s.Delay, c.s.Link, c.s.Assume, in.Assumed, c.want, err)
		}
	}
}

// last is the last step that delivers a message.
func last(r *live.Recording) *live.Step {
	i := len(r.Steps) - 1
	for r.Steps[i].What != "deliver" {
		i--
	}
	return &r.Steps[i]
}

func TestRefused(t *testing.T) {
	for _, c := range []struct {
		s    trial.Setting
		want string
	}{
		{trial.Setting{Algorithm: "lcr", N: 3, Schedule: "timers free"}, "follows a schedule"},
		{trial.Setting{Algorithm: "lcr", N: 3, Link: "corrupt 10% altered"}, "alter messages"},
		{trial.Setting{Algorithm: "lcr", N: 3, Fault: "link * corrupt 10% altered"}, "alter messages"},
		{trial.Setting{Algorithm: "lcr", N: 3, Fault: "carry 1st PROBE in 0s"}, "carries a message"},
		{trial.Setting{Algorithm: "lcr", N: 3, MaxTime: "1s"}, "--limit"},
		{trial.Setting{Algorithm: "lcr", N: 3, Delay: "soon"}, "delay"},
	} {
		c.s.OutsideModel = true
		if _, err := lab.Instance(catalog.New(), c.s, lab.Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v; want %q", c.s, err, c.want)
		}
	}
}

// TestRefusedApart: what nodes in OS processes of their own cannot have is refused.
func TestRefusedApart(t *testing.T) {
	here, hosts := &lab.Processes{}, &lab.Processes{Hosts: []string{"10.0.0.2", "10.0.0.3"}}
	for _, c := range []struct {
		s    trial.Setting
		o    lab.Options
		want string // "" if it may run
	}{
		{trial.Setting{}, lab.Options{Processes: here}, ""},
		{trial.Setting{Delay: "1ms"}, lab.Options{Processes: here}, "there is no --delay and no --link"},
		{trial.Setting{Delay: "exp(1ms)", Assume: "1ms"}, lab.Options{Processes: here}, "there is no --delay and no --link"},
		{trial.Setting{Link: "loss 1%"}, lab.Options{Processes: here}, "there is no --delay and no --link"},
		{trial.Setting{N: 1024}, lab.Options{Processes: here}, ""},
		{trial.Setting{N: 1025}, lab.Options{Processes: here}, "at most 1024"},
		{trial.Setting{N: 1025}, lab.Options{Processes: hosts}, ""},
		{trial.Setting{N: 2049}, lab.Options{Processes: hosts}, "at most 2048"},
		{trial.Setting{}, lab.Options{Processes: here, Sockets: live.UDP}, "there is only --sockets tcp"},
		{trial.Setting{Fault: "at 1ms crash 1"}, lab.Options{Processes: here}, ""},
		{trial.Setting{Fault: "crash 1 after 2 sends"}, lab.Options{Processes: here}, ""},
		{trial.Setting{Fault: "never pause 1; crash 1"}, lab.Options{Processes: here}, ""},
		{trial.Setting{Fault: "pause 1"}, lab.Options{Processes: here}, "an OS process can crash"},
		{trial.Setting{Fault: "at 1ms crash 1 with 50%"}, lab.Options{Processes: here}, "an OS process can crash"},
		{trial.Setting{Fault: "fail 1 mttf 1s mttr 1s until 9s"}, lab.Options{Processes: here}, "an OS process can crash"},
		{trial.Setting{Fault: "when leader crash leader"}, lab.Options{Processes: here}, "an OS process can crash"},
	} {
		c.s.Algorithm, c.s.N, c.s.OutsideModel = "lcr", max(c.s.N, 3), true
		_, err := lab.Instance(catalog.New(), c.s, c.o)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("n %d, delay %q, link %q, fault %q, %v: %v; want %q", c.s.N, c.s.Delay, c.s.Link, c.s.Fault, c.o.Over(), err, c.want)
		}
	}
}

// TestComparison: what holds in each run has the same share live and in the emulator, and the
// emulator's delays are the sum of what links impose and what was measured.
func TestComparison(t *testing.T) {
	var seeds []uint64
	c, err := lab.Compare(t.Context(), catalog.New(), trial.Setting{Algorithm: "lcr", N: 4}, lab.Options{}, 3, func(one *lab.Trial) {
		seeds = append(seeds, one.Instance.Setting.Seed)
	})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(seeds, []uint64{1, 2, 3}) || c.Live.Outcomes["elected"] != 3 || c.Emulated.Outcomes["elected"] != 3 || !slices.IsSorted(c.Latencies) || len(c.Latencies) == 0 {
		t.Errorf("%+v", c)
	}
	c, err = lab.Compare(t.Context(), catalog.New(), trial.Setting{Algorithm: "raft", N: 3, Assume: "1ms", OutsideModel: true}, lab.Options{}, 2, func(*lab.Trial) {})
	if err != nil || len(c.Lateness) == 0 || c.Lateness[0] < 0 || c.Live.Shares["split_vote"].Of != 2 || c.Emulated.Shares["split_vote"].Of != 2 {
		t.Errorf("%+v, %v", c, err)
	}
	over, cancel := context.WithCancel(t.Context())
	c, err = lab.Compare(over, catalog.New(), trial.Setting{Algorithm: "lcr", N: 4}, lab.Options{}, 30, func(*lab.Trial) { cancel() })
	if err != nil || c.Live.Runs != 1 || c.Emulated.Runs != 1 {
		t.Errorf("interrupted after one run: %+v, %v", c, err)
	}
}

// TestInterrupted: what was recorded up to a signal is judged.
func TestInterrupted(t *testing.T) {
	registry := catalog.New()
	in, err := lab.Instance(registry, trial.Setting{Algorithm: "bully", N: 3, Delay: "10s", Seed: 1}, lab.Options{})
	if err != nil {
		t.Fatal(err)
	}
	over, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	tried, err := lab.Try(over, registry, in, lab.Options{}, nil)
	if err != nil || tried.Wrong != nil || tried.Recording.End != live.Interrupted || tried.Result.End != netem.OutOfSteps {
		t.Errorf("%+v, %v", tried, err)
	}
}
