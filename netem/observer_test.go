package netem_test

import (
	"strings"
	"testing"

	"bullring/des"
	"bullring/netem"
	"bullring/protocols"
)

// witness writes down the calls of an observer, and checks that they come after the step: the
// counters include it.
type witness struct {
	net *netem.Network[note]
	diary
}

func (w *witness) tell(what string, id protocols.ID) {
	w.diary.net = w.net
	c := w.net.Counters()
	w.write("%s %d, alive %v, sent %d", what, id, w.net.Alive(id), c.Messages())
}

func (w *witness) Stepped(id protocols.ID)   { w.tell("stepped", id) }
func (w *witness) Crashed(id protocols.ID)   { w.tell("crashed", id) }
func (w *witness) Restarted(id protocols.ID) { w.tell("restarted", id) }
func (w *witness) Started(id protocols.ID)   { w.tell("started", id) }

// An observer is called after each step of a process, in order. Events without effect, such as a
// message to a dead process or a crash of a crashed one, are not steps.
func TestObserver(t *testing.T) {
	net := netem.New(lockstep(netem.Ring(2)), func(protocols.ID) protocols.Process[note] {
		r := &recoverer{recover: func(n node) { n.Send(n.Neighbor(0), note{reply: true}) }}
		r.start = func(n node) {
			n.Send(n.Neighbor(0), note{})
			n.Send(n.Neighbor(0), note{})
			n.SetTimer(0, ms)
		}
		return r
	})
	w := &witness{net: net}
	net.Observe(w)
	net.StartAt(0, 0)
	net.StartAt(0, at(2))
	net.CrashAt(1, at(3))
	net.CrashAt(1, at(3))
	net.StartAt(1, at(4))
	net.RestartAt(1, at(5))
	net.RestartAt(1, at(5))
	finish(t, net)
	w.want(t,
		"0s: started 0, alive true, sent 2",
		"1ms: stepped 1, alive true, sent 2", "1ms: stepped 1, alive true, sent 2", "1ms: stepped 0, alive true, sent 2",
		"2ms: started 0, alive true, sent 4",
		"3ms: crashed 1, alive false, sent 4", "3ms: stepped 0, alive true, sent 4",
		"5ms: restarted 1, alive true, sent 5",
		"6ms: stepped 0, alive true, sent 5")
}

// prober looks at the network some time after the first step, by the virtual clock.
type prober struct {
	d   *diary
	set bool
}

func (p *prober) Started(protocols.ID) {
	if p.set {
		return
	}
	p.set = true
	clock := p.d.net.Clock()
	begin := clock.Now()
	clock.AfterFunc(3*ms/2, func() {
		c := p.d.net.Counters()
		p.d.write("%v later %d are delivered", clock.Since(begin), c.Delivered)
		clock.AfterFunc(ms/2, func() {
			c := p.d.net.Counters()
			p.d.write("after the deliveries of its instant: %d", c.Delivered)
		})
	})
}

func (p *prober) Crashed(protocols.ID)   {}
func (p *prober) Restarted(protocols.ID) {}
func (p *prober) Stepped(protocols.ID)   {}

func TestClockWorksInAnObserver(t *testing.T) {
	d := &diary{}
	cfg := lockstep(netem.Ring(3))
	cfg.MaxTime = at(5)
	d.net = netem.New(cfg, all(relay))
	d.net.Observe(&prober{d: d})
	d.net.StartAt(0, at(1))
	if end := d.net.Run(t.Context()); end != netem.OutOfTime {
		t.Errorf("ended %v", end)
	}
	d.want(t, "2.5ms: 1.5ms later 1 are delivered", "3ms: after the deliveries of its instant: 2")
	if first, second := d.net.Clock(), d.net.Clock(); first != second {
		t.Error("a network has several clocks")
	}
}

// A clock belongs to one run. After a Reset there is a new one at time 0, and timers of the old
// one are gone.
func TestClockEndsWithTheRun(t *testing.T) {
	net := netem.New(lockstep(netem.Ring(1)), all(script{start: func(node) {}}))
	net.Clock().AfterFunc(ms, func() { t.Error("a callback of the run before") })
	net.Reset(lockstep(netem.Ring(1)), all(script{start: func(node) {}}))
	net.StartAt(0, at(2))
	finish(t, net)
	if got := net.Clock().Since(des.Origin); got != 2*ms {
		t.Errorf("the clock shows %v; want 2ms", got)
	}
}

// The observer and the tracer of a run do not watch the next run.
func TestResetForgetsWatchers(t *testing.T) {
	net := netem.New(lockstep(netem.Ring(1)), all(script{start: func(node) {}}))
	w, trace := &witness{net: net}, &strings.Builder{}
	net.Observe(w)
	net.Trace(netem.TextTrace(trace, nil))
	net.Reset(lockstep(netem.Ring(1)), all(script{start: func(node) {}}))
	net.StartAt(0, 0)
	finish(t, net)
	if w.lines != nil || trace.Len() > 0 {
		t.Errorf("observed %v, traced %q", w.lines, trace)
	}
}

// stopper ends the run after so many steps.
type stopper struct {
	net   *netem.Network[note]
	steps int
}

func (s *stopper) Started(protocols.ID)   {}
func (s *stopper) Crashed(protocols.ID)   {}
func (s *stopper) Restarted(protocols.ID) {}

func (s *stopper) Stepped(protocols.ID) {
	if s.steps--; s.steps == 0 {
		s.net.Stop()
	}
}

// An observer ends a run that would not come to rest. Messages of the last step are under way and
// do not arrive. The next run of the network is not stopped.
func TestStop(t *testing.T) {
	boot := func(protocols.ID) protocols.Process[note] {
		return &script{
			start:   func(n node) { n.Send(n.Neighbor(0), note{}) },
			receive: func(n node, _ protocols.ID, m note) { n.Send(n.Neighbor(0), m) },
		}
	}
	net := netem.New(lockstep(netem.Ring(2)), boot)
	for range 2 {
		net.Observe(&stopper{net, 7})
		net.StartAt(0, 0)
		if end := net.Run(t.Context()); end != netem.Stopped {
			t.Fatalf("the run ended %v, want %v", end, netem.Stopped)
		}
		if c := net.Counters(); c.Delivered != 7 || c.Messages() != 8 || net.Now() != at(7) {
			t.Errorf("%d delivered of %d sent at %v, want 7 of 8 at 7ms", c.Delivered, c.Messages(), net.Now())
		}
		net.Reset(lockstep(netem.Ring(2)), boot)
	}
}
