// Package box hides the type of an algorithm's messages: a process whose messages are
// of type M becomes one whose messages are boxes, each with a message inside.
//
// What drives processes has their messages as a type parameter, and a Go compiler makes
// machine code of it for each type of messages that looks different. All boxes look the
// same. So whatever is not in a hurry drives boxes, and is compiled once instead of once
// an algorithm; what is, drives the messages themselves.
//
// A box changes nothing that a driver can see: kinds, sizes and words of messages, and
// what processes do, are those of what is inside.
package box

import (
	"fmt"

	"bullring/protocols"
)

// Message is a message of type M in a box.
type Message[M protocols.Message] struct{ Inside protocols.Message }

// Kind implements [protocols.Message].
func (b Message[M]) Kind() int { return b.Inside.Kind() }

// Kinds implements [protocols.Message].
func (Message[M]) Kinds() []string {
	var m M
	return m.Kinds()
}

// Bits implements [protocols.Message].
func (b Message[M]) Bits() int { return b.Inside.Bits() }

// String prints the message inside.
func (b Message[M]) String() string { return fmt.Sprint(b.Inside) }

// Background implements [protocols.Backgrounder].
func (Message[M]) Background(kind int) bool {
	var m M
	b, ok := any(m).(protocols.Backgrounder)
	return ok && b.Background(kind)
}

// Overhead implements [protocols.Overhead].
func (Message[M]) Overhead(kind int) bool {
	var m M
	o, ok := any(m).(protocols.Overhead)
	return ok && o.Overhead(kind)
}

// Forge implements [protocols.Forgeable]: of a message that cannot be altered it is the
// message as it was.
func (b Message[M]) Forge(f func(identity int64) int64) Message[M] {
	if m, ok := b.Inside.(protocols.Forgeable[M]); ok {
		return Message[M]{m.Forge(f)}
	}
	return b
}

// Wrap returns the process with its messages in boxes.
func Wrap[M protocols.Message](p protocols.Process[M]) protocols.Process[Message[M]] {
	return &process[M]{p}
}

// Open is the process that Wrap was given.
func Open[M protocols.Message](p protocols.Process[Message[M]]) protocols.Process[M] {
	return p.(*process[M]).inside
}

// process has every optional extension, and does nothing where the process inside has
// not: see [protocols.Partial].
type process[M protocols.Message] struct{ inside protocols.Process[M] }

func (p *process[M]) Start(n protocols.Node[Message[M]]) { p.inside.Start(open(n)) }

func (p *process[M]) Receive(n protocols.Node[Message[M]], from protocols.ID, b Message[M]) {
	p.inside.Receive(open(n), from, b.Inside.(M))
}

func (p *process[M]) Timeout(n protocols.Node[Message[M]], t protocols.Timer) {
	p.inside.Timeout(open(n), t)
}

// Boots implements [protocols.Partial].
func (p *process[M]) Boots() bool {
	_, boots := protocols.AsBooter(p.inside)
	return boots
}

// Lasts implements [protocols.Partial].
func (p *process[M]) Lasts() bool {
	_, lasts := protocols.AsStable(p.inside)
	return lasts
}

// Boot implements [protocols.Booter].
func (p *process[M]) Boot(n protocols.Node[Message[M]]) {
	if b, ok := protocols.AsBooter(p.inside); ok {
		b.Boot(open(n))
	}
}

// Restore implements [protocols.Stable].
func (p *process[M]) Restore(crashed protocols.Process[Message[M]]) {
	if s, ok := protocols.AsStable(p.inside); ok {
		s.Restore(Open(crashed))
	}
}

// Recover implements [protocols.Recoverer].
func (p *process[M]) Recover(n protocols.Node[Message[M]]) {
	if r, ok := p.inside.(protocols.Recoverer[M]); ok {
		r.Recover(open(n))
	}
}

// open is a node as the process inside sees it.
func open[M protocols.Message](n protocols.Node[Message[M]]) protocols.Node[M] {
	if c, ok := n.(protocols.Clocked); ok {
		return clocked[M]{node[M]{n}, c}
	}
	return node[M]{n}
}

type node[M protocols.Message] struct {
	protocols.Node[Message[M]]
}

func (n node[M]) Send(to protocols.ID, m M) { n.Node.Send(to, Message[M]{m}) }

// Suspects implements [protocols.Detector].
func (n node[M]) Suspects(p protocols.ID) bool { return protocols.Suspects(n.Node, p) }

// clocked is the node of a process that has a clock.
type clocked[M protocols.Message] struct {
	node[M]
	protocols.Clocked
}
