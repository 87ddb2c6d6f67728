package main

import (
	"slices"
	"time"

	"bullring/protocols"
)

// Message is a message of two-phase commit. Yes, Abort and Commit are also records of the log.
type Message uint8

const VoteReq, No, Yes, Abort, Commit, DecisionReq Message = 0, 1, 2, 3, 4, 5

var kinds = []string{"VOTE-REQ", "NO", "YES", "ABORT", "COMMIT", "DECISION-REQ"}

func (m Message) Kind() int      { return int(m) }
func (Message) Kinds() []string  { return kinds }
func (Message) Bits() int        { return 8 }
func (m Message) String() string { return kinds[m] }

// Process is the coordinator, at address 0, or a participant.
type Process struct {
	votes                []Message     // at the coordinator, by address; 0 before the vote is there
	refuses, cooperative bool          // votes no; in doubt, asks all others
	bound                time.Duration // on the delay of a message
	log                  Message       // its last record: Yes, Abort or Commit; 0 before the first
}

func (p *Process) Start(n protocols.Node[Message]) {
	n.SetTimer(0, p.bound)
	if n.ID() == 0 {
		n.SetTimer(0, 2*p.bound)
		p.send(n, VoteReq)
		p.Receive(n, 0, Yes) // its own vote
	}
}

func (p *Process) Receive(n protocols.Node[Message], from protocols.ID, m Message) {
	switch {
	case m == VoteReq && p.log == 0 && !p.refuses:
		p.log = Yes // in doubt from here to the decision
		n.Send(from, Yes)
		n.SetTimer(0, 3*p.bound)
	case m == VoteReq && p.log != Yes:
		p.decide(n, Abort)
		n.Send(from, No)
	case m == Yes || m == No:
		p.votes[from] = m
		switch slices.Min(p.votes) { // one that is not there is less than No
		case No:
			p.decide(n, Abort)
		case Yes:
			p.decide(n, Commit)
		}
	case m == Commit || m == Abort:
		p.decide(n, m)
	case m == DecisionReq && p.log != Yes:
		p.decide(n, Abort) // if it has not voted, no process has committed
		n.Send(from, p.log)
	}
}

// Timeout: before its vote a process aborts. In doubt it asks for the decision, and waits.
func (p *Process) Timeout(n protocols.Node[Message], _ protocols.Timer) {
	if p.log == Yes {
		p.send(n, DecisionReq)
	} else {
		p.decide(n, Abort)
	}
}

func (p *Process) Restore(crashed protocols.Process[Message]) { p.log = crashed.(*Process).log }

// Recover: in doubt a process asks for the decision. Otherwise it tells its own.
func (p *Process) Recover(n protocols.Node[Message]) {
	if p.log == Yes {
		p.send(n, DecisionReq)
	} else {
		p.log = max(p.log, Abort) // it aborts if it has logged nothing
		p.send(n, p.log)
	}
}

// decide logs a decision. Then, and not before, the coordinator tells it.
func (p *Process) decide(n protocols.Node[Message], decision Message) {
	if p.log < Abort {
		p.log = decision
		n.StopTimer(0)
		if n.ID() == 0 {
			p.send(n, decision)
		}
	}
}

// send sends a message to all that need it. A process that has voted no needs none.
func (p *Process) send(n protocols.Node[Message], m Message) {
	for port := range n.Degree() {
		to := n.Neighbor(port)
		if p.votes[to] != No && (m != DecisionReq || p.cooperative || to == 0) {
			n.Send(to, m)
		}
	}
}
