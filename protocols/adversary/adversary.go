// Package adversary makes Byzantine processes of synchronous algorithms: processes that do not follow
// their algorithm (L. Lamport, R. Shostak and M. Pease, "The Byzantine generals problem", ACM
// TOPLAS 4(3), 1982).
//
//	silent     sends nothing
//	random     draws each message among all that its receiver would take for one of the algorithm
//	two-faced  is one process to some, and another to the others: such as honest ones with different values
//
// A Byzantine process takes as many rounds as an honest one. It knows nothing of other Byzantine
// processes. It draws its messages by Intn, so an explorer takes every branch: what it finds of
// random processes is true of each Byzantine process.
package adversary

import "bullring/protocols"

// Silent returns a process that does what an honest one does, and sends nothing.
func Silent[M any](honest protocols.Round[M]) protocols.Round[M] {
	return &masked[M]{honest}
}

// masked is the round of a process whose messages do not leave.
type masked[M any] struct{ protocols.Round[M] }

// Start implements [protocols.Round].
func (m *masked[M]) Start(n protocols.Node[M]) { m.Round.Start(mute[M]{n}) }

// Messages implements [protocols.Round].
func (m *masked[M]) Messages(n protocols.Node[M]) { m.Round.Messages(mute[M]{n}) }

// Transition implements [protocols.Round].
func (m *masked[M]) Transition(n protocols.Node[M], arrived []protocols.Arrival[M]) {
	m.Round.Transition(mute[M]{n}, arrived)
}

// mute is a node that sends nothing.
type mute[M any] struct{ protocols.Node[M] }

func (mute[M]) Send(protocols.ID, M) {}

// Contrary returns a process that says the opposite of what an honest one says.
func Contrary[M any](honest protocols.Round[M], opposite func(M) M) protocols.Round[M] {
	return &contrary[M]{honest, opposite}
}

type contrary[M any] struct {
	protocols.Round[M]
	opposite func(M) M `explore:"-"`
}

// Messages implements [protocols.Round].
func (c *contrary[M]) Messages(n protocols.Node[M]) { c.Round.Messages(opposed[M]{n, c.opposite}) }

// opposed is a node that sends the opposite.
type opposed[M any] struct {
	protocols.Node[M]
	opposite func(M) M
}

func (o opposed[M]) Send(to protocols.ID, m M) { o.Node.Send(to, o.opposite(m)) }

// Repertoire returns what a process could tell another one in a round, from 1: for each message that
// an honest process may send, its versions. The receiver ignores all others, or takes them for one of
// these.
type Repertoire[M any] struct {
	Versions func(n protocols.Node[M], round int, to protocols.ID) [][]M
	// Silence: a message that is not sent is something else than each of its versions.
	Silence bool
}

// Random returns a process that draws each message of its repertoire: one of the versions or, if that
// is something else, none, each as likely.
func Random[M any](honest protocols.Round[M], r Repertoire[M]) protocols.Round[M] {
	return &random[M]{Round: Silent(honest), repertoire: r}
}

type random[M any] struct {
	protocols.Round[M]
	round      int           // the number of rounds that have begun
	repertoire Repertoire[M] `explore:"-"`
}

// Messages implements [protocols.Round].
func (p *random[M]) Messages(n protocols.Node[M]) {
	p.Round.Messages(n)
	p.round++
	for port := range n.Degree() {
		to := n.Neighbor(port)
		for _, versions := range p.repertoire.Versions(n, p.round, to) {
			choices := len(versions)
			if p.repertoire.Silence {
				choices++
			}
			if k := n.Intn(choices); k < len(versions) {
				n.Send(to, versions[k])
			}
		}
	}
}

// TwoFaced returns a process that is two: the first talks to the processes for which toFirst says so,
// the second to the others. Both hear everything.
func TwoFaced[M any](first, second protocols.Round[M], toFirst func(protocols.ID) bool) protocols.Round[M] {
	return &twoFaced[M]{first, second, toFirst}
}

type twoFaced[M any] struct {
	first, second protocols.Round[M]
	toFirst       func(protocols.ID) bool `explore:"-"`
}

// Start implements [protocols.Round].
func (p *twoFaced[M]) Start(n protocols.Node[M]) {
	p.first.Start(face[M]{n, p.toFirst, true})
	p.second.Start(face[M]{n, p.toFirst, false})
}

// Messages implements [protocols.Round].
func (p *twoFaced[M]) Messages(n protocols.Node[M]) {
	p.first.Messages(face[M]{n, p.toFirst, true})
	p.second.Messages(face[M]{n, p.toFirst, false})
}

// Transition implements [protocols.Round].
func (p *twoFaced[M]) Transition(n protocols.Node[M], arrived []protocols.Arrival[M]) {
	p.first.Transition(face[M]{n, p.toFirst, true}, arrived)
	p.second.Transition(face[M]{n, p.toFirst, false}, arrived)
}

// Halted implements [protocols.Round].
func (p *twoFaced[M]) Halted() bool { return p.first.Halted() && p.second.Halted() }

// face is a node that reaches some processes only.
type face[M any] struct {
	protocols.Node[M]
	toFirst func(protocols.ID) bool
	first   bool
}

func (f face[M]) Send(to protocols.ID, m M) {
	if f.toFirst(to) == f.first {
		f.Node.Send(to, m)
	}
}
