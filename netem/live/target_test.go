package live

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"bullring/des"
	"bullring/faults"
	"bullring/netem"
	"bullring/netem/impair"
	"bullring/protocols"
	"bullring/protocols/box"
	"bullring/protocols/links"
)

// opposition is the target of a plan: a live run, or a network.
type opposition interface {
	Now() des.Time
	Alive(p protocols.ID) bool
	CrashAt(p protocols.ID, t des.Time)
	RestartAt(p protocols.ID, t des.Time)
	StartAt(p protocols.ID, t des.Time)
	InterveneAt(t des.Time, token uint32)
	InterveneAfter(events uint64, token uint32)
	ReleaseAt(t des.Time)
	SetLine(set links.Set, line *impair.Line)
	AdjustClock(p protocols.ID, step time.Duration, drift int64)
}

// victim is it as a faults.Target.
type victim struct{ opposition }

func (v victim) SetLine(set links.Set, text string) {
	var line *impair.Line
	if text != "" {
		line, _ = impair.Parse(text, nil)
	}
	v.opposition.SetLine(set, line)
}

func (victim) ChangeLinks(links.Set, des.Time, bool) {
	panic("live runs refuse plans that change links")
}

// install installs a plan of faults among three processes.
func install(t *testing.T, plan string, target opposition) netem.Adversary {
	t.Helper()
	p, err := faults.Parse(plan)
	if err == nil {
		err = p.Check(3, faults.Words{Kinds: word("").Kinds(), Line: func(string) error { return nil }})
	}
	if err != nil {
		t.Fatal(err)
	}
	injector := faults.NewInjector(p, victim{target}, faults.Env{Seed: 3, N: 3, Kinds: word("").Kinds()})
	injector.Install()
	if p.Simple() {
		return nil
	}
	return injector
}

func withPlan(t *testing.T, c Config, plan string) Config {
	c.Oppose = func(target *Target) netem.Adversary { return install(t, plan, target) }
	return c
}

// A process that fails again and again does so in real time, too, and is back each time.
func TestFailsAgainAndAgain(t *testing.T) {
	rec := mustRun(t, withPlan(t, recital(t), "fail 2 mttf 3ms mttr 2ms until 31ms"))
	var happened []string
	for _, s := range rec.Steps {
		if r := s.Record; r.Who == 2 && (r.What == "crash" || r.What == "restart") {
			happened = append(happened, r.What)
		}
	}
	for i, what := range happened {
		if want := []string{"crash", "restart"}[i%2]; what != want {
			t.Errorf("%d: %s; want %s", i, what, want)
		}
	}
	if rec.End != Rest || len(happened) < 2 || len(happened) > 12 || len(happened)%2 > 0 {
		t.Errorf("%v after %v", rec.End, happened)
	}
}

// Faults that do not depend on when messages arrive do the same to a recital as in the emulator.
func TestPlansActAsInTheEmulator(t *testing.T) {
	for _, plan := range []string{
		"crash 0 after 7 sends",
		"crash 0 after 0 sends; crash 1 after 150 sends",
		"drop 5th message from 0 to 1; drop message to 2 with 10%",
		"duplicate message from 0 with 30%; delay message to 1 by 2ms",
		"partition {0 | 1 2}",
		"cut 0->1; at 1ns heal",
		"omit sends of 1 with 20%",
		"link * loss 30%; link 0->1 duplicate 50%",
		"at 5ms start 0",
		"pause 1; at 10ms resume 1",
		"pause 1 for 5ms; delay message from 2 to 0 by 20ms",
		"clog *->2; at 10ms heal",
		"slow 1 by 20us for 20ms",
		"when election crash 2",
		"leave 1 for 5ms",
	} {
		c := recital(t)
		c.Delay = des.Constant(0)
		want := counted{}
		net := netem.New(netem.Config{Topology: c.Topology, Delay: c.Delay, FIFO: true, Seed: c.Seed}, c.Boot)
		net.Trace(want)
		if a := install(t, plan, net); a != nil {
			net.Oppose(a)
		}
		for _, p := range c.Initiators {
			net.StartAt(p, 0)
		}
		net.Run(t.Context())
		rec := mustRun(t, withPlan(t, c, plan))
		got := counted{}
		for _, s := range rec.Steps {
			got.Record(s.Record)
		}
		if rec.End != Rest || !maps.Equal(got, want) {
			t.Errorf("%s: %v with %d fates, not rest with %d: %v", plan, rec.End, len(got), len(want), differences(got, want))
		}
	}
}

// A crash in the middle of a step stands directly after it, and only what was sent before leaves:
// although the clocks of other processes are far ahead by then.
func TestCrashAmidAStep(t *testing.T) {
	c := recital(t)
	c.Topology, c.Initiators = netem.Ring(3), []protocols.ID{2}
	rec := mustRun(t, withPlan(t, c, "at 20ms start 1; crash 1 after 7 sends"))
	for i, s := range rec.Steps {
		if s.What != "crash" {
			continue
		}
		before := rec.Steps[i-1]
		if !s.Amid || before.Who != 1 || before.What != "start" || len(before.Sent) != 7 {
			t.Errorf("%v %d after %v %d, which sent %d", s.What, s.Who, before.What, before.Who, len(before.Sent))
		}
		return
	}
	t.Error("no process has crashed")
}

// Messages that a fault held arrive in order, and after it has ended.
func TestHeldMessages(t *testing.T) {
	for _, plan := range []string{"clog 0->1 for 5ms", "pause 1 for 5ms", "slow 1 by 50us for 5ms"} {
		rec := mustRun(t, withPlan(t, recital(t), plan))
		next := 0
		for _, s := range rec.Steps {
			if s.What != "deliver" || s.From != 0 || s.Who != 1 {
				continue
			}
			if want := fmt.Sprint("word ", next); fmt.Sprint(s.Message) != want {
				t.Fatalf("%s: %v arrives, not %s", plan, s.Message, want)
			}
			if next++; s.Wall < 5*time.Millisecond && plan[0] != 's' {
				t.Errorf("%s: %v arrives at %v", plan, s.Message, s.Wall)
			}
		}
		if next != 100 || rec.End != Rest {
			t.Errorf("%s: %v after %d messages", plan, rec.End, next)
		}
	}
	if rec := mustRun(t, withPlan(t, recital(t), "clog 0->1")); rec.End != Stalled || len(rec.Latencies()) != 500 {
		t.Errorf("%v after %d messages, not stalled after 500", rec.End, len(rec.Latencies()))
	}
}

// ticker looks at its clock when its timer expires, which is set to 5 ms.
type ticker struct{ talker }

func (ticker) Start(n protocols.Node[word]) { n.SetTimer(0, 5*time.Millisecond) }

func (ticker) Timeout(n protocols.Node[word], _ protocols.Timer) { n.Now() }

// Timers follow the clocks of their processes.
func TestClocksThatAreOff(t *testing.T) {
	for plan, want := range map[string]struct{ least, shows time.Duration }{
		"clock 0 drift -500000ppm":       {10 * time.Millisecond, 5 * time.Millisecond},
		"at 1ms clock 0 step -20ms":      {25 * time.Millisecond, 5 * time.Millisecond},
		"at 1ms clock 0 offset 1h":       {1 * time.Millisecond, time.Hour},
		"pause 0 for 8ms":                {8 * time.Millisecond, 8 * time.Millisecond},
		"at 1ms pause 0; at 9ms crash 0": {0, 0},
	} {
		c := recital(t)
		c.Initiators = []protocols.ID{0}
		c.Boot = func(protocols.ID) protocols.Process[box.Message] { return box.Wrap(ticker{}) }
		rec := mustRun(t, withPlan(t, c, plan))
		for _, s := range rec.Steps {
			if s.What == "timeout" && (want.least == 0 || s.Wall < want.least || s.Reads[0] < want.shows) {
				t.Errorf("%s: the timer expires at %v, when the clock shows %v", plan, s.Wall, s.Reads)
			}
		}
		if rec.End != Rest || len(rec.Steps) != 2 {
			t.Errorf("%s: %v after %d steps", plan, rec.End, len(rec.Steps))
		}
	}
}

// A process that was dead from the start comes back, and one that crashed starts anew.
func TestRestarts(t *testing.T) {
	c := recital(t)
	c.Dead, c.Initiators = []protocols.ID{2}, []protocols.ID{0}
	rec := mustRun(t, withPlan(t, c, "at 5ms restart 2; at 6ms start 2; at 7ms crash 0 for 1ms"))
	var what []string
	for _, s := range rec.Steps {
		if s.Message == nil {
			what = append(what, fmt.Sprint(s.What, s.Who))
		}
	}
	if want := []string{"start0", "restart2", "start2", "crash0", "restart0"}; rec.End != Rest || !slices.Equal(what, want) {
		t.Errorf("%v after %v, not rest after %v", rec.End, what, want)
	}
}

// script is an adversary that holds a hundred messages, releases them, holds the first one again
// and releases them all.
type script struct {
	target  *Target
	arrived int
	due     []des.Time
}

func (s *script) Due(uint32) { s.due = append(s.due, s.target.Now()) }

func (*script) Steps(protocols.ID, int) {}

func (*script) Leaves(_, _ protocols.ID, _ int) (leaves, crash bool) { return true, false }

func (*script) Sent(_, _ protocols.ID, _ int) (int, time.Duration, func(int64) int64) {
	return 1, 0, nil
}

func (s *script) Arrives(_, _ protocols.ID, _ int) (wait time.Duration, lost bool) {
	if s.arrived++; s.arrived > 101 {
		return 0, false
	}
	if s.arrived >= 100 {
		s.target.ReleaseAt(s.target.Now())
	}
	return -1, false
}

func (*script) Expires(protocols.ID) time.Duration { return 0 }

// If the first of the held messages of a link has to wait again, so do the others. The present
// instant of an action is the one that was asked for, even if the action comes late.
func TestAdversary(t *testing.T) {
	c, a := recital(t), &script{}
	c.Topology, c.Initiators = netem.Ring(3), []protocols.ID{0}
	c.Oppose = func(target *Target) netem.Adversary {
		a.target = target
		target.InterveneAt(7e6, 0)
		target.InterveneAt(9e6, 0)
		return a
	}
	rec := mustRun(t, c)
	next := 0
	for _, s := range rec.Steps {
		if s.What != "deliver" {
			continue
		}
		if want := fmt.Sprint("word ", next); fmt.Sprint(s.Message) != want {
			t.Fatalf("%v arrives, not %s", s.Message, want)
		}
		next++
	}
	if next != 100 || !slices.Equal(a.due, []des.Time{7e6, 9e6}) {
		t.Errorf("%d messages arrive; interventions at %v", next, a.due)
	}
}

// A clock that is set back takes back the expiry of a timer that has not been handled, if the fault
// is late.
func TestLateClock(t *testing.T) {
	c := recital(t)
	c.Initiators = []protocols.ID{0}
	c.Boot = func(protocols.ID) protocols.Process[box.Message] { return box.Wrap(ticker{}) }
	c.Oppose = func(target *Target) netem.Adversary {
		a := install(t, "at 1ms clock 0 step -20ms", target)
		target.plan(5e5, func() { time.Sleep(10 * time.Millisecond) }) // until the timer has expired
		return a
	}
	rec := mustRun(t, c)
	for _, s := range rec.Steps {
		if s.What == "timeout" && s.Wall < 25*time.Millisecond {
			t.Errorf("the timer expires at %v", s.Wall)
		}
	}
	if rec.End != Rest || len(rec.Steps) != 2 {
		t.Errorf("%v after %d steps", rec.End, len(rec.Steps))
	}
}
