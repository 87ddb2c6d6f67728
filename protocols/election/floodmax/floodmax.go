// Package floodmax is the synchronous election of FloodMax, on any strongly connected
// directed graph with a known diameter, or a known upper bound on it.
//
// Paper: N. Lynch, "Distributed Algorithms", 1996, section 4.1 (FloodMax in 4.1.2,
// OptFloodMax in 4.1.3).
//
// Model: synchronous rounds, all processes begin together, reliable links, no crashes,
// distinct ranks, and every process knows the diameter D. A larger number in its place
// costs rounds and messages, and nothing else: D is that number below. Variant alpha
// runs it on an asynchronous network, too.
//
// Each process keeps the best rank that it has heard of. In each of D rounds it sends
// that rank to its out-neighbours. Then it has heard of all processes, and is the leader
// if the best rank is its own. The optimised form sends a rank only when it is new: in
// round 1 its own, and later a rank in the round after that in which it was first heard.
//
// Cost: D rounds of sending, the decision in round D+1 (time D). FloodMax sends
// exactly D*m messages, m the number of directed links. OptFloodMax: the sum over the
// processes v of outdeg(v) times 1 + the number of radii r = 1..D-1 in which the best
// rank within distance r of v is another than within r-1. On a directed ring that is
// LCR with the hops of every rank capped at n-1.
//
// Invariants: after r rounds a process knows the best rank within distance r of it;
// so after D rounds all know the same.
//
// Deviations: (1) The best rank wins, which is the largest unless the order says
// otherwise. (2) Every process learns which one leads, and not only whether it leads
// itself: it knows the rank.
package floodmax

import (
	"fmt"

	"bullring/protocols"
	"bullring/protocols/election"
)

// Message is the best rank that its sender knows.
type Message = election.Ranked[kinds]

// Max is the only message.
const Max protocols.Type = 0

// kinds names the messages.
type kinds struct{}

func (kinds) Names() []string { return names }

var names = []string{"MAX"}

// Config is what the processes know, and the variant.
type Config struct {
	// Order says which rank wins.
	Order election.Order
	// Diameter is the number of rounds, at least 0. If it is smaller than the diameter
	// of the graph, there may be several leaders.
	Diameter int
	// Optimised: a process sends each rank once.
	Optimised bool
}

// Process is one process of the graph.
type Process struct {
	rank     election.Rank
	cfg      Config
	best     election.Rank // the best that it has heard of
	news     bool          // best has not been sent
	rounds   int           // the number of rounds that are over
	decision election.Decision
}

var (
	_ protocols.Round[Message] = (*Process)(nil)
	_ election.Elector         = (*Process)(nil)
)

// New returns the process with this rank. It panics if the diameter is negative.
func New(rank election.Rank, cfg Config) *Process {
	if cfg.Diameter < 0 {
		panic(fmt.Sprintf("floodmax: a diameter of %d", cfg.Diameter))
	}
	return &Process{rank: rank, cfg: cfg}
}

// Decision implements [election.Elector].
func (p *Process) Decision() election.Decision { return p.decision }

// Halted implements [protocols.Round].
func (p *Process) Halted() bool { return p.decision.Status != election.Undecided }

// Start implements [protocols.Round].
func (p *Process) Start(protocols.Node[Message]) {
	p.best, p.news = p.rank, true
	p.decideInTime()
}

// Messages sends the best rank.
func (p *Process) Messages(n protocols.Node[Message]) {
	if p.cfg.Optimised && !p.news {
		return
	}
	p.news = false
	for port := range n.Degree() {
		n.Send(n.Neighbor(port), Message{Type: Max, Rank: p.best})
	}
}

// Transition takes the best of the ranks that arrived.
func (p *Process) Transition(_ protocols.Node[Message], arrived []protocols.Arrival[Message]) {
	for _, a := range arrived {
		if p.cfg.Order.Better(a.Message.Rank, p.best) {
			p.best, p.news = a.Message.Rank, true
		}
	}
	p.rounds++
	p.decideInTime()
}

// decideInTime decides when D rounds are over.
func (p *Process) decideInTime() {
	if p.rounds == p.cfg.Diameter {
		p.decision = election.Decide(p.rank.ID, p.best.ID)
	}
}
