package reliable_test

import (
	"strings"
	"testing"
	"time"

	"bullring/protocols"
	"bullring/protocols/internal/testnet"
	"bullring/protocols/reliable"
)

// stub is a node on which nothing happens.
type stub[M any] struct{}

func (stub[M]) ID() protocols.ID                        { return 0 }
func (stub[M]) Degree() int                             { return 2 }
func (stub[M]) Neighbor(port int) protocols.ID          { return protocols.ID(port + 1) }
func (stub[M]) Send(protocols.ID, M)                    {}
func (stub[M]) SetTimer(protocols.Timer, time.Duration) {}
func (stub[M]) StopTimer(protocols.Timer)               {}
func (stub[M]) Intn(n int) int                          { return n - 1 }
func (stub[M]) Suspects(p protocols.ID) bool            { return p == 2 }
func (stub[M]) Now() time.Duration                      { return 5 * ms }

// What the algorithm asks and the link does not answer is passed on to the node below.
func TestQuestionsPass(t *testing.T) {
	called := false
	reliable.Wrap[note](&script{start: func(n node) {
		called = true
		if n.Suspects(1) || !n.Suspects(2) || n.Now() != 5*ms || n.ID() != 0 || n.Degree() != 2 || n.Neighbor(1) != 2 || n.Intn(7) != 6 {
			t.Error("the node is another one")
		}
	}}, stubborn).Start(stub[envelope]{})
	if !called {
		t.Error("the algorithm did not start")
	}
}

// Timers of the algorithm pass, down to the labels of background services; those
// of the link do not reach it.
func TestTimersPass(t *testing.T) {
	var expired []protocols.Timer
	w := run(stubborn, testnet.Always(ms), script{
		start: func(n node) {
			n.Send(1, 1)
			for _, label := range []protocols.Timer{0, 7, protocols.Background, protocols.Background - 3} {
				n.SetTimer(label, 20*ms)
			}
			n.SetTimer(8, ms)
			n.StopTimer(8)
		},
		timeout: func(_ node, label protocols.Timer) { expired = append(expired, label) },
	})
	w.Crash(1) // so that the link's timer expires
	w.startAll().Run(30 * ms)
	if len(expired) != 4 || expired[3] != protocols.Background-3 {
		t.Errorf("timers %v expired; want 4", expired)
	}
	if w.Sent[2] != 2 {
		t.Errorf("%d retransmissions; want 2", w.Sent[2])
	}
}

func TestOwnTimersAreRefused(t *testing.T) {
	for _, label := range []protocols.Timer{-1, protocols.Background + 1} {
		func() {
			defer func() {
				if text, _ := recover().(string); !strings.Contains(text, "reliable: process 0 uses timer") {
					t.Errorf("timer %d: %q", label, text)
				}
			}()
			reliable.Wrap[note](&script{start: func(n node) { n.SetTimer(label, ms) }}, stubborn).Start(stub[envelope]{})
		}()
	}
}

// A driver hands Boot to the link, which hands it on.
type booter struct {
	script
	booted int
}

func (b *booter) Boot(node) { b.booted++ }

func TestBootPasses(t *testing.T) {
	b := &booter{}
	reliable.Wrap[note](b, stubborn).Boot(stub[envelope]{})
	reliable.Wrap[note](&b.script, stubborn).Boot(stub[envelope]{})
	if b.booted != 1 {
		t.Errorf("booted %d times; want once", b.booted)
	}
}

// silent receives without keeping anything.
type silent struct{}

func (silent) Start(node)                       {}
func (silent) Receive(node, protocols.ID, note) {}
func (silent) Timeout(n node, _ protocols.Timer) {
	n.Send(1, 1)
}

// Nothing is allocated for a message, once the first few have come.
func TestNoAllocation(t *testing.T) {
	p := reliable.Wrap[note](silent{}, stubborn)
	var n protocols.Node[envelope] = stub[envelope]{}
	var out, in uint64
	trip := func() {
		out++
		p.Timeout(n, 0) // sends
		p.Receive(n, 1, envelope{Number: out, Type: reliable.Ack})
		p.Receive(n, 1, envelope{Number: in + 2}) // early
		p.Receive(n, 1, envelope{Number: in + 1})
		in += 2
	}
	for range 10 {
		trip()
	}
	if allocations := testing.AllocsPerRun(100, trip); allocations != 0 {
		t.Errorf("%v allocations a round trip", allocations)
	}
}
