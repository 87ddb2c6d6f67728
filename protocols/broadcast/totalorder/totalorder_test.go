package totalorder_test

import (
	"fmt"
	"testing"
	"time"

	"bullring/internal/golden"
	"bullring/protocols"
	"bullring/protocols/broadcast"
	"bullring/protocols/broadcast/besteffort"
	"bullring/protocols/broadcast/eager"
	"bullring/protocols/broadcast/fifo"
	"bullring/protocols/broadcast/internal/broadcasttest"
	"bullring/protocols/broadcast/lazy"
	"bullring/protocols/broadcast/totalorder"
	"bullring/protocols/broadcast/uniform"
	"bullring/protocols/consensus/chandratoueg"
	"bullring/protocols/workload"
)

// names names the kinds over the consensus of Chandra and Toueg.
type names struct{}

// Names implements [protocols.Namer].
func (names) Names() []string {
	return []string{"RB.DATA", "CONS.ESTIMATE", "CONS.PROPOSE", "CONS.ACK", "CONS.NACK", "CONS.DECIDE"}
}

type (
	batch   = totalorder.Batch
	message = chandratoueg.Message[batch]
)

// instance is a consensus of Chandra and Toueg on a batch.
type instance struct{ *chandratoueg.Process[batch] }

func (i instance) Decided() (batch, bool) { return i.Decision().Value, i.Decision().Made }

// over returns the services of n processes over eager broadcast.
func over(n int, atOnce bool) func(protocols.ID) broadcast.Service[totalorder.Message[names, message]] {
	cfg := totalorder.Config[message]{AtOnce: atOnce, Consensus: func(p protocols.ID) totalorder.Consensus[message] {
		return instance{chandratoueg.New[batch](p, nil, chandratoueg.Config{Processes: n, Wait: 3 * broadcasttest.Unit})}
	}}
	return func(p protocols.ID) broadcast.Service[totalorder.Message[names, message]] {
		return totalorder.New[names](p, cfg, eager.New(), besteffort.New())
	}
}

// All processes broadcast at once, and each gets its own item first. Batch 1 is the item of process 0, the
// coordinator, and batch 2 the others. Without consensus each process has its own order.
func TestTrace(t *testing.T) {
	for name, want := range map[string]string{
		"consensus": "[[0.1 1.1 2.1] [0.1 1.1 2.1] [0.1 1.1 2.1]]",
		"atonce":    "[[0.1 1.1 2.1] [1.1 0.1 2.1] [2.1 0.1 1.1]]",
	} {
		o := broadcasttest.Run(t, broadcasttest.Group{N: 3, Initiators: 3}, over(3, name == "atonce"))
		golden.Check(t, name+".txt", o.Trace)
		if got := fmt.Sprint(o.Delivered); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// The coordinator crashes when its proposal of batch 1 is under way: the batch that one process has
// acknowledged is that of round 2, too.
func TestCoordinatorCrashes(t *testing.T) {
	o := broadcasttest.Run(t, broadcasttest.Group{
		N: 3, Initiators: 3,
		Late:  map[[2]protocols.ID]time.Duration{{0, 2}: 9 * broadcasttest.Unit},
		Crash: map[protocols.ID]time.Duration{0: broadcasttest.Unit * 3 / 2},
	}, over(3, false))
	golden.Check(t, "crash.txt", o.Trace)
	if got := fmt.Sprint(o.Delivered[1:]); got != "[[0.1 1.1 2.1] [0.1 1.1 2.1]]" {
		t.Error(got)
	}
}

// The link from 0 to 2 is slow, and nobody passes an item on. Process 2 learns that batch 1 is the item of
// process 0 before it gets the item, and proposes nothing. It does not deliver the item again when that
// arrives, nor propose it.
func TestAheadOfItsItem(t *testing.T) {
	cfg := totalorder.Config[message]{Consensus: func(p protocols.ID) totalorder.Consensus[message] {
		return instance{chandratoueg.New[batch](p, nil, chandratoueg.Config{Processes: 3, Wait: 50 * broadcasttest.Unit})}
	}}
	o := broadcasttest.Run(t, broadcasttest.Group{
		N: 3, Initiators: 1, Work: workload.Work{Requests: 2},
		Late: map[[2]protocols.ID]time.Duration{{0, 2}: 20 * broadcasttest.Unit},
	}, func(p protocols.ID) broadcast.Service[totalorder.Message[names, message]] {
		return totalorder.New[names](p, cfg, lazy.New(), besteffort.New())
	})
	golden.Check(t, "ahead.txt", o.Trace)
	if got := fmt.Sprint(o.Delivered); got != "[[0.1 0.2] [0.1 0.2] [0.1 0.2]]" {
		t.Error(got)
	}
}

// leader is a consensus for tests: process 0 decides for its own proposal, and tells all.
type leader struct {
	protocols.NoTimers[decree]
	id      protocols.ID
	own     batch
	decided bool
}

// decree is the message of a leader.
type decree struct{ Batch batch }

func (decree) Kind() int          { return 0 }
func (decree) Kinds() []string    { return []string{"DECREE"} }
func (d decree) Bits() int        { return d.Batch.Bits() }
func (l *leader) Propose(b batch) { l.own = b }

func (l *leader) Start(n protocols.Node[decree]) {
	if l.id != 0 {
		return
	}
	l.decided = true
	for port := range n.Degree() {
		n.Send(n.Neighbor(port), decree{l.own})
	}
}

func (l *leader) Receive(_ protocols.Node[decree], _ protocols.ID, d decree) {
	l.own, l.decided = d.Batch, true
}

func (l *leader) Decided() (batch, bool) { return l.own, l.decided }

// decrees names the kinds over a leader.
type decrees struct{}

// Names implements [protocols.Namer].
func (decrees) Names() []string { return []string{"RB.DATA", "CONS.DECREE"} }

// Total order runs over any broadcast that delivers to all, and over any consensus.
func TestAnyOverAny(t *testing.T) {
	const n = 4
	for name, layers := range map[string]func() []broadcast.Layer{
		"besteffort": func() []broadcast.Layer { return []broadcast.Layer{besteffort.New()} },
		"eager":      func() []broadcast.Layer { return []broadcast.Layer{eager.New(), besteffort.New()} },
		"lazy":       func() []broadcast.Layer { return []broadcast.Layer{lazy.New(), besteffort.New()} },
		"majority": func() []broadcast.Layer {
			return []broadcast.Layer{uniform.New(uniform.Config{Majority: true}), besteffort.New()}
		},
		"allack": func() []broadcast.Layer {
			return []broadcast.Layer{uniform.New(uniform.Config{Period: broadcasttest.Unit}), besteffort.New()}
		},
		"fifo": func() []broadcast.Layer { return []broadcast.Layer{fifo.New(n), eager.New(), besteffort.New()} },
	} {
		cfg := totalorder.Config[decree]{Consensus: func(p protocols.ID) totalorder.Consensus[decree] { return &leader{id: p} }}
		o := broadcasttest.Run(t, broadcasttest.Group{
			N: n, Initiators: n, Work: workload.Work{Requests: 3, Reactions: 2},
			Late: map[[2]protocols.ID]time.Duration{{0, 2}: 7 * broadcasttest.Unit, {3, 0}: 5 * broadcasttest.Unit},
		}, func(p protocols.ID) broadcast.Service[totalorder.Message[decrees, decree]] {
			return totalorder.New[decrees](p, cfg, layers()...)
		})
		for p, all := range o.Delivered {
			if len(all) != n*(3+2) || fmt.Sprint(all) != fmt.Sprint(o.Delivered[0]) {
				t.Errorf("%s: process %d delivers %v, and process 0 %v", name, p, all, o.Delivered[0])
			}
		}
	}
}

func TestMessages(t *testing.T) {
	items := batch{{Origin: 0, Number: 2}, {Origin: 1, Number: 1}}
	data := broadcast.Message[names]{Data: broadcast.Data{Item: items[0]}}
	for want, m := range map[string]totalorder.Message[names, message]{
		"RB.DATA(0.2), RB.DATA, 200 bits":                                            {Data: data},
		"CONS.PROPOSE({0.2 1.1}, round 1) for batch 3, CONS.PROPOSE, 520 bits":       {Batch: 3, Consensus: message{Type: chandratoueg.Propose, Round: 1, Value: items}},
		"CONS.ESTIMATE({} of round 0, round 2) for batch 1, CONS.ESTIMATE, 200 bits": {Batch: 1, Consensus: message{Type: chandratoueg.Estimate, Round: 2}},
		"CONS.DECIDE({0.2 1.1}) for batch 1, CONS.DECIDE, 456 bits":                  {Batch: 1, Consensus: message{Type: chandratoueg.Decide, Value: items}},
		"CONS.ACK(round 4) for batch 2, CONS.ACK, 136 bits":                          {Batch: 2, Consensus: message{Type: chandratoueg.Ack, Round: 4}},
	} {
		if got := fmt.Sprintf("%v, %s, %d bits", m, m.Kinds()[m.Kind()], m.Bits()); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
