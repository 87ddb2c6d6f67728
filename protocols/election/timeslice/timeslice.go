// Package timeslice is the synchronous election on a unidirectional ring in which
// silence carries information: n messages, and time in proportion to the smallest
// identity.
//
// Paper: N. Lynch, "Distributed Algorithms", 1996, section 3.5 (TimeSlice in 3.5.1);
// G. Frederickson, N. Lynch, "The impact of synchronous communication on the problem
// of electing a leader in a ring", STOC 1984.
//
// Model: synchronous rounds, a unidirectional ring of known size n, all processes begin
// together, no crashes, distinct identities from 1 on.
//
// Phase v consists of the rounds (v-1)n+1 to vn, and only a token with the identity v may
// travel in it. If no token has reached process v before phase v, its identity is the
// smallest. It sends its token round the ring, and is the leader when the token comes
// back. The processes that pass it on follow.
//
// Cost: exactly n messages, and n*u rounds for the smallest identity u: the leader
// knows at time n*u.
//
// Invariants: there is never more than one token. A process that has seen it makes none.
//
// Deviations: (1) A process that passes the token on learns which process leads, and not
// only that it does not. (2) A process sleeps until its phase: until then it acts
// on messages alone. A token that comes earlier, where delays are shorter than a round, is
// passed on early.
package timeslice

import (
	"fmt"
	"math"

	"bullring/protocols"
	"bullring/protocols/election"
)

// Message is the token. It carries the identity of the process that made it.
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
	n        int  // the size of the ring
	begins   bool // its phase has begun
	passes   bool // the token is to be sent
	token    election.Identity
	told     bool // it has said when to wake it
	decision election.Decision
}

var (
	_ protocols.Round[Message] = (*Process)(nil)
	_ protocols.Sleeper        = (*Process)(nil)
	_ election.Elector         = (*Process)(nil)
)

// New returns the process with this identity in a ring of n. An identity below 1 is
// outside the model: its phase is the first.
func New(id election.Identity, n int) *Process {
	if n < 1 {
		panic(fmt.Sprintf("timeslice: a ring of %d", n))
	}
	return &Process{id: id, n: n}
}

// Decision implements [election.Elector].
func (p *Process) Decision() election.Decision { return p.decision }

// Halted implements [protocols.Round]: only the leader knows that the election is over.
func (p *Process) Halted() bool { return p.decision.Status == election.Leader }

// Start implements [protocols.Round].
func (p *Process) Start(protocols.Node[Message]) {
	if p.id <= 1 {
		p.Wake()
	}
}

// Wake begins the process's phase.
func (p *Process) Wake() {
	if p.decision.Status == election.Undecided && !p.begins {
		p.begins, p.passes, p.token = true, true, p.id
	}
}

// Messages sends the token.
func (p *Process) Messages(n protocols.Node[Message]) {
	if p.passes {
		p.passes = false
		n.Send(n.Neighbor(0), Message{Type: Token, Rank: election.Rank{ID: p.token}})
	}
}

// Transition takes the token and follows its maker.
func (p *Process) Transition(_ protocols.Node[Message], arrived []protocols.Arrival[Message]) {
	for _, a := range arrived {
		p.token = a.Message.Rank.ID
		p.passes = p.token != p.id
		p.decision = election.Decide(p.id, p.token)
	}
}

// Sleep implements [protocols.Sleeper]: until its phase, unless the token has come.
func (p *Process) Sleep() int {
	switch {
	case p.begins || p.decision.Status != election.Undecided:
		return protocols.Asleep
	case p.told:
		return protocols.Unchanged
	}
	p.told = true
	if p.id > election.Identity(math.MaxInt/p.n) {
		return math.MaxInt
	}
	return int(p.id-1) * p.n
}
