// Package ghs is the minimum spanning tree of Gallager, Humblet and Spira, used as
// an election. At first each process is a fragment of the tree. Each fragment finds the
// lightest edge that leads out of it and joins over it, until one fragment is left. One of
// the two processes at its core is the leader.
//
// Paper: R. G. Gallager, P. A. Humblet and P. M. Spira, "A distributed algorithm
// for minimum-weight spanning trees", ACM Transactions on Programming Languages
// and Systems 5(1), 1983. The names are those of its appendix.
//
// Model: asynchronous, any connected undirected graph with distinct edge weights
// that the processes at both ends know; FIFO and reliable links, distinct
// identities, neither the size nor the graph known; no crashes. Any non-empty set
// of initiators: a message wakes a sleeping process.
//
// Cost, N processes, E edges; the number of messages depends on the order of events:
//
//	all but LEADER  at most 5N lg N + 2E
//	CONNECT         N-1 to 2(N-1): one or two over each edge of the tree
//	TEST, ACCEPT    one ACCEPT for a TEST that finds another fragment
//	TEST, REJECT    exactly two more over each edge that is not in the tree: a TEST
//	                and its REJECT, or a TEST each way. Over an edge of the tree a
//	                TEST and its REJECT, or none: it crosses a CONNECT
//	LEADER          N-1, down the tree, with all-terminate
//
// Invariants: an edge that is a branch at either end belongs to the minimum spanning
// tree. A process never waits for one of a lower level, except for that one to grow.
// At the end every edge is a branch at both ends or rejected at both ends. The branches
// are the minimum spanning tree, which is unique.
//
// Deviations from the paper: (1) At the end two processes, the ends of the core, know
// that it is over. The leader is the better of the two. CONNECT carries the rank of its
// sender, so each knows the rank of the other. (2) A message that has to wait is tried
// again after every message that was handled, in the order of arrival; in the paper it
// goes to the end of the input queue. (3) A process without neighbours is the leader at
// once. (4) The paper's variables best-edge, test-edge and in-branch are ports or none.
package ghs

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"bullring/protocols"
	"bullring/protocols/election"
)

// Config chooses the variant. With the zero value only the leader decides.
type Config struct {
	// Announce: the leader sends its rank down the tree.
	Announce bool
	// Order says which end of the core leads.
	Order election.Order
}

// edgeState is the state of an edge at one of its ends (SE).
type edgeState uint8

const (
	basic    edgeState = iota // not known
	branch                    // in the tree
	rejected                  // not in the tree
)

// String names the state.
func (s edgeState) String() string {
	return [...]string{"basic", "branch", "rejected"}[s]
}

// edge is an edge as one of its ends sees it.
type edge struct {
	to     protocols.ID
	weight int64
	state  edgeState
}

// end is the neighbour at the other end of an edge.
type end struct{ to, edge int32 }

// phase is the state of a process (SN).
type phase uint8

const (
	sleeping phase = iota
	find           // it searches for the lightest edge that leads out
	found          // its search is over
)

// String names the state.
func (ph phase) String() string {
	return [...]string{"sleeping", "find", "found"}[ph]
}

// none is no edge.
const none place = -1

// place is the index of an edge of a process, or none.
type place int

// String is the index, or none.
func (e place) String() string {
	if e == none {
		return "none"
	}
	return strconv.Itoa(int(e))
}

// Process is one process of the graph.
type Process struct {
	protocols.NoTimers[Message]

	rank    election.Rank
	cfg     Config
	weights []int64 // by port

	edges    []edge // by weight; set at the wake-up
	ends     []end  // the same by address
	phase    phase
	fragment int64         // FN
	level    int           // LN
	core     election.Rank // of the other end of the edge last joined at equal levels

	// Indexes of edges.
	inBranch   place // towards the core
	bestEdge   place // towards the lightest known edge that leads out
	bestWeight int64 // the weight of that edge
	testEdge   place // being tested
	findCount  int   // the number of missing reports
	past       int   `explore:"-"` // edges before this one are not basic: test need not look at them again

	deferred []arrival // in the order of arrival
	decision election.Decision
}

// arrival is a message that has to wait.
type arrival struct {
	from    protocols.ID
	message Message
}

var _ election.Process[Message] = (*Process)(nil)

// New returns the process with this rank whose edges have these weights, by port.
// The two ends of an edge must give it one weight, and no other edge must have it.
func New(rank election.Rank, weights []int64, cfg Config) *Process {
	return &Process{rank: rank, cfg: cfg, weights: weights}
}

// Decision implements [election.Elector].
func (p *Process) Decision() election.Decision { return p.decision }

// Branches are the neighbours over the known edges of the minimum spanning tree,
// ascending.
func (p *Process) Branches() []protocols.ID {
	var to []protocols.ID
	for _, e := range p.edges {
		if e.state == branch {
			to = append(to, e.to)
		}
	}
	slices.Sort(to)
	return to
}

// Start wakes a sleeping process.
func (p *Process) Start(n protocols.Node[Message]) {
	if p.phase == sleeping {
		p.wakeUp(n)
	}
}

// Receive handles a message, and then those that had to wait for it.
func (p *Process) Receive(n protocols.Node[Message], from protocols.ID, m Message) {
	if m.Type > Leader {
		panic(protocols.Unknown(m))
	}
	if p.phase == sleeping {
		p.wakeUp(n)
	}
	if !p.handle(n, from, m) {
		p.deferred = append(p.deferred, arrival{from, m})
		return
	}
	for i := 0; i < len(p.deferred); {
		if d := p.deferred[i]; p.handle(n, d.from, d.message) {
			p.deferred = election.Remove(p.deferred, i)
			i = 0
		} else {
			i++
		}
	}
}

// wakeUp joins the process over its lightest edge.
func (p *Process) wakeUp(n protocols.Node[Message]) {
	p.edges, p.ends = p.adjacent(n)
	p.phase, p.inBranch, p.bestEdge, p.bestWeight, p.testEdge = found, none, none, Infinite, none
	if len(p.edges) == 0 {
		p.decision = election.Decide(p.rank.ID, p.rank.ID)
		return
	}
	p.edges[0].state = branch
	p.send(n, 0, Message{Type: Connect, Rank: p.rank})
}

// adjacent are the edges by weight, and the same by address. If several ports lead to one
// neighbour the lightest counts; a link of the process to itself does not count.
func (p *Process) adjacent(n protocols.Node[Message]) (edges []edge, ends []end) {
	if len(p.weights) != n.Degree() {
		panic(fmt.Sprintf("ghs: process %v has %d ports, and weights for %d", p.rank, n.Degree(), len(p.weights)))
	}
	edges = make([]edge, 0, n.Degree())
	for port, w := range p.weights {
		if q := n.Neighbor(port); q != n.ID() {
			edges = append(edges, edge{to: q, weight: w})
		}
	}
	slices.SortFunc(edges, func(a, b edge) int { return cmp.Or(cmp.Compare(a.to, b.to), cmp.Compare(a.weight, b.weight)) })
	edges = slices.CompactFunc(edges, func(a, b edge) bool { return a.to == b.to })
	slices.SortFunc(edges, func(a, b edge) int { return cmp.Compare(a.weight, b.weight) })
	ends = make([]end, len(edges))
	for i, e := range edges {
		ends[i] = end{int32(e.to), int32(i)}
	}
	slices.SortFunc(ends, func(a, b end) int { return cmp.Compare(a.to, b.to) })
	return edges, ends
}

// edgeTo is the index of the edge to a neighbour.
func (p *Process) edgeTo(q protocols.ID) place {
	i, ok := slices.BinarySearchFunc(p.ends, int32(q), func(e end, q int32) int { return cmp.Compare(e.to, q) })
	if !ok {
		return none
	}
	return place(p.ends[i].edge)
}

// handle handles a message. It reports false if the message has to wait.
func (p *Process) handle(n protocols.Node[Message], from protocols.ID, m Message) bool {
	j := p.edgeTo(from)
	switch m.Type {
	case Connect:
		return p.connect(n, j, m)
	case Initiate:
		p.initiate(n, j, m)
	case Test:
		return p.tested(n, j, m)
	case Accept:
		p.accepted(n, j)
	case Reject:
		p.rejected(n, j)
	case Report:
		return p.reported(n, j, m.Weight)
	case ChangeRoot:
		p.changeRoot(n)
	case Leader:
		p.conclude(n, j, m.Rank)
	}
	return true
}

// connect absorbs a fragment of a lower level, or merges with one of the same level
// that has the same lightest edge.
func (p *Process) connect(n protocols.Node[Message], j place, m Message) bool {
	switch {
	case m.Level < p.level:
		p.edges[j].state = branch
		p.send(n, j, Message{Type: Initiate, Level: p.level, Fragment: p.fragment, Found: p.phase == found})
		if p.phase == find {
			p.findCount++
		}
	case p.edges[j].state == basic:
		return false
	default:
		p.core = m.Rank
		p.send(n, j, Message{Type: Initiate, Level: p.level + 1, Fragment: p.edges[j].weight})
	}
	return true
}

// initiate takes the name of the new fragment, passes it on, and searches.
func (p *Process) initiate(n protocols.Node[Message], j place, m Message) {
	p.level, p.fragment, p.phase = m.Level, m.Fragment, find
	if m.Found {
		p.phase = found
	}
	p.inBranch, p.bestEdge, p.bestWeight = j, none, Infinite
	for i, e := range p.edges {
		if place(i) == j || e.state != branch {
			continue
		}
		p.send(n, place(i), m)
		if p.phase == find {
			p.findCount++
		}
	}
	if p.phase == find {
		p.test(n)
	}
}

// test tests the lightest basic edge: does it lead out of the fragment?
func (p *Process) test(n protocols.Node[Message]) {
	for p.past < len(p.edges) && p.edges[p.past].state != basic {
		p.past++
	}
	if p.past == len(p.edges) {
		p.testEdge = none
		p.report(n)
		return
	}
	p.testEdge = place(p.past)
	p.send(n, p.testEdge, Message{Type: Test, Level: p.level, Fragment: p.fragment})
}

// tested answers a TEST. A process of a lower level lets it wait: it may still join the
// fragment of the sender.
func (p *Process) tested(n protocols.Node[Message], j place, m Message) bool {
	switch {
	case m.Level > p.level:
		return false
	case m.Fragment != p.fragment:
		p.send(n, j, Message{Type: Accept})
		return true
	}
	p.reject(j)
	if p.testEdge == j {
		p.test(n) // the sender takes the TEST of this process for the answer
	} else {
		p.send(n, j, Message{Type: Reject})
	}
	return true
}

func (p *Process) accepted(n protocols.Node[Message], j place) {
	p.testEdge = none
	if w := p.edges[j].weight; w < p.bestWeight {
		p.bestEdge, p.bestWeight = j, w
	}
	p.report(n)
}

func (p *Process) rejected(n protocols.Node[Message], j place) {
	p.reject(j)
	p.test(n)
}

func (p *Process) reject(j place) {
	if p.edges[j].state == basic {
		p.edges[j].state = rejected
	}
}

// report sends the lightest edge towards the core, when all subtrees have reported.
// (Without faults inBranch is set by then.)
func (p *Process) report(n protocols.Node[Message]) {
	if p.findCount == 0 && p.testEdge == none && p.inBranch != none {
		p.phase = found
		p.send(n, p.inBranch, Message{Type: Report, Weight: p.bestWeight})
	}
}

// reported notes the lightest edge of a subtree. The report of the other side of the
// core ends the search.
func (p *Process) reported(n protocols.Node[Message], j place, weight int64) bool {
	switch {
	case j != p.inBranch:
		p.findCount--
		if weight < p.bestWeight {
			p.bestEdge, p.bestWeight = j, weight
		}
		p.report(n)
	case p.phase == find:
		return false
	case weight > p.bestWeight:
		p.changeRoot(n)
	case weight == Infinite && p.bestWeight == Infinite:
		p.halt(n)
	}
	return true
}

// changeRoot passes the root on towards the lightest edge that leads out, and connects
// over that edge.
func (p *Process) changeRoot(n protocols.Node[Message]) {
	switch {
	case p.bestEdge == none:
		// Only where messages are lost or repeated.
	case p.edges[p.bestEdge].state == branch:
		p.send(n, p.bestEdge, Message{Type: ChangeRoot})
	default:
		p.edges[p.bestEdge].state = branch
		p.send(n, p.bestEdge, Message{Type: Connect, Level: p.level, Rank: p.rank})
	}
}

// halt is called at an end of the core when no edge leads out any more.
func (p *Process) halt(n protocols.Node[Message]) {
	if p.cfg.Order.Better(p.rank, p.core) {
		p.conclude(n, none, p.rank)
	}
}

// conclude decides, once, and passes LEADER on over the other branches.
func (p *Process) conclude(n protocols.Node[Message], j place, leader election.Rank) {
	if p.decision.Status != election.Undecided {
		return
	}
	p.decision = election.Decide(p.rank.ID, leader.ID)
	if !p.cfg.Announce {
		return
	}
	for i, e := range p.edges {
		if place(i) != j && e.state == branch {
			p.send(n, place(i), Message{Type: Leader, Rank: leader})
		}
	}
}

func (p *Process) send(n protocols.Node[Message], i place, m Message) {
	n.Send(p.edges[i].to, m)
}
