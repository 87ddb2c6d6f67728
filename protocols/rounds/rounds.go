// Package rounds runs synchronous algorithms on networks that know no rounds. Two wrappers
// make a process of a [protocols.Round]: [Lockstep], if delays are bounded and clocks run,
// and [Alpha], if not.
//
// Source: the synchronous model is that of N. Lynch, "Distributed Algorithms", 1996,
// section 2.1; the synchronizer alpha is B. Awerbuch's, "Complexity of network
// synchronization", J. ACM 32(4), 1985 (Lynch, section 16.4).
//
// Lockstep. A round takes a fixed time, the bound on delay: round r is from time
// r-1 to time r, in rounds. The messages of round r leave at r-1. At r, after the
// deliveries of that instant, a process moves to its next state and sends the messages of
// round r+1. A message may arrive anywhere in its round, and at its very beginning, before
// the clock of the receiver has struck; so each tells whether the number of its round is
// odd. Assumes: all processes start at 0, delays of at most the round, right clocks.
// Overhead: none.
//
// A process that sleeps ([protocols.Sleeper]) sets one timer for all rounds in which it
// would do nothing. It handles messages that arrive meanwhile at the instant of their
// arrival, after the other deliveries of the instant. If every message takes exactly one
// round that is the end of the round. Otherwise it may be earlier, and the algorithm must
// tolerate that.
//
// Alpha. The receiver of a message of the algorithm answers ACK. A process is safe when all
// its messages of a round are acknowledged. Then it says SAFE to its neighbours. When it and
// all neighbours are safe, all messages of the round have arrived, and the process moves
// on. Neighbours are at most one round apart, so again one bit tells the round of a
// message. Any set of initiators will do: a process that has not started does so when
// the first message arrives. Assumes: a link back for every link; no bound, no order.
// Overhead, exactly: one ACK for each message of the algorithm, and one SAFE for each
// directed link and round. That includes the last round, for without SAFE no process would
// know that all has arrived. A process that has halted says nothing in later rounds, so the
// algorithm must halt everywhere in the same round.
//
// Deviations: Awerbuch's pulses are started by all processes together; here one
// initiator is enough. The algorithm has no timers in either, and its node panics when it
// sets one; Lockstep uses the labels 0 and 1 for itself.
package rounds

import (
	"fmt"
	"slices"
	"time"

	"bullring/protocols"
)

// node is the node of the algorithm: the node below, without timers.
type node[M, W any] struct {
	protocols.Node[W]
	send func(to protocols.ID, m M)
}

func (n *node[M, W]) Send(to protocols.ID, m M) { n.send(to, m) }

func (n *node[M, W]) Neighbors() []protocols.ID { return protocols.Neighbors(n.Node) }

func (n *node[M, W]) SetTimer(t protocols.Timer, _ time.Duration) { n.hasNone(t) }

func (n *node[M, W]) StopTimer(t protocols.Timer) { n.hasNone(t) }

func (n *node[M, W]) Now() time.Duration { panic(protocols.ReadsClock(n.ID())) }

func (n *node[M, W]) hasNone(t protocols.Timer) {
	panic(fmt.Sprintf("rounds: process %d uses timer %d; a synchronous algorithm has no timers", n.ID(), t))
}

// parity is the text of a round number in a message.
func parity(odd bool) string {
	if odd {
		return ""
	}
	return " even"
}

// inbox is the messages that have arrived, of this round and of the next, by the address of the sender.
type inbox[M any] struct {
	odd   bool // the number of this round is odd
	now   []protocols.Arrival[M]
	early []protocols.Arrival[M]
}

// String prints the inbox: odd round [MAX(4) from 0], next [MAX(3) from 2].
func (b inbox[M]) String() string {
	text := "even round"
	if b.odd {
		text = "odd round"
	}
	if len(b.now) > 0 {
		text += fmt.Sprint(" ", b.now)
	}
	if len(b.early) > 0 {
		text += fmt.Sprint(", next ", b.early)
	}
	return text
}

// put takes a message of this round or of the next.
func (b *inbox[M]) put(odd bool, from protocols.ID, m M) {
	to := &b.early
	if odd == b.odd {
		to = &b.now
	}
	at := len(*to)
	for at > 0 && (*to)[at-1].From > from {
		at--
	}
	*to = slices.Insert(*to, at, protocols.Arrival[M]{From: from, Message: m})
}

// turn ends the round, and returns its messages.
func (b *inbox[M]) turn() []protocols.Arrival[M] {
	arrived := b.now
	b.odd, b.now, b.early = !b.odd, b.early, nil
	return arrived
}
