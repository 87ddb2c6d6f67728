package paxos_test

import (
	"bytes"
	"testing"
	"time"

	"bullring/des"
	"bullring/internal/golden"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/consensus/paxos"
)

// Three processes, two of which propose at once: the ballot of the second takes over, and what the first
// has had accepted by then stays.
func TestTrace(t *testing.T) {
	processes := make([]*paxos.Process, 3)
	net := netem.New(netem.Config{Topology: netem.Complete(3), Delay: des.Constant(time.Millisecond), FIFO: true}, func(p protocols.ID) protocols.Process[paxos.Message] {
		processes[p] = paxos.New(int(p)+5, paxos.Config{Least: 10 * time.Millisecond})
		return processes[p]
	})
	var trace bytes.Buffer
	net.Trace(netem.TextTrace(&trace, func(p protocols.ID) string {
		if d := processes[p].Decision(); d.Made {
			return d.String()
		}
		return ""
	}))
	net.StartAt(0, 0)
	net.StartAt(1, des.Time(3*time.Millisecond/2))
	if end := net.Run(t.Context()); end != netem.Quiescent {
		t.Fatal(end)
	}
	golden.Check(t, "duel.txt", trace.Bytes())
}

func TestMessage(t *testing.T) {
	for _, c := range []struct {
		m    paxos.Message
		text string
		bits int
	}{
		{paxos.Message{Type: paxos.Prepare, Ballot: 4}, "PREPARE(4)", 40},
		{paxos.Message{Type: paxos.Promise, Ballot: 4}, "PROMISE(4)", 104},
		{paxos.Message{Type: paxos.Promise, Ballot: 4, Accepted: 1, Value: 7}, "PROMISE(4, 7 by 1)", 104},
		{paxos.Message{Type: paxos.Accept, Ballot: 4, Value: 7}, "ACCEPT(4, 7)", 72},
		{paxos.Message{Type: paxos.Accepted, Ballot: 4}, "ACCEPTED(4)", 40},
		{paxos.Message{Type: paxos.Decide, Value: 7}, "DECIDE(7)", 40},
	} {
		if c.m.String() != c.text || c.m.Bits() != c.bits {
			t.Errorf("%v of %d bits; want %s of %d", c.m, c.m.Bits(), c.text, c.bits)
		}
	}
}
