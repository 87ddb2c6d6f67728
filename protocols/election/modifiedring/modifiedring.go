// Package modifiedring is the fault-tolerant ring election of the lecture notes. It is
// Tanenbaum's ring with two changes. COORDINATOR collects the live processes a second
// time, so that the initiator sees whether the winner still lives, and repeats the
// election if not. And the others watch over the initiator.
//
// Paper: lecture notes on distributed algorithms, "modified ring algorithm"; for
// the ring itself A. Tanenbaum and M. van Steen, "Distributed Systems:
// Principles and Paradigms", 2nd edition, section 6.5.1.
//
// Model: complete graph whose ports give the logical ring, neighbour k being
// the address k+1 ahead, modulo n; reliable links with a delay of at most
// the timeout. Processes crash at any time, between two sends of a step included,
// and stay dead. A perfect detector, which is asked. Any set of initiators at
// any time.
//
// Cost, n processes of which D are dead from the start, one initiator:
//
//	delivered  2(n-D), one round of each kind
//	sent       2n without memory: every dead process is polled once a round;
//	           2(n-D) + D with memory: it is polled once
//	time       2(n-D) + 2D timeouts without memory, one timeout a dead process
//	           less with it
//
// k initiators cost k times as much, with memory at most: no election suppresses another.
// With one initiator, all alive at the start, and a first crash that finds no poll of the
// victim open:
//
//	the winner, not the initiator,    4n sent, 3 of them to the dead, 4n-3
//	between its two messages          delivered; with memory 4n-2, and 1
//	the initiator, before ELECTION    n+1, then silence; with the watchdog its
//	comes home                        successor begins anew: 2n more, with
//	                                  memory 2n-2
//	the initiator, before COORDINATOR 2n+1; all have decided. 2n more, with
//	comes home                        memory 2n-2, if it was the winner
//
// An open poll of the victim makes a second copy, which costs one message. With the
// watchdog, one crash at any time makes it 4n+2 at most.
//
// Invariants, in the model:
//
//	(a) A list that is home names all live processes. So no process ever decides
//	    for one that is worse than a live one, however late it decides.
//	(b) A message is at distance d from its initiator after d timeouts, or never.
//	    So a watchdog that waits n+d timeouts has nothing to do unless a process
//	    crashed. Of those that wait for one initiator, the initiator itself is the
//	    first to begin anew, with d=0, and if it is dead, its nearest live
//	    successor. That ELECTION reaches the others before they do the same.
//	(c) With the watchdog: a process that has handled a message is watching, or
//	    follows a process that was alive n timeouts or more after the last message
//	    that it handled. So at rest, if a process that took part lives, all live
//	    processes follow the same one: the best of them, or one that crashed more
//	    than n timeouts after they had decided.
//	(d) Between two elections that a process begins anew another has crashed. So
//	    n-1 of them are enough. Then a process gives up, until it is started again.
//	(e) A process passes each message on once. With (d), every message and every
//	    election ends, even where messages are late or lost or the detector is
//	    mistaken.
//
// For (c), if p follows v and q follows the worse w: the list that named w was
// home after v had died. Its ELECTION came by p before p last armed its watchdog,
// for ELECTION arms it. It was home before that watchdog barked. By then v was dead, and
// p would have begun anew. For (d): without another crash the new election comes to its
// end. After that the process follows a live one, and does not leave it for a dead one.
//
// Deviations from the notes, which leave these points open: (1) A process decides when
// COORDINATOR comes by, the initiator when it is home and names the winner. A later
// COORDINATOR changes the decision. Only that of a dead winner does not replace a decision,
// since elections that overlap may announce in another order than they found out. (2) The
// initiator is in both lists, first. (3) "The successor is down" is a poll, as in
// ringlist: send, wait for the timeout, ask the detector, go on to the next; no acknowledgements.
// (4) A dead initiator is polled past like all others. Initiators number their elections,
// and a process drops a message if it has seen it, or a later one of the same initiator.
// That ends the messages of dead initiators, and the second copies that arise when a
// process dies after it has passed a message on. (5) The notes' wait that depends on the
// distance d is n+d timeouts, from every message that is passed on, COORDINATOR included.
// Then a process begins an election anew if it follows no process, or a dead one. So does
// the initiator, with d=0 when it sends and d=n when it is done. Without the watchdog, an
// election is not repeated if its message is lost with its holder or its initiator dies.
// (6) A list names addresses besides ranks, so that the detector can be asked. (7) With
// memory, a process whose ELECTION arrives is no longer taken for dead. (8) The number of
// its elections is in the stable storage of a process, so that after a restart, which the
// model excludes, its messages are not taken for old ones. (9) A process that is started
// while its own election is under way abandons that for the new one. (10) The best rank
// wins, which is the largest unless the order says otherwise.
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
	// Timeout is the time from the sending of a message to the question whether its
	// receiver is dead. It must be positive, and no less than the link delay: otherwise a
	// crash on the way is missed. The watchdog waits n to 2n times as long.
	Timeout time.Duration
	// Memory: a process skips those that it has found dead. Without it (the default) it
	// polls them anew for every message.
	Memory bool
	// Watchdog: processes that have taken part begin an unfinished election anew.
	// Without it (the default) only the initiator repeats an election, and only if the
	// winner did not live to hear of it.
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
	round    int            // the number of elections that it has begun; in stable storage
	repeats  int            // those that it began anew, since it was started last
	stages   []stage        // the messages that it has seen, by initiator
	leader   protocols.ID   // the address of the leader, or nobody
	polls    []poll         // indexed by timer label
	dead     []protocols.ID // those that it has found dead, with memory
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

// Timeout ends a poll, or wakes the watchdog.
func (p *Process) Timeout(n protocols.Node[Message], t protocols.Timer) {
	if t == watchdog {
		p.bark(n)
		return
	}
	i := int(t - firstPoll)
	if i >= len(p.polls) || !p.polls[i].open {
		panic(fmt.Sprintf("modifiedring: process %v has no poll with label %d, yet its timer expired", p.rank, t))
	}
	q := p.polls[i]
	p.polls[i] = poll{}
	for len(p.polls) > 0 && !p.polls[len(p.polls)-1].open {
		p.polls = p.polls[:len(p.polls)-1]
	}
	p.check(n, q)
}

// TimerName implements [protocols.TimerNamer].
func (*Process) TimerName(t protocols.Timer) string {
	if t == watchdog {
		return "watchdog"
	}
	return "poll"
}

// begin sends ELECTION with a list of one, the process itself.
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

// confirm inspects the list that COORDINATOR has brought home: the winner may have died
// before it heard of its election.
func (p *Process) confirm(n protocols.Node[Message], m Message) {
	if !slices.ContainsFunc(m.List, func(l Member) bool { return l.Address == m.Winner.Address }) {
		p.repeat(n)
		return
	}
	p.follow(n, m.Winner)
	p.watch(n, size(n))
}

// forward appends the process and passes the message on. The list is clipped, so that
// append copies: the sender may poll another process with the list that it sent here.
func (p *Process) forward(n protocols.Node[Message], m Message) {
	m.List = append(slices.Clip(m.List), p.self(n))
	p.pass(n, m, 0)
	p.watch(n, distance(n, m.Initiator))
}

// follow decides for the winner. A process does not leave its leader for a dead one.
func (p *Process) follow(n protocols.Node[Message], winner Member) {
	if p.leader != nobody && n.Suspects(winner.Address) {
		return
	}
	p.leader = winner.Address
	p.decision = election.Decide(p.rank.ID, winner.Rank.ID)
}

// self is the process as a member of a list.
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
