// Package echo is the election by the echo algorithm with extinction. Every initiator
// floods the graph with a wave of its own and waits for the echo. A process takes part in
// the best wave that it has met, so only the wave of the best initiator comes back.
//
// Paper: G. Tel, "Introduction to Distributed Algorithms", 2nd edition, 2000,
// section 7.3 (extinction; the echo algorithm is section 6.2.3); E. J. H. Chang,
// "Echo algorithms: depth parallel operations on general graphs", IEEE
// Transactions on Software Engineering SE-8(4), 1982.
//
// Model: asynchronous, any connected undirected graph; reliable links, FIFO or
// not; distinct identities, neither the size nor the graph known; no crashes. Any
// non-empty set of initiators; a process that a wave reaches before it starts is no
// initiator.
//
// Cost, E edges, e the eccentricity of the winner:
//
//	one initiator  TOKEN exactly 2E, one over each link in each direction
//	k initiators   TOKEN at most 2kE and at least 2E; how many depends on the
//	               order of events
//	LEADER         2E more, with all-terminate
//	time           one initiator: it knows at 2e, or at 2e+1 if two processes at
//	               distance e are neighbours; the last process e later; with
//	               LEADER it is quiet another 1 later
//
// Invariants: a process never goes back to a worse wave. A wave comes home only
// if every process has taken part in it to its end, so that no initiator is
// better than its own.
//
// Deviations from Tel: (1) The best rank wins, which is the largest unless the
// order says otherwise, and not the smallest. (2) Processes do not count the
// LEADER messages that they receive in order to terminate: they are passive after
// the first. (3) With leader-only no other process decides.
package echo

import (
	"bullring/protocols"
	"bullring/protocols/election"
)

// Message is the rank of an initiator.
type Message = election.Ranked[kinds]

// The two messages.
const (
	Token  protocols.Type = iota // names the initiator of its wave: on the way out, and back as the echo
	Leader                       // the rank of the winner
)

// kinds names the messages.
type kinds struct{}

func (kinds) Names() []string { return names }

var names = []string{"TOKEN", "LEADER"}

// Config chooses the variant. With the zero value the largest rank of the initiators
// wins, and no other process learns it.
type Config struct {
	// Announce: the leader floods LEADER, so that every process decides.
	Announce bool
	// Order says which rank wins.
	Order election.Order
}

// Process is one process of the graph.
type Process struct {
	protocols.NoTimers[Message]

	rank      election.Rank
	cfg       Config
	neighbors []protocols.ID // set at the first step

	awake    bool          // takes part in a wave
	wave     election.Rank // the initiator of the best wave that it has met (Tel: caw)
	father   protocols.ID  // the sender of its first token; meaningless at the initiator
	received int           // the tokens of that wave (Tel: rec)
	decision election.Decision
}

var _ election.Process[Message] = (*Process)(nil)

// New returns the process with this rank.
func New(rank election.Rank, cfg Config) *Process {
	return &Process{rank: rank, cfg: cfg}
}

// Decision implements [election.Elector].
func (p *Process) Decision() election.Decision { return p.decision }

// Start begins a wave of the process, unless it takes part in one.
func (p *Process) Start(n protocols.Node[Message]) {
	if !p.awake {
		p.join(n, p.rank, n.ID())
		p.echo(n)
	}
}

// Receive handles the two messages.
func (p *Process) Receive(n protocols.Node[Message], from protocols.ID, m Message) {
	switch m.Type {
	case Token:
		p.token(n, from, m.Rank)
	case Leader:
		p.conclude(n, m.Rank)
	default:
		panic(protocols.Unknown(m))
	}
}

// token joins a better wave, counts a token of the present one, and drops a token of a
// worse one.
func (p *Process) token(n protocols.Node[Message], from protocols.ID, wave election.Rank) {
	if !p.awake || p.cfg.Order.Better(wave, p.wave) {
		p.join(n, wave, from)
	}
	if wave == p.wave {
		p.received++
		p.echo(n)
	}
}

// join leaves the present wave for another one.
func (p *Process) join(n protocols.Node[Message], wave election.Rank, father protocols.ID) {
	p.neighbors = election.Neighbors(n)
	p.awake, p.wave, p.father, p.received = true, wave, father, 0
	for _, q := range p.neighbors {
		if q != father {
			n.Send(q, Message{Type: Token, Rank: wave})
		}
	}
}

// echo answers the father when every neighbour has sent a token. At the initiator the
// wave has come home then.
func (p *Process) echo(n protocols.Node[Message]) {
	switch {
	case p.received != len(p.neighbors):
	case p.wave.ID == p.rank.ID:
		p.conclude(n, p.rank)
	default:
		n.Send(p.father, Message{Type: Token, Rank: p.wave})
	}
}

// conclude decides, once, and floods the news.
func (p *Process) conclude(n protocols.Node[Message], leader election.Rank) {
	if p.decision.Status != election.Undecided {
		return
	}
	p.decision = election.Decide(p.rank.ID, leader.ID)
	if !p.cfg.Announce {
		return
	}
	for _, q := range p.neighbors {
		n.Send(q, Message{Type: Leader, Rank: leader})
	}
}
