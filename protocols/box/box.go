// Package box hides the type of the messages of an algorithm. It makes a process whose
// messages are boxes of a process whose messages are of type M; each box has a message
// inside.
//
// The code of a driver has the type of messages as a parameter, and a compiler makes machine
// code of it for each such type. With boxes all algorithms share one type, so code that
// drives boxes is compiled once. Runs over plain links must be fast and drive the messages
// themselves; all other runs drive boxes.
//
// A driver sees no difference: a box has the kind, the size and the words of the message
// inside.
package box

import (
	"fmt"

	"bullring/protocols"
)

// Message is a message in a box. The zero value is an empty box and has no kinds: see
// [protocols.Sample].
type Message struct {
	Inside protocols.Message
	forge  forger `explore:"-"`
}

// forger alters the identities in a message. It is nil if the type is not Forgeable.
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
func (b Message) Background(kind int) bool { return protocols.IsBackground(b.Inside, kind) }

// Overhead implements [protocols.Overhead].
func (b Message) Overhead(kind int) bool { return protocols.IsOverhead(b.Inside, kind) }

// Forge implements [protocols.Forgeable], as far as the message inside does.
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
func Open(p protocols.Process[Message]) any { return p.(protocols.Cover).Inside() }

// process has every optional extension. One that the process inside does not have does
// nothing: see [protocols.Partial].
type process[M protocols.Message] struct {
	inside  protocols.Process[M]
	forge   forger `explore:"-"`
	decodes bool   `explore:"-"` // the messages lose nothing in JSON
}

// Sample implements [protocols.Sampler].
func (p *process[M]) Sample() Message { return p.put(protocols.Sample(p.inside)) }

// Inside implements [protocols.Cover].
func (p *process[M]) Inside() any { return p.inside }

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

// view is the node of the process inside.
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
