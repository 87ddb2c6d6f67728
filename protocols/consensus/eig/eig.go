// Package eig is consensus by exponential information gathering: in rounds, all pass on all that they
// were told.
//
// Paper: N. Lynch, "Distributed Algorithms", 1996, section 6.2.3 (EIGStop) and 6.3.2 (EIGByz), after
// A. Bar-Noy, D. Dolev, C. Dwork and H. Strong.
//
// Model: synchronous rounds on a complete graph, all processes begin together, reliable links, and a
// receiver knows the sender. At most f processes fail: in the variant byzantine they do what they
// like, and n > 3f; in the variant stop they crash, also between two sends of a round, and n > f.
//
// In round 1 each process tells all its value. In round r + 1 it passes on each value that came in
// round r, with the path of those who passed it on, unless it is one of them. After f + 1 rounds a
// process has a tree of values. EIGStop decides for the value of a tree with one value, and for 0
// else. EIGByz resolves the tree from its leaves: a node has the majority of its children. The decision is the value
// of the root. It is the generals' OM(f) with each process as the commander, and the majority of what
// comes of it.
//
// Cost: f+1 rounds (time f+1), exactly (f+1)n(n-1) messages if nobody fails. A message of round r has
// (n-1)(n-2)...(n-r+1) values.
//
// Invariants: a path names no process twice, and ends with its sender; processes that follow the
// algorithm have the same value for a path whose last process does.
//
// Deviations: (1) A process takes its own word for what it has passed on itself, and not the majority of
// what others say of that. (2) Values are 0 and 1; what did not come, and a majority that does not
// exist, are 0. (3) A process ignores a value with another path than the round and the sender demand.
// (4) A message has 8 bits for its kind, and for each value 8, and 64 for each process of its path.
package eig

import (
	"fmt"
	"strings"

	"bullring/protocols"
	"bullring/protocols/consensus"
)

// Value is a value with the path by which it came.
type Value struct {
	Path  consensus.Path
	Value int
}

// String prints the value, and who passed it on: 1 by 0,2.
func (v Value) String() string {
	if v.Path.Len() == 0 {
		return fmt.Sprint(v.Value)
	}
	return fmt.Sprintf("%d by %v", v.Value, v.Path)
}

// Message is the only message: all values of a round.
type Message []Value

// Kind implements [protocols.Message].
func (Message) Kind() int { return 0 }

// Kinds implements [protocols.Message].
func (Message) Kinds() []string { return names }

var names = []string{"VALUES"}

// Bits implements [protocols.Message].
func (m Message) Bits() int {
	bits := 8
	for _, v := range m {
		bits += 8 + 64*v.Path.Len()
	}
	return bits
}

// String prints the message as a trace shows it: VALUES(1 by 0,2; 0 by 1,2).
func (m Message) String() string {
	var words []string
	for _, v := range m {
		words = append(words, v.String())
	}
	return names[0] + "(" + strings.Join(words, "; ") + ")"
}

// Config is what the processes know, and the variant.
type Config struct {
	Processes int // n
	Faulty    int // f
	// Stop: processes crash, and do not lie.
	Stop bool
}

// Process is one process of the complete graph.
type Process struct {
	id       protocols.ID
	cfg      Config
	rounds   int     // the number of rounds that are over
	heard    []Value // by the rounds in which they came, the own one first
	fresh    int     // of these, those that came in the last round begin here
	decision consensus.Decision
}

var (
	_ protocols.Round[Message] = (*Process)(nil)
	_ consensus.Decider        = (*Process)(nil)
)

// New returns the process at an address. It panics if there are too many processes or rounds, and if
// a value is neither 0 nor 1.
func New(id protocols.ID, input int, cfg Config) *Process {
	if input < 0 || input > 1 || cfg.Faulty < 0 || cfg.Faulty > consensus.MaxFaulty || cfg.Processes > consensus.MaxProcesses {
		panic(fmt.Sprintf("eig: value %d, %+v", input, cfg))
	}
	return &Process{id: id, cfg: cfg, heard: []Value{{Value: input}}}
}

// Decision implements [consensus.Decider].
func (p *Process) Decision() consensus.Decision { return p.decision }

// Halted implements [protocols.Round].
func (p *Process) Halted() bool { return p.decision.Made }

// Start implements [protocols.Round].
func (*Process) Start(protocols.Node[Message]) {}

// Messages passes on what came in the last round.
func (p *Process) Messages(n protocols.Node[Message]) {
	var m Message
	for _, v := range p.heard[p.fresh:] {
		if !v.Path.Has(p.id) {
			m = append(m, Value{v.Path.With(p.id), v.Value})
		}
	}
	p.fresh = len(p.heard)
	for port := range n.Degree() {
		n.Send(n.Neighbor(port), m)
	}
}

// Transition keeps the values that arrived, and decides after the last round.
func (p *Process) Transition(_ protocols.Node[Message], arrived []protocols.Arrival[Message]) {
	p.rounds++
	told := make(map[consensus.Path]int, len(p.heard))
	for _, v := range p.heard {
		told[v.Path] = v.Value
	}
	for _, a := range arrived {
		for _, v := range a.Message {
			_, known := told[v.Path]
			if !known && v.Path.Right(p.rounds, p.cfg.Processes, a.From, p.id) && (v.Value == 0 || v.Value == 1) {
				told[v.Path], p.heard = v.Value, append(p.heard, v)
			}
		}
	}
	if p.rounds == p.cfg.Faulty+1 {
		p.decision = consensus.Decision{Made: true, Value: p.decide(told)}
	}
}

func (p *Process) decide(told map[consensus.Path]int) int {
	if !p.cfg.Stop {
		return consensus.Settle(told, p.id, p.cfg.Processes, p.cfg.Faulty+1, consensus.Path{})
	}
	for _, v := range p.heard {
		if v.Value != p.heard[0].Value {
			return 0
		}
	}
	return p.heard[0].Value
}

// Opposite is a message with the opposite values.
func (m Message) Opposite() Message {
	opposite := make(Message, len(m))
	for i, v := range m {
		opposite[i] = Value{v.Path, 1 - v.Value}
	}
	return opposite
}

// Versions are what a Byzantine process can tell another one in a round: either value by each path that
// ends with it, each in a message of its own. The receiver takes a value that does not come for 0.
func Versions(cfg Config) func(n protocols.Node[Message], round int, to protocols.ID) [][]Message {
	return func(n protocols.Node[Message], round int, to protocols.ID) (all [][]Message) {
		if round > cfg.Faulty+1 {
			return nil
		}
		for _, path := range (consensus.Path{}).Longer(cfg.Processes, round-1, n.ID(), to) {
			path = path.With(n.ID())
			all = append(all, []Message{{{path, 0}}, {{path, 1}}})
		}
		return all
	}
}
