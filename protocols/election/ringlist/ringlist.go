// Package ringlist is Tanenbaum's ring election: an ELECTION message goes
// round a logical ring and every living process appends itself; back at its
// initiator, the best of the list is announced by a COORDINATOR message that
// makes the same round. Dead processes are found by polling and passed over.
//
// Paper: A. Tanenbaum and M. van Steen, "Distributed Systems: Principles and
// Paradigms", 2nd edition, section 6.5.1 (a ring algorithm).
//
// Model: complete graph whose ports give the logical ring, Neighbor(k) being
// k+1 steps ahead; reliable links with a delay below Timeout; processes crash,
// and a detector, asked after Timeout, says so. Without a detector nobody is
// taken for dead. Any set of initiators.
//
// Cost, n processes of which D are dead from the start, one initiator:
//
//	delivered  2(n-D), one round of each kind
//	sent       2n without memory: every dead process is polled once a round;
//	           2(n-D) + D with memory: it is polled once
//	time       2(n-D) + 2D*Timeout without memory, one Timeout a dead process
//	           less with it
//
// k initiators cost k times as much: nothing is suppressed. With memory, polls
// that are under way together discover the same dead process each, so then k
// times is the upper bound.
//
// Invariants: a list never holds a process twice; with a detector that makes no
// mistakes, the list that comes home holds every process that lived throughout;
// a message is never handed to a process beyond its initiator, so every message
// ends.
//
// Deviations from the book, which leaves them open: (1) "the successor is
// down" is a poll: send, wait Timeout, ask the detector, go on to the next; no
// acknowledgements. The last one to be polled by an initiator is itself. (2)
// COORDINATOR carries the winner, not the list, and the initiator's address,
// as ELECTION does, and the initiator absorbs it. (3) A message whose initiator
// is found dead is dropped there: its round is over, and the book's would
// never end. (4) With memory, a process whose ELECTION arrives is taken for
// dead no longer, so that a recovered one is back on the ring once it initiates;
// if it has died since, that costs a poll. (5) A process that is passed over
// although it lives, and one that dies after it has passed a message on, make
// a second copy of it; both come home, and the later outcome stands. (6) The
// best rank wins, which is the largest unless the order says otherwise.
package ringlist

import (
	"fmt"
	"slices"
	"time"

	"bullring/protocols"
	"bullring/protocols/election"
)

// Config chooses the variant.
type Config struct {
	// Timeout is how long a process waits before it asks whether the one it
	// has sent to is dead: more than the link delay, or a crash on the way
	// is missed. It must be positive.
	Timeout time.Duration
	// Memory makes a process skip those that it has found dead. Without it
	// (the default) it polls them anew for every message.
	Memory bool
	// Order says which rank wins.
	Order election.Order
}

// Validate reports what is wrong with the configuration.
func (c Config) Validate() error {
	if c.Timeout <= 0 {
		return fmt.Errorf("ringlist: Timeout is %v, and must be positive", c.Timeout)
	}
	return nil
}

// Process is one process of the logical ring.
type Process struct {
	rank     election.Rank
	cfg      Config
	polls    []poll         // indexed by timer label
	dead     []protocols.ID // found dead so far, if there is memory
	decision election.Decision
}

// poll is a message of which the process does not know yet whether the one
// behind the port took it.
type poll struct {
	open bool
	port int
	m    Message
}

var _ election.Process[Message] = (*Process)(nil)

// New returns the process with this rank. It panics on an invalid
// configuration.
func New(rank election.Rank, cfg Config) *Process {
	if err := cfg.Validate(); err != nil {
		panic(err)
	}
	return &Process{rank: rank, cfg: cfg}
}

// Decision implements [election.Elector].
func (p *Process) Decision() election.Decision { return p.decision }

// Start begins an election with a list that holds the process alone.
func (p *Process) Start(n protocols.Node[Message]) {
	p.pass(n, Message{Type: Election, Initiator: n.ID(), List: []election.Rank{p.rank}}, 0)
}

// Receive handles the two messages, each differently at its initiator.
func (p *Process) Receive(n protocols.Node[Message], _ protocols.ID, m Message) {
	own := m.Initiator == n.ID()
	switch {
	case m.Type == Election && own:
		winner := p.best(m.List)
		p.decision = election.Decide(p.rank.ID, winner.ID)
		p.pass(n, Message{Type: Coordinator, Initiator: n.ID(), Winner: winner}, 0)
	case m.Type == Election:
		p.dead = slices.DeleteFunc(p.dead, func(d protocols.ID) bool { return d == m.Initiator })
		// Clipped, so that appending copies: the sender may yet poll another
		// process with the list that it sent here.
		m.List = append(slices.Clip(m.List), p.rank)
		p.pass(n, m, 0)
	case m.Type == Coordinator && own:
		// COORDINATOR is back at its initiator: everybody knows.
	case m.Type == Coordinator:
		p.decision = election.Decide(p.rank.ID, m.Winner.ID)
		p.pass(n, m, 0)
	default:
		panic(protocols.Unknown(m))
	}
}

// Timeout ends a poll: if the polled process is dead, the next one is polled.
func (p *Process) Timeout(n protocols.Node[Message], t protocols.Timer) {
	if int(t) >= len(p.polls) || !p.polls[t].open {
		panic(fmt.Sprintf("ringlist: process %v polls nobody under label %d, yet its timer expired", p.rank, t))
	}
	q := p.polls[t]
	p.polls[t] = poll{}
	for len(p.polls) > 0 && !p.polls[len(p.polls)-1].open {
		p.polls = p.polls[:len(p.polls)-1]
	}
	polled := ahead(n, q.port)
	if !protocols.Suspects(n, polled) {
		return
	}
	if p.cfg.Memory && !slices.Contains(p.dead, polled) {
		p.dead = append(p.dead, polled)
	}
	if polled != q.m.Initiator {
		p.pass(n, q.m, q.port+1)
	}
}

// pass hands m to the first process from port on that is not remembered as
// dead, but to none beyond its initiator, and waits for what becomes of it.
func (p *Process) pass(n protocols.Node[Message], m Message, port int) {
	for slices.Contains(p.dead, ahead(n, port)) {
		if ahead(n, port) == m.Initiator {
			return
		}
		port++
	}
	n.Send(ahead(n, port), m)
	label := slices.IndexFunc(p.polls, func(q poll) bool { return !q.open })
	if label < 0 {
		label = len(p.polls)
		p.polls = append(p.polls, poll{})
	}
	p.polls[label] = poll{open: true, port: port, m: m}
	n.SetTimer(protocols.Timer(label), p.cfg.Timeout)
}

// ahead is the address port+1 steps ahead on the ring: behind the last port
// the ring closes with the process itself.
func ahead(n protocols.Node[Message], port int) protocols.ID {
	if port == n.Degree() {
		return n.ID()
	}
	return n.Neighbor(port)
}

// best is the best rank of a list.
func (p *Process) best(list []election.Rank) election.Rank {
	best := list[0]
	for _, r := range list[1:] {
		if p.cfg.Order.Better(r, best) {
			best = r
		}
	}
	return best
}
