package netem_test

import (
	"context"
	"math"
	"slices"
	"testing"
	"time"

	"bullring/des"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/links"
)

// The tests of this file fail on bugs that were mended.

func pair(cfg netem.Config, s *script) *netem.Network[note] {
	if cfg.Topology == nil {
		cfg.Topology = netem.Ring(2)
	}
	cfg.Delay = des.Constant(ms)
	return netem.New(cfg, func(protocols.ID) protocols.Process[note] { return s })
}

func TestWhatIsDueAtTheLimitHappens(t *testing.T) {
	net := pair(netem.Config{MaxTime: at(2)}, &script{})
	rang := false
	net.Clock().AfterFunc(2*ms, func() { rang = true })
	if end := net.Run(context.Background()); end != netem.Quiescent || !rang {
		t.Errorf("a callback due at the limit: ran %v, and the run ended %v", rang, end)
	}
}

func TestAlarmsAreNoEventsOfTheRun(t *testing.T) {
	run := func(watched bool) (uint64, uint64) {
		net := pair(netem.Config{}, &script{start: func(n node) { n.Send(n.Neighbor(0), note{}) }})
		net.StartAt(0, 0)
		if watched {
			net.Clock().AfterFunc(ms/2, func() {})
		}
		net.Run(context.Background())
		return net.Fingerprint(), net.Counters().Events
	}
	plain, events := run(false)
	if f, e := run(true); f != plain || e != events {
		t.Errorf("with a clock in use: fingerprint %x after %d events; without %x after %d", f, e, plain, events)
	}
}

func TestTickerAloneIsInterrupted(t *testing.T) {
	net := pair(netem.Config{}, &script{})
	ctx, cancel := context.WithCancel(context.Background())
	net.Clock().AfterFunc(5*ms, cancel)
	net.Clock().NewTicker(ms)
	if end := net.Run(ctx); end != netem.Interrupted || net.Now() != at(5) {
		t.Errorf("a run of nothing but a ticker ended %v at %v", end, net.Now())
	}
}

func TestTimerThatNeverExpires(t *testing.T) {
	net := pair(netem.Config{MaxTime: at(5)}, &script{
		start:   func(n node) { n.SetTimer(1, ms) },
		timeout: func(n node, _ protocols.Timer) { n.SetTimer(2, math.MaxInt64) },
	})
	net.StartAt(0, 0)
	if end := net.Run(context.Background()); end != netem.OutOfTime {
		t.Errorf("with a timer pending for ever the run ended %v", end)
	}
}

func TestTimersWithoutRoomEndTheRun(t *testing.T) {
	// Many processes with few timers each: a process looks for its own.
	const each = 50
	const n = des.MaxTimers/each + 1
	net := pair(netem.Config{Topology: netem.Ring(n)}, &script{start: func(n node) {
		for label := range protocols.Timer(each) {
			n.SetTimer(label, ms)
		}
	}})
	for p := range protocols.ID(n) {
		net.StartAt(p, 0)
	}
	if end := net.Run(context.Background()); end != netem.OutOfRoom {
		t.Errorf("with more timers than there is room for the run ended %v", end)
	}
}

func TestMessageToOneselfInUsedMemory(t *testing.T) {
	cfg := netem.Config{Topology: netem.Complete(3), Delay: des.Uniform(0, ms), FIFO: true}
	self := all(script{start: func(n node) { n.Send(n.ID(), note{}) }})
	net := netem.New(cfg, self)
	cfg.Topology = netem.Complete(1) // no links but the loopback
	net.Reset(cfg, self)
	net.StartAt(0, 0)
	finish(t, net)
	if c := net.Counters(); c.Delivered != 1 {
		t.Errorf("%d messages were delivered", c.Delivered)
	}
}

// numbered sends messages 0, 1, 2... over a link of process 0, one at each of these instants,
// and returns those that arrive, in the order of arrival.
func numbered(cfg netem.Config, instants []int) (net *netem.Network[note], got *[]int) {
	k, arrived := 0, []int{}
	cfg.Topology = netem.Ring(2)
	net = netem.New(cfg, all(script{
		start:   func(n node) { n.Send(1, note{x: k}); k++ },
		receive: func(_ node, _ protocols.ID, m note) { arrived = append(arrived, m.x) },
	}))
	for _, at := range instants {
		net.StartAt(0, des.Time(at)*des.Time(ms))
	}
	return net, &arrived
}

func upTo(n int) []int {
	numbers := make([]int, n)
	for i := range numbers {
		numbers[i] = i
	}
	return numbers
}

func TestLinksThatKeepTheOrderDo(t *testing.T) {
	const n = 60
	for _, c := range []struct {
		name, line, later string
		delay             des.Distribution
		delta             int
	}{
		{"messages that must not be lost", "loss 50%", "", des.Constant(ms), 10},
		{"delays that are cut short", "", "", des.Exponential(10 * ms), 12},
		{"delays of a line that are cut short", "delay exp(10ms)", "", des.Constant(ms), 12},
		{"a faster line", "delay 10ms", "delay 1ms", des.Constant(ms), 0},
		{"no line any more", "delay 10ms", "none", des.Constant(ms), 0},
	} {
		for _, fifo := range []bool{true, false} {
			cfg := netem.Config{Delay: c.delay, FIFO: fifo, Delta: time.Duration(c.delta) * ms, Seed: 1}
			net, got := numbered(cfg, upTo(n))
			foe := &foe{due: func(token uint32) {
				switch text := []string{c.line, c.later}[token]; text {
				case "":
				case "none":
					net.SetLine(links.Set{}, nil)
				default:
					net.SetLine(links.Set{}, line(t, text))
				}
			}}
			net.Oppose(foe)
			net.InterveneAt(0, 0)
			net.InterveneAt(at(n/2), 1)
			finish(t, net)
			overtook := 0
			for i, x := range *got {
				if i+1 < len(*got) && x > slices.Min((*got)[i+1:]) {
					overtook++
				}
			}
			if counted := net.Counters().Reordered; len(*got) != n || counted != uint64(overtook) || fifo == (overtook > 0) {
				t.Errorf("%s, FIFO %v: %d of %d messages overtook others, counted %d", c.name, fifo, overtook, len(*got), counted)
			}
		}
	}
}

// A delay that a synchronous network shortens does not affect later messages.
func TestDelayCutShortHoldsNobodyUp(t *testing.T) {
	for _, text := range []string{"", "loss 0%"} {
		var arrivals []des.Time
		cfg := netem.Config{Topology: netem.Ring(2), Delay: des.Constant(ms), FIFO: true, Delta: 4 * ms}
		if text != "" {
			cfg.Lines = []netem.Line{{Line: line(t, text)}}
		}
		var net *netem.Network[note]
		net = netem.New(cfg, all(script{
			start:   func(n node) { n.Send(1, note{}) },
			receive: func(node, protocols.ID, note) { arrivals = append(arrivals, net.Now()) },
		}))
		first := true
		net.Oppose(&foe{sent: func(protocols.ID, protocols.ID, int) (int, time.Duration, func(int64) int64) {
			if first {
				first = false
				return 1, time.Hour, nil
			}
			return 1, 0, nil
		}})
		for _, k := range []int{0, 1, 7} {
			net.StartAt(0, at(k))
		}
		finish(t, net)
		if want := []des.Time{at(4), at(4), at(8)}; !slices.Equal(arrivals, want) {
			t.Errorf("line %q: arrivals at %v, want %v", text, arrivals, want)
		}
	}
}

// The counts are right if a line loses both copies of a message that a stable network delivers.
func TestBothCopiesLostWhereNothingIs(t *testing.T) {
	d := broadcast(4, func(c *netem.Config) {
		c.Lines, c.Delta = []netem.Line{{Line: line(t, "duplicate 100% loss 100%")}}, 5*ms
	})
	d.net.StartAt(0, 0)
	finish(t, d.net)
	d.want(t, "5ms: 1 has NOTE(1)", "5ms: 2 has NOTE(2)", "5ms: 3 has NOTE(3)")
	conserved(t, d.net)
}

// A burst that waits for slots costs one service a message, and not one for each waiting message.
func TestBurstIsServedInTime(t *testing.T) {
	const n = 30_000
	net := netem.New(netem.Config{
		Topology: netem.Ring(2), Delay: des.Constant(ms), FIFO: true, Lines: []netem.Line{{Line: line(t, "slot 1ms packets 1")}},
	}, all(script{start: func(p node) {
		for range n {
			p.Send(1, note{})
		}
	}}))
	net.StartAt(0, 0)
	began := time.Now()
	finish(t, net)
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("%d messages took %v", n, took)
	}
	if c := net.Counters(); c.Delivered != n || net.Now() != at(n) {
		t.Errorf("%d of %d messages arrived, the last at %v", c.Delivered, n, net.Now())
	}
}

// Messages that wait for slots, and held ones, count for MaxPending.
func TestWhatWaitsTakesRoom(t *testing.T) {
	flood := func(change func(*netem.Config)) *netem.Network[note] {
		cfg := netem.Config{Topology: netem.Ring(2), Delay: des.Constant(ms), FIFO: true, MaxPending: 10_000}
		change(&cfg)
		net := netem.New(cfg, all(script{
			start: func(n node) { n.SetTimer(0, ms) },
			timeout: func(n node, _ protocols.Timer) {
				for range 100 {
					n.Send(1, note{})
				}
				n.SetTimer(0, 10*ms)
			},
		}))
		net.StartAt(0, 0)
		return net
	}
	held := flood(func(*netem.Config) {})
	held.Oppose(&foe{arrives: func(_, _ protocols.ID, _ int) (time.Duration, bool) { return -1, false }})
	for name, net := range map[string]*netem.Network[note]{
		"held":    held,
		"waiting": flood(func(c *netem.Config) { c.Lines = []netem.Line{{Line: line(t, "slot 1h packets 1")}} }),
	} {
		if end := net.Run(t.Context()); end != netem.OutOfRoom || net.Counters().Messages() > 40_000 {
			t.Errorf("%s: the run ended %v after %d messages", name, end, net.Counters().Messages())
		}
	}
}

// A background timer does not keep a run alive, for any kinds of messages.
func TestServiceWithoutMessagesOfItsOwn(t *testing.T) {
	net := pair(netem.Config{MaxTime: at(100), MaxEvents: 1000}, &script{
		start: func(n node) { n.SetTimer(protocols.Background, ms); n.SetTimer(1, 3*ms+ms/2) },
		timeout: func(n node, label protocols.Timer) {
			if label == protocols.Background {
				n.SetTimer(protocols.Background, ms)
			}
		},
	})
	net.StartAt(0, 0)
	if end := net.Run(t.Context()); end != netem.Quiescent || net.Now() != at(3)+at(1)/2 {
		t.Errorf("the run ended %v at %v", end, net.Now())
	}
}

// A run of nothing but a service can be interrupted.
func TestServiceAloneIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	net := netem.New(netem.Config{Topology: netem.Ring(3), Delay: des.Constant(ms), Until: des.Time(12 * time.Hour)},
		func(protocols.ID) protocols.Process[tick] { return &beating{} })
	net.Oppose(&foe{due: func(uint32) { cancel() }})
	net.InterveneAt(at(50), 0)
	net.Boot()
	if end := net.Run(ctx); end != netem.Interrupted || net.Now() > at(50_000) {
		t.Errorf("the run ended %v at %v", end, net.Now())
	}
}

// Each of many messages held for a slow process is looked at once, and not once for each other
// one. A held message of a service does not keep the run alive.
func TestManyThatWait(t *testing.T) {
	const n = 20_000
	var net *netem.Network[note]
	handled := []int{}
	net = netem.New(lockstep(netem.Ring(2)), all(script{
		start: func(p node) {
			for k := range n {
				p.Send(1, note{x: k})
			}
		},
		receive: func(_ node, _ protocols.ID, m note) { handled = append(handled, m.x) },
	}))
	busy, asked := des.Time(0), 0
	net.Oppose(&foe{
		steps: func(who protocols.ID, _ int) {
			if who == 1 {
				busy = net.Now().Add(ms)
				net.ReleaseAt(busy)
			}
		},
		arrives: func(protocols.ID, protocols.ID, int) (time.Duration, bool) {
			if asked++; net.Now() < busy {
				return -1, false
			}
			return 0, false
		},
	})
	net.StartAt(0, 0)
	finish(t, net)
	if !slices.Equal(handled, upTo(n)) || net.Now() != at(n) {
		t.Errorf("%d of %d messages were handled in order, the last at %v", len(handled), n, net.Now())
	}
	if asked > 4*n {
		t.Errorf("for %d messages the adversary was asked %d times", n, asked)
	}
}

func TestServiceOfASlowProcessRests(t *testing.T) {
	net := netem.New(netem.Config{Topology: netem.Ring(3), Delay: des.Constant(ms), Until: at(20), MaxTime: at(1000)},
		func(protocols.ID) protocols.Process[tick] { return &beating{} })
	var busy des.Time
	net.Oppose(&foe{
		steps: func(who protocols.ID, _ int) {
			if who == 1 {
				busy = net.Now().Add(3 * ms)
			}
		},
		arrives: func(to, _ protocols.ID, _ int) (time.Duration, bool) {
			if to == 1 && net.Now() < busy {
				net.ReleaseAt(busy)
				return -1, false
			}
			return 0, false
		},
	})
	net.Boot()
	if end := net.Run(t.Context()); end != netem.Quiescent || net.Now() > at(30) {
		t.Errorf("the run ended %v at %v", end, net.Now())
	}
}

// FIFO links keep the order of messages that wait for slots, even if other links have a bound on
// delays.
func TestSlotsKeepTheOrder(t *testing.T) {
	for seed := range uint64(20) {
		var got []int
		net := netem.New(netem.Config{
			Topology: netem.Ring(2), Delay: des.Uniform(0, 3), FIFO: true, Delta: ms, Seed: seed,
			Lines: []netem.Line{{Line: line(t, "slot 2ms 5ms")}},
		}, all(script{
			start: func(n node) {
				for x := range 5 {
					n.Send(1, note{x: x})
				}
			},
			receive: func(_ node, _ protocols.ID, m note) { got = append(got, m.x) },
		}))
		net.StartAt(0, 0)
		finish(t, net)
		if !slices.Equal(got, []int{0, 1, 2, 3, 4}) {
			t.Fatalf("seed %d: %v", seed, got)
		}
	}
}
