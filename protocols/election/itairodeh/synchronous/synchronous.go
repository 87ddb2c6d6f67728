// Package synchronous is the election on an anonymous ring in rounds.
//
// Paper: A. Itai, M. Rodeh, "Symmetry breaking in distributed networks", Information
// and Computation 88(1), 1990; C. Lavault, G. Louchard, "Asymptotic analysis of a
// leader election algorithm", Theoretical Computer Science 359, 2006.
//
// Model: synchronous rounds, a unidirectional ring whose size n is known, all processes
// begin together, no crashes, no identities; each process draws from a source of its
// own.
//
// The rounds come in phases of n. All processes know how many are active, m, at first
// n. At the beginning of a phase each active process becomes a candidate with
// probability 1/m, and sends a token; a token makes one hop a round, and after n rounds
// it has passed everybody. So everybody has counted the candidates. One of them: it
// is the leader. None: the same again. Else the candidates are the active ones of the
// next phase.
//
// Cost: the expected number of phases is M(n) = 1 + sum over w other than 1 of
// B(n,1/n;w) M(w or n), which goes to 2.441715879 (Lavault & Louchard); there is one
// candidate a phase on average, so n*M(n) messages, each without contents. A phase
// takes n rounds.
//
// Invariants: all processes agree on m; there are at most as many candidates as there
// were active processes, and from the second phase on at least two are active.
//
// Deviation: without coins every process draws what makes it a candidate. That is an
// algorithm without chance, and elects nobody if n > 1 (D. Angluin, STOC 1980).
package synchronous

import (
	"fmt"

	"bullring/protocols"
	"bullring/protocols/election"
)

// Message is the token of a candidate. It says nothing: that it comes is enough.
type Message struct{}

var kinds = []string{"TOKEN"}

func (Message) Kind() int       { return 0 }
func (Message) Kinds() []string { return kinds }
func (Message) Bits() int       { return 8 } // the kind
func (Message) String() string  { return kinds[0] }

// Config is what every process of the ring knows.
type Config struct {
	N       int  // processes, at least 1
	NoCoins bool // every draw is the same
}

// Process is one process of the ring.
type Process struct {
	cfg       Config
	active    bool
	candidate bool
	m         int  // active processes
	round     int  // of the phase, from 1
	count     int  // tokens that have come in this phase
	passes    bool // one of them is to be sent on
	over      bool // somebody is elected
	decision  election.Decision
}

var (
	_ protocols.Round[Message] = (*Process)(nil)
	_ election.Elector         = (*Process)(nil)
)

// New returns a process. It panics unless N is positive.
func New(cfg Config) *Process {
	if cfg.N < 1 {
		panic(fmt.Sprintf("synchronous: a ring of %d", cfg.N))
	}
	return &Process{cfg: cfg}
}

// Decision implements [election.Elector]. Nobody has an identity to give.
func (p *Process) Decision() election.Decision { return p.decision }

// Halted implements [protocols.Round].
func (p *Process) Halted() bool { return p.over }

// Start begins the first phase, in which all are active.
func (p *Process) Start(n protocols.Node[Message]) {
	p.active, p.m = true, p.cfg.N
	p.phase(n)
}

// phase begins a phase.
func (p *Process) phase(n protocols.Node[Message]) {
	p.round, p.count = 1, 0
	p.candidate = p.active && (p.cfg.NoCoins || n.Intn(p.m) == 0)
	p.passes = p.candidate
}

// Messages sends the process's own token, in the first round of a phase, or the one
// that came.
func (p *Process) Messages(n protocols.Node[Message]) {
	if p.passes {
		n.Send(n.Neighbor(0), Message{})
	}
}

// Transition counts what came.
func (p *Process) Transition(n protocols.Node[Message], arrived []protocols.Arrival[Message]) {
	p.passes = len(arrived) > 0
	p.count += len(arrived)
	if p.round < p.cfg.N {
		p.round++
		return
	}
	p.passes = false
	switch {
	case p.count == 1:
		p.over = true
		if p.candidate {
			p.decision = election.Decision{Status: election.Leader}
		}
		return
	case p.count > 1:
		p.active, p.m = p.candidate, p.count
	}
	p.phase(n)
}
