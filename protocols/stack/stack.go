// Package stack composes a process of layers. A layer gets requests from the layer above it and
// indications from the layer below it. The lowest layer has the links, the highest the user (C.
// Cachin, R. Guerraoui and L. Rodrigues, "Introduction to Reliable and Secure Distributed
// Programming", 2nd edition, 2011, section 1.4).
//
// A layer handles one event at a time. Those that it causes at other layers are handled when it
// returns, in the order in which it caused them, and all of them in one step of the process.
//
// A message is counted for the layer that began it, by a request that no layer above asked for. The
// names of its kinds tell the layers apart: FIFO.DATA, RB.DATA.
package stack

import (
	"fmt"
	"time"

	"bullring/protocols"
)

// Layer is one layer of a process. D is what layers hand to one another.
type Layer[D any] interface {
	// Request handles a request of the layer above.
	Request(n Node[D], d D)
	// Indication handles an indication of the layer below: from is the process that requested it
	// there. To the lowest layer it is a message, and from the sender.
	Indication(n Node[D], from protocols.ID, d D)
	// Timeout handles the expiry of a timer of the layer.
	Timeout(n Node[D], t protocols.Timer)
}

// Node is what a layer sees of the world. Send hands to the link, for the lowest layer of the other
// process. Timers are those of the layer.
type Node[D any] interface {
	protocols.Node[D]
	// Request makes a request of the layer below.
	Request(d D)
	// Indicate gives an indication to the layer above.
	Indicate(from protocols.ID, d D)
}

// Data is what layers hand to one another.
type Data interface {
	fmt.Stringer
	// Bits is its size on the wire.
	Bits() int
}

// Message is what travels on a link. Its type is the layer that began it, from the highest.
type Message[D Data, K protocols.Namer] struct {
	Type protocols.Type
	Data D
}

// Kind implements [protocols.Message].
func (m Message[D, K]) Kind() int { return int(m.Type) }

// Kinds implements [protocols.Message].
func (Message[D, K]) Kinds() []string { var k K; return k.Names() }

// Bits implements [protocols.Message].
func (m Message[D, K]) Bits() int { return 8 + m.Data.Bits() }

// String prints the message as a trace shows it: RB.DATA(0.1).
func (m Message[D, K]) String() string { return fmt.Sprintf("%s(%v)", m.Kinds()[m.Type], m.Data) }

// Stack is the layers of one process, the highest first.
type Stack[D Data, K protocols.Namer] struct {
	layers []Layer[D]
	queue  []event[D] `explore:"-"` // empty between two steps
	out    []D        `explore:"-"` // the indications of the highest layer in this step
}

// event is a request, or an indication.
type event[D any] struct {
	layer   int // that handles it
	request bool
	from    protocols.ID // of an indication
	data    D
	began   int // the layer that began a request
}

// New returns the process with these layers, the highest first.
func New[D Data, K protocols.Namer](layers ...Layer[D]) *Stack[D, K] {
	return &Stack[D, K]{layers: layers}
}

// Request makes a request of the highest layer. Like Receive and Timeout it returns the indications
// of the highest layer, which are valid until the next step.
func (s *Stack[D, K]) Request(n protocols.Node[Message[D, K]], d D) []D {
	return s.step(n, event[D]{request: true, data: d})
}

// Receive handles a message.
func (s *Stack[D, K]) Receive(n protocols.Node[Message[D, K]], from protocols.ID, m Message[D, K]) []D {
	return s.step(n, event[D]{layer: len(s.layers) - 1, from: from, data: m.Data})
}

// Timeout handles the expiry of a timer.
func (s *Stack[D, K]) Timeout(n protocols.Node[Message[D, K]], t protocols.Timer) []D {
	s.out = s.out[:0]
	layer := int(t) % len(s.layers)
	s.layers[layer].Timeout(&node[D, K]{n, s, layer, layer}, t/protocols.Timer(len(s.layers)))
	return s.run(n)
}

// TimerName implements [protocols.TimerNamer].
func (s *Stack[D, K]) TimerName(t protocols.Timer) string {
	k := protocols.Timer(len(s.layers))
	return protocols.TimerName(s.layers[t%k], t/k)
}

func (s *Stack[D, K]) step(n protocols.Node[Message[D, K]], e event[D]) []D {
	s.out = s.out[:0]
	s.queue = append(s.queue, e)
	return s.run(n)
}

// run handles events until none is left.
func (s *Stack[D, K]) run(n protocols.Node[Message[D, K]]) []D {
	for i := 0; i < len(s.queue); i++ {
		switch e := s.queue[i]; {
		case e.layer < 0:
			s.out = append(s.out, e.data)
		case e.request:
			s.layers[e.layer].Request(&node[D, K]{n, s, e.layer, e.began}, e.data)
		default:
			s.layers[e.layer].Indication(&node[D, K]{n, s, e.layer, e.layer}, e.from, e.data)
		}
	}
	s.queue = s.queue[:0]
	return s.out
}

// node is the Node of a layer.
type node[D Data, K protocols.Namer] struct {
	protocols.Node[Message[D, K]]
	stack *Stack[D, K]
	layer int
	began int // the layer that begins what this one requests now
}

// Send implements [protocols.Node].
func (n *node[D, K]) Send(to protocols.ID, d D) {
	n.Node.Send(to, Message[D, K]{protocols.Type(n.began), d})
}

// SetTimer implements [protocols.Node].
func (n *node[D, K]) SetTimer(t protocols.Timer, after time.Duration) {
	n.Node.SetTimer(n.label(t), after)
}

// StopTimer implements [protocols.Node].
func (n *node[D, K]) StopTimer(t protocols.Timer) { n.Node.StopTimer(n.label(t)) }

// label is the label of a timer of the layer among those of the process.
func (n *node[D, K]) label(t protocols.Timer) protocols.Timer {
	return t*protocols.Timer(len(n.stack.layers)) + protocols.Timer(n.layer)
}

// Request implements [Node].
func (n *node[D, K]) Request(d D) {
	n.stack.queue = append(n.stack.queue, event[D]{layer: n.layer + 1, request: true, data: d, began: n.began})
}

// Indicate implements [Node].
func (n *node[D, K]) Indicate(from protocols.ID, d D) {
	n.stack.queue = append(n.stack.queue, event[D]{layer: n.layer - 1, from: from, data: d})
}
