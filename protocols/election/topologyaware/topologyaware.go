// Package topologyaware is the topology aware election of Favier, Guittonneau, Arantes, Fladenmuller, Lejeune and
// Sens. Each process knows the graph of its component, and tells its neighbours what changes in it. The leader is
// the process that stands best in that graph: each process finds it by itself, without an election.
//
// Paper: A. Favier, N. Guittonneau, L. Arantes, A. Fladenmuller, J. Lejeune and P. Sens, "Topology aware leader
// election algorithm for dynamic networks", PRDC 2020; and A. Favier's thesis, Sorbonne Université 2021, chapter 4.
// The text of section 4.2 was at hand as far as the beginning of a disconnection, and what is said of the evaluation
// in part. The pseudocode is a picture there, and was not at hand. From the text are: the map known, of a logical clock
// and a set of neighbours for each process; the list updates, which is broadcast every Delta if it is not empty; the
// two messages, which are called like them; a connection, which adds a neighbour, advances the clock and broadcasts
// known; a disconnection, which makes an update; the two criteria, closeness and degree.
//
// Model: any undirected graph, not known, whose links come and go at any time; both ends are told at once. Distinct
// identities. Links are reliable and FIFO as long as they are there; delays have no bound. No crash. No process needs
// to be started.
//
// Promise: if no link of a component changes any more, then in the end its processes have one leader. It is the
// process of the component with the largest closeness, which is the smallest sum of distances to the others, or
// with the largest degree; of several such ones, that with the best rank. If no message takes longer than d, the end
// comes within (V-1)(Delta+d) of the last change of a component of V processes.
//
// Cost of a connected graph that never changes, V > 1 processes, e(v) the eccentricity of process v, a broadcast
// counted once:
//
//	KNOWN    V: each process tells itself to its neighbours
//	UPDATES  e(v) of process v with constant delay d: it hears of the processes
//	         at distance k at kd + (k-1)Delta, and tells them Delta later. Under
//	         each schedule 1 at least, and V-1 at most
//	time     the last process knows all at Dd + (D-1)Delta, D the diameter
//
// A change of a link costs more: a KNOWN of each end if it comes, and an UPDATES of each process of the component, or
// several, in both cases.
//
// Invariants:
//
//	(a) The clock of a process counts the changes of its links. So it belongs to one set of neighbours, and the
//	    view with the larger clock is the later one.
//	(b) What a process knows of the others it has told all its neighbours, or will within Delta: a neighbour hears
//	    all of it in a KNOWN when their link comes up, and later news in UPDATES.
//	(c) So, with FIFO links, a neighbour has the view before when it is told that a process has lost a link.
//
// Settled here: (1) A process knows its neighbours by address. Its rank travels with its view. (2) The links of the
// beginning are there with clock 0, and each process broadcasts known once. (3) A view that came in a KNOWN, and was
// news, is passed on whole in updates. An update of a disconnection names the process, its clock and the neighbour
// that it has lost, and applies to the view of the clock before. An update that does not fit is ignored; by (c) that
// happens to old news alone. (4) The timer of the updates runs only while there are some: it is set for Delta
// when the first comes. So a run comes to rest; and news wait for Delta, and not for a part of it. A process without
// neighbours drops its updates. (5) A link is part of the graph if the views of both ends name it. (6) A process that
// is out of reach stays in known, and does not count. (7) Ties are broken by the best rank, the attribute first, which
// is the largest unless the order says otherwise.
//
// Deviation: links are told, where the paper finds them by probes. A process that crashed and came back would begin
// with clock 0 again, below what the others know of it; so processes do not crash here.
package topologyaware

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"bullring/protocols"
	"bullring/protocols/election"
)

// Config is the same for all processes.
type Config struct {
	// Order says which of two ranks wins where the graph does not decide.
	Order election.Order
	// Degree: the process with the most neighbours leads, and not the one with the largest closeness.
	Degree bool
	// Interval is Delta: how long updates are collected before they are told. It must be positive.
	Interval time.Duration
}

// Validate reports what is wrong with the configuration.
func (c Config) Validate() error {
	if c.Interval <= 0 {
		return fmt.Errorf("topologyaware: updates every %v; the interval is above 0s", c.Interval)
	}
	return nil
}

// updatesTimer runs while there are updates to tell.
const updatesTimer protocols.Timer = 0

// Process is one process of the graph.
type Process struct {
	rank election.Rank
	cfg  Config

	known   []View   // ascending by address, its own among them; sets of neighbours are never modified
	updates []Update // to be told
	leader  election.Identity
}

var (
	_ election.Process[Message] = (*Process)(nil)
	_ protocols.Linked[Message] = (*Process)(nil)
	_ protocols.Booter[Message] = (*Process)(nil)
)

// New returns the process with this rank. It leads itself. It panics on an invalid configuration.
func New(rank election.Rank, cfg Config) *Process {
	if err := cfg.Validate(); err != nil {
		panic(err)
	}
	return &Process{rank: rank, cfg: cfg, leader: rank.ID}
}

// Decision implements [election.Elector]. A process always has a leader.
func (p *Process) Decision() election.Decision { return election.Decide(p.rank.ID, p.leader) }

// Boot implements [protocols.Booter]. It takes over the links of the beginning.
func (p *Process) Boot(n protocols.Node[Message]) {
	p.known = []View{{Who: n.ID(), Rank: p.rank, Near: slices.Clone(protocols.Neighbors(n))}}
	p.tell(n, Message{Type: Known, Views: slices.Clone(p.known)})
}

// Start does nothing: every process acts from the beginning of its life.
func (p *Process) Start(protocols.Node[Message]) {}

// LinkUp implements [protocols.Linked].
func (p *Process) LinkUp(n protocols.Node[Message], q protocols.ID) {
	own := p.own(n)
	own.Clock++
	own.Near = with(own.Near, q)
	p.tell(n, Message{Type: Known, Views: slices.Clone(p.known)})
	p.elect(n.ID())
}

// LinkDown implements [protocols.Linked].
func (p *Process) LinkDown(n protocols.Node[Message], q protocols.ID) {
	own := p.own(n)
	lost := Update{View: View{Who: own.Who, Clock: own.Clock + 1}, Lost: q, Partial: true}
	own.lose(lost)
	p.later(n, lost)
	p.elect(n.ID())
}

// Receive handles the two messages.
func (p *Process) Receive(n protocols.Node[Message], _ protocols.ID, m Message) {
	news := false
	switch m.Type {
	case Known:
		for _, v := range m.Views {
			news = p.learn(n, Update{View: v}) || news
		}
	case Updates:
		for _, u := range m.Updates {
			news = p.learn(n, u) || news
		}
	default:
		panic(protocols.Unknown(m))
	}
	if news {
		p.elect(n.ID())
	}
}

// Timeout tells the updates.
func (p *Process) Timeout(n protocols.Node[Message], t protocols.Timer) {
	if t != updatesTimer {
		panic(fmt.Sprintf("topologyaware: process %v never sets timer %d, yet it expired", p.rank, t))
	}
	p.tell(n, Message{Type: Updates, Updates: p.updates})
	p.updates = nil
}

// TimerName implements [protocols.TimerNamer].
func (*Process) TimerName(protocols.Timer) string { return "updates" }

// learn takes an update if it is news and fits, and passes it on.
func (p *Process) learn(n protocols.Node[Message], u Update) (news bool) {
	i, found := find(p.known, u.Who)
	switch {
	case found && u.Clock <= p.known[i].Clock:
		return false // old news
	case !u.Partial && found:
		p.known[i] = u.View
	case !u.Partial:
		p.known = slices.Insert(p.known, i, u.View)
	case found && u.Clock == p.known[i].Clock+1:
		p.known[i].lose(u)
	default:
		return false // it does not fit
	}
	p.later(n, u)
	return true
}

// later lets an update be told with the next ones.
func (p *Process) later(n protocols.Node[Message], u Update) {
	if len(p.updates) == 0 {
		n.SetTimer(updatesTimer, p.cfg.Interval)
	}
	p.updates = append(p.updates, u)
}

// tell tells all neighbours, if there are any.
func (p *Process) tell(n protocols.Node[Message], m Message) {
	if len(p.own(n).Near) > 0 {
		protocols.Broadcast(n, m)
	}
}

// own is the view of this process.
func (p *Process) own(n protocols.Node[Message]) *View {
	i, _ := find(p.known, n.ID())
	return &p.known[i]
}

// elect finds the leader in the known graph.
func (p *Process) elect(self protocols.ID) {
	g := newGraph(p.known)
	_, here := g.search(self)
	var best election.Rank
	most := math.MinInt
	for _, v := range p.known {
		if !has(here, v.Who) {
			continue
		}
		if merit := p.merit(g, v.Who); merit > most || merit == most && p.cfg.Order.Better(v.Rank, best) {
			best, most = v.Rank, merit
		}
	}
	p.leader = best.ID
}

// merit is larger for a process that stands better. Within a component closeness is the larger, the smaller the sum
// of distances is.
func (p *Process) merit(g graph, who protocols.ID) int {
	if p.cfg.Degree {
		return g.degree(who)
	}
	sum, _ := g.search(who)
	return -sum
}

// find is the place of a process in what is known, which is ascending.
func find(known []View, who protocols.ID) (place int, found bool) {
	return slices.BinarySearchFunc(known, who, func(v View, who protocols.ID) int { return cmp.Compare(v.Who, who) })
}

// with and without are an ascending set with one more and one fewer. They leave the old one as it is.
func with(set []protocols.ID, p protocols.ID) []protocols.ID {
	i, _ := slices.BinarySearch(set, p)
	return slices.Insert(slices.Clone(set), i, p)
}

func without(set []protocols.ID, p protocols.ID) []protocols.ID {
	i, found := slices.BinarySearch(set, p)
	if !found {
		return set
	}
	return slices.Delete(slices.Clone(set), i, i+1)
}
