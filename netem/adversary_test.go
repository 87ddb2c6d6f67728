package netem_test

import (
	"reflect"
	"strconv"
	"testing"
	"time"

	"bullring/des"
	"bullring/netem"
	"bullring/netem/impair"
	"bullring/protocols"
	"bullring/protocols/links"
)

// foe is an adversary of which each test writes what it needs.
type foe struct {
	due     func(token uint32)
	steps   func(who protocols.ID, handled int)
	leaves  func(from, to protocols.ID, kind int) (leaves, crash bool)
	sent    func(from, to protocols.ID, kind int) (copies int, delay time.Duration, forge func(int64) int64)
	arrives func(to, from protocols.ID, kind int) (wait time.Duration, lost bool)
	expires func(who protocols.ID) time.Duration
}

func (f *foe) Due(token uint32) { f.due(token) }

func (f *foe) Steps(who protocols.ID, handled int) {
	if f.steps != nil {
		f.steps(who, handled)
	}
}

func (f *foe) Leaves(from, to protocols.ID, kind int) (leaves, crash bool) {
	if f.leaves == nil {
		return true, false
	}
	return f.leaves(from, to, kind)
}

func (f *foe) Sent(from, to protocols.ID, kind int) (int, time.Duration, func(int64) int64) {
	if f.sent == nil {
		return 1, 0, nil
	}
	return f.sent(from, to, kind)
}

func (f *foe) Arrives(to, from protocols.ID, kind int) (time.Duration, bool) {
	if f.arrives == nil {
		return 0, false
	}
	return f.arrives(to, from, kind)
}

func (f *foe) Expires(who protocols.ID) time.Duration {
	if f.expires == nil {
		return 0
	}
	return f.expires(who)
}

// Forge makes notes alterable.
func (m note) Forge(f func(int64) int64) note {
	m.x = int(f(int64(m.x)))
	return m
}

// broadcast has process 0 of a complete graph send its neighbours 1, 2, 3... and
// writes down what arrives.
func broadcast(n int, change func(*netem.Config)) *diary {
	d := &diary{}
	cfg := lockstep(netem.Complete(n))
	if change != nil {
		change(&cfg)
	}
	d.net = netem.New(cfg, all(script{
		start: func(n node) {
			for port := range n.Degree() {
				n.Send(n.Neighbor(port), note{x: port + 1})
			}
		},
		receive: func(n node, from protocols.ID, m note) { d.write("%d has %v", n.ID(), m) },
		timeout: func(n node, label protocols.Timer) { d.write("%d timer %d", n.ID(), label) },
	}))
	return d
}

// conserved checks that every message of a run that has come to rest became
// something.
func conserved(t *testing.T, net *netem.Network[note]) {
	t.Helper()
	c := net.Counters()
	if in, out := c.Messages()+c.Duplicated, c.Delivered+c.ToDead+c.Lost+c.Cut+c.Corrupted; in != out {
		t.Errorf("%d messages and copies, but %d ends: %+v", in, out, c)
	}
}

func TestCrashInTheMiddleOfABroadcast(t *testing.T) {
	for _, c := range []struct {
		name          string
		leaves, crash int // of which message
		arrive        int
	}{
		{"before the first", 0, 0, 0}, {"after the first", 1, 1, 1}, {"before the third", 2, 2, 2}, {"after the last", 3, 3, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := broadcast(4, nil)
			asked := 0
			d.net.Oppose(&foe{leaves: func(from, to protocols.ID, kind int) (bool, bool) {
				asked++
				if c.name[0] == 'b' {
					return asked <= c.crash, asked == c.crash+1
				}
				return true, asked == c.crash
			}})
			w := &witness{net: d.net}
			d.net.Observe(w)
			d.net.StartAt(0, 0)
			finish(t, d.net)
			if got := d.net.Counters(); len(d.lines) != c.arrive || got.Messages() != uint64(c.arrive) ||
				got.SentBy[0] != uint64(c.arrive) || got.Bits != uint64(72*c.arrive) {
				t.Errorf("%d arrived, %+v; want %d", len(d.lines), got, c.arrive)
			}
			if d.net.Alive(0) {
				t.Error("it is still alive")
			}
			if len(w.lines) < 2 || w.lines[1][:14] != "0s: crashed 0," {
				t.Errorf("the observer was told %q", w.lines)
			}
			conserved(t, d.net)
		})
	}
}

func TestFaultsOfMessages(t *testing.T) {
	d := broadcast(5, nil)
	d.net.Oppose(&foe{
		sent: func(from, to protocols.ID, kind int) (int, time.Duration, func(int64) int64) {
			switch to {
			case 1:
				return 0, 0, nil
			case 2:
				return 3, 0, nil
			case 3:
				return 1, 2 * ms, nil
			}
			return 1, 0, func(v int64) int64 { return -v }
		},
	})
	d.net.StartAt(0, 0)
	finish(t, d.net)
	d.want(t, "1ms: 2 has NOTE(2)", "1ms: 2 has NOTE(2)", "1ms: 2 has NOTE(2)", "1ms: 4 has NOTE(-4)", "3ms: 3 has NOTE(3)")
	if c := d.net.Counters(); c.Cut != 1 || c.Duplicated != 2 || c.Messages() != 4 {
		t.Errorf("counted %+v", c)
	}
	conserved(t, d.net)
}

// plain is a message with nothing in it that could be altered.
type plain struct{}

func (plain) Kind() int       { return 0 }
func (plain) Kinds() []string { return []string{"PLAIN"} }
func (plain) Bits() int       { return 8 }

// teller sends a plain message at the start, and counts what it receives.
type teller struct{ received *int }

func (p teller) Start(n protocols.Node[plain])                      { n.Send(n.Neighbor(0), plain{}) }
func (p teller) Receive(protocols.Node[plain], protocols.ID, plain) { *p.received++ }
func (p teller) Timeout(protocols.Node[plain], protocols.Timer)     {}

// A message that has nothing to alter arrives as it is.
func TestNothingToForge(t *testing.T) {
	received := 0
	net := netem.New(lockstep(netem.Ring(2)), func(protocols.ID) protocols.Process[plain] { return teller{&received} })
	net.Oppose(&foe{sent: func(protocols.ID, protocols.ID, int) (int, time.Duration, func(int64) int64) {
		return 1, 0, func(v int64) int64 { return -v }
	}})
	net.StartAt(0, 0)
	if end := net.Run(t.Context()); end != netem.Quiescent || received != 1 || net.Counters().Altered != 0 {
		t.Errorf("the run ended %v, %d received, %+v", end, received, net.Counters())
	}
}

// What is held comes in the order in which it arrived, before what arrives at the
// instant of its release; a message that waits for a known time is asked of again.
func TestHoldAndRelease(t *testing.T) {
	d := broadcast(3, nil)
	held := true
	waits := 2
	d.net.Oppose(&foe{
		arrives: func(to, from protocols.ID, kind int) (time.Duration, bool) {
			switch {
			case to == 1 && held:
				return -1, false
			case to == 2 && waits > 0:
				waits--
				return 3 * ms, false
			}
			return 0, false
		},
		due: func(token uint32) {
			held = token == 1
			d.net.ReleaseAt(d.net.Now())
		},
	})
	d.net.StartAt(0, 0)
	d.net.StartAt(0, at(1))
	d.net.StartAt(0, at(4))
	d.net.InterveneAt(at(3), 1) // and held again
	d.net.InterveneAt(at(5), 0)
	finish(t, d.net)
	d.want(t, "4ms: 2 has NOTE(2)",
		"5ms: 1 has NOTE(1)", "5ms: 1 has NOTE(1)", // held
		"5ms: 2 has NOTE(2)", "5ms: 1 has NOTE(1)", "5ms: 2 has NOTE(2)")
	conserved(t, d.net)
}

func TestPausedTimers(t *testing.T) {
	d := &diary{}
	paused := true
	d.net = netem.New(lockstep(netem.Ring(2)), all(script{
		start: func(n node) {
			n.SetTimer(1, ms)
			n.SetTimer(2, 2*ms)
			n.SetTimer(3, 9*ms)
		},
		timeout: func(n node, label protocols.Timer) { d.write("%d timer %d", n.ID(), label) },
	}))
	d.net.Oppose(&foe{
		expires: func(who protocols.ID) time.Duration {
			if paused && who == 0 {
				return -1
			}
			return 0
		},
		due: func(uint32) { paused = false; d.net.ReleaseAt(d.net.Now()) },
	})
	d.net.StartAt(0, 0)
	d.net.StartAt(1, 0)
	d.net.CrashAt(1, at(1))
	d.net.InterveneAt(at(5), 0)
	finish(t, d.net)
	d.want(t, "5ms: 0 timer 1", "5ms: 0 timer 2", "9ms: 0 timer 3")
}

// A timer that waits dies with its process, and can be stopped.
func TestPausedTimerOfACrashedProcess(t *testing.T) {
	d := &diary{}
	d.net = netem.New(lockstep(netem.Ring(1)), all(script{
		start:   func(n node) { n.SetTimer(1, ms) },
		timeout: func(n node, label protocols.Timer) { d.write("timer %d", label) },
	}))
	d.net.Oppose(&foe{
		expires: func(protocols.ID) time.Duration { return -1 },
		due:     func(uint32) { d.net.ReleaseAt(d.net.Now()) },
	})
	d.net.StartAt(0, 0)
	d.net.CrashAt(0, at(2))
	d.net.RestartAt(0, at(3))
	d.net.InterveneAt(at(4), 0)
	finish(t, d.net)
	d.want(t)
}

func TestInterveneAfterEvents(t *testing.T) {
	d := broadcast(4, nil)
	d.net.Oppose(&foe{due: func(token uint32) { d.write("fault %d", token) }})
	d.net.InterveneAfter(3, 7)
	d.net.InterveneAfter(2, 5)
	d.net.InterveneAfter(3, 8)
	d.net.InterveneAfter(1000, 9)
	d.net.StartAt(0, 0)
	finish(t, d.net)
	// Event 1 is the start, 2 a delivery, 3 the first fault.
	d.want(t, "1ms: 1 has NOTE(1)", "1ms: fault 5", "1ms: fault 7", "1ms: fault 8", "1ms: 2 has NOTE(2)", "1ms: 3 has NOTE(3)")
}

func TestClocks(t *testing.T) {
	for _, c := range []struct {
		name   string
		adjust func(net *netem.Network[note])
		want   []string
	}{
		{"right", func(net *netem.Network[note]) {}, []string{"1s: shows 1s", "2s: shows 2s"}},
		{"ahead from the start", func(net *netem.Network[note]) { net.AdjustClock(0, time.Minute, 0) },
			[]string{"1s: shows 1m1s", "2s: shows 1m2s"}},
		{"twice as fast", func(net *netem.Network[note]) { net.AdjustClock(0, 0, 1e9) }, []string{"500ms: shows 1s", "1s: shows 2s"}},
		{"100 ppm slow", func(net *netem.Network[note]) { net.AdjustClock(0, 0, -100_000) },
			[]string{"1.00010001s: shows 1s", "2.00020002s: shows 2s"}},
		{"of somebody else", func(net *netem.Network[note]) { net.AdjustClock(1, time.Hour, 5e8) }, []string{"1s: shows 1s", "2s: shows 2s"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := clocked()
			c.adjust(d.net)
			d.net.StartAt(0, 0)
			finish(t, d.net)
			d.want(t, c.want...)
		})
	}
}

// clocked is a process that sets a timer to a second of its clock, twice.
func clocked() *diary {
	d := &diary{}
	d.net = netem.New(lockstep(netem.Ring(2)), all(script{
		start: func(n node) { n.SetTimer(0, time.Second) },
		timeout: func(n node, label protocols.Timer) {
			d.write("shows %v", n.(protocols.Clocked).Now())
			if label == 0 {
				n.SetTimer(1, time.Second)
			}
		},
	}))
	return d
}

// A step brings the timers forward that are armed; one that lies behind the clock
// expires at once.
func TestClockStep(t *testing.T) {
	d := clocked()
	d.net.Oppose(&foe{due: func(token uint32) {
		switch token {
		case 0:
			d.net.AdjustClock(0, 300*ms, 0)
		case 1:
			d.net.AdjustClock(0, -500*ms, 0)
		}
	}})
	d.net.InterveneAt(at(100), 0)  // the first timer comes at 0.7 s
	d.net.InterveneAt(at(1000), 1) // the second at 2.2 s
	d.net.StartAt(0, 0)
	finish(t, d.net)
	d.want(t, "700ms: shows 1s", "2.2s: shows 2s")
	d = clocked()
	d.net.Oppose(&foe{due: func(uint32) { d.net.AdjustClock(0, time.Hour, 0) }})
	d.net.InterveneAt(at(100), 0)
	d.net.StartAt(0, 0)
	finish(t, d.net)
	d.want(t, "100ms: shows 1h0m0.1s", "1.1s: shows 1h0m1.1s")
}

// tick is a message of a service that never ends.
type tick struct{ note }

func (tick) Background(kind int) bool { return kind == 1 }
func (tick) Overhead(kind int) bool   { return kind == 1 }

// beating is a process with such a service, whose algorithm sends one message
// round the ring.
type beating struct{ beats int }

func (b *beating) Boot(n protocols.Node[tick]) { n.SetTimer(protocols.Background, ms) }
func (b *beating) Start(n protocols.Node[tick]) {
	n.Send(n.Neighbor(0), tick{note{x: 6}})
}
func (b *beating) Receive(n protocols.Node[tick], _ protocols.ID, m tick) {
	if !m.reply && m.x > 0 {
		n.Send(n.Neighbor(0), tick{note{x: m.x - 1}})
	}
}
func (b *beating) Timeout(n protocols.Node[tick], _ protocols.Timer) {
	b.beats++
	n.Send(n.Neighbor(0), tick{note{reply: true}})
	n.SetTimer(protocols.Background, ms)
}

func TestBackgroundDoesNotKeepARunAlive(t *testing.T) {
	for _, c := range []struct {
		name  string
		until des.Time
		crash bool
		rests des.Time
		last  des.Time
		beats int // of process 1, which lives
	}{
		{"as long as the algorithm", 0, false, at(7), at(7), 6},
		{"longer", at(20), false, at(20), at(7), 20},
		{"with a crash", at(20), true, at(20), at(7), 20},
	} {
		t.Run(c.name, func(t *testing.T) {
			net := netem.New(netem.Config{Topology: netem.Ring(3), Delay: des.Constant(ms), Until: c.until},
				func(protocols.ID) protocols.Process[tick] { return &beating{} })
			if c.crash {
				net.CrashAt(0, at(9))
			}
			net.Boot()
			net.StartAt(0, 0)
			if end := net.Run(t.Context()); end != netem.Quiescent || net.Now() != c.rests {
				t.Errorf("ended %v at %v, want at %v", end, net.Now(), c.rests)
			}
			if got := net.Counters().LastMessage; got != c.last {
				t.Errorf("the last message of the algorithm came at %v, want %v", got, c.last)
			}
			if got := net.Process(1).(*beating).beats; got != c.beats {
				t.Errorf("process 1 beat %d times, want %d", got, c.beats)
			}
		})
	}
}

// line reads the line of a link.
func line(t *testing.T, text string) *impair.Line {
	t.Helper()
	l, err := impair.Parse(text, nil)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func set(t *testing.T, text string) links.Set {
	t.Helper()
	s, err := links.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Of the lines for a link the last one counts, and one that says nothing of the
// delay has the network's.
func TestLinesOfLinks(t *testing.T) {
	d := broadcast(4, func(c *netem.Config) {
		c.Lines = []netem.Line{
			{Line: line(t, "delay 5ms")},
			{Links: set(t, "0->2"), Line: line(t, "loss 100%")},
			{Links: set(t, "0->3"), Line: line(t, "duplicate 100%")},
		}
	})
	d.net.StartAt(0, 0)
	finish(t, d.net)
	d.want(t, "1ms: 3 has NOTE(3)", "1ms: 3 has NOTE(3)", "5ms: 1 has NOTE(1)")
	conserved(t, d.net)
}

// A line that a fault changes is in force for what is sent from then on, and the
// old one when it is taken back.
func TestLineChangesOnTheWay(t *testing.T) {
	d := broadcast(2, nil)
	d.net.Oppose(&foe{due: func(token uint32) {
		if token == 0 {
			d.net.SetLine(set(t, "0->1"), line(t, "delay 10ms"))
		} else {
			d.net.SetLine(links.Set{}, nil)
		}
	}})
	d.net.InterveneAt(at(5), 0)
	d.net.InterveneAt(at(7), 1)
	for _, k := range []int{0, 4, 5, 6, 16} {
		d.net.StartAt(0, at(k))
	}
	finish(t, d.net)
	d.want(t, "1ms: 1 has NOTE(1)", "5ms: 1 has NOTE(1)", "15ms: 1 has NOTE(1)", "16ms: 1 has NOTE(1)", "17ms: 1 has NOTE(1)")
}

// Messages that wait for a slot when their line is changed are not lost.
func TestSlotsAndTheirEnd(t *testing.T) {
	d := broadcast(2, func(c *netem.Config) { c.Lines = []netem.Line{{Line: line(t, "slot 20ms")}} })
	d.net.Oppose(&foe{due: func(uint32) { d.net.SetLine(links.Set{}, line(t, "delay 2ms")) }})
	d.net.InterveneAt(at(30), 0)
	for _, k := range []int{0, 3, 12, 25} {
		d.net.StartAt(0, at(k))
	}
	finish(t, d.net)
	if len(d.lines) != 4 {
		t.Errorf("of 4 messages there arrived %q", d.lines)
	}
	conserved(t, d.net)
}

func TestPartialSynchrony(t *testing.T) {
	const gst, delta = 50, 3
	for seed := range uint64(20) {
		var arrivals []des.Time
		sent := map[int]des.Time{}
		var net *netem.Network[note]
		k := 0
		net = netem.New(netem.Config{
			Topology: netem.Ring(2), Delay: des.Exponential(20 * ms), FIFO: true, Seed: seed,
			Lines: []netem.Line{{Line: line(t, "loss 30%")}}, Delta: delta * ms, GST: at(gst),
		}, all(script{
			start: func(n node) { k++; sent[k] = net.Now(); n.Send(1, note{x: k}) },
			receive: func(_ node, _ protocols.ID, m note) {
				arrivals = append(arrivals, net.Now())
				if limit := max(sent[m.x], at(gst)).Add(delta * ms); net.Now() > limit {
					t.Errorf("sent at %v, arrived at %v, after %v", sent[m.x], net.Now(), limit)
				}
				delete(sent, m.x)
			},
		}))
		for i := range 100 {
			net.StartAt(0, at(i))
		}
		finish(t, net)
		for x, when := range sent {
			if when >= at(gst) {
				t.Errorf("message %d, sent at %v, was lost", x, when)
			}
		}
		if c := net.Counters(); c.Lost == 0 || c.Lost > 40 || c.Reordered > 0 {
			t.Errorf("lost %d of 50, reordered %d", c.Lost, c.Reordered)
		}
		conserved(t, net)
	}
}

// A careful run in which nothing goes wrong is the run without care.
func TestCareChangesNothing(t *testing.T) {
	for _, delay := range []des.Distribution{des.Constant(ms), des.Uniform(0, 2*ms), des.Exponential(ms)} {
		for _, fifo := range []bool{true, false} {
			run := func(prepare func(*netem.Network[note])) (uint64, netem.Counters) {
				net := netem.New(netem.Config{Topology: netem.Complete(5), Delay: delay, FIFO: fifo, Seed: 3}, all(script{
					start: func(n node) { n.Send(1, note{x: 200}); n.SetTimer(1, 3*ms) },
					receive: func(n node, _ protocols.ID, m note) {
						if m.x > 0 {
							n.Send(n.Neighbor(n.Intn(4)), note{x: m.x - 1})
						}
						if m.x > 0 && m.x%7 == 0 {
							n.SetTimer(1, ms)
						}
					},
					timeout: func(n node, _ protocols.Timer) { n.Send(n.Neighbor(0), note{reply: true}) },
				}))
				prepare(net)
				for id := range protocols.ID(5) {
					net.StartAt(id, 0)
				}
				net.CrashAt(4, at(20))
				net.RestartAt(4, at(30))
				finish(t, net)
				return net.Fingerprint(), net.Counters()
			}
			plain, counts := run(func(*netem.Network[note]) {})
			for name, prepare := range map[string]func(*netem.Network[note]){
				"opposed": func(net *netem.Network[note]) { net.Oppose(&foe{}) },
				"traced":  func(net *netem.Network[note]) { net.Trace(&recorder{}) },
			} {
				got, c := run(prepare)
				if got != plain || !reflect.DeepEqual(c, counts) {
					t.Errorf("%v fifo %v: %s, the fingerprint is %x instead of %x, and the counters are %+v instead of %+v", delay, fifo, name, got, plain, c, counts)
				}
			}
		}
	}
}

// What is asked for that there is not is a mistake; the edges of what there is are none.
func TestMistakes(t *testing.T) {
	wide := int64(1) << 31 // as a label, on processors that have one so large
	for name, c := range map[string]struct {
		ask     func()
		mistake bool
	}{
		"the first kind":       {func() { netem.MustBeKind(0, 0, 2) }, false},
		"the last kind":        {func() { netem.MustBeKind(0, 1, 2) }, false},
		"a kind too many":      {func() { netem.MustBeKind(0, 2, 2) }, true},
		"a kind too few":       {func() { netem.MustBeKind(0, -1, 2) }, true},
		"a timer at once":      {func() { netem.MustBeTimer(0, 1<<31-1, 0) }, false},
		"a timer before":       {func() { netem.MustBeTimer(0, 1, -1) }, true},
		"a label of 33 bits":   {func() { netem.MustBeTimer(0, protocols.Timer(wide), 1) }, strconv.IntSize > 32},
		"a neighbour":          {func() { netem.MustReach(netem.Ring(3), 0, 1) }, false},
		"the process itself":   {func() { netem.MustReach(netem.Ring(3), 1, 1) }, false},
		"one that is not near": {func() { netem.MustReach(netem.Ring(3), 0, 2) }, true},
	} {
		func() {
			defer func() {
				if got := recover() != nil; got != c.mistake {
					t.Errorf("%s: a mistake is %v", name, got)
				}
			}()
			c.ask()
		}()
	}
}
