// Package peterson is the election of Dolev, Klawe and Rodeh, which Lynch calls
// Peterson's: O(n log n) messages on a ring on which messages travel one way. An active
// process stands for a rank, at first its own. In a round it learns the ranks of the two
// active processes before it. If the rank of the nearer one is better than both its
// neighbours, the process takes it over; otherwise it becomes a relay. When a rank comes
// back to the process that stands for it, that process is the only active one and the
// rank is the best.
//
// The programs of Peterson's own paper are variants. His first one (first) does the same
// rounds and sends less in the last. His improved one (improved) does rounds of half
// the length.
//
// Paper: D. Dolev, M. Klawe and M. Rodeh, "An O(n log n) unidirectional
// distributed algorithm for extrema finding in a circle", J. Algorithms 3(3),
// 1982; G. Peterson, ACM TOPLAS 4(4), 1982; N. Lynch, "Distributed Algorithms",
// 1996, section 15.1.3. The messages have the names of the model leader0 that
// comes with the model checker SPIN.
//
// Model: asynchronous unidirectional ring, FIFO and reliable links, distinct
// identities, n unknown, no crashes; any non-empty set of initiators.
//
// Cost. Keep only the local maxima of the cyclic list of ranks, until one is left: R is
// how often. It is 0 for n = 1, otherwise from 1 to floor(lg n), both attained for every
// n. Under every schedule and with any initiators
//
//	ONE     nR + n
//	TWO     nR; together 2nR + n, Franklin's count less n: at best 3n, if the
//	        ranks improve in the direction of travel, at worst 2n floor(lg n) + n
//	WINNER  always exactly n
//	time    if all start at once: the last round begins at t, the best rank is
//	        known at t + n, all have learnt it at t + 2n - 1, and the ring is
//	        quiet at t + 2n, from 2n + 2 to 4n - 1 (n > 1)
//
// Peterson's programs, n > 1:
//
//	first     never more. The last round ends when the best rank reaches its owner,
//	          d hops from the process that holds it when one or two are active. If
//	          r rounds went before: 2nr + d with one active; with two, e hops from
//	          the holder to the other, 2nr + n + 2d - e. From 3n - 1
//	improved  n in each of its rounds. P' rounds are possible if and only if
//	          n >= Fib(P'+1): so 1.44 n lg n. From 2n; half of the rounds, the odd
//	          ones, are of ONE, and the others of TWO
//	WINNER    always exactly n
//
// Invariants: the active processes stand for distinct ranks, and until the end
// the best rank is one of them. Of two neighbours among the active at most one
// goes on, so a round leaves at most half of them.
//
// Who leads: a round moves the best rank on to the next active process. So the process
// that holds it in the end, and finds it, is never its owner (n > 1). The owner is the
// leader, and all report its identity. No process leads before WINNER has come by, which
// the holder sends round and absorbs. There is no variant in which only the leader
// decides, for it is not the first to know.
//
// Outside the model: a crash cuts the streams of messages short. Then no process decides,
// or all that do are right. One lost message makes a hole in a stream, and a rank
// that is not the best can win: 3 against 4 on the ring 4, 2, 3, 1 if the first
// message of 4 is lost.
//
// Deviations: (1) A process that a message finds asleep wakes up, as if it had
// been started just before; in Lynch all processes start. It sends the same, for it
// sends its own rank before it reads anything. (2) WINNER, which tells all processes the
// outcome, is from the model leader0; the bounds of the literature, 2n lg n and the like,
// are without it. (3) The messages of Peterson's programs have types; in the paper a
// process knows from its number what a message is. (4) In his first program the owner of
// the best rank finds it and sends WINNER; in the improved one the holder does, as above.
// (5) The best rank wins, which is the largest unless the order says otherwise. (6) The
// improved program alternates two kinds of rounds. Here an odd round keeps a rank that
// beats that of the next active process, and an even one a rank that beats that of the
// one before. Some state it the other way round: a placement costs here what its mirror
// image costs there, and the costs over all placements are equal.
package peterson

import (
	"bullring/protocols"
	"bullring/protocols/election"
)

// Message is a rank on its way round the ring.
type Message = election.Ranked[kinds]

// The three messages.
const (
	One    protocols.Type = iota // the rank of an active process, to the next active one
	Two                          // the rank of a ONE, passed on to the active process after that
	Winner                       // the rank of the leader
)

// kinds names the messages.
type kinds struct{}

func (kinds) Names() []string { return names }

var names = []string{"ONE", "TWO", "WINNER"}

// Config chooses the variant. The zero value is the program of Dolev, Klawe and Rodeh,
// and the largest rank wins.
type Config struct {
	// Order says which rank wins.
	Order election.Order
	// Program is one of the three programs.
	Program Program
}

// Program is one of three elections that share most of their code.
type Program uint8

// The three programs.
const (
	DKR      Program = iota // Dolev, Klawe and Rodeh's; Lynch's Peterson
	First                   // the first one of Peterson's paper
	Improved                // the improved one of Peterson's paper
)

// String names the program.
func (p Program) String() string { return [...]string{"DKR", "first", "improved"}[p] }

// role says what a process does with ONE and TWO.
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

	rank      election.Rank
	cfg       Config
	role      role
	held      election.Rank // the rank that an active process stands for; at first its own
	neighbour election.Rank // the rank of the active process before it: the last ONE
	decision  election.Decision
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

// Start wakes the process, if it is asleep.
func (p *Process) Start(n protocols.Node[Message]) {
	if p.role == asleep {
		p.stand(n, p.rank)
	}
}

// Receive handles the three messages; the first one wakes the process.
func (p *Process) Receive(n protocols.Node[Message], _ protocols.ID, m Message) {
	p.Start(n)
	switch {
	case m.Type > Winner:
		panic(protocols.Unknown(m))
	case m.Type == Winner:
		p.learn(n, m.Rank)
	case p.cfg.Program == First:
		p.receiveFirst(n, m)
	case p.cfg.Program == Improved:
		p.receiveImproved(n, m)
	case p.role == relay:
		n.Send(n.Neighbor(0), m)
	case m.Type == One:
		p.compareOne(n, m.Rank)
	default:
		p.compareTwo(n, m.Rank)
	}
}

// compareOne handles the rank of the active process before this one. If it is the rank
// of this one, no other is active.
func (p *Process) compareOne(n protocols.Node[Message], one election.Rank) {
	if one.ID == p.held.ID {
		p.learn(n, one)
		return
	}
	p.neighbour = one
	n.Send(n.Neighbor(0), Message{Type: Two, Rank: one})
}

// compareTwo takes over the rank of the active process before, if it wins against both
// its neighbours; otherwise the process becomes a relay.
func (p *Process) compareTwo(n protocols.Node[Message], two election.Rank) {
	if p.cfg.Order.Better(p.neighbour, p.held) && p.cfg.Order.Better(p.neighbour, two) {
		p.stand(n, p.neighbour)
	} else {
		p.role = relay
	}
}

// stand begins a round: the process stands for a rank.
func (p *Process) stand(n protocols.Node[Message], r election.Rank) {
	p.role, p.held = active, r
	n.Send(n.Neighbor(0), Message{Type: One, Rank: r})
}

// learn decides, and passes WINNER on. At a process that has decided, WINNER has been
// round the ring.
func (p *Process) learn(n protocols.Node[Message], leader election.Rank) {
	if p.decision.Status == election.Undecided {
		p.decision = election.Decide(p.rank.ID, leader.ID)
		n.Send(n.Neighbor(0), Message{Type: Winner, Rank: leader})
	}
}
