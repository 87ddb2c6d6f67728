// Package mattern detects termination by counting twice the work messages that were sent and received:
// the method of four counters.
//
// Paper: F. Mattern, "Algorithms for distributed termination detection", Distributed Computing 2(3),
// 1987.
//
// Model: asynchronous; a complete graph with reliable links, in any order; no process fails. The leader
// is one of the initiators. Any processes may initiate the computation.
//
// Each process counts the work messages that it has sent, and those that it has received. In a wave the
// leader asks all others for their counts, and adds them up with its own. A process answers when it is
// passive. One wave alone can count a message that came from behind it as received, in the place of
// another that is under way. So the leader compares two waves: if as many messages had been received
// in the first as had been sent in the second, the computation had terminated before the second began,
// and the leader announces that. Else the second wave is the first of the next pair.
//
// Cost: exactly n-1 ASK and n-1 REPLY a wave, one after the other. At most the rest of one wave and two
// more come after termination: with delays of a time unit it is announced within 6 units.
//
// Invariant: counts only grow, and no more messages are received than sent. If the received ones
// counted in the first wave are as many as the sent ones counted in the second, then so were all
// counts between the two waves, and no message was under way.
//
// Deviations: (1) The paper lets a wave be any that visits all; here it is one question and one answer
// for each process. (2) An initiator is active until it has begun. (3) Messages have 8 bits for the
// kind; REPLY has 64 for each count.
//
// The variant one-wave is wrong: the leader compares the counts of a single wave.
package mattern

import (
	"fmt"

	"bullring/protocols"
	"bullring/protocols/termination"
)

// Counts are work messages, of a process or of all.
type Counts struct{ Sent, Received int }

// Message is a work message, a question or its answer.
type Message struct {
	Type   protocols.Type
	Counts Counts // of an answer
}

// The messages.
const (
	Work  protocols.Type = iota // of the computation
	Ask                         // how many messages have you sent and received?
	Reply                       // so many
)

var names = []string{termination.Work, "ASK", "REPLY"}

// Kind implements [protocols.Message].
func (m Message) Kind() int { return int(m.Type) }

// Kinds implements [protocols.Message].
func (Message) Kinds() []string { return names }

// Bits implements [protocols.Message].
func (m Message) Bits() int {
	if m.Type == Reply {
		return 8 + 2*64
	}
	return 8
}

// String prints the message as a trace shows it: REPLY(2 sent, 1 received).
func (m Message) String() string {
	if m.Type == Reply {
		return fmt.Sprintf("REPLY(%d sent, %d received)", m.Counts.Sent, m.Counts.Received)
	}
	return names[m.Type]
}

// Process is one process of the complete graph.
type Process struct {
	termination.Worker
	leader  bool
	oneWave bool
	counts  Counts
	asked   protocols.ID // the leader, if it waits for an answer; else none

	// Of the leader.
	begun    bool // the first wave
	waits    int  // for so many answers
	sum      Counts
	received int // of the wave before; -1 if there was none
}

// none is whom a process has to answer that was not asked.
const none protocols.ID = -1

var _ termination.Process[Message] = (*Process)(nil)

// New returns a process. With oneWave the leader compares the counts of a single wave.
func New(work termination.Config, leader, oneWave bool) *Process {
	return &Process{Worker: termination.NewWorker(work), leader: leader, oneWave: oneWave, asked: none, received: -1}
}

// Start implements [protocols.Process].
func (p *Process) Start(n protocols.Node[Message]) { p.send(n, p.Begin(n)) }

// Timeout implements [protocols.Process]: a piece of work is done.
func (p *Process) Timeout(n protocols.Node[Message], _ protocols.Timer) { p.send(n, p.Finish(n)) }

// Receive implements [protocols.Process].
func (p *Process) Receive(n protocols.Node[Message], from protocols.ID, m Message) {
	switch m.Type {
	case Work:
		p.counts.Received++
		p.send(n, p.Activate(n))
	case Ask:
		p.asked = from
		p.goOn(n)
	case Reply:
		p.waits--
		p.add(m.Counts)
		p.goOn(n)
	default:
		panic(protocols.Unknown(m))
	}
}

// send sends work messages.
func (p *Process) send(n protocols.Node[Message], to []protocols.ID) {
	for _, q := range to {
		p.counts.Sent++
		n.Send(q, Message{Type: Work})
	}
	p.goOn(n)
}

func (p *Process) add(c Counts) {
	p.sum.Sent += c.Sent
	p.sum.Received += c.Received
}

// goOn answers, or ends a wave and begins another, if the process is passive.
func (p *Process) goOn(n protocols.Node[Message]) {
	switch {
	case !p.Passive():
	case p.asked != none:
		n.Send(p.asked, Message{Reply, p.counts})
		p.asked = none
	case p.leader && p.waits == 0 && !p.Announced():
		if p.begun && p.compare() || n.Degree() == 0 {
			p.Announce()
		} else {
			p.ask(n)
		}
	}
}

// compare ends a wave: the leader counts its own messages, too. It reports whether the wave shows, with
// the one before, that the computation has terminated.
func (p *Process) compare() bool {
	p.add(p.counts)
	before := p.received
	if p.oneWave {
		before = p.sum.Received
	}
	p.received = p.sum.Received
	return p.sum.Sent == before
}

// ask begins a wave.
func (p *Process) ask(n protocols.Node[Message]) {
	p.begun, p.sum, p.waits = true, Counts{}, n.Degree()
	for port := range n.Degree() {
		n.Send(n.Neighbor(port), Message{Type: Ask})
	}
}
