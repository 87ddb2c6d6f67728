// Package frei has the elections of Frei, Gelles, Ghazy and Nolin on rings whose messages have no
// content: pulses. Each process sends one, counts those that arrive, and passes all on but one, the one
// whose number is its own identity. So every process sees as many pulses as the largest identity says.
//
// Paper: F. Frei, R. Gelles, A. Ghazy and A. Nolin, "Content-oblivious leader election on rings", DISC
// 2024. Of its text the beginning of the abstract was at hand, and what the abstracts of two later
// papers say of it: the ring is oriented for the election that terminates, and any ring for the one
// that stabilizes. The rest was written from what is known of the algorithms, and has not been
// compared with the published pseudocode.
//
// It comes in three forms:
//
//	freistable      stabilizes on a ring on which pulses go one way: the warm-up
//	frei            terminates on an oriented ring: two such elections, one each
//	                way, of which the second lags behind the first
//	freiunoriented  stabilizes on a ring whose processes do not agree on the
//	                ways, and orients it
//
// Model: asynchronous rings, reliable links, no crashes, n unknown; any non-empty set of initiators.
// Identities are distinct numbers from 1 on. An adversary may alter the content of messages; it
// neither removes nor adds any. Links need not be FIFO: pulses are alike.
//
// Promise: frei elects the process with the largest identity M, whose name the others learn, since they
// have counted to it. No pulse arrives at a process that has terminated. In the other two the process
// with the largest identity is the only leader when nothing is under way; before that others may take
// themselves for the leader, and no process knows when it is over.
//
// Cost, under every schedule and with any initiators, whatever the placement. Identities are part of
// it: with one of a million a ring of two sends a few million pulses.
//
//	freistable      nM
//	frei            n(2M+1): nM one way, and n(M+1) the other way
//	freiunoriented  n(2M+1): nM one way, and n(M+1) the other way
//	bits            none
//	time            of freistable, if all start at once and delays are equal: on
//	                average over all placements of 1..n, n H_n delays
//
// Invariants:
//
//	(a) In an election each process swallows one pulse at most, and passes the
//	    others on. What it has sent is one more than what has arrived until
//	    then, and as much after that.
//	(b) frei: a process takes part in the second election when it has swallowed
//	    its pulse in the first, so until the end it has not counted more pulses in
//	    the second than in the first. Only in the process with identity M are both
//	    counts its identity at the same time.
//	(c) freiunoriented: a process with identity v takes part with v in one
//	    direction and with v+1 in the other. So one direction ends at M and the
//	    other at M+1, and all agree on which is which.
//
// Deviations: (1) A process that a pulse finds asleep wakes up, as if it had been started just before.
// (2) A message names the way round the ring that it goes, as an onlooker sees it: it is the name of its
// link. A process reads from it at which of its ports the pulse arrives, which on a ring of one or two
// its sender does not tell.
package frei

import (
	"bullring/protocols"
	"bullring/protocols/election"
)

// Process is a process of an oriented ring. It terminates.
type Process struct {
	protocols.NoTimers[Both]

	id       election.Identity
	awake    bool
	first    election.Identity // pulses that have arrived with the ring
	second   election.Identity // pulses read of those that go against it
	unread   int               // pulses that have arrived against the ring
	begun    bool              // the second election
	over     bool
	decision election.Decision
}

var _ election.Process[Both] = (*Process)(nil)

// New returns the process with this identity, which is 1 or more.
func New(id election.Identity) *Process { return &Process{id: id} }

// Decision implements [election.Elector].
func (p *Process) Decision() election.Decision { return p.decision }

// Terminated reports whether the process has terminated: it sends nothing any more.
func (p *Process) Terminated() bool { return p.over }

// Start begins the first election, if the process is asleep.
func (p *Process) Start(n protocols.Node[Both]) {
	if !p.awake {
		p.awake = true
		pulse(n, election.With)
	}
}

// Receive handles a pulse. Those of the second election wait until the process takes part in it.
func (p *Process) Receive(n protocols.Node[Both], _ protocols.ID, m Both) {
	if p.over {
		return // not in the model
	}
	p.Start(n)
	if m.Way == election.Against {
		p.unread++
	} else if p.first++; p.first != p.id {
		pulse(n, election.With)
	}
	if p.first >= p.id {
		p.lag(n)
	}
}

// lag goes on with the second election.
func (p *Process) lag(n protocols.Node[Both]) {
	if !p.begun {
		p.begun = true
		pulse(n, election.Against)
	}
	for ; p.unread > 0 && !p.over; p.unread-- {
		p.second++
		p.count(n)
	}
}

// count handles one pulse of the second election. The leader lets one more go round, which tells the
// others that it is over.
func (p *Process) count(n protocols.Node[Both]) {
	last := p.second > p.first
	switch {
	case last && p.decision.Status == election.Leader:
		p.over = true
	case last:
		p.over, p.decision = true, election.Decide(p.id, p.first)
		pulse(n, election.Against)
	case p.second != p.id:
		pulse(n, election.Against)
	case p.first == p.id:
		p.decision = election.Decide(p.id, p.id)
		pulse(n, election.Against)
	}
}

// pulse sends a pulse one way round the ring.
func pulse[K protocols.Namer](n protocols.Node[Pulse[K]], way election.Way) {
	n.Send(n.Neighbor(int(way)), Pulse[K]{way})
}
