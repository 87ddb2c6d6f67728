// Package lcr is the ring election of Le Lann, Chang and Roberts in Lynch's form. Every
// process sends its identity round the ring and swallows the identities that lose against
// its own. The process whose identity comes back is the leader.
//
// Paper: E. Chang and R. Roberts, "An improved algorithm for decentralized
// extrema-finding in circular configurations of processes", CACM 22(5), 1979;
// N. Lynch, "Distributed Algorithms", 1996, section 3.3; G. Le Lann, IFIP 1977.
//
// Model: unidirectional ring, distinct identities, n unknown, reliable links; every
// process starts. Lynch's model is synchronous, but nothing depends on it: under FIFO
// links every schedule sends the same messages.
//
// Cost. The probe of x makes as many hops as it is to the next better identity (that of
// the best: n):
//
//	PROBE     2n-1 if the ranks improve in the direction of travel,
//	          n(n+1)/2 if they worsen, n*H_n on average over all placements,
//	          variance 2n^2 - n*H_n - n^2*H_n^(2)
//	ANNOUNCE  none, or n if the announcement is wanted
//	time      the leader knows at n; with the announcement the last follower
//	          knows at 2n-1 and the ring is quiet at 2n
//
// Invariants: only the probe of the best rank makes the full round, so at most one
// process ever decides to lead, and it is the best. A process that has started has at
// most one probe of its own under way.
//
// Deviations from Lynch: (1) A handler for each message takes the place of the
// round; lock-step rounds are the run in which every delay is one round. (2)
// The announcement is a variant (all-terminate), not a modification left to the
// reader, and the leader absorbs it. (3) The best rank wins, which is the
// largest unless the order says otherwise.
package lcr

import (
	"fmt"

	"bullring/protocols"
	"bullring/protocols/election"
)

// Message is a rank on its way round the ring.
type Message = election.Ranked[kinds]

// The two messages.
const (
	Probe    protocols.Type = iota // the rank of a candidate, until it meets a better one
	Announce                       // the rank of the leader
)

// kinds names the messages.
type kinds struct{}

func (kinds) Names() []string { return names }

var names = []string{"PROBE", "ANNOUNCE"}

// Config chooses the variant. The zero value is that of the textbook: only the leader
// decides, and the largest rank wins.
type Config struct {
	// Announce: the leader tells all others ("all terminate"). That takes n more
	// messages, and every process decides.
	Announce bool
	// Order says which rank wins.
	Order election.Order
}

// Process is one process of the ring.
type Process struct {
	protocols.NoTimers[Message]

	rank   election.Rank
	leader election.Identity // if status is not Undecided
	status election.Status
	cfg    Config
}

var _ election.Process[Message] = (*Process)(nil)

// New returns the process with this rank.
func New(rank election.Rank, cfg Config) *Process {
	return &Process{rank: rank, cfg: cfg}
}

// Decision implements [election.Elector].
func (p *Process) Decision() election.Decision {
	return election.Decision{Status: p.status, Leader: p.leader}
}

// Start sends the process's own rank on its way.
func (p *Process) Start(n protocols.Node[Message]) {
	n.Send(n.Neighbor(0), Message{Type: Probe, Rank: p.rank})
}

// Receive forwards a better rank, swallows a worse one, and leads if its own has come
// back.
func (p *Process) Receive(n protocols.Node[Message], _ protocols.ID, m Message) {
	switch m.Type {
	case Probe:
		switch {
		case p.cfg.Order.Better(m.Rank, p.rank):
			n.Send(n.Neighbor(0), m)
		case m.Rank.ID == p.rank.ID:
			p.lead(n)
		}
		// Otherwise the probe is swallowed: this process is a better candidate.
	case Announce:
		p.learn(n, m)
	default:
		panic(protocols.Unknown(m))
	}
}

// learn follows the announced leader and passes ANNOUNCE on. When it is back at the
// leader, all know.
func (p *Process) learn(n protocols.Node[Message], m Message) {
	if !p.cfg.Announce {
		panic(fmt.Sprintf("lcr: process %v received %v, and no leader is to be announced", p.rank, m))
	}
	if m.Rank.ID != p.rank.ID {
		p.status, p.leader = election.Follower, m.Rank.ID
		n.Send(n.Neighbor(0), m)
	}
}

func (p *Process) lead(n protocols.Node[Message]) {
	p.status, p.leader = election.Leader, p.rank.ID
	if p.cfg.Announce {
		n.Send(n.Neighbor(0), Message{Type: Announce, Rank: p.rank})
	}
}
