// Package huang detects the termination of a diffusing computation by weights that are split and
// returned.
//
// Paper: S.-T. Huang, "Detecting termination of distributed computations by external agents", ICDCS
// 1989.
//
// Model: asynchronous; a complete graph with reliable links, in any order; no process fails. One
// process initiates the computation and is the controlling agent.
//
// The agent begins with weight 1. A work message takes away a part of the weight of its sender, and
// adds it to that of its receiver. A process that becomes passive returns its weight to the agent. The
// weights of all active processes and of all messages under way add up to 1. So the computation has
// terminated when the agent is passive and has the whole weight again.
//
// Cost: at most one RETURN for each work message, since a process becomes passive at most as often as
// it was made active. With delays of a time unit, termination is announced within 1 unit.
//
// Invariants: the weights of all processes and messages add up to 1. A process other than the agent
// has weight exactly if it is active, and a work message has some.
//
// Deviations: (1) Weights are sums of powers of 1/2, each a list of exponents, and a message takes half
// of the smallest power of its sender. So no weight is ever too small to be split, and nothing is
// rounded. The paper has real numbers between 0 and 1. (2) An initiator is active until it has begun.
// (3) Messages have 8 bits for the kind, and 32 for each exponent.
package huang

import (
	"fmt"
	"slices"
	"strings"

	"bullring/protocols"
	"bullring/protocols/termination"
)

// Weight is a number from 0 to 1: the sum of 2^-e over its exponents e, which are ascending and all
// different.
type Weight []int

// Add returns the sum of the weight and 2^-e. Two equal powers are one that is twice as large.
func (w Weight) Add(e int) Weight {
	for {
		i, there := slices.BinarySearch(w, e)
		if !there {
			return slices.Insert(w, i, e)
		}
		w, e = slices.Delete(w, i, i+1), e-1
	}
}

// Split takes half of the smallest power away. It returns what is left, and the exponent of that half.
func (w Weight) Split() (left Weight, e int) {
	w[len(w)-1]++
	return w, w[len(w)-1]
}

// Whole reports whether the weight is 1.
func (w Weight) Whole() bool { return len(w) == 1 && w[0] == 0 }

// String prints the weight: 1/2 + 1/8.
func (w Weight) String() string {
	parts := make([]string, len(w))
	for i, e := range w {
		parts[i] = power(e)
	}
	return strings.Join(parts, " + ")
}

// power prints a power of 1/2: a fraction if it has few digits.
func power(e int) string {
	switch {
	case e == 0:
		return "1"
	case 0 < e && e < 20:
		return fmt.Sprintf("1/%d", 1<<e)
	}
	return fmt.Sprintf("2^%d", -e)
}

// Message is a work message, or a weight on its way back.
type Message struct {
	Type   protocols.Type
	Weight Weight
}

// The messages.
const (
	Work   protocols.Type = iota // of the computation
	Return                       // the weight of a process that has become passive
)

var names = []string{termination.Work, "RETURN"}

// Kind implements [protocols.Message].
func (m Message) Kind() int { return int(m.Type) }

// Kinds implements [protocols.Message].
func (Message) Kinds() []string { return names }

// Bits implements [protocols.Message].
func (m Message) Bits() int { return 8 + 32*len(m.Weight) }

// String prints the message as a trace shows it: RETURN(1/2 + 1/8).
func (m Message) String() string { return fmt.Sprintf("%s(%v)", names[m.Type], m.Weight) }

// Process is one process of the complete graph.
type Process struct {
	termination.Worker
	agent  protocols.ID
	weight Weight
}

var _ termination.Process[Message] = (*Process)(nil)

// New returns the process at an address. Only the agent is an initiator.
func New(id protocols.ID, work termination.Config, agent protocols.ID) *Process {
	p := &Process{Worker: termination.NewWorker(work), agent: agent}
	if id == agent {
		p.weight = Weight{0}
	}
	return p
}

// Start implements [protocols.Process].
func (p *Process) Start(n protocols.Node[Message]) { p.send(n, p.Begin(n)) }

// Timeout implements [protocols.Process]: a piece of work is done.
func (p *Process) Timeout(n protocols.Node[Message], _ protocols.Timer) { p.send(n, p.Finish(n)) }

// Receive implements [protocols.Process].
func (p *Process) Receive(n protocols.Node[Message], _ protocols.ID, m Message) {
	if m.Type > Return {
		panic(protocols.Unknown(m))
	}
	for _, e := range m.Weight {
		p.weight = p.weight.Add(e)
	}
	var to []protocols.ID
	if m.Type == Work {
		to = p.Activate(n)
	}
	p.send(n, to)
}

// send sends work messages. A process that is passive then returns what is left of its weight.
func (p *Process) send(n protocols.Node[Message], to []protocols.ID) {
	for _, q := range to {
		var half int
		p.weight, half = p.weight.Split()
		n.Send(q, Message{Work, Weight{half}})
	}
	switch {
	case !p.Passive():
	case n.ID() == p.agent:
		if p.weight.Whole() {
			p.Announce()
		}
	case len(p.weight) > 0:
		n.Send(p.agent, Message{Return, p.weight})
		p.weight = nil
	}
}
