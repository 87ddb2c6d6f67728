package conduct

import (
	"fmt"
	"slices"
	"time"

	"bullring/internal/value"
	"bullring/protocols"
)

// Message is a message of type M, with a record of its content when it was sent.
type Message[M protocols.Message] struct {
	Inside M
	as     *message
}

// Kind implements [protocols.Message].
func (m Message[M]) Kind() int { return m.Inside.Kind() }

// Kinds implements [protocols.Message].
func (m Message[M]) Kinds() []string { return m.Inside.Kinds() }

// Bits implements [protocols.Message].
func (m Message[M]) Bits() int { return m.Inside.Bits() }

// String prints the message.
func (m Message[M]) String() string { return fmt.Sprint(m.Inside) }

// Background implements [protocols.Backgrounder].
func (m Message[M]) Background(kind int) bool { return protocols.IsBackground(m.Inside, kind) }

// Overhead implements [protocols.Overhead].
func (m Message[M]) Overhead(kind int) bool { return protocols.IsOverhead(m.Inside, kind) }

// Forge implements [protocols.Forgeable]. The result is a new message, without a record.
func (m Message[M]) Forge(f func(identity int64) int64) Message[M] {
	if forgeable, ok := any(m.Inside).(protocols.Forgeable[M]); ok {
		return Message[M]{Inside: forgeable.Forge(f)}
	}
	return m
}

// Wrap returns the process of an address under the watch.
func Wrap[M protocols.Message](w *Watch, id protocols.ID, p protocols.Process[M]) protocols.Process[Message[M]] {
	w.seat(id, p)
	watched := &process[M]{watch: w, id: id}
	watched.Wrapper = protocols.Around(p, watched)
	return watched
}

// process is a process under the watch.
type process[M protocols.Message] struct {
	protocols.Wrapper[M, Message[M], *process[M]]
	watch *Watch
	id    protocols.ID
}

// Sample implements [protocols.Sampler].
func (p *process[M]) Sample() Message[M] { return Message[M]{Inside: protocols.Sample(p.Inner)} }

// Enter implements [protocols.Outside].
func (p *process[M]) Enter(n protocols.Node[Message[M]]) protocols.Node[M] {
	return &node[M]{Node: n, process: p, handler: p.watch.now}
}

// call is a call of a handler of the process inside.
func (p *process[M]) call(n protocols.Node[Message[M]], handler string, handle func(protocols.Node[M])) {
	p.watch.begin(p.id, handler)
	seen := p.Enter(n).(*node[M])
	handle(seen)
	seen.over = true
	p.watch.end(p.id, seen.done, seen.sums)
}

// Start implements [protocols.Process].
func (p *process[M]) Start(n protocols.Node[Message[M]]) { p.call(n, "Start", p.Inner.Start) }

// Receive implements [protocols.Process].
func (p *process[M]) Receive(n protocols.Node[Message[M]], from protocols.ID, m Message[M]) {
	if m.as != nil {
		p.watch.compare(m.as, "something")
	}
	p.call(n, fmt.Sprintf("Receive(%v from %d)", m, from), func(n protocols.Node[M]) { p.Inner.Receive(n, from, m.Inside) })
}

// Timeout implements [protocols.Process].
func (p *process[M]) Timeout(n protocols.Node[Message[M]], t protocols.Timer) {
	p.call(n, fmt.Sprintf("Timeout(%d)", t), func(n protocols.Node[M]) { p.Inner.Timeout(n, t) })
}

// Boot implements [protocols.Booter].
func (p *process[M]) Boot(n protocols.Node[Message[M]]) {
	if b, ok := protocols.AsBooter(p.Inner); ok {
		p.call(n, "Boot", b.Boot)
	}
}

// Restore implements [protocols.Stable].
func (p *process[M]) Restore(crashed protocols.Process[Message[M]]) {
	p.Wrapper.Restore(crashed)
	p.watch.seat(p.id, p.Inner)
}

// Recover implements [protocols.Recoverer].
func (p *process[M]) Recover(n protocols.Node[Message[M]]) {
	if r, ok := p.Inner.(protocols.Recoverer[M]); ok {
		p.call(n, "Recover", r.Recover)
	}
}

// LinkUp implements [protocols.Linked].
func (p *process[M]) LinkUp(n protocols.Node[Message[M]], to protocols.ID) {
	if l, ok := protocols.AsLinked(p.Inner); ok {
		p.call(n, fmt.Sprintf("LinkUp(%d)", to), func(n protocols.Node[M]) { l.LinkUp(n, to) })
	}
}

// LinkDown implements [protocols.Linked].
func (p *process[M]) LinkDown(n protocols.Node[Message[M]], to protocols.ID) {
	if l, ok := protocols.AsLinked(p.Inner); ok {
		p.call(n, fmt.Sprintf("LinkDown(%d)", to), func(n protocols.Node[M]) { l.LinkDown(n, to) })
	}
}

// node is the node of a process during one call. After the call it does nothing.
type node[M protocols.Message] struct {
	protocols.Node[Message[M]] `explore:"-"`
	process                    *process[M] `explore:"-"`
	handler                    string      `explore:"-"` // the call
	over                       bool        `explore:"-"`
	done                       []string    `explore:"-"` // what the process has asked for
	sums                       []uint64    `explore:"-"` // hashes of that
}

// late reports whether the call is over; that is a finding.
func (n *node[M]) late(what string) bool {
	if !n.over {
		return false
	}
	w := n.process.watch
	when := w.now
	if when == "" {
		when = "something between two calls"
	}
	w.find(Momentary, "%s calls %s of the Node of %s", when, what, n.handler)
	return true
}

// does notes a request of the process.
func (n *node[M]) does(sum uint64, format string, args ...any) {
	n.done, n.sums = append(n.done, fmt.Sprintf(format, args...)), append(n.sums, sum)
}

func (n *node[M]) Send(to protocols.ID, m M) {
	if n.late("Send") {
		return
	}
	as := n.process.watch.sent(m, fmt.Sprint(m))
	n.does(as.sum, "Send(%d, %s)", to, value.Text(m))
	n.Node.Send(to, Message[M]{m, as})
}

func (n *node[M]) Broadcast(m M) {
	if n.late("Broadcast") {
		return
	}
	as := n.process.watch.sent(m, fmt.Sprint(m))
	n.does(as.sum, "Broadcast(%s)", value.Text(m))
	protocols.Broadcast(n.Node, Message[M]{m, as})
}

func (n *node[M]) Neighbors() []protocols.ID {
	if n.late("Neighbors") {
		return nil
	}
	return slices.Clone(protocols.Neighbors(n.Node))
}

func (n *node[M]) SetTimer(t protocols.Timer, after time.Duration) {
	if n.late("SetTimer") {
		return
	}
	n.does(0, "SetTimer(%d, %v)", t, after)
	n.Node.SetTimer(t, after)
}

func (n *node[M]) StopTimer(t protocols.Timer) {
	if n.late("StopTimer") {
		return
	}
	n.does(0, "StopTimer(%d)", t)
	n.Node.StopTimer(t)
}

func (n *node[M]) Intn(of int) int {
	if n.late("Intn") {
		return 0
	}
	chosen := n.Node.Intn(of)
	n.does(uint64(chosen), "Intn(%d)", of)
	return chosen
}
