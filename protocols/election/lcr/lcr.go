// Package lcr is the ring election of Le Lann, Chang and Roberts in Lynch's
// form: every process sends its identity round the ring, every process
// swallows the identities that lose against its own, and the one whose
// identity comes back is the leader.
//
// Paper: E. Chang and R. Roberts, "An improved algorithm for decentralized
// extrema-finding in circular configurations of processes", CACM 22(5), 1979;
// N. Lynch, "Distributed Algorithms", 1996, section 3.3; G. Le Lann, IFIP 1977.
//
// Model: unidirectional ring, distinct identities, n unknown, reliable links;
// every process starts. Synchronous in Lynch, but nothing depends on it: under
// FIFO links every schedule sends the same messages.
//
// Cost, with x's probe making as many hops as it is to the next better
// identity (the best one's: n):
//
//	PROBE     2n-1 if the ranks improve in the direction of travel,
//	          n(n+1)/2 if they worsen, n*H_n on average over all placements,
//	          variance 2n^2 - n*H_n - n^2*H_n^(2)
//	ANNOUNCE  none, or n if the announcement is wanted
//	time      the leader knows at n; with the announcement the last follower
//	          knows at 2n-1 and the ring is quiet at 2n
//
// Invariants: only the best rank's probe makes the full round, so at most one
// process ever decides to lead, and it is the best; a process that has started
// has at most one probe of its own under way.
//
// Deviations from Lynch: (1) a handler for each message takes the place of the
// round; lock-step rounds are the run in which every delay is one round. (2)
// The announcement is an option ([Config]), not a modification left to the
// reader, and the leader absorbs it. (3) The best rank wins, which is the
// largest unless the order says otherwise.
package lcr

import (
	"fmt"

	"bullring/protocols"
	"bullring/protocols/election"
)

// Message is a rank on its way round the ring.
type Message = election.Ranked[Type]

// Type tells the messages apart.
type Type uint8

// The two messages.
const (
	Probe    Type = iota // a candidate's rank, looking for a better one
	Announce             // the leader's rank
)

var names = []string{"PROBE", "ANNOUNCE"}

// Names implements [protocols.Type].
func (Type) Names() []string { return names }

// Config chooses the variant. The zero value is the textbook's: the leader
// alone decides, and the largest rank wins.
type Config struct {
	// Announce makes the leader tell everybody ("all terminate"): n messages
	// more, and every process decides.
	Announce bool
	// Order says which rank wins.
	Order election.Order
}

// Process is one process of the ring.
type Process struct {
	protocols.NoTimers[Message]

	rank     election.Rank
	cfg      Config
	decision election.Decision
}

var _ election.Process[Message] = (*Process)(nil)

// New returns the process with this rank.
func New(rank election.Rank, cfg Config) *Process {
	return &Process{rank: rank, cfg: cfg}
}

// Decision implements [election.Elector].
func (p *Process) Decision() election.Decision { return p.decision }

// Start sends the process's own rank on its way.
func (p *Process) Start(n protocols.Node[Message]) {
	n.Send(n.Neighbor(0), Message{Type: Probe, Rank: p.rank})
}

// Receive forwards what is better, swallows what is worse, and leads if its
// own rank has come back.
func (p *Process) Receive(n protocols.Node[Message], _ protocols.ID, m Message) {
	switch m.Type {
	case Probe:
		switch {
		case p.cfg.Order.Better(m.Rank, p.rank):
			n.Send(n.Neighbor(0), m)
		case m.Rank.ID == p.rank.ID:
			p.lead(n)
		}
		// Else swallowed: this process knows a better candidate, itself.
	case Announce:
		p.learn(n, m)
	default:
		panic(protocols.Unknown(m))
	}
}

// learn takes the announced leader, and passes the word on unless it is back
// at the leader: then everybody knows.
func (p *Process) learn(n protocols.Node[Message], m Message) {
	if !p.cfg.Announce {
		panic(fmt.Sprintf("lcr: process %v was not to announce a leader, yet it received %v", p.rank, m))
	}
	if m.Rank.ID != p.rank.ID {
		p.decision = election.Decide(p.rank.ID, m.Rank.ID)
		n.Send(n.Neighbor(0), m)
	}
}

func (p *Process) lead(n protocols.Node[Message]) {
	p.decision = election.Decide(p.rank.ID, p.rank.ID)
	if p.cfg.Announce {
		n.Send(n.Neighbor(0), Message{Type: Announce, Rank: p.rank})
	}
}
