// Package totalorder is broadcast in total order by consensus: the processes agree on one batch of items
// after another, and deliver each batch in a fixed order.
//
// Paper: T. D. Chandra and S. Toueg, "Unreliable failure detectors for reliable distributed systems",
// Journal of the ACM 43(2), 1996, section 7; C. Cachin, R. Guerraoui and L. Rodrigues, "Introduction to
// Reliable and Secure Distributed Programming", 2nd edition, 2011, section 6.1 (consensus-based total-order
// broadcast).
//
// Model: that of the broadcast below it, which must promise agreement, and that of the consensus, which
// must decide if all correct processes propose. With that of Chandra and Toueg: at most f of n > 2f
// processes crash, and an eventually strong failure detector.
//
// Items are broadcast by the broadcast below. A process that has items which are in no batch yet proposes
// all of them for the next batch. Each batch has an instance of consensus of its own, and the decision is
// the batch. A process delivers its items by origin and number, and goes on to the next batch.
//
// Cost: that of the broadcast below for each item, and that of a consensus for each batch. It sends no
// messages of its own. A message of consensus carries a batch: 192 bits for each item, and 64 for the
// number of the batch. The more items come up during a consensus, the more are in the next batch. With the
// consensus of Chandra and Toueg over links with a constant delay, without crashes and suspicions, a batch
// takes 3(n-1) + n(n-1) messages and, with n > 2, 2n-3 of a round 2 that begins before the decision is
// known. If a broadcast below takes one delay, an item that is alone is delivered by all after 5; after 4
// if n is 2 or 3 and its origin is not process 0, the coordinator.
//
// Invariants: two processes that have delivered k batches have delivered the same ones in the same order.
// A process proposes for batch k what it has got and what is in none of the first k-1 batches, so no item
// is in two.
//
// A variant, for teaching, delivers an item when the broadcast below does (atonce). Two processes then may
// deliver two items in different orders.
//
// Deviations: (1) A process may learn a decision before it has proposed anything. It delivers the batch
// then, and proposes nothing; in the paper it waits for an item first. (2) The messages of an instance
// that a process has not begun wait in that instance, which proposes later.
package totalorder

import (
	"cmp"
	"fmt"
	"slices"

	"bullring/protocols"
	"bullring/protocols/broadcast"
)

// Consensus is an instance of consensus at a process, with messages of type C. When it decides it has done
// its part: the others decide without it, no message reaches it any more, and it has no timer.
type Consensus[C any] interface {
	// Process starts after Propose. Messages may arrive before.
	protocols.Process[C]
	// Propose gives it the batch with which it begins.
	Propose(Batch)
	// Decided is the batch that it has decided for, if it has.
	Decided() (b Batch, ok bool)
}

// Batch is items that are delivered together, by origin and number.
type Batch []broadcast.Item

// Bits is its size on the wire.
func (b Batch) Bits() int { return 3 * 64 * len(b) }

// String prints the batch as traces show it: {0.1 2.1}.
func (b Batch) String() string {
	list := fmt.Sprint([]broadcast.Item(b))
	return "{" + list[1:len(list)-1] + "}"
}

// Config is the same for all processes.
type Config[C any] struct {
	// Consensus makes an instance at a process.
	Consensus func(protocols.ID) Consensus[C]
	// AtOnce: a process delivers an item when the broadcast below does.
	AtOnce bool
}

// Process is one process. K names the kinds of its messages, see [Message].
type Process[K protocols.Namer, C protocols.Message] struct {
	id        protocols.ID
	cfg       Config[C] `explore:"-"`
	below     *broadcast.Layered[K]
	heard     int              // so many items that the broadcast below delivered
	waiting   Batch            // those of them that are in no batch yet
	ahead     []broadcast.Item // in a batch, and not delivered below yet
	batch     int              // the number of batches that are decided and delivered
	proposed  bool             // for the next batch
	instances []Consensus[C]   // of the next batch and those that follow; nil if nothing is known of one
	delivered []broadcast.Item
}

// New returns the process at an address, over the broadcast of some layers, the highest first.
func New[K protocols.Namer, C protocols.Message](id protocols.ID, cfg Config[C], layers ...broadcast.Layer) *Process[K, C] {
	return &Process[K, C]{id: id, cfg: cfg, below: broadcast.Over[K](layers...)}
}

// Broadcast implements [broadcast.Service].
func (p *Process[K, C]) Broadcast(n protocols.Node[Message[K, C]], item broadcast.Item) {
	p.below.Broadcast(lower[K, C]{n}, item)
	p.advance(n)
}

// Receive implements [broadcast.Service]. Of batches that are decided nothing is to be learned.
func (p *Process[K, C]) Receive(n protocols.Node[Message[K, C]], from protocols.ID, m Message[K, C]) {
	switch {
	case m.Batch == 0:
		p.below.Receive(lower[K, C]{n}, from, m.Data)
	case m.Batch > p.batch:
		p.instance(m.Batch).Receive(node[K, C]{n, m.Batch}, from, m.Consensus)
	}
	p.advance(n)
}

// Delivered implements [broadcast.Service].
func (p *Process[K, C]) Delivered() []broadcast.Item { return p.delivered }

// Round implements [protocols.Rounder]: it is that of the consensus on the next batch.
func (p *Process[K, C]) Round() int {
	if len(p.instances) == 0 || p.instances[0] == nil {
		return 0
	}
	if round, numbered := protocols.RoundOf(p.instances[0]); numbered {
		return round
	}
	return -1
}

// instance is the instance of a batch that is not decided here.
func (p *Process[K, C]) instance(batch int) Consensus[C] {
	for len(p.instances) < batch-p.batch {
		p.instances = append(p.instances, nil)
	}
	i := batch - p.batch - 1
	if p.instances[i] == nil {
		p.instances[i] = p.cfg.Consensus(p.id)
	}
	return p.instances[i]
}

// advance hears what is new below, and goes on with the next batch as long as it can.
func (p *Process[K, C]) advance(n protocols.Node[Message[K, C]]) {
	for ; p.heard < len(p.below.Delivered()); p.heard++ {
		p.hear(p.below.Delivered()[p.heard])
	}
	for p.deliver() || p.propose(n) {
	}
}

// hear notes an item that the broadcast below delivers, for the next batch unless it is in one.
func (p *Process[K, C]) hear(item broadcast.Item) {
	if p.cfg.AtOnce {
		p.delivered = append(p.delivered, item)
		return
	}
	if i := slices.Index(p.ahead, item); i >= 0 {
		p.ahead = slices.Delete(p.ahead, i, i+1)
		return
	}
	at, _ := slices.BinarySearchFunc(p.waiting, item, compare)
	p.waiting = slices.Insert(p.waiting, at, item)
}

// compare is the order of the items of a batch.
func compare(a, b broadcast.Item) int {
	return cmp.Or(cmp.Compare(a.Origin, b.Origin), cmp.Compare(a.Number, b.Number))
}

// propose proposes what waits for the next batch, once. It reports whether it did.
func (p *Process[K, C]) propose(n protocols.Node[Message[K, C]]) bool {
	if p.proposed || len(p.waiting) == 0 {
		return false
	}
	p.proposed = true
	next := p.batch + 1
	p.instance(next).Propose(slices.Clone(p.waiting))
	p.instance(next).Start(node[K, C]{n, next})
	return true
}

// deliver delivers the next batch if it is decided, and reports whether it is.
func (p *Process[K, C]) deliver() bool {
	if len(p.instances) == 0 || p.instances[0] == nil {
		return false
	}
	decided, ok := p.instances[0].Decided()
	if !ok {
		return false
	}
	p.batch++
	p.proposed, p.instances = false, slices.Delete(p.instances, 0, 1)
	for _, item := range decided {
		p.delivered = append(p.delivered, item)
		if i := slices.Index(p.waiting, item); i >= 0 {
			p.waiting = slices.Delete(p.waiting, i, i+1)
		} else {
			p.ahead = append(p.ahead, item)
		}
	}
	return true
}

// Timeout implements [broadcast.Service]: even timers are those of the broadcast below, odd ones those of
// the next batch.
func (p *Process[K, C]) Timeout(n protocols.Node[Message[K, C]], t protocols.Timer) {
	if t%2 == 0 {
		p.below.Timeout(lower[K, C]{n}, t/2)
	} else {
		p.instances[0].Timeout(node[K, C]{n, p.batch + 1}, t/2)
	}
	p.advance(n)
}

// TimerName implements [protocols.TimerNamer].
func (p *Process[K, C]) TimerName(t protocols.Timer) string {
	if t%2 == 0 {
		return protocols.TimerName(p.below, t/2)
	}
	return protocols.TimerName(p.cfg.Consensus(p.id), t/2)
}
