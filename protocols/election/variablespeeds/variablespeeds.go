// Package variablespeeds is the synchronous election on a unidirectional ring in which
// small identities travel fast: fewer than 2n messages, and time exponential in the
// smallest identity.
//
// Paper: N. Lynch, "Distributed Algorithms", 1996, section 3.5 (VariableSpeeds in
// 3.5.2); G. Frederickson, N. Lynch, "The impact of synchronous communication on the
// problem of electing a leader in a ring", STOC 1984.
//
// Model: synchronous rounds, a unidirectional ring of unknown size, all processes begin
// together, no crashes, distinct identities from 1 on.
//
// Every process makes a token with its identity. Token v takes 2^v rounds for each hop: a
// process keeps it for 2^v - 1 rounds before it passes it on. A process remembers the
// smallest identity that it has seen, its own included, and drops every token with a
// larger one. The process whose token comes back is the leader.
//
// Cost: fewer than 2n messages, for token v makes at most a 2^(v-u) th part of the n
// hops of the smallest, u, before that has been everywhere. The leader knows at time
// n*2^u; the others do not learn it.
//
// Invariants: a process keeps at most one token, the smallest that it has seen. So no
// process stops the smallest identity, and no other token passes the process with that
// identity.
//
// Deviations: a process sleeps while it keeps a token: meanwhile it acts
// on messages alone. A token that comes early, where delays are shorter than a round,
// is kept from then on.
package variablespeeds

import (
	"bullring/protocols"
	"bullring/protocols/election"
)

// Message is a token. It carries the identity of the process that made it.
type Message = election.Ranked[kinds]

// Token is the only message.
const Token protocols.Type = 0

// kinds names the messages.
type kinds struct{}

func (kinds) Names() []string { return names }

var names = []string{"TOKEN"}

// Process is one process of the ring.
type Process struct {
	id       election.Identity
	least    election.Identity // the smallest that it has seen
	keeps    bool              // it has the token least, and will pass it on
	told     bool              // it has said when to wake it for that
	due      bool              // it passes the token on in this round
	decision election.Decision
}

var (
	_ protocols.Round[Message] = (*Process)(nil)
	_ protocols.Sleeper        = (*Process)(nil)
	_ election.Elector         = (*Process)(nil)
)

// New returns the process with this identity. An identity below 1 is outside the
// model: its token is as fast as that of 1.
func New(id election.Identity) *Process { return &Process{id: id} }

// Decision implements [election.Elector].
func (p *Process) Decision() election.Decision { return p.decision }

// Halted implements [protocols.Round]: only the leader knows that the election is over.
func (p *Process) Halted() bool { return p.decision.Status == election.Leader }

// Start makes the token of the process.
func (p *Process) Start(protocols.Node[Message]) { p.keep(p.id) }

// keep takes a token, to be passed on later.
func (p *Process) keep(token election.Identity) { p.least, p.keeps, p.told = token, true, false }

// Wake implements [protocols.Sleeper]: it is time to pass the token on.
func (p *Process) Wake() { p.due = p.keeps }

// Messages passes the token on.
func (p *Process) Messages(n protocols.Node[Message]) {
	if p.due {
		p.keeps, p.due = false, false
		n.Send(n.Neighbor(0), Message{Type: Token, Rank: election.Rank{ID: p.least}})
	}
}

// Transition keeps the token with the smallest identity, and drops others.
func (p *Process) Transition(_ protocols.Node[Message], arrived []protocols.Arrival[Message]) {
	for _, a := range arrived {
		switch id := a.Message.Rank.ID; {
		case id == p.id:
			p.decision = election.Decide(p.id, id)
		case id < p.least:
			p.keep(id)
			p.due = false
		}
	}
}

// slowest is the power of 2 of the slowest token. With rounds of a nanosecond it makes
// no hop in a year.
const slowest = 55

// Sleep implements [protocols.Sleeper]: until the token is due.
func (p *Process) Sleep() int {
	switch {
	case !p.keeps:
		return protocols.Asleep
	case p.told:
		return protocols.Unchanged
	}
	p.told = true
	return 1<<min(max(p.least, 1), slowest) - 1
}
