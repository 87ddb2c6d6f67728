package berkeley_test

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"testing"
	"time"

	"bullring/des"
	"bullring/internal/golden"
	"bullring/netem"
	"bullring/netem/explore"
	"bullring/protocols"
	"bullring/protocols/clocksync"
	"bullring/protocols/clocksync/berkeley"
)

type message = berkeley.Message

const unit = time.Millisecond

// hall is a run: clocks that are off, and how they are synchronized.
type hall struct {
	cfg     berkeley.Config
	clocks  []time.Duration // how far off each is
	drift   []int64         // how many nanoseconds a second each gains; nil: none
	master  protocols.ID
	delay   des.Distribution // nil: always unit
	seed    uint64
	crash   map[protocols.ID]time.Duration
	promise clocksync.Promise
	trace   io.Writer
}

// outcome is the outcome of a run.
type outcome struct {
	*clocksync.Checker
	sent        []int
	checks      []protocols.Check
	corrections []time.Duration
	quiet       time.Duration
}

func (o outcome) allHold() bool {
	return !slices.ContainsFunc(o.checks, func(c protocols.Check) bool { return c.Verdict != protocols.Holds })
}

func run(t testing.TB, h hall) outcome {
	t.Helper()
	if h.delay == nil {
		h.delay = des.Constant(unit)
	}
	if h.cfg.Rounds == 0 {
		h.cfg.Rounds = 1
	}
	h.promise.Rounds, h.cfg.Master = h.cfg.Rounds, h.master
	n := len(h.clocks)
	net := netem.New(netem.Config{Topology: netem.Complete(n), Delay: h.delay, FIFO: true, Seed: h.seed, MaxEvents: 1 << 20},
		func(protocols.ID) protocols.Process[message] { return berkeley.New(h.cfg) })
	w := &watch{net, clocksync.NewChecker(n, h.promise)}
	net.Observe(w)
	if h.trace != nil {
		net.Trace(netem.TextTrace(h.trace, func(p protocols.ID) string {
			return fmt.Sprintf("shows %v", net.Reading(p)+w.clock(p).Correction())
		}))
	}
	for p, off := range h.clocks {
		drift := int64(0)
		if h.drift != nil {
			drift = h.drift[p]
		}
		net.AdjustClock(protocols.ID(p), off, drift)
	}
	for p := range protocols.ID(n) {
		if at, doomed := h.crash[p]; doomed {
			net.CrashAt(p, des.Time(at))
		}
	}
	net.StartAt(h.master, 0)
	if end := net.Run(t.Context()); end != netem.Quiescent {
		t.Fatalf("the run does not end: %v", end)
	}
	c := net.Counters()
	o := outcome{Checker: w.checker, checks: w.checker.Checks(true), quiet: time.Duration(c.LastMessage)}
	for _, k := range c.Sent {
		o.sent = append(o.sent, int(k))
	}
	for p := range protocols.ID(n) {
		o.corrections = append(o.corrections, w.clock(p).Correction())
	}
	return o
}

// watch tells the checker of every step.
type watch struct {
	net     *netem.Network[message]
	checker *clocksync.Checker
}

func (w *watch) clock(p protocols.ID) clocksync.Clock { return w.net.Process(p).(clocksync.Clock) }

func (w *watch) Stepped(p protocols.ID) {
	w.checker.Stepped(p, w.clock(p), time.Duration(w.net.Now()), w.net.Reading)
}

func (w *watch) Started(p protocols.ID) {
	w.checker.Started(p)
	w.Stepped(p)
}
func (w *watch) Crashed(p protocols.ID)   { w.checker.Crashed(p, time.Duration(w.net.Now())) }
func (w *watch) Restarted(p protocols.ID) { w.Stepped(p) }

const (
	hour   = time.Hour
	minute = time.Minute
)

// Tanenbaum: the daemon's clock shows 3:00, the others 3:25 and 2:50; the average is
// 3:05, and they are told to adjust by +5, -20 and +15.
func TestTanenbaum(t *testing.T) {
	var trace bytes.Buffer
	o := run(t, hall{clocks: []time.Duration{3 * hour, 3*hour + 25*minute, 2*hour + 50*minute}, trace: &trace})
	golden.Check(t, "three-clocks.txt", trace.Bytes())
	if want := []time.Duration{5 * minute, -20 * minute, 15 * minute}; !slices.Equal(o.corrections, want) {
		t.Errorf("corrected by %v, want %v", o.corrections, want)
	}
	if o.Before().Spread != 35*minute || !slices.Equal(o.Rounds(), []clocksync.Round{{At: 3 * unit, Spread: 0}}) || !o.allHold() {
		t.Errorf("before %v, then %v; %+v", o.Before(), o.Rounds(), o.checks)
	}
}

// n-1 of each of the three messages a round, in time 3.
func TestCost(t *testing.T) {
	for n := 1; n <= 8; n++ {
		for rounds := 1; rounds <= 3; rounds++ {
			for master := range n {
				o := run(t, hall{clocks: make([]time.Duration, n), master: protocols.ID(master), cfg: berkeley.Config{Rounds: rounds, Interval: 10 * unit}})
				k := rounds * (n - 1)
				quiet := time.Duration(rounds-1)*10*unit + 3*unit
				if n == 1 {
					quiet = 0
				}
				if !slices.Equal(o.sent, []int{k, k, k}) || o.quiet != quiet || !o.allHold() || len(o.Rounds()) != rounds {
					t.Fatalf("n=%d, %d rounds: sent %v, quiet at %v, want %d each and %v; %+v", n, rounds, o.sent, o.quiet, k, quiet, o.checks)
				}
			}
		}
	}
}

// offsets are n clocks that are off by up to a second.
func offsets(n int, seed uint64) []time.Duration {
	stream := des.NewStream(seed, "offsets")
	clocks := make([]time.Duration, n)
	for p := range clocks {
		clocks[p] = time.Duration(stream.Intn(2_000_000_001) - 1_000_000_000)
	}
	return clocks
}

// With delays between a and b every clock is estimated to within (b-a)/2, and so
// corrected clocks differ by b-a at most, by (b-a)/2 if there are two; a constant delay
// leaves what division leaves. The average of the clocks stays where it was to within
// (b-a)/2 as well.
func TestAccuracy(t *testing.T) {
	for _, c := range []struct {
		a, b time.Duration
	}{{unit, unit}, {unit, 3 * unit}, {0, 20 * unit}} {
		worst := map[int]time.Duration{}
		for _, n := range []int{2, 3, 8} {
			for seed := range uint64(200) {
				clocks := offsets(n, seed)
				o := run(t, hall{clocks: clocks, seed: seed, delay: des.Uniform(c.a, c.b)})
				bound := c.b - c.a
				if n == 2 {
					bound /= 2
				}
				if spread := o.Rounds()[0].Spread; spread > bound+2 {
					t.Fatalf("n=%d, delays from %v to %v, seed %d: clocks differ by %v, bound %v", n, c.a, c.b, seed, spread, bound)
				} else {
					worst[n] = max(worst[n], spread)
				}
				var before, after time.Duration
				for p, off := range clocks {
					before += off
					after += off + o.corrections[p]
				}
				if moved := (after - before).Abs() / time.Duration(n); moved > (c.b-c.a)/2+1 {
					t.Fatalf("n=%d, seed %d: the average clock moved by %v", n, seed, moved)
				}
			}
		}
		if c.b > c.a && (worst[2] < (c.b-c.a)/4 || worst[8] < (c.b-c.a)/2) {
			t.Errorf("delays from %v to %v: the worst spreads are %v, too little to say anything", c.a, c.b, worst)
		}
	}
}

// Gusella and Zatti: what accuracy is kept is linear in the drift and the interval.
// With clocks that gain and lose r seconds a second, corrected clocks are apart at the
// end of a round by what they drift within it, and never by much more than 2r a second
// of interval.
func TestDrift(t *testing.T) {
	const ppm = 1000 // nanoseconds a second
	clocks := []time.Duration{0, unit, -unit, 5 * unit}
	for _, drift := range []int64{10 * ppm, 100 * ppm} {
		for _, interval := range []time.Duration{time.Second, 10 * time.Second} {
			o := run(t, hall{
				clocks: clocks, drift: []int64{0, drift, -drift, drift},
				cfg: berkeley.Config{Rounds: 10, Interval: interval},
			})
			if len(o.Rounds()) != 10 {
				t.Fatalf("%d rounds", len(o.Rounds()))
			}
			for _, r := range o.Rounds() {
				if r.Spread > time.Duration(2*drift)*3*unit/time.Second+4 {
					t.Errorf("drift %d, interval %v: clocks differ by %v at the end of the round at %v", drift, interval, r.Spread, r.At)
				}
			}
			// Between two rounds the clocks drifted apart by 2r*interval; this is what the
			// last corrections took back from the fastest and the slowest together.
			apart := clocks[2] + o.corrections[2] - clocks[1] - o.corrections[1]
			if want := time.Duration(2*drift) * (9 * interval / time.Second); (apart - want).Abs() > want/100 {
				t.Errorf("drift %d, interval %v: corrections of %v, want about %v", drift, interval, apart, want)
			}
		}
	}
}

// A clock that stands out is set, and has no influence on the others.
func TestFaultTolerantAverage(t *testing.T) {
	clocks := []time.Duration{0, 30 * unit, -30 * unit, hour, 60 * unit}
	o := run(t, hall{clocks: clocks, cfg: berkeley.Config{Range: 100 * unit}})
	if want := []time.Duration{15 * unit, -15 * unit, 45 * unit, 15*unit - hour, -45 * unit}; !slices.Equal(o.corrections, want) {
		t.Errorf("corrected by %v, want %v", o.corrections, want)
	}
}

func TestAgreeing(t *testing.T) {
	for _, c := range []struct {
		offsets []time.Duration
		within  time.Duration
		want    []time.Duration
	}{
		{[]time.Duration{5, 0, 9}, 0, []time.Duration{0, 5, 9}},
		{[]time.Duration{5, 0, 9}, 4, []time.Duration{5, 9}},
		{[]time.Duration{5, 0, 9}, 5, []time.Duration{0, 5}},
		{[]time.Duration{5, 0, 9}, 3, []time.Duration{0}},
		{[]time.Duration{0}, 3, []time.Duration{0}},
		{[]time.Duration{9, 1, 2, 8, 3, 7, 20}, 2, []time.Duration{1, 2, 3}},
	} {
		if got := berkeley.Agreeing(slices.Clone(c.offsets), c.within); !slices.Equal(got, c.want) {
			t.Errorf("%v within %d: %v, want %v", c.offsets, c.within, got, c.want)
		}
	}
	if got := berkeley.Mean([]time.Duration{math.MaxInt64, math.MaxInt64 - 2}); got != math.MaxInt64-1 {
		t.Errorf("a mean of %d", got)
	}
	if got := berkeley.Mean([]time.Duration{-1, 0, -4}); got != -1 {
		t.Errorf("the mean of -1, 0 and -4 is %d", got)
	}
}

// Those who have crashed do not answer: with Wait the others are adjusted, without it
// a round is given up when the next begins.
func TestCrash(t *testing.T) {
	clocks := []time.Duration{0, 10 * unit, 20 * unit}
	o := run(t, hall{
		clocks: clocks, crash: map[protocols.ID]time.Duration{2: 0}, promise: clocksync.Promise{Tolerant: true},
		cfg: berkeley.Config{Rounds: 2, Interval: 10 * unit, Wait: 3 * unit},
	})
	if want := []time.Duration{5 * unit, -5 * unit, 0}; !slices.Equal(o.corrections, want) || !o.allHold() {
		t.Errorf("corrected by %v, want %v; %+v", o.corrections, want, o.checks)
	}
	if want := []int{4, 2, 2}; !slices.Equal(o.sent, want) {
		t.Errorf("sent %v, want %v", o.sent, want)
	}
	for _, dead := range []protocols.ID{0, 2} {
		o = run(t, hall{
			clocks: clocks, crash: map[protocols.ID]time.Duration{dead: unit / 2},
			cfg: berkeley.Config{Rounds: 2, Interval: 10 * unit},
		})
		if want := make([]time.Duration, 3); !slices.Equal(o.corrections, want) || o.checks[0].Verdict != protocols.Undecided {
			t.Errorf("%d dies: corrected by %v; %+v", dead, o.corrections, o.checks)
		}
	}
}

// Answers that come after the wait do not count, whatever round they are of.
func TestLate(t *testing.T) {
	o := run(t, hall{
		clocks: []time.Duration{0, 10 * unit}, delay: des.Constant(4 * unit),
		cfg: berkeley.Config{Rounds: 2, Interval: 7 * unit, Wait: 5 * unit},
	})
	if o.sent[berkeley.Adjust] != 0 || o.corrections[0] != 0 || o.checks[0].Verdict != protocols.Violated {
		t.Errorf("sent %v, corrected by %v; %+v", o.sent, o.corrections, o.checks)
	}
}

func TestConfig(t *testing.T) {
	for _, cfg := range []berkeley.Config{
		{}, {Rounds: 2}, {Rounds: 1, Range: -1}, {Rounds: 1, Wait: -1}, {Rounds: 2, Interval: unit, Wait: unit},
	} {
		if cfg.Validate() == nil {
			t.Errorf("%+v is accepted", cfg)
		}
	}
}

func TestPanics(t *testing.T) {
	net := netem.New(netem.Config{Topology: netem.Complete(2), Delay: des.Constant(unit)},
		func(protocols.ID) protocols.Process[message] { return odd{} })
	net.StartAt(0, 0)
	net.Run(t.Context())
	defer func() {
		if recover() == nil {
			t.Error("an invalid configuration does not panic")
		}
	}()
	berkeley.New(berkeley.Config{})
}

// odd calls a process in ways in which no driver does.
type odd struct{}

func (odd) Start(n protocols.Node[message]) {
	p := berkeley.New(berkeley.Config{Rounds: 1})
	for _, f := range []func(){func() { p.Timeout(n, 7) }, func() { p.Receive(n, 1, message{Type: 7}) }} {
		func() {
			defer func() {
				if recover() == nil {
					panic("what nobody does is done")
				}
			}()
			f()
		}()
	}
}
func (odd) Receive(protocols.Node[message], protocols.ID, message) {}
func (odd) Timeout(protocols.Node[message], protocols.Timer)       {}

func TestMessage(t *testing.T) {
	for _, c := range []struct {
		m    message
		bits int
		text string
	}{
		{message{berkeley.Poll, 1, 0}, 72, "POLL"},
		{message{berkeley.Poll, 2, 0}, 72, "POLL@2"},
		{message{berkeley.Time, 1, hour}, 136, "TIME(1h0m0s)"},
		{message{berkeley.Adjust, 1, minute}, 136, "ADJUST(+1m0s)"},
		{message{berkeley.Adjust, 1, -minute}, 136, "ADJUST(-1m0s)"},
	} {
		if c.m.Bits() != c.bits || c.m.String() != c.text || c.m.Kinds()[c.m.Kind()] != c.text[:len(c.m.Kinds()[c.m.Kind()])] {
			t.Errorf("%v has %d bits, want %s with %d", c.m, c.m.Bits(), c.text, c.bits)
		}
	}
}

// still is a process whose clock stands still, off by so much: the explorer has no
// time.
type still struct {
	*berkeley.Process
	off time.Duration
}

// stillNode is the node that such a process sees.
type stillNode struct {
	protocols.Node[message]
	off time.Duration
}

func (n stillNode) Now() time.Duration { return n.off }

func (s still) Start(n protocols.Node[message]) { s.Process.Start(stillNode{n, s.off}) }

func (s still) Receive(n protocols.Node[message], from protocols.ID, m message) {
	s.Process.Receive(stillNode{n, s.off}, from, m)
}

func (s still) Timeout(n protocols.Node[message], t protocols.Timer) {
	s.Process.Timeout(stillNode{n, s.off}, t)
}

// explored watches clocks for the explorer.
type explored struct {
	checker *clocksync.Checker
	off     []time.Duration
}

func (w *explored) note(p protocols.ID, process any, now time.Duration) {
	w.checker.Stepped(p, process.(clocksync.Clock), now, func(q protocols.ID) time.Duration { return now + w.off[q] })
}

func (w *explored) Started(p protocols.ID, process any, now time.Duration) {
	w.checker.Started(p)
	w.note(p, process, now)
}
func (w *explored) Received(p protocols.ID, process any, now time.Duration)  { w.note(p, process, now) }
func (w *explored) Expired(p protocols.ID, process any, now time.Duration)   { w.note(p, process, now) }
func (w *explored) Restarted(p protocols.ID, process any, now time.Duration) { w.note(p, process, now) }
func (w *explored) Crashed(p protocols.ID, now time.Duration)                { w.checker.Crashed(p, now) }

func (w *explored) Verdicts(rest bool) []protocols.Verdict {
	var v []protocols.Verdict
	for _, c := range w.checker.Checks(rest) {
		v = append(v, c.Verdict)
	}
	return v
}

// Every run of a round of three and four clocks, and with a crash.
func TestExplore(t *testing.T) {
	for _, c := range []struct {
		n, crashes          int
		states, transitions uint64
	}{{3, 0, 13, 17}, {4, 0, 35, 67}, {4, 1, 164, 437}} {
		off := []time.Duration{0, 6, -3, 9}[:c.n]
		r, err := explore.Explore(t.Context(), &explore.System[message]{
			Topology: netem.Complete(c.n),
			Network:  explore.Network{FIFO: true, Budget: explore.Budget{Crashes: c.crashes}},
			Properties: []explore.Property{
				{Name: "adjusted", Kind: explore.Eventually}, {Name: "close", Kind: explore.Eventually},
			},
			Roots: []explore.Root[message]{{
				Boot: func(p protocols.ID) protocols.Process[message] {
					return still{berkeley.New(berkeley.Config{Rounds: 1}), off[p]}
				},
				Initiators: []protocols.ID{0},
				Watch:      &explored{clocksync.NewChecker(c.n, clocksync.Promise{Rounds: 1}), off},
			}},
		}, explore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range r.Properties {
			if p.Verdict != protocols.Holds {
				t.Errorf("n=%d: %s %v, %v", c.n, p.Name, p.Verdict, r.Counterexample)
			}
		}
		if !r.Complete || r.States != c.states || r.Transitions != c.transitions {
			t.Errorf("n=%d, %d crashes: complete %v, %d states and %d transitions, want %d and %d", c.n, c.crashes, r.Complete, r.States, r.Transitions, c.states, c.transitions)
		}
	}
}
