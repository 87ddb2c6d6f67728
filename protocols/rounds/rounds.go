// Package rounds runs synchronous algorithms on networks that know no rounds. Two
// transformers make a process of a [protocols.Round]: [Lockstep], where delays are
// bounded and clocks run, and [Alpha], where they are not.
//
// Source: the synchronous model is that of N. Lynch, "Distributed Algorithms", 1996,
// section 2.1; the synchronizer alpha is B. Awerbuch's, "Complexity of network
// synchronization", J. ACM 32(4), 1985 (Lynch, section 16.4).
//
// Lockstep. A round takes a fixed time, the bound on delay: round r is from time
// r-1 to time r, in rounds. What a process sends in round r leaves at r-1, and at r,
// behind the deliveries of that instant, it moves to its next state and sends the
// messages of round r+1. A message may arrive anywhere in its round, and at its very
// beginning, before the receiver's clock has struck: so each says whether the number
// of its round is odd. Assumes: all processes start at 0, delays of at most the
// round, clocks that are right. Overhead: none.
//
// A process that sleeps ([protocols.Sleeper]) sets one timer for all the rounds in
// which it would do nothing. If something arrives meanwhile, it handles that at the
// instant of its arrival, behind the other deliveries of the instant. Where every
// message takes exactly one round that is the end of the round; else it may be
// earlier, and the algorithm must not mind.
//
// Alpha. A message of the algorithm is answered by ACK. A process all of whose
// messages of a round are acknowledged is safe, and says SAFE to its neighbours; when
// it and all neighbours are safe, everything of the round has arrived, and the process
// moves on. Neighbours are at most one round apart, so again one bit tells of which
// round a message is. Any set of initiators will do: who has not started does so when
// the first message arrives. Assumes: a link back for every link; no bound, no order.
// Overhead, exactly: one ACK for each message of the algorithm, and one SAFE for each
// directed link and round, the last round included, for without it nobody would know
// that all has arrived. Nothing follows: who has halted says nothing in the rounds
// of others, so the algorithm must halt everywhere in the same round.
//
// Deviations: Awerbuch's pulses are started by the processes together; here one
// initiator is enough. Timers of the algorithm do not exist in either, and its node
// panics when one is set; Lockstep uses the labels 0 and 1 for itself.
package rounds

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"bullring/protocols"
)

// node is what the algorithm sees: the node below, without timers.
type node[M, W any] struct {
	protocols.Node[W]
	send func(to protocols.ID, m M)
}

func (n *node[M, W]) Send(to protocols.ID, m M) { n.send(to, m) }

func (n *node[M, W]) SetTimer(t protocols.Timer, _ time.Duration) { n.hasNone(t) }

func (n *node[M, W]) StopTimer(t protocols.Timer) { n.hasNone(t) }

func (n *node[M, W]) hasNone(t protocols.Timer) {
	panic(fmt.Sprintf("rounds: process %d uses timer %d; a synchronous algorithm has no timers", n.ID(), t))
}

// inbox is what arrived in this round, and early in the next.
type inbox[M any] struct {
	odd   bool // the number of this round is
	now   []protocols.Arrival[M]
	early []protocols.Arrival[M]
}

// put takes a message of this round or of the next.
func (b *inbox[M]) put(odd bool, from protocols.ID, m M) {
	if a := (protocols.Arrival[M]{From: from, Message: m}); odd == b.odd {
		b.now = append(b.now, a)
	} else {
		b.early = append(b.early, a)
	}
}

// turn ends the round, and returns what arrived in it.
func (b *inbox[M]) turn() []protocols.Arrival[M] {
	arrived := b.now
	slices.SortStableFunc(arrived, func(a, b protocols.Arrival[M]) int { return cmp.Compare(a.From, b.From) })
	b.odd, b.now, b.early = !b.odd, b.early, nil
	return arrived
}
