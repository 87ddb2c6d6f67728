// Package vkt is the election of Vasudevan, Kurose and Towsley for mobile networks, with its upkeep. An
// initiator grows a spanning tree; each subtree reports its best process towards the root; the root
// announces the best of all. Elections that meet extinguish each other. Processes come and go,
// components fall apart and merge, and each has a leader again in the end.
//
// Paper: S. Vasudevan, J. Kurose and D. Towsley, "Design and analysis of a leader election algorithm
// for mobile ad hoc networks", ICNP 2004. Of its text the abstract and the introduction were at hand.
// The rest was written from what is known of the algorithm: the messages ELECTION, ACK, LEADER, PROBE,
// REPLY and HEARTBEAT; the index of an election; an orphan that announces the best of its own subtree;
// components that tell each other of their leaders and take the better one; a leader that is missed; a
// process that begins an election when it recovers. It has not been compared with the published
// pseudocode.
//
// It comes in two forms:
//
//	vkt       finds its neighbours by beacons, waits with probes, and watches
//	          the leader by heartbeats, as in the paper
//	vktlinks  is told of its links. It has no timers, so that it comes to rest
//	          and can be explored. Where a process may have lost its leader with
//	          a link, it begins an election
//
// Model: any undirected graph, not known, whose links come and go at any time. Distinct identities.
// Links are reliable and FIFO as long as they are there. For vkt there is a bound on delay that is
// small against the intervals; processes crash and recover, and keep the index of their latest
// election. For vktlinks delays have no bound, and no process crashes.
//
// Promise: if the links of a component, and its processes, change no more, then in the end its
// processes have one leader, which is one of them. The leader need not be the best process of the
// component; between elections several processes may lead. With vkt the end comes within twice the time
// that it takes to give a neighbour up, to miss the leader, and to send 4V messages one after the
// other: a rule with room, and not a theorem.
//
// Cost of an election in a connected graph that does not change, V processes, e the eccentricity of the
// initiator, a broadcast counted once, without beacons and heartbeats, and with no probe if it is over
// within the interval of one:
//
//	one initiator   V ELECTION, V-1 ACK, V LEADER, under every schedule
//	k initiators    V+k-1 to kV ELECTION, V-1 to k(V-1) ACK, V LEADER, if all
//	                start before a message reaches them
//	time            the tree is one of shortest paths. The subtree of v is done
//	                at c(v), the largest of: d(v), its distance; d(q)+1 of each
//	                neighbour q that is neither its parent nor its child; and
//	                c+1 of each child. The root knows at c(root), 2e or 2e+1,
//	                and the last process e later
//	two components  each end of the new link tells its LEADER; then each process
//	                that learns something sends one. If one component has the
//	                better leader and the later index, these are the processes
//	                of the other; else, with vkt, all
//
// Invariants of vktlinks:
//
//	(a) The index of a process never decreases. A process tells all its
//	    neighbours when it increases, and a new neighbour at once. So an
//	    ELECTION of a lower index can be ignored: its sender will know.
//	(b) Of two pairs of index and leader the later index wins, and on ties the
//	    better leader. So a process has each pair once at most, and those that
//	    have the last pair got it, along links, from the root that announced it,
//	    and that root knew the leader along links.
//	(c) If such a link goes down, the process that got the news over it begins
//	    an election above it. So the last pair of a component has a leader that
//	    is in the component.
//
// Settled here, where the paper leaves it open or its text was not at hand: (1) An ELECTION is a
// broadcast, and says who the parent of its sender is. So it is also the answer of a process to its
// neighbours that have another one, and ACK is for parents alone. (2) LEADER goes to all neighbours,
// and carries the index of the election. (3) Every election gets a number above all that its initiator
// has heard of, and a process joins only later ones. A process in an election that hears of the leader
// of a later one begins a new election above both: the other component then takes part. (4) Where a
// component with a later index but a worse leader is met, vkt takes the better leader over, as in the
// paper, with the later index. vktlinks begins an election: without heartbeats, news of an older
// election may be of a leader that is lost. (5) A process tells a new neighbour of its election, too;
// so the neighbour joins, and counts if it does so in time. (6) A probe is answered by what its sender
// has missed: an ACK, the election or the leader that the other has; REPLY says that the other is not
// done. A process that has sent its ACK probes its parent. (7) Any message is as good as a beacon. The
// first neighbours of a process are known from the beginning. (8) A heartbeat of a better leader is
// taken like news of it. (9) A process that has had no leader for as long as one may be silent begins
// an election. (10) The best rank wins, the attribute first (battery, for example), which is the
// largest unless the order says otherwise. Of elections with one number that of the larger initiator
// goes on.
package vkt

import (
	"slices"

	"bullring/protocols"
	"bullring/protocols/election"
)

// nobody is the address of no process.
const nobody protocols.ID = -1

// diffusion is the election itself, and what happens to it when neighbours come and go. It is the part
// that [Beacons] and [Links] have in common.
type diffusion[K protocols.Namer] struct {
	rank  election.Rank
	order election.Order
	// watched: heartbeats tell whether the leader is still there. Without them a process looks for a
	// leader anew where it may have lost the one that it has.
	watched bool

	near   []protocols.ID // the neighbours, as far as known, ascending
	index  Index          // of its latest election, or of a later one that it has heard of; zero before
	led    bool           // it knows a leader
	leader election.Rank  // if led

	open     bool // that election is not over
	parent   protocols.ID
	waiting  []protocols.ID // the neighbours that have not answered, ascending
	reported bool           // the parent has its ACK
	best     election.Rank  // of the subtree, as far as known
	through  protocols.ID   // the child that has reported the best; nobody if it is this process
}

func newDiffusion[K protocols.Namer](rank election.Rank, order election.Order, watched bool) diffusion[K] {
	return diffusion[K]{rank: rank, order: order, watched: watched, parent: nobody, through: nobody}
}

// Decision implements [election.Elector]. During an election a process has no leader.
func (d *diffusion[K]) Decision() election.Decision {
	if d.open || !d.led {
		return election.Decision{}
	}
	return election.Decide(d.rank.ID, d.leader.ID)
}

// begin begins an election above all that this process has heard of, and above num.
func (d *diffusion[K]) begin(n protocols.Node[Message[K]], num int) {
	d.join(n, Index{max(num, d.index.Num) + 1, d.rank.ID}, nobody)
}

// join takes part in an election, and no longer in the one before.
func (d *diffusion[K]) join(n protocols.Node[Message[K]], index Index, parent protocols.ID) {
	d.index, d.open, d.led, d.leader = index, true, false, election.Rank{}
	d.parent, d.reported, d.best, d.through = parent, false, d.rank, nobody
	d.waiting = nil
	for _, q := range d.near {
		if q != parent {
			d.waiting = append(d.waiting, q)
		}
	}
	protocols.Broadcast(n, d.standing())
	d.report(n)
}

// standing is what a process tells of itself: the election in which it is, or its leader.
func (d *diffusion[K]) standing() Message[K] {
	if d.open {
		return Message[K]{Type: Election, Index: d.index, Parent: d.parent}
	}
	return Message[K]{Type: Leader, Index: d.index, Best: d.leader}
}

// receive handles the messages of an election.
func (d *diffusion[K]) receive(n protocols.Node[Message[K]], from protocols.ID, m Message[K]) {
	switch m.Type {
	case Election:
		d.grow(n, from, m)
	case Ack:
		d.acknowledged(n, from, m)
	case Leader:
		d.learn(n, m.Index, m.Best)
	default:
		panic(protocols.Unknown(m))
	}
}

// grow handles ELECTION. A neighbour that has another parent has answered by it; a child answers when
// its subtree is done.
func (d *diffusion[K]) grow(n protocols.Node[Message[K]], from protocols.ID, m Message[K]) {
	switch c := m.Index.compare(d.index); {
	case c > 0:
		d.join(n, m.Index, from)
	case c < 0 || !d.open || d.reported:
		// The sender is in an election that loses, and hears of this one; or it is too late.
	case m.Parent == n.ID():
		if i, waits := slices.BinarySearch(d.waiting, from); !waits {
			d.waiting = slices.Insert(d.waiting, i, from)
		}
	default:
		d.answered(n, from)
	}
}

// acknowledged takes note of an ACK, and of the best of the subtree that it is from.
func (d *diffusion[K]) acknowledged(n protocols.Node[Message[K]], from protocols.ID, m Message[K]) {
	if m.Index != d.index || !d.open || d.reported {
		return
	}
	if d.order.Better(m.Best, d.best) {
		d.best, d.through = m.Best, from
	}
	d.answered(n, from)
}

// answered: a process no longer waits for a neighbour.
func (d *diffusion[K]) answered(n protocols.Node[Message[K]], from protocols.ID) {
	if i, waits := slices.BinarySearch(d.waiting, from); waits {
		d.waiting = slices.Delete(d.waiting, i, i+1)
	}
	d.report(n)
}

// report tells the parent when the subtree is done. The root announces the best.
func (d *diffusion[K]) report(n protocols.Node[Message[K]]) {
	switch {
	case len(d.waiting) > 0:
	case d.parent == nobody:
		d.follow(n, d.index, d.best)
	case !d.reported:
		d.reported = true
		n.Send(d.parent, Message[K]{Type: Ack, Index: d.index, Best: d.best})
	}
}

// follow takes a leader, and tells all neighbours.
func (d *diffusion[K]) follow(n protocols.Node[Message[K]], index Index, leader election.Rank) {
	d.open, d.index, d.led, d.leader = false, index, true, leader
	d.parent, d.waiting, d.reported, d.best, d.through = nobody, nil, false, election.Rank{}, nobody
	protocols.Broadcast(n, d.standing())
}

// learn handles the news of a leader: of the election in which the process is, or, where components
// have met, of another one.
func (d *diffusion[K]) learn(n protocols.Node[Message[K]], index Index, leader election.Rank) {
	c := index.compare(d.index)
	ours := d.led && d.order.Better(d.leader, leader)
	switch {
	case d.open && c == 0:
		d.follow(n, index, leader)
	case d.open && c > 0:
		d.begin(n, index.Num) // so that the neighbour, which ignores this election, takes part
	case d.open:
		// The sender hears of this election, or of its leader.
	case !d.watched && c < 0:
		// The sender has heard of the later election, and sees to it.
	case !d.watched && c > 0 && ours:
		d.begin(n, index.Num)
	default:
		d.merge(n, index, leader, ours)
	}
}

// merge takes the better leader and the later index, and passes on what is new.
func (d *diffusion[K]) merge(n protocols.Node[Message[K]], index Index, leader election.Rank, ours bool) {
	if ours {
		leader = d.leader
	}
	if index.compare(d.index) < 0 {
		index = d.index
	}
	if !d.led || index != d.index || leader != d.leader {
		d.follow(n, index, leader)
	}
}

// met makes a process a neighbour, and tells it how things stand here. It does the same.
func (d *diffusion[K]) met(n protocols.Node[Message[K]], q protocols.ID) {
	i, _ := slices.BinarySearch(d.near, q)
	d.near = slices.Insert(d.near, i, q)
	if d.open || d.led {
		n.Send(q, d.standing())
	}
}

// lost removes a neighbour. A process that has lost its parent announces the best of its own subtree.
func (d *diffusion[K]) lost(n protocols.Node[Message[K]], q protocols.ID) {
	i, _ := slices.BinarySearch(d.near, q)
	d.near = slices.Delete(d.near, i, i+1)
	switch {
	case !d.open && d.watched:
	case !d.open, d.through == q && !d.watched:
		d.begin(n, 0)
	default:
		if d.parent == q {
			d.parent = nobody
		}
		d.answered(n, q)
	}
}
