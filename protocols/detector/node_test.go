package detector_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"bullring/protocols"
	"bullring/protocols/detector"
	"bullring/protocols/internal/testnet"
)

// script is an algorithm that does as a test says.
type script struct {
	start, boot, recover func(n node)
	timeout              func(n node, t protocols.Timer)
	got                  []note
	kept                 int
}

func call(handler func(node), n node) {
	if handler != nil {
		handler(n)
	}
}

func (s *script) Start(n node)                            { call(s.start, n) }
func (s *script) Boot(n node)                             { call(s.boot, n) }
func (s *script) Recover(n node)                          { call(s.recover, n) }
func (s *script) Receive(_ node, _ protocols.ID, m note)  { s.got = append(s.got, m) }
func (s *script) Timeout(n node, t protocols.Timer)       { s.timeout(n, t) }
func (s *script) Restore(crashed protocols.Process[note]) { s.kept = crashed.(*script).kept + 1 }

// stub is a node on which nothing happens, with two neighbours, 1 and 2.
type stub struct{ sent *[]envelope }

func (stub) ID() protocols.ID               { return 0 }
func (stub) Degree() int                    { return 4 }
func (stub) Neighbor(port int) protocols.ID { return []protocols.ID{2, 1, 0, 2}[port] }
func (s stub) Send(_ protocols.ID, m envelope) {
	if s.sent != nil {
		*s.sent = append(*s.sent, m)
	}
}
func (stub) SetTimer(protocols.Timer, time.Duration) {}
func (stub) StopTimer(protocols.Timer)               {}
func (stub) Intn(n int) int                          { return n - 1 }
func (stub) Suspects(protocols.ID) bool              { return true }
func (stub) Now() time.Duration                      { return 5 * ms }

func panics(t *testing.T, want string, f func()) {
	t.Helper()
	defer func() {
		if text := fmt.Sprint(recover()); !strings.Contains(text, want) {
			t.Errorf("panicked with %q; want %q", text, want)
		}
	}()
	f()
}

// What a driver or an algorithm does wrong is told in a sentence.
func TestMistakesOfCallers(t *testing.T) {
	booted := func(s *script) *detector.Process[note] {
		p := detector.Wrap[note](s, fixed)
		p.Boot(stub{})
		return p
	}
	panics(t, "process 0 was not booted", func() { detector.Wrap[note](idle{}, fixed).Timeout(stub{}, 0) })
	panics(t, "PERIOD", func() { detector.Wrap[note](idle{}, detector.Config{}) })
	panics(t, "received a heartbeat of process 7, to which it has no link", func() {
		booted(&script{}).Receive(stub{}, 7, envelope{Number: 1})
	})
	for _, label := range []protocols.Timer{protocols.Background - 1<<29, -1 << 31} {
		panics(t, "process 0 uses timer", func() {
			booted(&script{start: func(n node) { n.SetTimer(label, ms) }}).Start(stub{})
		})
		panics(t, "process 0 uses timer", func() {
			booted(&script{start: func(n node) { n.StopTimer(label) }}).Start(stub{})
		})
	}
}

func TestNode(t *testing.T) {
	var sent []envelope
	started := false
	p := detector.Wrap[note](&script{start: func(n node) {
		started = true
		if n.ID() != 0 || n.Degree() != 4 || n.Neighbor(1) != 1 || n.Intn(7) != 6 || n.Now() != 5*ms {
			t.Error("the node is another one")
		}
		for q, want := range []bool{false, false, true, false} {
			if n.Suspects(protocols.ID(q)) != want {
				t.Errorf("suspects %d: %v", q, !want)
			}
		}
		n.Send(1, 42)
	}}, fixed)
	n := stub{&sent}
	p.Boot(n)
	p.Timeout(n, protocols.Background-1<<29-1-2) // the silence of 2
	p.Start(n)
	if !started || len(sent) != 3 || sent[0].Number != 1 || sent[2] != (envelope{Inner: 42}) {
		t.Errorf("sent %v; want a heartbeat to each of two neighbours, and 42", sent)
	}
}

func TestMessages(t *testing.T) {
	var sent []envelope
	p := detector.Wrap[note](&script{start: func(n node) { n.Send(1, 42) }}, fixed)
	p.Boot(stub{&sent})
	p.Start(stub{&sent})
	if want := []string{"NOTE", "HEARTBEAT"}; !slices.Equal(envelope{}.Kinds(), want) {
		t.Errorf("kinds %v; want %v", envelope{}.Kinds(), want)
	}
	for i, want := range map[int]struct {
		kind, bits int
		text       string
	}{
		0: {1, 8 + 64 + 64, "HEARTBEAT #1"},
		2: {0, 8 + 64, "42"},
	} {
		if m := sent[i]; m.Kind() != want.kind || m.Bits() != want.bits || m.String() != want.text {
			t.Errorf("%v is of kind %d and has %d bits; want %+v", m, m.Kind(), m.Bits(), want)
		}
		own := want.kind == 1
		if (envelope{}).Overhead(want.kind) != own || (envelope{}).Background(want.kind) != own {
			t.Errorf("kind %d: overhead %v, background %v", want.kind, (envelope{}).Overhead(want.kind), (envelope{}).Background(want.kind))
		}
	}
	if got, want := fmt.Sprint(envelope{Number: 3, Incarnation: 2}), "HEARTBEAT #3 of life 2"; got != want {
		t.Errorf("%q; want %q", got, want)
	}
}

// service is a message with kinds of its own that are overhead or background.
type service struct{ note }

func (service) Kinds() []string          { return []string{"NOTE", "ACK", "BEAT"} }
func (service) Overhead(kind int) bool   { return kind > 0 }
func (service) Background(kind int) bool { return kind == 2 }

// named can be forged.
type named struct{ note }

func (m named) Forge(f func(int64) int64) named { return named{note(f(int64(m.note)))} }

func TestMessagesInside(t *testing.T) {
	type outer = detector.Message[service]
	for kind, want := range []struct{ overhead, background bool }{{false, false}, {true, false}, {true, true}, {true, true}} {
		if (outer{}).Overhead(kind) != want.overhead || (outer{}).Background(kind) != want.background {
			t.Errorf("kind %d: overhead %v, background %v; want %+v", kind, (outer{}).Overhead(kind), (outer{}).Background(kind), want)
		}
	}
	double := func(identity int64) int64 { return 2 * identity }
	if got := (detector.Message[named]{Inner: named{21}}).Forge(double); got.Inner.note != 42 {
		t.Errorf("forged %v", got)
	}
	if got := (envelope{Inner: 21}).Forge(double); got.Inner != 21 {
		t.Errorf("%v was forged and has not opted in", got)
	}
}

// Everything that is not the detector's reaches the algorithm.
func TestHandlersPass(t *testing.T) {
	var happened []string
	tell := func(format string, args ...any) { happened = append(happened, fmt.Sprintf(format, args...)) }
	net := testnet.New(2, testnet.Always(ms), func(id protocols.ID) protocols.Process[envelope] {
		s := &script{timeout: func(_ node, label protocols.Timer) { tell("timer %d of %d", label, id) }}
		s.boot = func(node) { tell("%d boots", id) }
		s.recover = func(node) { tell("%d recovers from life %d", id, s.kept-1) }
		s.start = func(n node) {
			n.Send(n.Neighbor(0), 1)
			n.SetTimer(3, 2*ms)
			n.SetTimer(protocols.Background-7, 4*ms)
			n.SetTimer(4, 5*ms)
			n.StopTimer(4)
		}
		return detector.Wrap[note](s, fixed)
	})
	net.At(ms, func() { net.Start(0) })
	net.At(7*ms, func() {
		if got := net.Process(1).(*detector.Process[note]).Inner.(*script).got; !slices.Equal(got, []note{1}) {
			t.Errorf("process 1 received %v; want 1", got)
		}
		net.Crash(1)
	})
	net.At(8*ms, func() { net.Restart(1) })
	net.Run(20 * ms)
	want := []string{"0 boots", "1 boots", "timer 3 of 0", fmt.Sprintf("timer %d of 0", protocols.Background-7), "1 boots", "1 recovers from life 0"}
	if !slices.Equal(happened, want) {
		t.Errorf("%q; want %q", happened, want)
	}
}

// Nothing is allocated for a message or a heartbeat, once the window is full.
func TestNoAllocation(t *testing.T) {
	for _, cfg := range []detector.Config{fixed, adaptive, phi} {
		p := detector.Wrap[note](idle{}, cfg)
		var n protocols.Node[envelope] = stub{}
		p.Boot(n)
		number := uint64(0)
		trip := func() {
			number++
			p.Timeout(n, protocols.Background-1<<29) // heartbeats are due
			p.Timeout(n, protocols.Background-1<<29-1-2)
			p.Receive(n, 1, envelope{Inner: 1})
			p.Receive(n, 1, envelope{Number: number})
			p.Receive(n, 2, envelope{Number: number})
		}
		for range 10 {
			trip()
		}
		if allocations := testing.AllocsPerRun(100, trip); allocations != 0 {
			t.Errorf("%v: %v allocations", cfg, allocations)
		}
	}
}
