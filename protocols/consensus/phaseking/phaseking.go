// Package phaseking is the consensus of the phase king, among processes of which some are Byzantine.
//
// Paper: P. Berman and J. Garay, "Asymptotically optimal distributed consensus", ICALP 1989, LNCS 372.
// The form is that of H. Attiya and J. Welch, "Distributed Computing", 2nd edition, 2004, section
// 5.2.5.
//
// Model: synchronous rounds on a complete graph, all processes begin together, reliable links, and a
// receiver knows the sender. At most f of n > 4f processes are Byzantine. Inputs are 0 and 1.
//
// Each process has a preference, at first its input. A phase has two rounds. In the first, each
// process sends its preference to all, and takes the majority of all n, its own included. In the second
// the king of the phase, process k-1 in phase k, sends its majority. A process whose majority has more
// than n/2 + f votes prefers that; others prefer what the king says. After f+1 phases it decides for
// its preference: one of the f+1 kings is honest.
//
// Cost: f+1 phases of two rounds (time 2f+2), exactly (f+1)(n-1)(n+1) messages if nobody is Byzantine.
//
// Invariants: if all honest processes prefer one value, they do for ever; after the phase of an
// honest king they do.
//
// Deviations: (1) A process that sends nothing, or anything else, counts as one that prefers 0, and such
// a king says 0. (2) A message has 8 bits for its kind and 8 for the value.
package phaseking

import (
	"fmt"

	"bullring/protocols"
	"bullring/protocols/consensus"
)

// Message is a value that a process prefers, or that a king says.
type Message struct {
	Type  protocols.Type
	Value int
}

// The messages.
const (
	Prefer protocols.Type = iota // the preference of a process
	King                         // the majority that the king has seen
)

// Kind implements [protocols.Message].
func (m Message) Kind() int { return int(m.Type) }

// Kinds implements [protocols.Message].
func (Message) Kinds() []string { return names }

var names = []string{"PREFER", "KING"}

// Bits implements [protocols.Message].
func (Message) Bits() int { return 8 + 8 }

// String prints the message as a trace shows it: PREFER(1).
func (m Message) String() string { return fmt.Sprintf("%s(%d)", names[m.Type], m.Value) }

// Config is what the processes know.
type Config struct {
	Processes int // n
	Faulty    int // f
}

// Process is one process of the complete graph.
type Process struct {
	id       protocols.ID
	cfg      Config
	prefers  int
	majority int
	votes    int // for the majority
	rounds   int // the number of rounds that are over
	decision consensus.Decision
}

var (
	_ protocols.Round[Message] = (*Process)(nil)
	_ consensus.Decider        = (*Process)(nil)
)

// New returns the process at an address. It panics if its input is neither 0 nor 1.
func New(id protocols.ID, input int, cfg Config) *Process {
	if input < 0 || input > 1 {
		panic(fmt.Sprintf("phaseking: input %d", input))
	}
	return &Process{id: id, cfg: cfg, prefers: input}
}

// Decision implements [consensus.Decider].
func (p *Process) Decision() consensus.Decision { return p.decision }

// Halted implements [protocols.Round].
func (p *Process) Halted() bool { return p.decision.Made }

// Round implements [protocols.Rounder].
func (p *Process) Round() int {
	if p.Halted() {
		return p.rounds
	}
	return p.rounds + 1
}

// Start implements [protocols.Round].
func (p *Process) Start(protocols.Node[Message]) {}

// king is the king of this phase.
func (p *Process) king() protocols.ID { return protocols.ID(p.rounds / 2) }

// second reports whether this is the second round of a phase.
func (p *Process) second() bool { return p.rounds%2 == 1 }

// Messages sends the preference to all, or what the king has seen.
func (p *Process) Messages(n protocols.Node[Message]) {
	m := Message{Prefer, p.prefers}
	if p.second() {
		if p.king() != p.id {
			return
		}
		m = Message{King, p.majority}
	}
	for port := range n.Degree() {
		n.Send(n.Neighbor(port), m)
	}
}

// Transition counts the preferences, or follows the king.
func (p *Process) Transition(_ protocols.Node[Message], arrived []protocols.Arrival[Message]) {
	if p.second() {
		p.follow(arrived)
	} else {
		p.count(arrived)
	}
	if p.rounds++; p.rounds == 2*(p.cfg.Faulty+1) {
		p.decision = consensus.Decision{Made: true, Value: p.prefers}
	}
}

// count takes the majority of the preferences. The first of each process counts.
func (p *Process) count(arrived []protocols.Arrival[Message]) {
	ones, last := p.prefers, protocols.ID(-1)
	for _, a := range arrived {
		if a.Message.Type == Prefer && a.From != last {
			last = a.From
			if a.Message.Value == 1 {
				ones++
			}
		}
	}
	p.majority, p.votes = 0, p.cfg.Processes-ones
	if ones > p.votes {
		p.majority, p.votes = 1, ones
	}
}

// follow prefers the majority if it is large, and else what the king says.
func (p *Process) follow(arrived []protocols.Arrival[Message]) {
	said := 0
	if p.king() == p.id {
		said = p.majority
	}
	for _, a := range arrived {
		if a.Message.Type == King && a.From == p.king() {
			said = min(max(a.Message.Value, 0), 1)
			break
		}
	}
	p.prefers = said
	if 2*p.votes > p.cfg.Processes+2*p.cfg.Faulty {
		p.prefers = p.majority
	}
	p.majority, p.votes = 0, 0
}

// Versions are what a Byzantine process can tell in a round. What it does not send counts as 0.
func Versions(n protocols.Node[Message], round int, _ protocols.ID) [][]Message {
	switch {
	case round%2 == 1:
		return [][]Message{{{Prefer, 0}, {Prefer, 1}}}
	case protocols.ID(round/2-1) == n.ID():
		return [][]Message{{{King, 0}, {King, 1}}}
	}
	return nil
}
