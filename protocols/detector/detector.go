// Package detector wraps an algorithm and gives it a failure detector. It works by
// messages, and so may be mistaken. Every process sends HEARTBEAT to every neighbour each
// Period, and suspects a neighbour whose heartbeat did not come in time.
//
// Papers: T. D. Chandra and S. Toueg, "Unreliable failure detectors for reliable
// distributed systems", JACM 43(2), 1996 (the promises of a detector); W. Chen, S.
// Toueg and M. K. Aguilera, "On the quality of service of failure detectors",
// IEEE Transactions on Computers 51(5), 2002 (the adaptive timeout, which is their
// algorithm NFD-E, and the measures of [Quality], section 2); N. Hayashibara, X.
// Défago, R. Yared and T. Katayama, "The phi accrual failure detector", SRDS 2004.
//
// Model: a link back for every link; a clock and timers at every process, which
// need not agree with others' but run at about their pace; messages may be lost
// and delayed; crashes and restarts. A process that restarts keeps one number,
// its incarnation, in stable storage.
//
// Promises: a neighbour that crashes for good is suspected for good (strong
// completeness, among neighbours). No process is suspected wrongly as long as every
// heartbeat comes by the instant that the method has foretold, its deadline. A heartbeat
// in time for the next deadline ends a suspicion. So the detector is perfect if the
// timeout exceeds a bound on delays. If the bound holds from some instant on, it is
// eventually perfect.
//
// Cost: one HEARTBEAT a directed link and Period. With the fixed timeout and a
// constant delay d a crash is noticed Timeout + d after the last heartbeat: at
// least Timeout + d - Period after the crash, and less than Timeout + d.
//
// The three methods ([Method]) differ only in the deadline. Heartbeat: a constant time
// after the last heartbeat. Adaptive: the arrival of the next heartbeat as estimated from
// the last ones, plus a margin. Phi: the instant at which phi reaches a threshold; phi is
// the negative decimal logarithm of the probability that the next heartbeat is yet to come.
//
// Deviations: (1) Heartbeats carry an incarnation. A new life of a neighbour begins with a
// new estimate, and heartbeats of a former life are ignored. So are duplicates and
// heartbeats that were overtaken. (2) A neighbour has Config.First until the first heartbeat
// of a life; the papers begin in mid-run. (3) Only heartbeats are signs of life. So the
// quality of the detector does not depend on the messages of the algorithm. (4) The program
// computes the instant at which phi reaches the threshold, and not phi; so a timer is
// enough. The deviation of the intervals has a lower bound (Config.Deviation), as in the
// implementations: the paper's distribution has none for heartbeats without jitter.
//
// The driver calls Boot ([protocols.Booter]), and its nodes have clocks.
// The labels of timers from [protocols.Background] - 2^29 downwards belong to the detector:
// none of them keeps a run alive, and a wrapped algorithm cannot be wrapped again. The
// measures of [Monitor] are not for algorithms but for the judge of a run.
package detector

import (
	"cmp"
	"fmt"
	"slices"

	"bullring/protocols"
)

// Process is a process of an algorithm with a failure detector.
type Process[M protocols.Message] struct {
	protocols.Wrapper[M, Message[M], *Process[M]]
	cfg       Config
	estimator func() estimator // makes the estimator of a new life of a neighbour
	heartbeat Message[M]       // the latest heartbeat sent
	watches   []watch          // by address; nil before the boot
	suspected []protocols.ID   // ascending
	node      node[M]
	reached   bool // a message has come to the algorithm
}

// watch is the watch on a neighbour.
type watch struct {
	id          protocols.ID
	incarnation uint32
	number      uint64 // of its latest heartbeat
	estimator   estimator
}

var _ interface {
	protocols.Process[Message[protocols.Message]]
	protocols.Booter[Message[protocols.Message]]
	protocols.Recoverer[Message[protocols.Message]]
	protocols.Stable[Message[protocols.Message]]
	Suspecter
} = (*Process[protocols.Message])(nil)

// Wrap returns the process with a failure detector. It panics on an invalid
// configuration.
func Wrap[M protocols.Message](inner protocols.Process[M], cfg Config) *Process[M] {
	if err := cfg.Validate(); err != nil {
		panic(err)
	}
	cfg = cfg.complete()
	p := &Process[M]{cfg: cfg, estimator: cfg.estimators()}
	p.heartbeat.kinds = uint16(len(protocols.Sample(inner).Kinds()))
	p.Wrapper, p.node.process = protocols.Around(inner, p), p
	return p
}

// Sample implements [protocols.Sampler].
func (p *Process[M]) Sample() Message[M] { return Message[M]{Inner: protocols.Sample(p.Inner)} }

// Boots implements [protocols.Partial].
func (p *Process[M]) Boots() bool { return true }

// Lasts implements [protocols.Partial].
func (p *Process[M]) Lasts() bool { return true }

// Reached reports whether a message has come to the algorithm.
func (p *Process[M]) Reached() bool { return p.reached }

// Suspicions implements [Suspecter].
func (p *Process[M]) Suspicions() []protocols.ID { return p.suspected }

// Restore implements [protocols.Stable]: the incarnation is one above that of the life
// before.
func (p *Process[M]) Restore(crashed protocols.Process[Message[M]]) {
	p.heartbeat.Incarnation = crashed.(*Process[M]).heartbeat.Incarnation + 1
	p.Wrapper.Restore(crashed)
}

// Boot begins to send heartbeats and to wait for those of the neighbours, once. A start
// before the boot does the same.
func (p *Process[M]) Boot(n protocols.Node[Message[M]]) {
	if p.watches != nil {
		return
	}
	p.watches = neighbours(n, p.estimator)
	for i := range p.watches {
		n.SetTimer(silenceOf(p.watches[i].id), p.cfg.First)
	}
	p.beat(n)
	p.Wrapper.Boot(n)
}

// neighbours makes the watches of a process: one on each process to which it has a link.
func neighbours[W any](n protocols.Node[W], estimator func() estimator) []watch {
	watches := []watch{}
	for port := range n.Degree() {
		if id := n.Neighbor(port); id != n.ID() {
			watches = append(watches, watch{id: id, estimator: estimator()})
		}
	}
	slices.SortFunc(watches, func(v, w watch) int { return cmp.Compare(v.id, w.id) })
	return slices.CompactFunc(watches, func(v, w watch) bool { return v.id == w.id })
}

// Start starts the algorithm.
func (p *Process[M]) Start(n protocols.Node[Message[M]]) {
	p.Boot(n)
	p.Wrapper.Start(n)
}

// Receive handles heartbeats, and hands other messages to the algorithm.
func (p *Process[M]) Receive(n protocols.Node[Message[M]], from protocols.ID, m Message[M]) {
	if m.Number == 0 {
		p.reached = true
		p.Inner.Receive(p.Enter(n), from, m.Inner)
		return
	}
	w := p.watch(n, from)
	if m.Incarnation > w.incarnation {
		*w = watch{id: from, incarnation: m.Incarnation, estimator: p.estimator()}
	}
	if m.Incarnation == w.incarnation && m.Number > w.number {
		w.number = m.Number
		p.heard(n, w)
	}
}

// Timeout sends the next heartbeats or suspects a neighbour. Timers of the algorithm go
// to the algorithm.
func (p *Process[M]) Timeout(n protocols.Node[Message[M]], t protocols.Timer) {
	switch {
	case t == beat:
		p.beat(n)
	case t < beat:
		p.suspect(neighbourOf(t))
	default:
		p.Wrapper.Timeout(n, t)
	}
}

// TimerName implements [protocols.TimerNamer].
func (p *Process[M]) TimerName(t protocols.Timer) string {
	switch {
	case t == beat:
		return "beat"
	case t < beat:
		return fmt.Sprintf("silence of %d", neighbourOf(t))
	}
	return p.Wrapper.TimerName(t)
}

// Enter implements [protocols.Outside].
func (p *Process[M]) Enter(n protocols.Node[Message[M]]) protocols.Node[M] {
	if p.watches == nil {
		panic(fmt.Sprintf("detector: process %d was not booted (protocols.Booter)", n.ID()))
	}
	p.node.Node = n
	return &p.node
}

// beat sends a heartbeat to every neighbour.
func (p *Process[M]) beat(n protocols.Node[Message[M]]) {
	p.heartbeat.Number++
	for i := range p.watches {
		n.Send(p.watches[i].id, p.heartbeat)
	}
	n.SetTimer(beat, p.cfg.Period)
}

// heard takes a neighbour for alive until the deadline of its next heartbeat.
func (p *Process[M]) heard(n protocols.Node[Message[M]], w *watch) {
	now := n.Now()
	deadline := w.estimator.heard(now, w.number)
	if deadline <= now {
		p.suspect(w.id)
		return
	}
	n.SetTimer(silenceOf(w.id), deadline-now)
	if i, found := slices.BinarySearch(p.suspected, w.id); found {
		p.suspected = slices.Delete(p.suspected, i, i+1)
	}
}

// suspect takes a neighbour for crashed.
func (p *Process[M]) suspect(id protocols.ID) {
	if i, found := slices.BinarySearch(p.suspected, id); !found {
		p.suspected = slices.Insert(p.suspected, i, id)
	}
}

// watch is the watch on a neighbour.
func (p *Process[M]) watch(n protocols.Node[Message[M]], id protocols.ID) *watch {
	i, found := slices.BinarySearchFunc(p.watches, id, func(w watch, id protocols.ID) int { return cmp.Compare(w.id, id) })
	if !found {
		panic(fmt.Sprintf("detector: process %d received a heartbeat of process %d, to which it has no link; every link needs one back", n.ID(), id))
	}
	return &p.watches[i]
}

// beat is the timer of the next heartbeats. The timer of the silence of a neighbour has
// the label beat - 1 - its address. The labels above are free for a background service
// of the algorithm.
const beat = protocols.Background - 1<<29

func silenceOf(id protocols.ID) protocols.Timer  { return beat - 1 - protocols.Timer(id) }
func neighbourOf(t protocols.Timer) protocols.ID { return protocols.ID(beat - 1 - t) }
