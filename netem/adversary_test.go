package netem_test

import (
	"reflect"
	"strconv"
	"testing"
	"time"

	"bullring/des"
	"bullring/netem"
	"bullring/protocols"
)

// foe is an adversary whose methods each test writes as needed.
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

// broadcast lets process 0 of a complete graph send to its neighbours 1, 2, 3... and writes
// down the arrivals.
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

// conserved checks that each message of a run at rest was counted once.
func conserved(t *testing.T, net *netem.Network[note]) {
	t.Helper()
	c := net.Counters()
	if in, out := c.Messages()+c.Duplicated+c.Fanned, c.Delivered+c.ToDead+c.Lost+c.Cut+c.Corrupted+c.Unheard; in != out {
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
				got.MaxSent != uint64(c.arrive) || got.Bits != uint64(72*c.arrive) {
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

// plain is a message that cannot be altered.
type plain struct{}

func (plain) Kind() int       { return 0 }
func (plain) Kinds() []string { return []string{"PLAIN"} }
func (plain) Bits() int       { return 8 }

// teller sends a plain message at the start, and counts what it receives.
type teller struct{ received *int }

func (p teller) Start(n protocols.Node[plain])                      { n.Send(n.Neighbor(0), plain{}) }
func (p teller) Receive(protocols.Node[plain], protocols.ID, plain) { *p.received++ }
func (p teller) Timeout(protocols.Node[plain], protocols.Timer)     {}

// A message that cannot be altered arrives unchanged.
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

// Held messages are delivered in the order of their arrival, before messages that arrive at the
// instant of the release. For a message that waits for a known time the adversary is asked again.
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

// A held timer dies with its process, and can be stopped.
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

// tick is a message of a service that never ends.
type tick struct{ note }

func (tick) Background(kind int) bool { return kind == 1 }
func (tick) Overhead(kind int) bool   { return kind == 1 }

// beating is a process with such a service. Its algorithm sends one message round the ring.
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

// A careful run without faults has the fingerprint of a run that is not careful, whatever its
// links do.
func TestCareChangesNothing(t *testing.T) {
	harmful := []netem.Line{{Line: line(t, "delay 1ms 500us loss 1% duplicate 5% corrupt 1% reorder 10% rate 10mbit limit 5")}}
	lossy := []netem.Line{{Line: line(t, "loss 1%")}}
	for _, cfg := range []netem.Config{
		{Delay: des.Constant(ms)},
		{Delay: des.Uniform(0, 2*ms)},
		{Delay: des.Exponential(ms)},
		{Delay: des.Constant(ms), Lines: harmful},
		{Delay: des.Exponential(ms), Lines: lossy},
		{Delay: des.Constant(3 * ms), Delta: 2 * ms, GST: at(10)},
		{Delay: des.Exponential(ms), Lines: lossy, Delta: 2 * ms, GST: at(10)},
	} {
		for _, fifo := range []bool{true, false} {
			cfg.Topology, cfg.FIFO, cfg.Seed = netem.Complete(5), fifo, 3
			run := func(prepare func(*netem.Network[note])) (uint64, netem.Counters) {
				net := netem.New(cfg, all(script{
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
					t.Errorf("%v lines %d delta %v fifo %v: %s, the fingerprint is %x instead of %x, and the counters are %+v instead of %+v", cfg.Delay, len(cfg.Lines), cfg.Delta, fifo, name, got, plain, c, counts)
				}
			}
		}
	}
}

// Requests for something that does not exist panic. Requests at the edge of what exists do not.
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
