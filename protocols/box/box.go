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
	"time"

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
func Wrap[M protocols.Message](p protocols.Process[M]) protocols.Process[Message] { return wrap(p) }

// Clockless is Wrap for an algorithm that declares no clock: the process panics if it reads one.
func Clockless[M protocols.Message](p protocols.Process[M]) protocols.Process[Message] {
	w := wrap(p)
	w.clockless = true
	return w
}

func wrap[M protocols.Message](p protocols.Process[M]) *process[M] {
	w := &process[M]{}
	w.Wrapper = protocols.Around(p, w)
	if _, ok := any(protocols.Sample(p)).(protocols.Forgeable[M]); ok {
		w.forge = func(m protocols.Message, f func(int64) int64) protocols.Message {
			return m.(protocols.Forgeable[M]).Forge(f)
		}
	}
	return w
}

// Open is the process that Wrap was given.
func Open(p protocols.Process[Message]) any { return p.(protocols.Cover).Inside() }

// process is a process whose messages are in boxes.
type process[M protocols.Message] struct {
	protocols.Wrapper[M, Message, *process[M]]
	forge     forger `explore:"-"`
	clockless bool   `explore:"-"`
	decodes   bool   `explore:"-"` // the messages lose nothing in JSON
}

// Sample implements [protocols.Sampler].
func (p *process[M]) Sample() Message { return p.put(protocols.Sample(p.Inner)) }

func (p *process[M]) put(m M) Message { return Message{m, p.forge} }

// Collects implements [protocols.Collector].
func (p *process[M]) Collects() bool { return protocols.Collects(p.Inner) }

// Enter implements [protocols.Outside].
func (p *process[M]) Enter(n protocols.Node[Message]) protocols.Node[M] { return node[M]{n, p} }

// Receive implements [protocols.Process].
func (p *process[M]) Receive(n protocols.Node[Message], from protocols.ID, b Message) {
	p.Inner.Receive(node[M]{n, p}, from, b.Inside.(M))
}

// node is the node of the process inside.
type node[M protocols.Message] struct {
	protocols.Node[Message]
	process *process[M]
}

func (n node[M]) Send(to protocols.ID, m M) { n.Node.Send(to, n.process.put(m)) }

func (n node[M]) Broadcast(m M) { protocols.Broadcast(n.Node, n.process.put(m)) }

func (n node[M]) Neighbors() []protocols.ID { return protocols.Neighbors(n.Node) }

func (n node[M]) Now() time.Duration {
	if n.process.clockless {
		panic(protocols.ReadsClock(n.ID()))
	}
	return n.Node.Now()
}
