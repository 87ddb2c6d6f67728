// Package paxos is the consensus of Paxos for one decree: the synod.
//
// Paper: L. Lamport, "Paxos made simple", ACM SIGACT News 32(4), 2001; first in L. Lamport, "The
// part-time parliament", ACM Transactions on Computer Systems 16(2), 1998.
//
// Model: asynchronous. Processes crash and come back with what they kept on stable storage. A majority
// of the n processes lives (n > 2f). Links neither lose nor duplicate messages, unless every process
// initiates; they need not keep the order.
//
// Every process is an acceptor and a learner. The initiators are proposers. A proposer begins a ballot
// with a number that no other uses: PREPARE to all. An acceptor promises to take part in no smaller
// ballot, and tells the value that it accepted last. With promises of a majority the proposer asks all
// to accept the value of the largest ballot among them or, if there is none, its own input. When a
// majority has accepted it, it is decided, and the proposer tells all. If a ballot has not come to a
// decision before a random timeout, its proposer begins another one. So does a process that comes back
// without a decision.
//
// Cost: one proposer, if nothing fails and no timeout is too short, sends and gets exactly 5(n-1)
// messages: n-1 each of PREPARE, PROMISE, ACCEPT, ACCEPTED and DECIDE. It decides after 4 delays, the
// others after 5. Proposers that disturb each other have no bound: no algorithm ends in each
// asynchronous run (Fischer, Lynch and Paterson, J. ACM 32(2), 1985).
//
// Invariants: a ballot has one proposer and one value. If a majority has accepted a value in a ballot,
// each larger ballot has that value.
//
// Deviations: (1) An acceptor ignores a smaller ballot, and does not say so. (2) A proposer gives up its
// ballot when it promises a larger one. (3) A proposer that learns the decision from another one tells
// it to all once more, in case that one crashed in between. (4) A message has 8 bits for its kind, 32
// for each ballot, and 32 for a value.
package paxos

import (
	"fmt"
	"time"

	"bullring/protocols"
	"bullring/protocols/consensus"
)

// Type tells the messages apart.
type Type uint8

// The messages.
const (
	Prepare  Type = iota // a ballot begins
	Promise              // its sender takes part in no smaller ballot
	Accept               // take this value
	Accepted             // the value is taken
	Decide               // a majority has taken it
)

var names = []string{"PREPARE", "PROMISE", "ACCEPT", "ACCEPTED", "DECIDE"}

// Message is a message of any type.
type Message struct {
	Type   Type
	Ballot int // none of Decide
	// Accepted, of Promise, is the ballot in which the sender accepted the value; 0 if it has accepted
	// none.
	Accepted int
	Value    int // of Promise, Accept and Decide
}

// Kind implements [protocols.Message].
func (m Message) Kind() int { return int(m.Type) }

// Kinds implements [protocols.Message].
func (Message) Kinds() []string { return names }

// Bits implements [protocols.Message].
func (m Message) Bits() int { return 8 + 32*[...]int{1, 3, 2, 1, 1}[m.Type] }

// String prints the message as a trace shows it: PROMISE(4, 3 by 1) is the promise of ballot 4 by a
// process that has accepted the value 3 in ballot 1.
func (m Message) String() string {
	switch name := names[m.Type]; {
	case m.Type == Promise && m.Accepted > 0:
		return fmt.Sprintf("%s(%d, %d by %d)", name, m.Ballot, m.Value, m.Accepted)
	case m.Type == Accept:
		return fmt.Sprintf("%s(%d, %d)", name, m.Ballot, m.Value)
	case m.Type == Decide:
		return fmt.Sprintf("%s(%d)", name, m.Value)
	default:
		return fmt.Sprintf("%s(%d)", name, m.Ballot)
	}
}

// Config has the timeouts after which a proposer begins another ballot: Least + k*Grain, with k drawn
// from 0 to Steps.
type Config struct {
	Least, Grain time.Duration
	Steps        int
}

// phase is what a proposer waits for.
type phase uint8

const (
	idle phase = iota
	promising
	accepting
)

// String names the phase.
func (p phase) String() string { return [...]string{"idle", "promising", "accepting"}[p] }

// retry is the timer of a proposer.
const retry protocols.Timer = 0

// Process is one process of the complete graph.
type Process struct {
	input int
	cfg   Config

	// On stable storage.
	promised int // the largest ballot that it takes part in
	accepted int // the ballot in which it accepted its value, 0 for none
	value    int
	proposes bool // it initiates, or has come back
	decision consensus.Decision

	// Of its own ballot.
	phase    phase
	ballot   int
	best     int    // the largest ballot of a value among the promises, 0 for none
	proposal int    // that value, or its input
	votes    []bool // by address
}

var (
	_ consensus.Process[Message]   = (*Process)(nil)
	_ protocols.Stable[Message]    = (*Process)(nil)
	_ protocols.Recoverer[Message] = (*Process)(nil)
	_ protocols.Rounder            = (*Process)(nil)
	_ protocols.TimerNamer         = (*Process)(nil)
)

// New returns the process that begins with this value.
func New(input int, cfg Config) *Process { return &Process{input: input, cfg: cfg} }

// Decision implements [consensus.Decider].
func (p *Process) Decision() consensus.Decision { return p.decision }

// Round implements [protocols.Rounder]: it is the largest ballot that it takes part in.
func (p *Process) Round() int { return p.promised }

// TimerName implements [protocols.TimerNamer].
func (*Process) TimerName(protocols.Timer) string { return "retry" }

// Start makes the process a proposer.
func (p *Process) Start(n protocols.Node[Message]) {
	p.proposes = true
	if p.phase == idle && !p.decision.Made {
		p.begin(n)
	}
}

// Timeout begins another ballot.
func (p *Process) Timeout(n protocols.Node[Message], _ protocols.Timer) { p.begin(n) }

// Restore implements [protocols.Stable].
func (p *Process) Restore(crashed protocols.Process[Message]) {
	was := crashed.(*Process)
	p.promised, p.accepted, p.value, p.proposes, p.decision = was.promised, was.accepted, was.value, was.proposes, was.decision
}

// Recover implements [protocols.Recoverer]. The process may have missed the decision, or crashed before
// it told all.
func (p *Process) Recover(n protocols.Node[Message]) {
	switch {
	case !p.decision.Made:
		p.proposes = true
		p.wait(n)
	case p.proposes:
		broadcast(n, Message{Type: Decide, Value: p.decision.Value})
	}
}

// Receive handles the five messages.
func (p *Process) Receive(n protocols.Node[Message], from protocols.ID, m Message) {
	switch m.Type {
	case Prepare:
		if m.Ballot > p.promised {
			p.promise(m.Ballot)
			n.Send(from, Message{Type: Promise, Ballot: m.Ballot, Accepted: p.accepted, Value: p.value})
		}
	case Promise:
		if p.phase == promising && m.Ballot == p.ballot {
			if m.Accepted > p.best {
				p.best, p.proposal = m.Accepted, m.Value
			}
			p.vote(n, from)
		}
	case Accept:
		if m.Ballot >= p.promised {
			p.promise(m.Ballot)
			p.accepted, p.value = m.Ballot, m.Value
			n.Send(from, Message{Type: Accepted, Ballot: m.Ballot})
		}
	case Accepted:
		if p.phase == accepting && m.Ballot == p.ballot {
			p.vote(n, from)
		}
	case Decide:
		p.learn(n, m.Value, p.proposes)
	default:
		panic(protocols.Unknown(m))
	}
}

// promise takes part in a ballot, and gives up its own if that is smaller.
func (p *Process) promise(ballot int) {
	if p.promised = ballot; p.ballot < ballot {
		p.phase, p.votes = idle, nil
	}
}

// begin begins a ballot, with the next number of its own.
func (p *Process) begin(n protocols.Node[Message]) {
	all := n.Degree() + 1
	p.ballot = p.promised - p.promised%all + int(n.ID()) + 1
	if p.ballot <= p.promised {
		p.ballot += all
	}
	p.promised, p.best, p.proposal = p.ballot, p.accepted, p.input
	if p.accepted > 0 {
		p.proposal = p.value
	}
	p.wait(n)
	p.ask(n, promising, Message{Type: Prepare, Ballot: p.ballot})
}

// ask asks all for their votes, and votes itself.
func (p *Process) ask(n protocols.Node[Message], next phase, m Message) {
	p.phase, p.votes = next, make([]bool, n.Degree()+1)
	broadcast(n, m)
	p.vote(n, n.ID())
}

// vote counts a vote. With those of a majority the ballot goes on.
func (p *Process) vote(n protocols.Node[Message], of protocols.ID) {
	p.votes[of] = true
	votes := 0
	for _, given := range p.votes {
		if given {
			votes++
		}
	}
	switch {
	case votes <= len(p.votes)/2:
	case p.phase == promising:
		p.accepted, p.value = p.ballot, p.proposal
		p.ask(n, accepting, Message{Type: Accept, Ballot: p.ballot, Value: p.proposal})
	default:
		p.learn(n, p.proposal, true)
	}
}

// learn decides, and tells all if it is to.
func (p *Process) learn(n protocols.Node[Message], value int, tells bool) {
	if p.decision.Made {
		return
	}
	p.decision = consensus.Decision{Made: true, Value: value}
	p.phase, p.votes = idle, nil
	n.StopTimer(retry)
	if tells {
		broadcast(n, Message{Type: Decide, Value: value})
	}
}

// wait sets the timer of the next ballot.
func (p *Process) wait(n protocols.Node[Message]) {
	after := p.cfg.Least
	if p.cfg.Steps > 0 {
		after += time.Duration(n.Intn(p.cfg.Steps+1)) * p.cfg.Grain
	}
	n.SetTimer(retry, after)
}

func broadcast(n protocols.Node[Message], m Message) {
	for port := range n.Degree() {
		n.Send(n.Neighbor(port), m)
	}
}
