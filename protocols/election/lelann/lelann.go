// Package lelann is the election of Le Lann, the first one for a ring. Every initiator
// sends its identity all the way round and so learns which other processes want to lead.
// When its own identity is back it knows all of them, and the best one leads.
//
// Paper: G. Le Lann, "Distributed systems: towards a formal approach", IFIP
// Congress 1977; G. Tel, "Introduction to Distributed Algorithms", 2nd ed.,
// section 7.2.
//
// Model: asynchronous unidirectional ring, FIFO and reliable links, distinct
// identities, n unknown, no crashes; any non-empty set of initiators. A process that a
// message reaches before it starts is no initiator.
//
// Cost, k initiators, under every schedule:
//
//	TOKEN  exactly kn: n^2 if all initiate
//	time   n, if the initiators start at once: then all of them know
//
// Invariants: a token leaves the ring only at its initiator. Links are FIFO, so between
// the start of an initiator and the return of its token the tokens of all other
// initiators have come by.
//
// Who decides: the initiators. All of them learn the winner at the return of their
// tokens. The other processes only pass tokens on. They cannot tell when all tokens have
// come by, and decide nothing.
//
// Outside the model: if links are not FIFO a token can overtake a better one, and
// several processes lead. If the token of the best is lost, the processes that it has
// not reached elect the second best, and the best waits for ever.
//
// Deviations: (1) A process keeps the best identity that it has seen and not the
// list of all, which is used for nothing else. (2) The best rank wins, which is
// the largest unless the order says otherwise; in Tel it is the smallest.
package lelann

import (
	"bullring/protocols"
	"bullring/protocols/election"
)

// Message is a rank on its way round the ring.
type Message = election.Ranked[kinds]

// Token is the only message: the rank of an initiator.
const Token protocols.Type = 0

// kinds names the messages.
type kinds struct{}

func (kinds) Names() []string { return names }

var names = []string{"TOKEN"}

// Config chooses the variant. With the zero value the largest rank wins.
type Config struct {
	// Order says which rank wins.
	Order election.Order
}

// role says what a process does with a token.
type role uint8

// The three roles.
const (
	asleep    role = iota // at first
	candidate             // has started: looks at tokens
	relay                 // was asleep when a token came: passes tokens on
)

// String names the role.
func (r role) String() string {
	return [...]string{"asleep", "candidate", "relay"}[r]
}

// Process is one process of the ring.
type Process struct {
	protocols.NoTimers[Message]

	rank     election.Rank
	cfg      Config
	role     role
	best     election.Rank // the best that a candidate has seen, its own included
	decision election.Decision
}

var _ election.Process[Message] = (*Process)(nil)

// New returns the process with this rank.
func New(rank election.Rank, cfg Config) *Process {
	return &Process{rank: rank, cfg: cfg}
}

// Candidate reports whether the process has started, and has not met a better rank.
func (p *Process) Candidate() bool { return p.role == candidate && p.best == p.rank }

// Decision implements [election.Elector].
func (p *Process) Decision() election.Decision { return p.decision }

// Start makes a process that is asleep an initiator.
func (p *Process) Start(n protocols.Node[Message]) {
	if p.role == asleep {
		p.role, p.best = candidate, p.rank
		n.Send(n.Neighbor(0), Message{Type: Token, Rank: p.rank})
	}
}

// Receive passes tokens on. The process keeps its own, with which it has seen all.
func (p *Process) Receive(n protocols.Node[Message], _ protocols.ID, m Message) {
	if m.Type != Token {
		panic(protocols.Unknown(m))
	}
	if p.role == asleep {
		p.role = relay
	}
	if p.role == candidate {
		if m.Rank.ID == p.rank.ID {
			p.decision = election.Decide(p.rank.ID, p.best.ID)
			return
		}
		if p.cfg.Order.Better(m.Rank, p.best) {
			p.best = m.Rank
		}
	}
	n.Send(n.Neighbor(0), m)
}
