package netem

import (
	"testing"

	"bullring/des"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/lcr"
)

// A process may send more than 2^32 messages.
func TestManySent(t *testing.T) {
	cfg := Config{Topology: Ring(3), Delay: des.Constant(1)}
	net := New(cfg, func(id protocols.ID) protocols.Process[lcr.Message] {
		return lcr.New(election.Rank{ID: election.Identity(id)}, lcr.Config{})
	})
	const many = 1<<32 - 1
	net.seats[2].sent = many // before its own probe, and that of 1 does not pass
	for id := range protocols.ID(3) {
		net.StartAt(id, 0)
	}
	if end := net.Run(t.Context()); end != Quiescent {
		t.Fatal(end)
	}
	if got := net.Counters().MaxSent; got != many+1 {
		t.Errorf("%d messages; want %d", got, uint64(many+1))
	}
	net.engine.outbox = []item{newItem(deliver, 2, 0, 0, 1, net.put(lcr.Message{}))}
	net.engine.unsend(&net.seats[2].host, 0)
	if got := net.sentBy(2); got != many {
		t.Errorf("%d messages after one is taken back; want %d", got, uint64(many))
	}
}
