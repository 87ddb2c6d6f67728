package netem_test

import (
	"context"
	"strings"
	"testing"

	"bullring/netem"
	"bullring/protocols"
)

func children(n node) {
	for child := 2*n.ID() + 1; child <= 2*n.ID()+2 && int(child) <= n.Degree(); child++ {
		n.Send(child, note{})
	}
}

// relay keeps one token going round for ever.
var relay = script{
	start:   func(n node) { n.Send(n.Neighbor(0), note{}) },
	receive: func(n node, _ protocols.ID, m note) { n.Send(n.Neighbor(0), note{x: m.x + 1}) },
}

func TestMaxEvents(t *testing.T) {
	for _, limit := range []uint64{1, 2, 1000, 40_000} {
		cfg := lockstep(netem.Ring(3))
		cfg.MaxEvents = limit
		net := netem.New(cfg, all(relay))
		net.StartAt(0, 0)
		if end := net.Run(t.Context()); end != netem.OutOfEvents {
			t.Errorf("limit %d: ended %v", limit, end)
		}
		if c := net.Counters(); c.Events != limit {
			t.Errorf("limit %d: %d events", limit, c.Events)
		}
	}
}

// A run without further events at a limit is quiescent: the limit cut nothing off.
func TestLimitsThatCutNothingOff(t *testing.T) {
	once := script{start: func(n node) { n.Send(n.Neighbor(0), note{}) }}
	for name, limit := range map[string]func(*netem.Config){
		"as many events as there are":   func(c *netem.Config) { c.MaxEvents = 2 },
		"the same, and an end of time":  func(c *netem.Config) { c.MaxEvents, c.MaxTime = 2, at(100) },
		"an end at the last event":      func(c *netem.Config) { c.MaxTime = at(1) },
		"an end after the last event":   func(c *netem.Config) { c.MaxTime = at(100) },
		"room for all that are pending": func(c *netem.Config) { c.MaxPending = 2 },
	} {
		cfg := lockstep(netem.Ring(3))
		limit(&cfg)
		net := netem.New(cfg, all(once))
		net.StartAt(0, 0)
		if end := net.Run(t.Context()); end != netem.Quiescent {
			t.Errorf("%s: ended %v", name, end)
		}
		if c := net.Counters(); c.Events != 2 || c.Delivered != 1 {
			t.Errorf("%s: %d events, %d delivered; want 2 and 1", name, c.Events, c.Delivered)
		}
	}
}

// All events at MaxTime are handled, and no later ones.
func TestMaxTime(t *testing.T) {
	d := &diary{}
	cfg := lockstep(netem.Ring(3))
	cfg.MaxTime = at(2)
	d.net = netem.New(cfg, all(script{
		start: func(n node) {
			n.Send(n.Neighbor(0), note{x: 4})
			n.SetTimer(0, 2*ms)
			n.SetTimer(1, 2*ms+1)
		},
		receive: func(n node, _ protocols.ID, m note) {
			d.write("%d receives", n.ID())
			n.Send(n.Neighbor(0), note{x: m.x - 1})
		},
		timeout: func(n node, label protocols.Timer) { d.write("timer %d", label) },
	}))
	d.net.StartAt(0, 0)
	if end := d.net.Run(t.Context()); end != netem.OutOfTime {
		t.Errorf("ended %v", end)
	}
	d.want(t, "1ms: 1 receives", "2ms: 2 receives", "2ms: timer 0")
}

// MaxPending ends a run in which messages multiply, long before they fill the memory. It is
// checked every few thousand events, so the run may exceed it by as many.
func TestMaxPending(t *testing.T) {
	cfg := lockstep(netem.Ring(3))
	cfg.MaxPending = 50_000
	net := netem.New(cfg, all(script{
		start: func(n node) { n.Send(n.Neighbor(0), note{}) },
		receive: func(n node, _ protocols.ID, _ note) {
			n.Send(n.Neighbor(0), note{})
			n.Send(n.Neighbor(0), note{})
		},
	}))
	net.StartAt(0, 0)
	if end := net.Run(t.Context()); end != netem.OutOfRoom {
		t.Errorf("ended %v", end)
	}
	c := net.Counters()
	if pending := c.Messages() - c.Delivered; pending < 50_000 || pending > 100_000 {
		t.Errorf("%d messages under way at the end; the limit was 50,000", pending)
	}
}

func TestCancelledContextInterrupts(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	hops := 0
	net := netem.New(lockstep(netem.Ring(3)), all(script{
		start: relay.start,
		receive: func(n node, from protocols.ID, m note) {
			if hops++; hops == 100 {
				cancel()
			}
			relay.receive(n, from, m)
		},
	}))
	net.StartAt(0, 0)
	if end := net.Run(ctx); end != netem.Interrupted {
		t.Errorf("ended %v", end)
	}
	if hops < 100 || hops > 100_000 {
		t.Errorf("%d hops; it was cancelled after 100", hops)
	}
	net.Reset(lockstep(netem.Ring(3)), all(relay))
	net.StartAt(0, 0)
	if end := net.Run(ctx); end != netem.Interrupted || net.Counters().Events != 0 {
		t.Errorf("a run with a cancelled context ended %v after %d events", end, net.Counters().Events)
	}
}

func TestEndsHaveNames(t *testing.T) {
	var got []string
	for _, end := range []netem.End{netem.Quiescent, netem.OutOfEvents, netem.OutOfTime, netem.OutOfRoom, netem.Interrupted} {
		got = append(got, end.String())
	}
	if want := "quiescent, out of events, out of time, out of room, interrupted"; strings.Join(got, ", ") != want {
		t.Errorf("%s; want %s", strings.Join(got, ", "), want)
	}
}

// An empty run ends at once.
func TestNothingToDo(t *testing.T) {
	net := netem.New(lockstep(netem.Ring(3)), all(script{}))
	finish(t, net)
	if c := net.Counters(); c.Events != 0 || c.Messages() != 0 || net.Now() != 0 {
		t.Errorf("%+v at %v", c, net.Now())
	}
}
