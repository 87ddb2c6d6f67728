// Package franklin is the election of Franklin on a bidirectional ring. In each phase
// every active process sends its identity both ways to the next active ones. It stays
// active if its own identity is better than the two that it receives, and relays
// otherwise. A process that receives its own identity is the only active one, and leads.
//
// Paper: R. Franklin, "On an improved algorithm for decentralized extrema finding
// in circular configurations of processors", CACM 25(5), 1982.
//
// Model: asynchronous bidirectional ring, FIFO and reliable links, distinct
// identities, n unknown, no crashes; any non-empty set of initiators.
//
// Cost. Keep only the local maxima of the cyclic list of ranks, until one is left: P is
// one more than how often. It is 1 for n = 1, otherwise from 2 to floor(lg n) + 1, both
// attained for every n. Under every schedule and with any initiators
//
//	PROBE     2nP: 4n at best, 2n floor(lg n) + 2n at worst
//	ANNOUNCE  none, or n if the announcement is wanted; with it the worst is the
//	          paper's 2n floor(lg n) + 3n
//	time      if all start at once and the last phase begins at t, the leader
//	          knows at t + n, and then there is silence; the announcement takes n
//	          more
//
// Invariants: of two neighbours among the active at most one stays active, so a
// phase leaves at most half of them, and always the best. By each way a process
// receives one PROBE for each phase, and at most one of a phase ahead.
//
// A PROBE of the next phase may arrive by one way before that of this phase does
// by the other: it waits. So a process reads its two inputs in turn, the ring is a
// Kahn network, and no schedule changes what is sent.
//
// Outside the model: the best process never retires, so no PROBE of another process
// comes home, whatever is lost. Then no process leads, or the best does.
//
// Deviations: (1) A process that a message finds asleep wakes up, as if it had
// been started just before. It sends the same, for it sends its own rank before it reads
// anything. (2) Messages say which way they go. (3) The announcement is a variant
// (all-terminate); it goes round one way, and the leader absorbs it. (4) The best rank wins,
// which is the largest unless the order says otherwise.
package franklin

import (
	"fmt"
	"slices"

	"bullring/protocols"
	"bullring/protocols/election"
)

// Message is a rank on its way along the ring.
type Message = election.Wayward[kinds]

// The two messages.
const (
	Probe    protocols.Type = iota // the rank of an active process, to the next active one
	Announce                       // the rank of the leader
)

// kinds names the messages.
type kinds struct{}

func (kinds) Names() []string { return names }

var names = []string{"PROBE", "ANNOUNCE"}

// Config chooses the variant. With the zero value only the leader decides, and the
// largest rank wins.
type Config struct {
	// Announce: the leader tells all others. That takes n more messages, and every
	// process decides.
	Announce bool
	// Order says which rank wins.
	Order election.Order
}

// role says what a process does with a PROBE.
type role uint8

// The three roles, in the order in which a process takes them.
const (
	asleep role = iota // at first
	active             // compares ranks
	relay              // passes messages on
)

// String names the role.
func (r role) String() string {
	return [...]string{"asleep", "active", "relay"}[r]
}

// Process is one process of the ring.
type Process struct {
	protocols.NoTimers[Message]

	rank     election.Rank
	cfg      Config
	role     role
	arrived  [2][]election.Rank // by way: of this phase and the next, not yet compared
	decision election.Decision
}

var _ election.Process[Message] = (*Process)(nil)

// New returns the process with this rank.
func New(rank election.Rank, cfg Config) *Process {
	return &Process{rank: rank, cfg: cfg}
}

// Candidate reports whether the process is active: it compares ranks.
func (p *Process) Candidate() bool { return p.role == active }

// Decision implements [election.Elector].
func (p *Process) Decision() election.Decision { return p.decision }

// Start begins the first phase, if the process is asleep.
func (p *Process) Start(n protocols.Node[Message]) {
	if p.role == asleep {
		p.role = active
		p.probe(n)
	}
}

// Receive handles the two messages; the first PROBE wakes the process.
func (p *Process) Receive(n protocols.Node[Message], _ protocols.ID, m Message) {
	switch m.Type {
	case Probe:
		p.Start(n)
		if p.role == relay {
			send(n, m)
			return
		}
		p.arrived[m.Way] = append(p.arrived[m.Way], m.Rank)
		p.compare(n)
	case Announce:
		p.learn(n, m)
	default:
		panic(protocols.Unknown(m))
	}
}

// compare ends the phase when the ranks of both active neighbours are there.
func (p *Process) compare(n protocols.Node[Message]) {
	if len(p.arrived[election.With]) == 0 || len(p.arrived[election.Against]) == 0 {
		return
	}
	before, after := p.arrived[election.With][0], p.arrived[election.Against][0]
	for way := range p.arrived {
		p.arrived[way] = slices.Delete(p.arrived[way], 0, 1)
	}
	switch {
	case before.ID == p.rank.ID || after.ID == p.rank.ID:
		p.lead(n)
	case p.cfg.Order.Better(p.rank, before) && p.cfg.Order.Better(p.rank, after):
		p.probe(n)
	default:
		p.retire(n)
	}
}

// probe begins a phase.
func (p *Process) probe(n protocols.Node[Message]) {
	for _, way := range [...]election.Way{election.With, election.Against} {
		send(n, Message{Type: Probe, Way: way, Rank: p.rank})
	}
}

// retire makes the process a relay. It passes on what has come for later phases.
func (p *Process) retire(n protocols.Node[Message]) {
	p.role = relay
	for _, way := range [...]election.Way{election.With, election.Against} {
		for _, r := range p.arrived[way] {
			send(n, Message{Type: Probe, Way: way, Rank: r})
		}
		p.arrived[way] = nil
	}
}

// lead decides, and announces it if that is wanted.
func (p *Process) lead(n protocols.Node[Message]) {
	p.decision = election.Decide(p.rank.ID, p.rank.ID)
	if p.cfg.Announce {
		send(n, Message{Type: Announce, Rank: p.rank})
	}
}

// learn follows the announced leader and passes ANNOUNCE on. When it is back at the
// leader, all know.
func (p *Process) learn(n protocols.Node[Message], m Message) {
	if !p.cfg.Announce {
		panic(fmt.Sprintf("franklin: process %v received %v, and no leader is to be announced", p.rank, m))
	}
	if m.Rank.ID != p.rank.ID {
		p.decision = election.Decide(p.rank.ID, m.Rank.ID)
		send(n, m)
	}
}

func send(n protocols.Node[Message], m Message) { n.Send(n.Neighbor(int(m.Way)), m) }
