package netem_test

import (
	"io"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"bullring/des"
	"bullring/netem"
	"bullring/protocols"

	"pgregory.net/rapid"
)

// The tests of this file compare runs whose messages take the lane with runs whose messages wait
// in the event queue.

// unbounded is a constant delay that does not say so: messages wait in the event queue.
type unbounded struct{ des.Distribution }

func (unbounded) Bounds() (lo, hi time.Duration, bounded bool) { return 0, 0, false }

// hasty is a process that sends, sets timers and stops them at random, at few instants, so that
// many events are at the same one.
type hasty struct {
	left       *int // messages that all processes may still send
	background int  // the process sets a timer in the background when so many are left
}

func (h hasty) Start(n node)                           { h.act(n) }
func (h hasty) Recover(n node)                         { h.act(n) }
func (h hasty) Receive(n node, _ protocols.ID, _ note) { h.act(n) }
func (h hasty) Timeout(n node, _ protocols.Timer)      { h.act(n) }

func (h hasty) act(n node) {
	for range 1 + n.Intn(3) {
		if *h.left--; *h.left < 0 {
			return
		}
		switch n.Intn(8) {
		case 0:
			n.SetTimer(protocols.Timer(n.Intn(3)), time.Duration(n.Intn(4))*ms)
		case 1:
			n.StopTimer(protocols.Timer(n.Intn(3)))
		case 2:
			n.Send(n.ID(), note{reply: true})
		default:
			n.Send(n.Neighbor(n.Intn(n.Degree())), note{x: *h.left})
		}
		if *h.left == h.background {
			n.SetTimer(protocols.Background, ms/2)
		}
	}
}

// planned is a fault of a run, at an instant at which messages arrive.
type planned struct {
	what string
	id   protocols.ID
	at   des.Time
}

// meddler is an observer that plans faults for the present instant.
type meddler struct {
	witness
	chance des.Stream
}

func (m *meddler) Stepped(id protocols.ID) {
	m.witness.Stepped(id)
	switch m.chance.Intn(16) {
	case 0:
		m.net.CrashAt(id, m.net.Now())
	case 1:
		m.net.RestartAt(0, m.net.Now())
	case 2:
		m.net.StartAt(id, m.net.Now())
	}
}

func (m *meddler) Started(id protocols.ID) {
	m.witness.Started(id)
	if id == 0 && m.chance.Intn(2) == 0 {
		m.net.StartAt(1, m.net.Now())
	}
}

// observed is everything that a caller can see of a run.
type observed struct {
	End         netem.End
	Fingerprint uint64
	Trail       string
	Now         des.Time
	Counters    netem.Counters
	Steps       []string
}

// observe makes a run of hasty processes.
func observe(t *testing.T, net *netem.Network[note], faults []planned) observed {
	m := &meddler{witness{net: net}, des.NewStream(1, "meddler")}
	net.Observe(m)
	for _, f := range faults {
		switch f.what {
		case "start":
			net.StartAt(f.id, f.at)
		case "crash":
			net.CrashAt(f.id, f.at)
		case "restart":
			net.RestartAt(f.id, f.at)
		}
	}
	end := net.Run(t.Context())
	return observed{end, net.Fingerprint(), net.Trail(), net.Now(), net.Counters(), m.lines}
}

// The order of events at one instant is the same for messages in the lane and in the queue, for
// runs that become careful ones on the way, and in memory that was used before.
func TestLaneKeepsTheOrder(t *testing.T) {
	used := netem.New(lockstep(netem.Ring(2)), all(script{}))
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(2, 6).Draw(rt, "n")
		delay := des.Constant(time.Duration(rapid.IntRange(0, 2).Draw(rt, "delay")) * ms)
		cfg := netem.Config{Topology: netem.Complete(n), Delay: delay, FIFO: true, Seed: rapid.Uint64().Draw(rt, "seed")}
		if rapid.Bool().Draw(rt, "limited") {
			cfg.MaxEvents = rapid.Uint64Range(1, 300).Draw(rt, "events")
			cfg.MaxTime = at(rapid.IntRange(1, 30).Draw(rt, "time"))
		}
		left, background := 0, rapid.IntRange(-1000, 300).Draw(rt, "background")
		boot := func(protocols.ID) protocols.Process[note] { return hasty{&left, background} }
		faults := []planned{{"start", 0, 0}}
		for range rapid.IntRange(0, 30).Draw(rt, "faults") {
			faults = append(faults, planned{
				rapid.SampledFrom([]string{"start", "start", "crash", "restart"}).Draw(rt, "what"),
				protocols.ID(rapid.IntRange(0, n-1).Draw(rt, "who")), at(rapid.IntRange(0, 12).Draw(rt, "when")),
			})
		}
		left = 300
		want := observe(t, netem.New(cfg, boot), faults)
		check := func(how string, cfg netem.Config, trace netem.Tracer) {
			left = 300
			used.Reset(cfg, boot)
			used.Trace(trace)
			if got := observe(t, used, faults); !reflect.DeepEqual(got, want) {
				rt.Errorf("%s:\n%+v\nin the lane:\n%+v", how, got, want)
			}
		}
		check("in memory that was used before", cfg, nil)
		check("traced", cfg, netem.TextTrace(io.Discard, nil))
		cfg.Delay = unbounded{delay}
		check("in the queue", cfg, nil)
	})
}

// The limit of pending events is met at the same event.
func TestLaneMeetsTheLimitOfPendingEvents(t *testing.T) {
	run := func(delay des.Distribution, trace netem.Tracer) observed {
		cfg := lockstep(netem.Ring(3))
		cfg.Delay, cfg.MaxPending = delay, 30_000
		net := netem.New(cfg, all(script{start: relay.start, receive: func(n node, _ protocols.ID, m note) {
			for range 1 + m.x%3 {
				n.Send(n.Neighbor(0), note{x: m.x + 1})
			}
		}}))
		net.Trace(trace)
		net.StartAt(0, 0)
		end := net.Run(t.Context())
		return observed{End: end, Fingerprint: net.Fingerprint(), Trail: net.Trail(), Now: net.Now(), Counters: net.Counters()}
	}
	lane := run(des.Constant(ms), nil)
	queue, traced := run(unbounded{des.Constant(ms)}, nil), run(des.Constant(ms), netem.TextTrace(io.Discard, nil))
	if !reflect.DeepEqual(lane, queue) || !reflect.DeepEqual(lane, traced) || lane.End != netem.OutOfRoom {
		t.Errorf("in the lane %+v\nin the queue %+v\ntraced %+v", lane, queue, traced)
	}
}

// What is planned for one instant happens in the order of planning, before the messages that
// arrive then; timers expire after them.
func TestOneInstant(t *testing.T) {
	d := &diary{}
	d.net = netem.New(lockstep(netem.Complete(4)), func(id protocols.ID) protocols.Process[note] {
		return &recoverer{
			recover: func(n node) { d.write("%d recovers", id) },
			script: script{
				start: func(n node) {
					d.write("%d starts", id)
					n.Send(3, note{x: int(id)})
					n.SetTimer(0, ms)
				},
				receive: func(_ node, _ protocols.ID, m note) { d.write("%d receives %v", id, m) },
				timeout: func(node, protocols.Timer) { d.write("%d expires", id) },
			},
		}
	})
	net := d.net
	for id := range protocols.ID(3) {
		net.StartAt(id, 0)
	}
	net.StartAt(3, at(1))
	net.CrashAt(2, at(1)) // between two starts of this instant
	net.StartAt(2, at(1))
	net.StartAt(1, at(1))
	net.CrashAt(3, at(2))
	net.RestartAt(2, at(2))
	net.RestartAt(3, at(2))
	finish(t, net)
	d.want(t,
		"0s: 0 starts", "0s: 1 starts", "0s: 2 starts",
		"1ms: 3 starts", "1ms: 1 starts",
		"1ms: 3 receives NOTE(0)", "1ms: 3 receives NOTE(1)", "1ms: 3 receives NOTE(2)",
		"1ms: 0 expires",
		"2ms: 2 recovers", "2ms: 3 recovers",
		"2ms: 3 receives NOTE(3)", "2ms: 3 receives NOTE(1)",
		"2ms: 1 expires",
	)
}

// Starts that wait are pending.
func TestStartsArePending(t *testing.T) {
	cfg := lockstep(netem.Ring(3))
	cfg.MaxEvents = 1
	net := netem.New(cfg, all(script{}))
	for id := range protocols.ID(3) {
		net.StartAt(id, 0)
	}
	if end := net.Run(t.Context()); end != netem.OutOfEvents {
		t.Errorf("with two starts to come the run ended %v", end)
	}
}

// An intervention that is planned between two starts comes between them.
func TestStartsRoundAnIntervention(t *testing.T) {
	d := &diary{}
	d.net = netem.New(lockstep(netem.Ring(3)), all(script{start: func(n node) { d.write("%d starts", n.ID()) }}))
	d.net.Oppose(&foe{due: func(uint32) { d.write("intervention") }})
	d.net.StartAt(0, at(1))
	d.net.InterveneAt(at(1), 0)
	d.net.StartAt(1, at(1))
	d.net.StartAt(2, at(1))
	finish(t, d.net)
	d.want(t, "1ms: 0 starts", "1ms: intervention", "1ms: 1 starts", "1ms: 2 starts")
}

// starter is an observer that plans the start of the next process when one has started.
type starter struct {
	witness
	net *netem.Network[note]
}

func (s *starter) Started(id protocols.ID) {
	s.witness.net = s.net
	s.witness.Started(id)
	if id < 2 {
		s.net.StartAt(id+1, s.net.Now())
	}
}

func TestStartsThatFollowEachOther(t *testing.T) {
	s := &starter{net: netem.New(lockstep(netem.Ring(3)), all(script{}))}
	s.net.Observe(s)
	s.net.StartAt(0, 0)
	finish(t, s.net)
	s.want(t, "0s: started 0, alive true, sent 0", "0s: started 1, alive true, sent 0", "0s: started 2, alive true, sent 0")
}

// A message that would arrive after the last instant is refused, and an event in the past, too.
func TestLaneEndsWithTime(t *testing.T) {
	for name, delay := range map[string]time.Duration{"the first": math.MaxInt64 / 4 * 3, "the third": time.Duration(des.MaxTime/3 + 1)} {
		cfg := lockstep(netem.Ring(3))
		cfg.Delay, cfg.MaxTime = des.Constant(delay), des.MaxTime-1
		net := netem.New(cfg, all(relay))
		net.StartAt(0, 0)
		if got := panicOf(func() { net.Run(t.Context()) }); !strings.Contains(got, "after the last instant") {
			t.Errorf("%s message after the last instant: panics with %q", name, got)
		}
	}
	net := netem.New(lockstep(netem.Ring(3)), all(relay))
	net.Observe(&late{net: net})
	net.StartAt(0, 0)
	if got := panicOf(func() { net.Run(t.Context()) }); !strings.Contains(got, "scheduled at 1ms, which is before now (2ms)") {
		t.Errorf("a start in the past: panics with %q", got)
	}
}

// late plans a start in the past.
type late struct {
	witness
	net *netem.Network[note]
}

func (l *late) Stepped(protocols.ID) {
	if l.net.Now() == at(2) {
		l.net.StartAt(0, at(1))
	}
}
func (l *late) Started(protocols.ID) {}
