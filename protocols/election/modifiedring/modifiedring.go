// Package modifiedring is the fault-tolerant ring election of the lecture notes:
// Tanenbaum's ring, in which COORDINATOR collects the living a second time on its
// way, so that the initiator sees whether the one that it announces still lived,
// and repeats the election if not; and in which the others watch over the
// initiator.
//
// Paper: lecture notes on distributed algorithms, "modified ring algorithm"; for
// the ring itself A. Tanenbaum and M. van Steen, "Distributed Systems:
// Principles and Paradigms", 2nd edition, section 6.5.1.
//
// Model: complete graph whose ports give the logical ring, Neighbor(k) being
// the address k+1 ahead, modulo n; reliable links with a delay of at most
// Timeout; processes crash at any time, between two sends of a step included,
// and stay dead; a perfect detector, which is asked. Any set of initiators at
// any time.
//
// Cost, n processes of which D are dead from the start, one initiator:
//
//	delivered  2(n-D), one round of each kind
//	sent       2n without memory: every dead process is polled once a round;
//	           2(n-D) + D with memory: it is polled once
//	time       2(n-D) + 2D*Timeout without memory, one Timeout a dead process
//	           less with it
//
// k initiators cost k times as much, with memory at most: nothing is suppressed.
// With one initiator, all alive at the start, and a first crash that finds no
// poll of the victim open:
//
//	the winner, not the initiator,    4n sent, 3 of them to the dead, 4n-3
//	between its two messages          delivered; with memory 4n-2, and 1
//	the initiator, before ELECTION    n+1, then silence; with the watchdog its
//	comes home                        successor begins anew: 2n more, with
//	                                  memory 2n-2
//	the initiator, before COORDINATOR 2n+1; all have decided. 2n more, with
//	comes home                        memory 2n-2, if it was the winner
//
// A poll of the victim that is open makes a second copy, which costs one message.
// With the watchdog, one crash at any time makes it 4n+2 at most.
//
// Invariants, in the model:
//
//	(a) A list that is home names all that are alive. So nobody ever decides on
//	    a process worse than one that is alive, however late it decides.
//	(b) A message is at distance d from its initiator after d timeouts, or never.
//	    So a watchdog that waits n+d timeouts finds all well unless somebody
//	    crashed. Of those that wait for one initiator it is the first to begin
//	    anew itself, with d=0, and if it is dead, its nearest live successor; that
//	    ELECTION reaches the others before they do the same.
//	(c) With the watchdog: whoever has handled a message is watching, or follows
//	    a process that was alive n timeouts or more after the last message that it
//	    handled. So at rest, if one of those that took part lives, all live
//	    processes follow the same one: the best of them, or one that crashed more
//	    than n timeouts after they had decided.
//	(d) Between two elections that a process begins anew somebody has crashed. So
//	    n-1 of them are enough, and then a process gives up, until it is started
//	    again.
//	(e) A process passes each message on once. With (d), every message and every
//	    election ends, even where messages are late or lost or the detector is
//	    mistaken.
//
// For (c), if p follows v and q follows the worse w: the list that named w was
// home after v had died. Its ELECTION came by p before p last armed its watchdog,
// for ELECTION arms it; it was home before that barked; and then v was dead, and p
// would not have been content with it. For (d): without another crash the new
// election comes to its end, after which the process follows one that lives, and
// leaves it for no dead one.
//
// Deviations from the notes, which leave them open: (1) A process decides when
// COORDINATOR comes by, the initiator when it is home and names the winner;
// a later COORDINATOR changes the decision, except that a dead winner's does not
// replace one that was made, since elections that overlap may announce in another
// order than they found out. (2) The initiator is in both lists, first. (3) "The
// successor is down" is a poll, as in package ringlist: send, wait Timeout, ask
// the detector, go on to the next; no acknowledgements. (4) A dead initiator is
// polled past like everybody else. Initiators number their elections, and who
// has seen a message, or a later one of the same initiator, drops it: there
// the messages of dead initiators end, and the second copies that arise when a
// process dies after it has passed a message on. (5) The notes' wait that
// depends on the distance d is n+d timeouts, from every message that is passed on,
// COORDINATOR included: then a process begins an election anew if it follows
// nobody, or one that has died. So does the initiator, with d=0 when it sends and
// d=n when it is done. Without the watchdog, an election whose message is lost
// with its holder or whose initiator dies is not repeated. (6) A list names
// addresses besides ranks, so that the detector can be asked. (7) With memory, a
// process whose ELECTION arrives is taken for dead no longer. (8) The number of
// its elections is in a process's stable storage, so that after a restart, which
// the model excludes, its messages are not taken for old ones. (9) A process that
// is started while its own election is under way abandons that for the new one.
// (10) The best rank wins, which is the largest unless the order says otherwise.
package modifiedring

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
	// has sent to is dead: no less than the link delay, or a crash on the way
	// is missed. The watchdog waits n to 2n times as long. It must be
	// positive.
	Timeout time.Duration
	// Memory makes a process skip those that it has found dead. Without it
	// (the default) it polls them anew for every message.
	Memory bool
	// Watchdog makes those that have taken part begin an election anew that
	// was not brought to its end. Without it (the default) only the initiator
	// repeats an election, and only if the winner did not live to hear of it.
	Watchdog bool
	// Order says which rank wins.
	Order election.Order
}

// Validate reports what is wrong with the configuration.
func (c Config) Validate() error {
	if c.Timeout <= 0 {
		return fmt.Errorf("modifiedring: Timeout is %v, and must be positive", c.Timeout)
	}
	return nil
}

// Process is one process of the logical ring.
type Process struct {
	rank     election.Rank
	cfg      Config
	round    int            // the elections that it has begun; in stable storage
	repeats  int            // those of them that it was not started for, since it was
	stages   []stage        // what it has seen, by initiator
	leader   protocols.ID   // where the leader sits, or nobody
	polls    []poll         // indexed by timer label
	dead     []protocols.ID // found dead so far, if there is memory
	decision election.Decision
}

var (
	_ election.Process[Message] = (*Process)(nil)
	_ protocols.Stable[Message] = (*Process)(nil)
)

// New returns the process with this rank. It panics on an invalid
// configuration.
func New(rank election.Rank, cfg Config) *Process {
	if err := cfg.Validate(); err != nil {
		panic(err)
	}
	return &Process{rank: rank, cfg: cfg, leader: nobody}
}

// Decision implements [election.Elector].
func (p *Process) Decision() election.Decision { return p.decision }

// Restore implements [protocols.Stable].
func (p *Process) Restore(crashed protocols.Process[Message]) {
	p.round = crashed.(*Process).round
}

// Start begins an election.
func (p *Process) Start(n protocols.Node[Message]) {
	p.repeats = 0
	p.begin(n)
}

// Receive handles the two messages, each differently at its initiator.
func (p *Process) Receive(n protocols.Node[Message], _ protocols.ID, m Message) {
	home := m.Initiator == n.ID()
	if home && m.Round != p.round || !p.advances(m) {
		return
	}
	switch {
	case m.Type == Election && home:
		p.announce(n, m)
	case m.Type == Election:
		p.dead = slices.DeleteFunc(p.dead, func(d protocols.ID) bool { return d == m.Initiator })
		p.forward(n, m)
	case m.Type == Coordinator && home:
		p.confirm(n, m)
	case m.Type == Coordinator:
		p.follow(n, m.Winner)
		p.forward(n, m)
	default:
		panic(protocols.Unknown(m))
	}
}

// Timeout ends a poll, or a wait for the end of an election.
func (p *Process) Timeout(n protocols.Node[Message], t protocols.Timer) {
	if t == watchdog {
		p.bark(n)
		return
	}
	i := int(t - firstPoll)
	if i >= len(p.polls) || !p.polls[i].open {
		panic(fmt.Sprintf("modifiedring: process %v polls nobody under label %d, yet its timer expired", p.rank, t))
	}
	q := p.polls[i]
	p.polls[i] = poll{}
	for len(p.polls) > 0 && !p.polls[len(p.polls)-1].open {
		p.polls = p.polls[:len(p.polls)-1]
	}
	p.check(n, q)
}

// begin sends ELECTION with a list that holds the process alone.
func (p *Process) begin(n protocols.Node[Message]) {
	p.round++
	p.pass(n, Message{Type: Election, Initiator: n.ID(), Round: p.round, List: []Member{p.self(n)}}, 0)
	p.watch(n, 0)
}

// announce sends COORDINATOR for the best of the list that has come home.
func (p *Process) announce(n protocols.Node[Message], m Message) {
	p.pass(n, Message{
		Type: Coordinator, Initiator: m.Initiator, Round: m.Round,
		List: []Member{p.self(n)}, Winner: p.best(m.List),
	}, 0)
	p.watch(n, 0)
}

// confirm inspects the list that COORDINATOR has brought home: the winner may
// have died before it heard of it.
func (p *Process) confirm(n protocols.Node[Message], m Message) {
	if !slices.ContainsFunc(m.List, func(l Member) bool { return l.Address == m.Winner.Address }) {
		p.repeat(n)
		return
	}
	p.follow(n, m.Winner)
	p.watch(n, size(n))
}

// forward appends the process and passes the message on. The list is clipped, so
// that appending copies: the sender may yet poll another process with the list
// that it sent here.
func (p *Process) forward(n protocols.Node[Message], m Message) {
	m.List = append(slices.Clip(m.List), p.self(n))
	p.pass(n, m, 0)
	p.watch(n, distance(n, m.Initiator))
}

// follow decides for the winner, but does not leave a leader for a dead one.
func (p *Process) follow(n protocols.Node[Message], winner Member) {
	if p.leader != nobody && protocols.Suspects(n, winner.Address) {
		return
	}
	p.leader = winner.Address
	p.decision = election.Decide(p.rank.ID, winner.Rank.ID)
}

// self is how the process appends itself to a list.
func (p *Process) self(n protocols.Node[Message]) Member { return Member{n.ID(), p.rank} }

// best is the best member of a list.
func (p *Process) best(list []Member) Member {
	best := list[0]
	for _, m := range list[1:] {
		if p.cfg.Order.Better(m.Rank, best.Rank) {
			best = m
		}
	}
	return best
}
