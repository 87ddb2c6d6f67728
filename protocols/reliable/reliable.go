// Package reliable wraps an algorithm so that it sees links that lose nothing, repeat
// nothing and keep the order, over links that lose, duplicate and reorder.
//
// Source: the perfect links of C. Cachin, R. Guerraoui and L. Rodrigues,
// "Introduction to Reliable and Secure Distributed Programming", 2nd edition,
// 2011, module 2.3, by positive acknowledgement and retransmission with a sliding
// window; the timer is that of RFC 6298, section 5, with a first value that is
// given and not measured.
//
// Model: a link back for every link; any loss, as long as a message that is sent
// again and again arrives in the end; crashes and restarts. A process that
// restarts keeps one number, its incarnation, in stable storage.
//
// Promises, between lives that both go on and do not give each other up: every
// message is delivered, once, in the order of the sends. A peer is given up when
// its oldest message was sent Tries times in vain. Unless the link is patient, it is also
// given up when that message falls due while the failure detector of the node below
// suspects the peer. Then the link drops all messages that are not acknowledged, which may
// have been delivered or not; later messages follow them. Messages that the former life of
// a peer did not acknowledge are delivered to its next life, as the network does with
// messages under way. If a crash swallowed the acknowledgement of a message, both lives
// handle it.
//
// A link that goes down takes with it what is not acknowledged, and what is sent before it is up
// again. Then both ends, which are told, begin again at 1.
//
// Cost: every message has a number and incarnations ([Message.Bits]). Without
// loss, and with RTO above a round trip, one ACK a message and no RETRY. A dead
// peer costs Tries-1 RETRYs for the backlog that it meets, none if it is suspected.
//
// The protocol. The messages to each peer are numbered from 1, and all of them leave at
// once. A copy is kept until an ACK with its number or a larger one is back. One timer a
// peer belongs to the oldest copy, which is sent again when it expires, each time after
// twice the wait. The receiver delivers number by number, holds early messages, and answers
// every message with the number up to which it has delivered. Envelopes carry both
// incarnations. An envelope of a former life of the sender is ignored. One to a former life
// of the receiver is not delivered; the answer to it tells the sender of the new life. A
// process that learns of a new life of a peer begins again at 1, in both directions, with
// the messages that are not acknowledged. There is no jitter: the delays of a run have
// enough.
//
// Labels of timers from -1 down to above [protocols.Background] belong to the link. An
// algorithm inside may use others, and a wrapped algorithm cannot be wrapped again.
package reliable

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"bullring/protocols"
)

// Process is a process of an algorithm behind reliable links.
type Process[M protocols.Message] struct {
	protocols.Wrapper[M, Message[M], *Process[M]]
	cfg         Config
	longest     time.Duration
	kinds       uint16
	incarnation uint32
	peers       []*peer[M] // met so far, by address
	node        node[M]
	reached     bool // a message has come to the algorithm
}

// peer is both directions between this process and another.
type peer[M protocols.Message] struct {
	id          protocols.ID
	incarnation uint32 // its latest known life

	sent    uint64 // the number of the latest message to it
	first   uint64 // all messages before this number were given up
	backlog []M    // the messages that are not acknowledged, in order
	tries   int    // the number of sends of the oldest of the backlog
	wait    time.Duration

	down  bool // the link is: what is sent is lost
	again bool // the link has gone down: its present life is not the first

	delivered uint64       // the number of the latest delivered message from it
	early     map[uint64]M // messages before their turn, by number
}

var _ interface {
	protocols.Process[Message[protocols.Message]]
	protocols.Booter[Message[protocols.Message]]
	protocols.Recoverer[Message[protocols.Message]]
	protocols.Stable[Message[protocols.Message]]
} = (*Process[protocols.Message])(nil)

// Wrap returns the process behind reliable links. It panics on an invalid
// configuration.
func Wrap[M protocols.Message](inner protocols.Process[M], cfg Config) *Process[M] {
	if err := cfg.validate(); err != nil {
		panic(err)
	}
	p := &Process[M]{cfg: cfg, longest: cfg.longest(), kinds: uint16(len(protocols.Sample(inner).Kinds()))}
	p.Wrapper, p.node.process = protocols.Around(inner, p), p
	return p
}

// Sample implements [protocols.Sampler].
func (p *Process[M]) Sample() Message[M] { return Message[M]{Inner: protocols.Sample(p.Inner)} }

// Boots implements [protocols.Partial]. A process behind a link always boots, so that the
// events of a run do not depend on the algorithm.
func (p *Process[M]) Boots() bool { return true }

// Lasts implements [protocols.Partial].
func (p *Process[M]) Lasts() bool { return true }

// Linked implements [protocols.PartlyLinked]. A process behind a reliable link is always told of its
// links.
func (p *Process[M]) Linked() bool { return true }

// LinkDown ends the life of a link. What is not acknowledged is lost with it, and if the link comes up
// again both ends begin again at 1.
func (p *Process[M]) LinkDown(n protocols.Node[Message[M]], to protocols.ID) {
	n.StopTimer(timerOf(to))
	q := p.peer(to)
	*q = peer[M]{id: to, incarnation: q.incarnation, first: 1, down: true, again: true}
	p.Wrapper.LinkDown(n, to)
}

// LinkUp begins another life of a link.
func (p *Process[M]) LinkUp(n protocols.Node[Message[M]], to protocols.ID) {
	p.peer(to).down = false
	p.Wrapper.LinkUp(n, to)
}

// Restore implements [protocols.Stable]: the incarnation is one above that of the life
// before.
func (p *Process[M]) Restore(crashed protocols.Process[Message[M]]) {
	p.incarnation = crashed.(*Process[M]).incarnation + 1
	p.Wrapper.Restore(crashed)
}

// Reached reports whether a message has come to the algorithm.
func (p *Process[M]) Reached() bool { return p.reached }

// Receive delivers messages in their turn, and answers.
func (p *Process[M]) Receive(n protocols.Node[Message[M]], from protocols.ID, m Message[M]) {
	p.Enter(n)
	q := p.peer(from)
	if m.From > q.incarnation {
		p.renew(q, m.From)
	}
	switch {
	case m.From < q.incarnation: // from a former life
	case m.To < p.incarnation && m.Type == Ack: // to a former life
	case m.To < p.incarnation:
		p.acknowledge(q)
	case m.Type == Ack:
		p.acknowledged(q, m.Number)
	default:
		p.arrived(q, m)
		p.acknowledge(q)
	}
}

// Timeout sends the oldest message of a backlog again. Timers of the algorithm go to the
// algorithm.
func (p *Process[M]) Timeout(n protocols.Node[Message[M]], t protocols.Timer) {
	if !owns(t) {
		p.Wrapper.Timeout(n, t)
		return
	}
	p.Enter(n)
	switch q := p.peer(peerOf(t)); {
	case p.hopeless(q):
		p.giveUp(q)
	default:
		q.tries++
		q.wait = min(2*q.wait, p.longest)
		p.transmit(q, Retry, 0)
		p.arm(q)
	}
}

// TimerName implements [protocols.TimerNamer].
func (p *Process[M]) TimerName(t protocols.Timer) string {
	if owns(t) {
		return fmt.Sprintf("retry to %d", peerOf(t))
	}
	return p.Wrapper.TimerName(t)
}

// Enter implements [protocols.Outside].
func (p *Process[M]) Enter(n protocols.Node[Message[M]]) protocols.Node[M] {
	p.node.Node = n
	return &p.node
}

// send numbers a message and sends it for the first time.
func (p *Process[M]) send(to protocols.ID, m M) {
	q := p.peer(to)
	if q.down {
		return
	}
	q.sent++
	q.backlog = append(q.backlog, m)
	p.transmit(q, Data, len(q.backlog)-1)
	if len(q.backlog) == 1 {
		p.begin(q)
	}
}

// transmit sends the i-th message of the backlog.
func (p *Process[M]) transmit(q *peer[M], t Type, i int) {
	number := q.acked() + uint64(i) + 1
	p.node.Node.Send(q.id, Message[M]{
		Inner: q.backlog[i], Number: number, From: p.incarnation, To: q.incarnation,
		kinds: p.kinds, Type: t, First: number == q.first,
	})
}

// begin sets the timer for a new oldest message.
func (p *Process[M]) begin(q *peer[M]) {
	q.tries, q.wait = 1, p.cfg.RTO
	p.arm(q)
}

func (p *Process[M]) arm(q *peer[M]) { p.node.Node.SetTimer(timerOf(q.id), q.wait) }

// acknowledged drops the delivered messages.
func (p *Process[M]) acknowledged(q *peer[M], number uint64) {
	if number <= q.acked() {
		return
	}
	switch {
	case number <= q.sent:
	case q.again: // a fault carried what it acknowledges out of a former life of the link
		return
	default:
		panic(fmt.Sprintf("reliable: process %d acknowledges %d messages of process %d, which has sent %d", q.id, number, p.node.ID(), q.sent))
	}
	q.backlog = slices.Delete(q.backlog, 0, int(number-q.acked()))
	if len(q.backlog) > 0 {
		p.begin(q)
	} else {
		p.node.Node.StopTimer(timerOf(q.id))
	}
}

// hopeless reports whether to give the peer up, and not try again.
func (p *Process[M]) hopeless(q *peer[M]) bool {
	if p.cfg.Tries > 0 && q.tries >= p.cfg.Tries {
		return true
	}
	return !p.cfg.Patient && p.node.Suspects(q.id)
}

// giveUp drops the backlog. The next message tells the peer, which would otherwise wait
// for the dropped messages for ever.
func (p *Process[M]) giveUp(q *peer[M]) {
	clear(q.backlog)
	q.backlog = q.backlog[:0]
	q.first = q.sent + 1
}

// renew begins again with a new life of the peer.
func (p *Process[M]) renew(q *peer[M], incarnation uint32) {
	q.incarnation = incarnation
	q.delivered = 0
	clear(q.early)
	q.first, q.sent = 1, uint64(len(q.backlog))
	for i := range q.backlog {
		p.transmit(q, Retry, i)
	}
	if len(q.backlog) > 0 {
		p.begin(q)
	}
}

// arrived delivers a message in its turn, and those that have waited for it.
func (p *Process[M]) arrived(q *peer[M], m Message[M]) {
	switch {
	case m.Number <= q.delivered: // a duplicate
		return
	case m.Number > q.delivered+1 && !m.First:
		if q.early == nil {
			q.early = map[uint64]M{}
		}
		q.early[m.Number] = m.Inner
		return
	}
	for q.delivered+1 < m.Number { // the sender has given up the missing messages
		if !p.deliverEarly(q) {
			q.delivered++
		}
	}
	p.deliver(q, m.Inner)
	for p.deliverEarly(q) {
	}
}

// deliverEarly delivers the next message if it has arrived early. It reports whether it
// has.
func (p *Process[M]) deliverEarly(q *peer[M]) bool {
	m, ok := q.early[q.delivered+1]
	if ok {
		delete(q.early, q.delivered+1)
		p.deliver(q, m)
	}
	return ok
}

func (p *Process[M]) deliver(q *peer[M], m M) {
	q.delivered++
	p.reached = true
	p.Inner.Receive(&p.node, q.id, m)
}

// acknowledge tells the peer the number up to which its messages were delivered.
func (p *Process[M]) acknowledge(q *peer[M]) {
	p.node.Node.Send(q.id, Message[M]{
		Number: q.delivered, From: p.incarnation, To: q.incarnation, kinds: p.kinds, Type: Ack,
	})
}

// peer is the peer at an address. It makes one at the first meeting.
func (p *Process[M]) peer(id protocols.ID) *peer[M] {
	i, met := slices.BinarySearchFunc(p.peers, id, func(q *peer[M], id protocols.ID) int { return cmp.Compare(q.id, id) })
	if !met {
		p.peers = slices.Insert(p.peers, i, &peer[M]{id: id, first: 1})
	}
	return p.peers[i]
}

// acked is the number of the latest message acknowledged or given up.
func (q *peer[M]) acked() uint64 { return q.sent - uint64(len(q.backlog)) }

// The timer of a peer has the label -1 - its address.
func timerOf(id protocols.ID) protocols.Timer { return -1 - protocols.Timer(id) }
func peerOf(t protocols.Timer) protocols.ID   { return protocols.ID(-1 - t) }
func owns(t protocols.Timer) bool             { return protocols.Background < t && t < 0 }
