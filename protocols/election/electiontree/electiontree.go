// Package electiontree is the election of Vasudevan, Kurose and Towsley for wireless
// networks. An initiator grows a spanning tree, each subtree reports its best process
// towards the root, and the root announces the best of all down the tree. Processes may
// crash meanwhile.
//
// Paper: S. Vasudevan, J. Kurose and D. Towsley, "Design and analysis of a leader
// election algorithm for mobile ad hoc networks", ICNP 2004; in the form of M. van Steen
// and A. Tanenbaum, "Distributed Systems", 3rd edition, section 6.4.3.
//
// Model: any connected undirected graph, not known; distinct identities; reliable
// links, FIFO or not, with a bound on delay. Processes crash at any time, between two
// sends of a step included, and stay dead; the live ones stay connected. A perfect
// failure detector, which is asked. Any set of initiators at any time.
//
// Cost, V processes and E edges (the dead from the start and their edges do not
// count), e the eccentricity of the initiator:
//
//	one initiator   ELECTION = ACK = 2E-V+1, LEADER V-1, under every schedule
//	k initiators    at most k times as many ELECTION and ACK; LEADER V-1, if all
//	                start before a message reaches them
//	time            the tree is one of shortest paths. The subtree of v is done at
//	                c(v), the largest of: d(v), its distance; d(v)+2, if it has a
//	                neighbour that is neither its parent nor its child; and c+1 of
//	                each child. The root knows at c(root), from 2e to 2e+2, and the
//	                last process e later
//
// Two ELECTION that cross on an edge are both acknowledged. (If each counted as the
// answer to the other, this would be the echo algorithm, with 2E.)
//
// Invariants, in the model:
//
//	(a) If a process dies after an ELECTION was sent to it and before it has sent
//	    its ACK, the election is broken, and the root begins anew. So the announced
//	    process is not worse than any live one: every live process is in the tree,
//	    and its ACK and those of all above it have been received.
//	(b) A process that waits for LEADER has a live parent, or notices within a
//	    timeout that it has none and begins an election of the next round.
//	(c) So at rest, if a process that took part lives, all live processes have
//	    decided. The winner may have died after its ACK.
//	(d) Between two rounds a process has crashed or was started.
//
// Deviations from the paper: (1) A process does not probe the processes that it waits
// for: it asks the failure detector at each timeout, which costs no messages. (2) In the
// paper an orphan announces the best of its own subtree, and leaders of parts that meet
// later agree on the better; so there may be several leaders for a while. Here an
// orphan, and a root whose tree was broken, begin anew, and no process decides too early.
// Where the graph falls into parts for good, each part elects its best. (3) The leader
// sends no heartbeats: a process that finds it dead is started from outside. (4) A
// process that is started during an election in which it takes part does nothing. (5) A
// process that moves out of range counts as crashed if the failure detector says so; one
// that comes into range is not noticed before the next election. (6) The best rank wins,
// the attribute first (battery, for example), which is the largest unless the order says
// otherwise. Elections extinguish each other by round and identity alone.
package electiontree

import (
	"fmt"
	"slices"
	"time"

	"bullring/protocols"
	"bullring/protocols/election"
)

// Config is the same for all processes.
type Config struct {
	// Timeout is the interval at which a waiting process asks the failure detector. It
	// must be positive.
	Timeout time.Duration
	// Order says which rank wins.
	Order election.Order
}

// validate reports what is wrong with the configuration.
func (c Config) validate() error {
	if c.Timeout <= 0 {
		return fmt.Errorf("electiontree: Timeout is %v, and must be positive", c.Timeout)
	}
	return nil
}

// nobody is the address of no process.
const nobody protocols.ID = -1

// watch is the label of the timer.
const watch protocols.Timer = 0

// Process is one process of the graph.
type Process struct {
	rank election.Rank
	cfg  Config

	index    Index // of its latest election; zero before the first
	open     bool  // that election is not over
	parent   protocols.ID
	waiting  []protocols.ID // the neighbours whose ACK is missing, ascending
	children []protocols.ID
	best     election.Rank // of the subtree, as far as known
	broken   bool          // a process died in the subtree
	decision election.Decision
}

var _ election.Process[Message] = (*Process)(nil)

// New returns the process with this rank. It panics on an invalid configuration.
func New(rank election.Rank, cfg Config) *Process {
	if err := cfg.validate(); err != nil {
		panic(err)
	}
	return &Process{rank: rank, cfg: cfg, parent: nobody}
}

// Decision implements [election.Elector].
func (p *Process) Decision() election.Decision { return p.decision }

// Start begins an election, unless the process takes part in one.
func (p *Process) Start(n protocols.Node[Message]) {
	if !p.open {
		p.begin(n)
	}
}

// Receive handles the three messages.
func (p *Process) Receive(n protocols.Node[Message], from protocols.ID, m Message) {
	switch m.Type {
	case Election:
		switch c := m.Index.compare(p.index); {
		case c > 0:
			p.join(n, m.Index, from)
		case c == 0:
			n.Send(from, Message{Type: Ack, Index: m.Index})
		}
		// Otherwise the sender is in an election that loses, and will hear of this one.
	case Ack:
		if m.Index == p.index {
			p.acknowledged(n, from, m)
		}
	case Leader:
		if m.Index == p.index && p.open {
			p.conclude(n, m.Best)
		}
	default:
		panic(protocols.Unknown(m))
	}
}

// Timeout looks for the dead among those that the process waits for.
func (p *Process) Timeout(n protocols.Node[Message], t protocols.Timer) {
	if t != watch || !p.open {
		panic(fmt.Sprintf("electiontree: process %v waits for nothing, yet timer %d expired", p.rank, t))
	}
	n.SetTimer(watch, p.cfg.Timeout)
	if p.parent != nobody && n.Suspects(p.parent) {
		p.begin(n)
		return
	}
	waited := len(p.waiting)
	p.waiting = slices.DeleteFunc(p.waiting, func(q protocols.ID) bool { return n.Suspects(q) })
	if len(p.waiting) < waited {
		p.broken = true
		p.report(n)
	}
}

// TimerName implements [protocols.TimerNamer].
func (*Process) TimerName(protocols.Timer) string { return "watch" }

// begin begins an election of the next round.
func (p *Process) begin(n protocols.Node[Message]) {
	p.join(n, Index{p.index.Round + 1, p.rank.ID}, nobody)
}

// join takes part in an election, and no longer in the one before.
func (p *Process) join(n protocols.Node[Message], index Index, parent protocols.ID) {
	p.index, p.open, p.parent, p.best, p.broken = index, true, parent, p.rank, false
	p.waiting, p.children = nil, nil
	for _, q := range election.Neighbors(n) {
		if q != parent && !n.Suspects(q) {
			p.waiting = append(p.waiting, q)
			n.Send(q, Message{Type: Election, Index: index})
		}
	}
	n.SetTimer(watch, p.cfg.Timeout)
	p.report(n)
}

// acknowledged takes note of an ACK, and of the best of the subtree that it is from.
func (p *Process) acknowledged(n protocols.Node[Message], from protocols.ID, m Message) {
	i, waits := slices.BinarySearch(p.waiting, from)
	if !waits {
		return // the sender has died meanwhile
	}
	p.waiting = election.Remove(p.waiting, i)
	if m.Child {
		p.children = append(p.children, from)
		p.broken = p.broken || m.Broken
		if p.cfg.Order.Better(m.Best, p.best) {
			p.best = m.Best
		}
	}
	p.report(n)
}

// report tells the parent when the subtree is done. The root announces the best, or
// begins anew.
func (p *Process) report(n protocols.Node[Message]) {
	switch {
	case len(p.waiting) > 0:
	case p.parent != nobody:
		n.Send(p.parent, Message{Type: Ack, Index: p.index, Child: true, Broken: p.broken, Best: p.best})
	case p.broken:
		p.begin(n)
	default:
		p.conclude(n, p.best)
	}
}

// conclude decides, and passes the news on to the children.
func (p *Process) conclude(n protocols.Node[Message], leader election.Rank) {
	n.StopTimer(watch)
	p.open = false
	p.decision = election.Decide(p.rank.ID, leader.ID)
	for _, q := range p.children {
		n.Send(q, Message{Type: Leader, Index: p.index, Best: leader})
	}
}
