// Package synchronous is the variant sync, the election on an anonymous ring in rounds.
//
// Paper: A. Itai, M. Rodeh, "Symmetry breaking in distributed networks", Information
// and Computation 88(1), 1990; C. Lavault, G. Louchard, "Asymptotic analysis of a
// leader election algorithm", Theoretical Computer Science 359, 2006.
//
// Model: synchronous rounds, a unidirectional ring of known size n, all processes
// begin together, no crashes, no identities; each process has random numbers of its own.
//
// A phase has n rounds. All processes know the number of active processes, m, at first
// n. At the beginning of a phase each active process becomes a candidate with
// probability 1/m and sends a token. A token makes one hop a round; after n rounds it has
// passed all processes, and each has counted the candidates. One candidate: it is the
// leader. None: the phase is repeated. Several: they are the active processes of the next
// phase.
//
// Cost: the expected number of phases is M(n) = 1 + sum over w other than 1 of
// B(n,1/n;w) M(w or n), which goes to 2.441715879 (Lavault & Louchard). There is one
// candidate a phase on average, so n*M(n) messages, each without contents. A phase
// takes n rounds.
//
// Invariants: all processes agree on m. There are at most as many candidates as active
// processes, and from the second phase on at least two processes are active.
//
// Deviation: without coins every draw makes its process a candidate. That is an algorithm
// without chance, and elects no process if n > 1 (D. Angluin, STOC 1980).
package synchronous

import (
	"fmt"

	"bullring/protocols"
	"bullring/protocols/election"
)

// Message is the token of a candidate. It carries nothing: its arrival is enough.
type Message struct{}

var kinds = []string{"TOKEN"}

func (Message) Kind() int       { return 0 }
func (Message) Kinds() []string { return kinds }
func (Message) Bits() int       { return 8 } // the kind
func (Message) String() string  { return kinds[0] }

// Config is what every process of the ring knows.
type Config struct {
	N       int  // the size of the ring, at least 1
	NoCoins bool // all draws are equal
}

// Process is one process of the ring.
type Process struct {
	cfg       Config
	active    bool
	candidate bool
	m         int  // the number of active processes
	round     int  // of the phase, from 1
	count     int  // the tokens that have come in this phase
	passes    bool // a token is to be sent
	over      bool // a process is elected
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

// Decision implements [election.Elector]. It names no process: none has an identity.
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

// Messages sends the token of the process, in the first round of a phase, or passes on
// the one that came.
func (p *Process) Messages(n protocols.Node[Message]) {
	if p.passes {
		n.Send(n.Neighbor(0), Message{})
	}
}

// Transition counts tokens, and ends the phase with its last round.
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
