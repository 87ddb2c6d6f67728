package netem_test

import (
	"context"
	"math"
	"testing"

	"bullring/des"
	"bullring/netem"
	"bullring/protocols"
)

// The tests of this file pin what was once wrong.

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
	if testing.Short() {
		t.Skip("arms four million timers")
	}
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
