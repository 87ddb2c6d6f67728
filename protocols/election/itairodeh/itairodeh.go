// Package itairodeh is the election on an anonymous ring: processes have no identities
// and toss coins instead. Its form for rounds (variant sync) stands below.
//
// Paper: A. Itai, M. Rodeh, "Symmetry breaking in distributed networks", Information
// and Computation 88(1), 1990 (FOCS 1981), in the form of W. Fokkink, J. Pang,
// "Variations on Itai-Rodeh leader election for anonymous rings and their analysis in
// PRISM", J. UCS 12(8), 2006, in which FIFO links make the numbers of rounds
// superfluous.
//
// Model: asynchronous, unidirectional ring, FIFO links, no crashes, no identities. All
// processes know the size n; each has random numbers of its own. Any non-empty set of
// initiators.
//
// An initiator is active: it draws a number from 1..K and sends it round the ring, with
// a count of hops and a flag "unique". An active process drops a token with a smaller draw
// than its own, becomes passive at a larger one, and removes the flag at an equal one.
// Passive processes pass all tokens on. A token that has made n hops is back at its
// process. With the flag, that process is the leader; without it several processes drew
// the largest number, and each of them draws again.
//
// Cost. With m active, a round costs n * sum of E[(X/K)^j], j = 0..m-1, X uniform on
// 1..K, on average: j active processes let a token pass if none of them drew more. w of
// them go on with probability C(m,w) * sum over x of (x-1)^(m-w) / K^m, and one is
// the leader. That makes O(n log n) messages; for K = n the expected number of rounds
// goes to 2 - 1/(e-1) = 1.418. A round takes n message times.
//
// Invariants: the largest draw of a round is never dropped, so a process is active
// until one is the leader. An active process meets tokens of its own round only.
//
// Correct with probability 1, and no more is possible: no algorithm without chance elects
// a process here (D. Angluin, "Local and global properties in networks of processors",
// STOC 1980), and K = 1 is such an algorithm.
//
// Deviations: (1) A process that has not started when the first token comes is
// passive. (2) A token with n hops that comes to a passive process, which FIFO
// excludes, is dropped.
package itairodeh

import (
	"fmt"

	"bullring/protocols"
	"bullring/protocols/election"
)

// Message is the token of an active process.
type Message struct {
	Draw   int  // 1..K, instead of an identity
	Hop    int  // the number of its hops, this one included
	Unique bool // it has met no other active process with the same draw
}

var kinds = []string{"TOKEN"}

func (Message) Kind() int       { return 0 }
func (Message) Kinds() []string { return kinds }

// Bits implements [protocols.Message]: 8 for the kind, 64 for the draw, 64 for the
// hops, 8 for the flag.
func (Message) Bits() int { return 8 + 64 + 64 + 8 }

// String prints the message as a trace shows it: TOKEN(draw 2, hop 3, unique).
func (m Message) String() string {
	text := fmt.Sprintf("TOKEN(draw %d hop %d", m.Draw, m.Hop)
	if m.Unique {
		text += " unique"
	}
	return text + ")"
}

// Config is what every process of the ring knows.
type Config struct {
	N int // processes, at least 1
	K int // draws are from 1..K, at least 1
}

// role says what a process does with a token.
type role uint8

// The roles.
const (
	idle role = iota // at first
	active
	passive
	elected
)

// String names the role.
func (r role) String() string {
	return [...]string{"idle", "active", "passive", "elected"}[r]
}

// Process is one process of the ring.
type Process struct {
	protocols.NoTimers[Message]

	cfg  Config
	role role
	draw int // of an active process
}

var _ election.Process[Message] = (*Process)(nil)

// New returns a process. It panics unless N and K are positive.
func New(cfg Config) *Process {
	if cfg.N < 1 || cfg.K < 1 {
		panic(fmt.Sprintf("itairodeh: %d processes that draw from 1..%d", cfg.N, cfg.K))
	}
	return &Process{cfg: cfg}
}

// Candidate reports whether the process is active: it looks at tokens.
func (p *Process) Candidate() bool { return p.role == active }

// Decision implements [election.Elector]. It names no process: none has an identity.
func (p *Process) Decision() election.Decision {
	if p.role == elected {
		return election.Decision{Status: election.Leader}
	}
	return election.Decision{}
}

// Start makes an idle process active.
func (p *Process) Start(n protocols.Node[Message]) {
	if p.role == idle {
		p.stand(n)
	}
}

// Receive handles a token.
func (p *Process) Receive(n protocols.Node[Message], _ protocols.ID, m Message) {
	switch {
	case p.role == active && m.Hop == p.cfg.N && m.Unique:
		p.role, p.draw = elected, 0
	case p.role == active && m.Hop == p.cfg.N:
		p.stand(n)
	case m.Hop == p.cfg.N || p.role == elected:
		// Outside the model.
	case p.role == active && m.Draw < p.draw:
		// Dropped: the draw of this process is larger.
	case p.role == active && m.Draw == p.draw:
		n.Send(n.Neighbor(0), Message{m.Draw, m.Hop + 1, false})
	default:
		p.role, p.draw = passive, 0
		n.Send(n.Neighbor(0), Message{m.Draw, m.Hop + 1, m.Unique})
	}
}

// stand makes the process active: it draws, and sends the draw round the ring.
func (p *Process) stand(n protocols.Node[Message]) {
	p.role, p.draw = active, 1+n.Intn(p.cfg.K)
	n.Send(n.Neighbor(0), Message{p.draw, 1, true})
}
