// Package afekgafni is the election of Afek and Gafni on an asynchronous complete
// graph, in its simple form. A candidate captures one process after another. A captured
// process has an owner; it sends the claim of a new candidate there, and the weaker of
// the two candidates gives up.
//
// Paper: Y. Afek and E. Gafni, "Time and message bounds for election in synchronous
// and asynchronous complete networks", SIAM Journal on Computing 20(2), 1991. The
// program and its names are reconstructed from memory; the bounds below are derived
// here.
//
// Model: asynchronous complete graph, reliable links, FIFO or not; distinct
// identities; n known, as the number of ports; no crashes. Any non-empty set of
// initiators; a process that is captured before it starts is no initiator.
//
// Cost, c initiators; the number of messages depends on the order of events:
//
//	one initiator  2(n-1), in time 2(n-1)
//	any            at least 2(n-1), at most 4 (S + c-1) - 2(n-1), where S is the
//	               sum of min(c, floor(n/k)) for k = 2..n: no more than 4n H_n
//	LEADER         n-1 more, with all-terminate
//
// Why: a CAPTURE leads to at most one CONTEST, one YIELD and one ACCEPT: four
// messages. Consider the candidates at the moment when they own k processes, themselves
// included. Their sets of k are disjoint: a stronger candidate takes a process from its
// owner, and the owner gives up. So at most n/k candidates come to own k. S is the
// largest number of CAPTURE that succeed, and each loser has sent at most one more. The
// first capture of a process costs CAPTURE and ACCEPT only, and n-1 processes are
// captured.
//
// Invariants: a running candidate owns its own process. Of two candidates that claim
// one process the weaker gives up, so at most one comes to own all. The strongest claim
// is never turned down. The winner is an initiator, and not always the best one.
//
// Deviations from the paper: (1) The process of a candidate is captured from the start,
// without messages. (2) A candidate asks its ports in their order. (3) A candidate that
// is turned down gets no answer. (4) On equal levels the better rank wins, which is the
// larger unless the order says otherwise.
package afekgafni

import (
	"bullring/protocols"
	"bullring/protocols/election"
)

// Config chooses the variant. With the zero value only the leader decides.
type Config struct {
	// Announce: the leader sends LEADER to all others.
	Announce bool
	// Order says which rank wins on equal levels.
	Order election.Order
}

// nobody is the address of no process.
const nobody protocols.ID = -1

// Process is one process of the graph. It may be a candidate, and it may be captured.
type Process struct {
	protocols.NoTimers[Message]

	rank election.Rank
	cfg  Config

	// As a candidate.
	running bool // it has started and has not given up
	level   int  // the number of processes that it has captured

	// As a captured process.
	owner     protocols.ID // nobody at first; its own address if it is a candidate
	claim     Claim        // the strongest that it has seen
	contender protocols.ID // who made that claim, if not the owner
	decision  election.Decision
}

var _ election.Process[Message] = (*Process)(nil)

// New returns the process with this rank.
func New(rank election.Rank, cfg Config) *Process {
	return &Process{rank: rank, cfg: cfg, owner: nobody}
}

// Decision implements [election.Elector].
func (p *Process) Decision() election.Decision { return p.decision }

// Start makes the process a candidate, unless it is captured or a candidate already.
func (p *Process) Start(n protocols.Node[Message]) {
	if p.owner == nobody {
		p.running, p.owner, p.claim = true, n.ID(), p.own()
		p.advance(n)
	}
}

// Receive handles the messages.
func (p *Process) Receive(n protocols.Node[Message], from protocols.ID, m Message) {
	switch m.Type {
	case Capture:
		p.claimed(n, from, m.Claim)
	case Contest:
		if p.stronger(m.Claim, p.own()) {
			p.running = false
			n.Send(from, Message{Yield, m.Claim})
		}
	case Yield:
		if m.Claim == p.claim && from == p.owner && p.contender != nobody {
			p.fall(n)
		}
	case Accept:
		if p.running && m.Claim == p.own() {
			p.level++
			p.claim = p.own()
			p.advance(n)
		}
	case Leader:
		p.decision = election.Decide(p.rank.ID, m.Claim.Rank.ID)
	default:
		panic(protocols.Unknown(m))
	}
}

// advance asks the next process, or leads if it has captured all.
func (p *Process) advance(n protocols.Node[Message]) {
	if p.level < n.Degree() {
		n.Send(n.Neighbor(p.level), Message{Capture, p.own()})
		return
	}
	p.decision = election.Decide(p.rank.ID, p.rank.ID)
	if !p.cfg.Announce {
		return
	}
	for port := range n.Degree() {
		n.Send(n.Neighbor(port), Message{Type: Leader, Claim: Claim{Rank: p.rank}})
	}
}

// claimed weighs a claim on the process. A claim that is not stronger than all before
// it gets no answer.
func (p *Process) claimed(n protocols.Node[Message], from protocols.ID, c Claim) {
	if p.owner != nobody && !p.stronger(c, p.claim) {
		return
	}
	p.claim, p.contender = c, from
	switch p.owner {
	case n.ID():
		p.running = false // the claim is stronger than its own
		p.fall(n)
	case nobody:
		p.fall(n)
	default:
		n.Send(p.owner, Message{Contest, c})
	}
}

// fall gives the process to the contender.
func (p *Process) fall(n protocols.Node[Message]) {
	p.owner, p.contender = p.contender, nobody
	n.Send(p.owner, Message{Accept, p.claim})
}

// own is the claim of the process as a candidate.
func (p *Process) own() Claim { return Claim{p.level, p.rank} }

// stronger reports whether claim a wins against b.
func (p *Process) stronger(a, b Claim) bool {
	if a.Level != b.Level {
		return a.Level > b.Level
	}
	return p.cfg.Order.Better(a.Rank, b.Rank)
}
