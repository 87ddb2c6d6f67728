// Package ringlist is Tanenbaum's ring election. An ELECTION message goes round a
// logical ring, and every living process appends itself to its list. Back at its
// initiator, a COORDINATOR message announces the best of the list and makes the same
// round. Dead processes are found by polling and passed over.
//
// Paper: A. Tanenbaum and M. van Steen, "Distributed Systems: Principles and
// Paradigms", 2nd edition, section 6.5.1 (a ring algorithm).
//
// Model: complete graph whose ports give the logical ring, neighbour k being
// k+1 steps ahead; reliable links with a delay below the timeout. Processes crash, and a
// detector, asked after the timeout, says so. Without a detector no process is taken for
// dead. Any set of initiators.
//
// Cost, n processes of which D are dead from the start, one initiator:
//
//	delivered  2(n-D), one round of each kind
//	sent       2n without memory: every dead process is polled once a round;
//	           2(n-D) + D with memory: it is polled once
//	time       2(n-D) + 2D timeouts without memory, one timeout a dead process
//	           less with it
//
// k initiators cost k times as much: no election suppresses another. With memory,
// simultaneous polls each discover the same dead process, so then k times is the upper
// bound.
//
// Invariants: a list never holds a process twice. With a detector that makes no
// mistakes, the list that comes home holds every process that lived throughout. A message
// is never handed to a process beyond its initiator, so every message ends.
//
// Deviations from the book, which leaves these points open: (1) "The successor is down" is
// a poll: send, wait for the timeout, ask the detector, go on to the next; no
// acknowledgements. The last process that an initiator polls is itself. (2) COORDINATOR carries the winner, not
// the list, and like ELECTION the address of the initiator, which absorbs it. (3) A
// message whose initiator is found dead is dropped there: its round is over, and in the
// book it would never end. (4) With memory, a process whose ELECTION arrives is no longer
// taken for dead. So a recovered one is back on the ring once it initiates; if it has died
// since, that costs a poll. (5) A live process that is passed over, and one that dies
// after it has passed a message on, make a second copy of the message. Both come home, and
// the later outcome stands. (6) The best rank wins, which is the largest unless the order
// says otherwise.
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
	// Timeout is the time from the sending of a message to the question whether its
	// receiver is dead. It must be positive, and more than the link delay: otherwise a
	// crash on the way is missed.
	Timeout time.Duration
	// Memory: a process skips those that it has found dead. Without it (the default) it
	// polls them anew for every message.
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
	dead     []protocols.ID // those that it has found dead, with memory
	decision election.Decision
}

// poll is a message that the process behind the port may not have received.
type poll struct {
	open bool
	port int
	m    Message
}

// String prints the poll: ELECTION(4)@0 at port 1.
func (q poll) String() string {
	if !q.open {
		return "none"
	}
	return fmt.Sprintf("%v at port %d", q.m, q.port)
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

// Start begins an election with a list of one, the process itself.
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
		// Clipped, so that append copies: the sender may poll another process with
		// the list that it sent here.
		m.List = append(slices.Clip(m.List), p.rank)
		p.pass(n, m, 0)
	case m.Type == Coordinator && own:
		// COORDINATOR is back at its initiator: all know.
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
		panic(fmt.Sprintf("ringlist: process %v has no poll with label %d, yet its timer expired", p.rank, t))
	}
	q := p.polls[t]
	p.polls[t] = poll{}
	for len(p.polls) > 0 && !p.polls[len(p.polls)-1].open {
		p.polls = p.polls[:len(p.polls)-1]
	}
	polled := ahead(n, q.port)
	if !n.Suspects(polled) {
		return
	}
	if p.cfg.Memory && !slices.Contains(p.dead, polled) {
		p.dead = append(p.dead, polled)
	}
	if polled != q.m.Initiator {
		p.pass(n, q.m, q.port+1)
	}
}

// TimerName implements [protocols.TimerNamer].
func (*Process) TimerName(protocols.Timer) string { return "poll" }

// pass hands m to the first process from port on that is not remembered as dead, but to
// none beyond its initiator. It begins a poll.
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

// ahead is the address port+1 steps ahead on the ring. After the last port the ring
// closes with the process itself.
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
