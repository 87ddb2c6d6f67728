// Package changroberts is the election of Chang and Roberts in the form of Coulouris et
// al. Any process may begin. An ELECTION message collects the best rank on its way, a
// participant flag extinguishes superfluous messages, and ELECTED tells all processes the
// outcome.
//
// Paper: E. Chang and R. Roberts, CACM 22(5), 1979; G. Coulouris, J.
// Dollimore, T. Kindberg and G. Blair, "Distributed Systems: Concepts and
// Design", 5th edition, section 15.3; G. Tel, "Introduction to Distributed
// Algorithms", 2nd ed., section 7.2.
//
// Model: asynchronous unidirectional ring, FIFO and reliable links, distinct
// identities, n unknown, no crashes during the election; any non-empty set of
// initiators.
//
// Cost, N processes, all initiators starting before a message reaches them:
//
//	one initiator   2N + d messages and time, d the ring distance from the
//	                initiator to the best: 2N if it is the best itself, 3N-1
//	                if the best is its predecessor, (5N-1)/2 on average
//	all initiate    as many ELECTION as LCR sends probes (N*H_N on average),
//	                time 2N
//	ELECTED         always exactly N: the leader absorbs its own
//
// In Tel's form (variant tel) a process that a message finds asleep relays all messages
// and is no candidate; the best initiator leads. With k initiators
//
//	ELECTION  the sum over the initiators of the distance to the next better
//	          one, N for the best: from N+k-1 to kN - k(k-1)/2, N*H_k on average
//	ELECTED   always exactly N
//	time      2N, if the initiators start at once
//
// Invariants: an ELECTION message that leaves a process is no worse than the
// process's own rank (Tel: than an initiator's), so only the best rank can come
// home. Between two ELECTED a process puts its own rank on the ring at most once.
//
// Deviations from Coulouris et al., who leave these points open: (1) A participant does
// not begin a second election. (2) The leader knows when its rank comes back, and not
// when its ELECTED does. (3) The best rank wins, which is the largest unless the order
// says otherwise. Deviations from Tel (algorithm 7.3), whose smallest initiator wins and
// tells no other process: ELECTED goes round here as well. There is one election in a
// run, as in Tel.
package changroberts

import (
	"bullring/protocols"
	"bullring/protocols/election"
)

// Message is a rank on its way round the ring.
type Message = election.Ranked[kinds]

// The two messages.
const (
	Election protocols.Type = iota // the best rank met so far
	Elected                        // the leader's rank
)

// kinds names the messages.
type kinds struct{}

func (kinds) Names() []string { return names }

var names = []string{"ELECTION", "ELECTED"}

// Config chooses the variant. The zero value is the form of Coulouris et al., and the
// largest rank wins.
type Config struct {
	// Order says which rank wins.
	Order election.Order
	// Tel: only initiators are candidates.
	Tel bool
}

// Process is one process of the ring.
type Process struct {
	protocols.NoTimers[Message]

	rank        election.Rank
	cfg         Config
	participant bool // has sent ELECTION and not yet seen ELECTED; in Tel's form for good
	relay       bool // Tel's form: a message came before its start
	decision    election.Decision
}

var _ election.Process[Message] = (*Process)(nil)

// New returns the process with this rank.
func New(rank election.Rank, cfg Config) *Process {
	return &Process{rank: rank, cfg: cfg}
}

// Decision implements [election.Elector].
func (p *Process) Decision() election.Decision { return p.decision }

// Start begins an election, unless the process takes part in one already.
func (p *Process) Start(n protocols.Node[Message]) {
	if !p.participant {
		p.elect(n, p.rank)
	}
}

// Receive handles the two messages.
func (p *Process) Receive(n protocols.Node[Message], _ protocols.ID, m Message) {
	own := m.Rank.ID == p.rank.ID
	p.relay = p.relay || p.cfg.Tel && !p.participant
	switch {
	case m.Type == Election && own:
		p.conclude(n, p.rank)
	case m.Type == Election && p.cfg.Order.Better(m.Rank, p.rank):
		p.elect(n, m.Rank)
	case m.Type == Election && p.relay:
		p.elect(n, m.Rank)
	case m.Type == Election && !p.participant:
		p.elect(n, p.rank)
	case m.Type == Election:
		// Discarded: this process has already sent something better.
	case m.Type == Elected && own:
		// ELECTED is back at its leader: all know.
	case m.Type == Elected:
		p.conclude(n, m.Rank)
	default:
		panic(protocols.Unknown(m))
	}
}

// elect makes the process a participant, whether it initiates or forwards.
func (p *Process) elect(n protocols.Node[Message], best election.Rank) {
	p.participant = true
	n.Send(n.Neighbor(0), Message{Type: Election, Rank: best})
}

// conclude ends the election at this process and passes the news on.
func (p *Process) conclude(n protocols.Node[Message], leader election.Rank) {
	if !p.cfg.Tel {
		p.participant = false
	}
	p.decision = election.Decide(p.rank.ID, leader.ID)
	n.Send(n.Neighbor(0), Message{Type: Elected, Rank: leader})
}
