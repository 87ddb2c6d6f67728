// Package box hides the type of an algorithm's messages. A process whose messages are of
// type M becomes one whose messages are boxes, each with a message inside.
//
// What drives processes has their message type as a parameter, and a compiler makes
// machine code of it for each such type. All algorithms share the one type of boxes, so
// code that drives boxes is compiled once. Runs over plain links are in a hurry and drive
// the messages themselves; all else drives boxes.
//
// A driver sees no difference: kinds, sizes and words of a box are those of the message
// inside.
package box

import (
	"fmt"

	"bullring/protocols"
)

// Message is a message in a box. The zero value is an empty box, which has no kinds: see
// [protocols.Sample].
type Message struct {
	Inside protocols.Message
	forge  forger `explore:"-"`
}

// forger alters the identities in a message. It is nil for a type that does not opt in.
type forger func(m protocols.Message, f func(identity int64) int64) protocols.Message

// Kind implements [protocols.Message].
func (b Message) Kind() int { return b.Inside.Kind() }

// Kinds implements [protocols.Message].
func (b Message) Kinds() []string {
	if b.Inside == nil {
		return nil
	}
	return b.Inside.Kinds()
}

// Bits implements [protocols.Message].
func (b Message) Bits() int { return b.Inside.Bits() }

// String prints the message inside.
func (b Message) String() string { return fmt.Sprint(b.Inside) }

// Background implements [protocols.Backgrounder].
func (b Message) Background(kind int) bool {
	m, ok := b.Inside.(protocols.Backgrounder)
	return ok && m.Background(kind)
}

// Overhead implements [protocols.Overhead].
func (b Message) Overhead(kind int) bool {
	m, ok := b.Inside.(protocols.Overhead)
	return ok && m.Overhead(kind)
}

// Forge implements [protocols.Forgeable]. A message that cannot be altered stays as it
// is.
func (b Message) Forge(f func(identity int64) int64) Message {
	if b.forge != nil {
		b.Inside = b.forge(b.Inside, f)
	}
	return b
}

// Wrap returns the process with its messages in boxes.
func Wrap[M protocols.Message](p protocols.Process[M]) protocols.Process[Message] {
	w := &process[M]{inside: p}
	if _, ok := any(protocols.Sample(p)).(protocols.Forgeable[M]); ok {
		w.forge = func(m protocols.Message, f func(int64) int64) protocols.Message {
			return m.(protocols.Forgeable[M]).Forge(f)
		}
	}
	return w
}

// Open is the process that Wrap was given.
func Open(p protocols.Process[Message]) any { return p.(interface{ open() any }).open() }

// process has every optional extension, and does nothing where the process inside has
// not: see [protocols.Partial].
type process[M protocols.Message] struct {
	inside protocols.Process[M]
	forge  forger `explore:"-"`
}

// Sample implements [protocols.Sampler].
func (p *process[M]) Sample() Message { return p.put(protocols.Sample(p.inside)) }

func (p *process[M]) open() any { return p.inside }

func (p *process[M]) put(m M) Message { return Message{m, p.forge} }

func (p *process[M]) Start(n protocols.Node[Message]) { p.inside.Start(p.view(n)) }

func (p *process[M]) Receive(n protocols.Node[Message], from protocols.ID, b Message) {
	p.inside.Receive(p.view(n), from, b.Inside.(M))
}

func (p *process[M]) Timeout(n protocols.Node[Message], t protocols.Timer) {
	p.inside.Timeout(p.view(n), t)
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
func (p *process[M]) Boot(n protocols.Node[Message]) {
	if b, ok := protocols.AsBooter(p.inside); ok {
		b.Boot(p.view(n))
	}
}

// Restore implements [protocols.Stable].
func (p *process[M]) Restore(crashed protocols.Process[Message]) {
	if s, ok := protocols.AsStable(p.inside); ok {
		s.Restore(crashed.(*process[M]).inside)
	}
}

// Recover implements [protocols.Recoverer].
func (p *process[M]) Recover(n protocols.Node[Message]) {
	if r, ok := p.inside.(protocols.Recoverer[M]); ok {
		r.Recover(p.view(n))
	}
}

// view is a node as the process inside sees it.
func (p *process[M]) view(n protocols.Node[Message]) protocols.Node[M] {
	if c, ok := n.(protocols.Clocked); ok {
		return clocked[M]{node[M]{n, p}, c}
	}
	return node[M]{n, p}
}

type node[M protocols.Message] struct {
	protocols.Node[Message]
	process *process[M]
}

func (n node[M]) Send(to protocols.ID, m M) { n.Node.Send(to, n.process.put(m)) }

// Suspects implements [protocols.Detector].
func (n node[M]) Suspects(p protocols.ID) bool { return protocols.Suspects(n.Node, p) }

// clocked is the node of a process that has a clock.
type clocked[M protocols.Message] struct {
	node[M]
	protocols.Clocked
}
