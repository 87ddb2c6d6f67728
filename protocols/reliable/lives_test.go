package reliable_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"bullring/protocols"
	"bullring/protocols/reliable"
)

// recorder is a node that writes down what a process does with it.
type recorder struct {
	stub[envelope]
	did []string
}

func (r *recorder) Send(to protocols.ID, m envelope) {
	r.did = append(r.did, fmt.Sprintf("%d: %v", to, m))
}

func (r *recorder) SetTimer(t protocols.Timer, after time.Duration) {
	r.did = append(r.did, fmt.Sprintf("timer %d %v", t, after))
}

func (r *recorder) StopTimer(t protocols.Timer) { r.did = append(r.did, fmt.Sprintf("stop %d", t)) }

// want checks what was done since it was called for the last time.
func (r *recorder) want(t *testing.T, did ...string) {
	t.Helper()
	if !slices.Equal(r.did, did) {
		t.Errorf("did %q; want %q", r.did, did)
	}
	r.did = nil
}

func TestEnvelopesOfFormerLivesAreIgnored(t *testing.T) {
	n, s := &recorder{}, &script{start: func(n node) { n.Send(1, 7); n.Send(1, 8) }}
	p := reliable.Wrap[note](s, stubborn)
	p.Restore(reliable.Wrap[note](&script{}, stubborn)) // this is life 1
	p.Receive(n, 1, envelope{Inner: 1, Number: 1, From: 2, To: 1})
	n.want(t, "1: ACK #1 1->2")
	p.Receive(n, 1, envelope{Inner: 2, Number: 2, From: 1, To: 1}) // of a former life
	n.want(t)
	p.Receive(n, 1, envelope{Inner: 3, Number: 2, From: 2, To: 0}) // to a former life
	n.want(t, "1: ACK #1 1->2")
	if !slices.Equal(s.got, []note{1}) {
		t.Errorf("received %v; want 1", s.got)
	}
	p.Start(n)
	n.want(t, "1: 7#1 1->2", "timer -2 5ms", "1: 8#2 1->2")
	p.Receive(n, 1, envelope{Number: 2, From: 2, To: 0, Type: reliable.Ack})
	p.Receive(n, 1, envelope{Number: 2, From: 1, To: 1, Type: reliable.Ack})
	n.want(t)
	p.Receive(n, 1, envelope{Number: 2, From: 2, To: 1, Type: reliable.Ack})
	n.want(t, "stop -2")
}

// Who learns of a new life of the peer sends it at once what is not acknowledged,
// numbered from 1, and with the first wait.
func TestNewLifeOfThePeer(t *testing.T) {
	n := &recorder{}
	p := reliable.Wrap[note](&script{start: func(n node) { n.Send(1, 7) }}, reliable.Config{RTO: 5 * ms, Tries: 2})
	p.Start(n)
	p.Timeout(n, -2)
	p.Timeout(n, -2) // 7 is given up
	n.want(t, "1: 7#1", "timer -2 5ms", "1: RETRY 7#1", "timer -2 10ms")
	p.Start(n)
	p.Start(n)
	p.Timeout(n, -2)
	n.want(t, "1: 7#2 first", "timer -2 5ms", "1: 7#3", "1: RETRY 7#2 first", "timer -2 10ms")
	p.Receive(n, 1, envelope{From: 1, Type: reliable.Ack})
	n.want(t, "1: RETRY 7#1 0->1", "1: RETRY 7#2 0->1", "timer -2 5ms")
	p.Timeout(n, -2) // not given up: the new life was asked once
	n.want(t, "1: RETRY 7#1 0->1", "timer -2 10ms")
}

// An ACK of nothing new leaves the timer alone.
func TestOldAcknowledgements(t *testing.T) {
	n := &recorder{}
	p := reliable.Wrap[note](&script{start: func(n node) { n.Send(1, 7) }}, stubborn)
	for range 3 {
		p.Start(n)
	}
	n.want(t, "1: 7#1", "timer -2 5ms", "1: 7#2", "1: 7#3")
	ack := func(number uint64) { p.Receive(n, 1, envelope{Number: number, Type: reliable.Ack}) }
	ack(0)
	n.want(t)
	ack(2)
	n.want(t, "timer -2 5ms")
	ack(2)
	ack(1)
	n.want(t)
	ack(3)
	n.want(t, "stop -2")
	defer func() {
		if recover() == nil {
			t.Error("an acknowledgement of what was never sent was believed")
		}
	}()
	ack(4)
}
