// Package afekgafni is the election of Afek and Gafni on an asynchronous complete
// graph, in its simple form: a candidate captures one process after the other; a
// process that has an owner sends the new candidate's claim there, and the weaker of
// the two gives up.
//
// Paper: Y. Afek and E. Gafni, "Time and message bounds for election in synchronous
// and asynchronous complete networks", SIAM Journal on Computing 20(2), 1991. The
// program is reconstructed from memory, and so is its name for things; the bounds
// below are derived here.
//
// Model: asynchronous complete graph, reliable links, FIFO or not; distinct
// identities; n known, as the number of ports; no crashes. Any non-empty set of
// initiators: who is captured before it has started is none any more.
//
// Cost, c initiators; how many messages depends on the order of events:
//
//	one initiator  2(n-1), in time 2(n-1)
//	any            at least 2(n-1), at most 4 (S + c-1) - 2(n-1), where S is the
//	               sum of min(c, floor(n/k)) for k = 2..n: no more than 4n H_n
//	LEADER         n-1 more, with Config.Announce
//
// Why: a CAPTURE leads to one CONTEST, one YIELD and one ACCEPT at most, four
// messages. When a candidate owns k processes, itself included, those that it
// captured on the way to k are in no other such set: who takes a process from an
// owner is stronger, and the owner gives up. So at most n/k candidates come to own
// k, S is the most there can be of CAPTURE that help their candidates, and each loser
// has sent one more at most. The first capture of a process costs CAPTURE and ACCEPT
// only, and n-1 processes are captured.
//
// Invariants: a candidate that still runs owns its own process; of two that claim a
// process the weaker gives up, so that at most one comes to own all. The strongest
// claim that was ever made is never turned down. The winner is one of the initiators
// and not always the best.
//
// Deviations from the paper: (1) A candidate's own process is captured from the start,
// and asked without messages. (2) A candidate asks its ports in their order. (3) Who is
// turned down gets no answer. (4) A claim is compared by the rank, on equal levels,
// and the better one wins, which is the larger unless the order says otherwise.
package afekgafni

import (
	"bullring/protocols"
	"bullring/protocols/election"
)

// Config chooses the variant. The zero value has the leader alone decide.
type Config struct {
	// Announce has the leader send LEADER to all others.
	Announce bool
	// Order says which rank wins on equal levels.
	Order election.Order
}

// nobody is the address that no process has.
const nobody protocols.ID = -1

// Process is one process of the graph: it may be a candidate, and it may be captured.
type Process struct {
	protocols.NoTimers[Message]

	rank election.Rank
	cfg  Config

	// As a candidate.
	running bool // it has started and has not given up
	level   int  // the number of processes that it has captured

	// As one that is captured.
	owner     protocols.ID // its own address if it is a candidate's own process, or nobody
	claim     Claim        // the strongest that it has seen
	contender protocols.ID // whose claim that is, if not the owner's
	decision  election.Decision
}

var _ election.Process[Message] = (*Process)(nil)

// New returns the process with this rank.
func New(rank election.Rank, cfg Config) *Process {
	return &Process{rank: rank, cfg: cfg, owner: nobody}
}

// Decision implements [election.Elector].
func (p *Process) Decision() election.Decision { return p.decision }

// Start makes the process a candidate, unless it is captured or one already.
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

// advance asks the next process, or is done.
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

// claimed weighs a claim on the process. One that is not stronger than all before it
// is turned down in silence.
func (p *Process) claimed(n protocols.Node[Message], from protocols.ID, c Claim) {
	if p.owner != nobody && !p.stronger(c, p.claim) {
		return
	}
	p.claim, p.contender = c, from
	switch p.owner {
	case n.ID():
		p.running = false // its claim was its own process's
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

// stronger reports whether a claim wins against another.
func (p *Process) stronger(a, b Claim) bool {
	if a.Level != b.Level {
		return a.Level > b.Level
	}
	return p.cfg.Order.Better(a.Rank, b.Rank)
}
