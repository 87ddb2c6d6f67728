package broadcast

import (
	"fmt"
	"slices"
	"strings"

	"bullring/protocols"
	"bullring/protocols/stack"
)

// Data is an item on its way through the layers of processes. Layers never modify what they got.
type Data struct {
	Item
	Headers []Header // from the highest layer
}

// Header is what a layer adds to what it broadcasts.
type Header struct {
	By     protocols.ID // the process that broadcast it at that layer
	Number int          // of FIFO order: among what that process broadcast there, from 1
	After  []int        // of causal order: how much of each process comes before
}

// Bits implements [stack.Data]: 64 for each number and address.
func (d Data) Bits() int {
	words := 3
	for _, h := range d.Headers {
		words += 1 + len(h.After)
		if h.Number > 0 {
			words++
		}
	}
	return 64 * words
}

// String prints the item, and of its headers what does not follow from it: 0.1 by 2 after 0,1,0.
func (d Data) String() string {
	text := d.Item.String()
	passed := d.passed()
	for _, h := range d.Headers {
		if passed {
			text += fmt.Sprintf(" by %d", h.By)
		}
		if h.Number > 0 && h.Number != d.Number {
			text += fmt.Sprintf(" as %d", h.Number)
		}
		if h.After != nil {
			list := fmt.Sprint(h.After)
			text += " after " + strings.ReplaceAll(list[1:len(list)-1], " ", ",")
		}
	}
	return text
}

// passed reports whether a process broadcast at some layer what is not its own.
func (d Data) passed() bool {
	return slices.ContainsFunc(d.Headers, func(h Header) bool { return h.By != d.Origin })
}

// Pushed returns the data with the header of one more layer.
func (d Data) Pushed(h Header) Data {
	d.Headers = append(slices.Clip(d.Headers), h)
	return d
}

// Popped returns the header of the lowest layer, and the data as that got them from above.
func (d Data) Popped() (Header, Data) {
	last := len(d.Headers) - 1
	h := d.Headers[last]
	d.Headers = d.Headers[:last]
	return h, d
}

// Key tells what is broadcast at a layer apart: no process broadcasts the same twice there.
type Key struct {
	Item Item
	By   string // the addresses, unless they are the origin
}

// Key returns the key of data at the layer of the last header.
func (d Data) Key() Key {
	k := Key{Item: d.Item}
	if d.passed() {
		for _, h := range d.Headers {
			k.By += fmt.Sprintf("%d ", h.By)
		}
	}
	return k
}

// Layer is an algorithm for broadcast that hands to the one below it, and takes from it.
type Layer = stack.Layer[Data]

// Node is what such an algorithm sees of the world.
type Node = stack.Node[Data]

// Message is a message of algorithms in layers. K names the layers.
type Message[K protocols.Namer] = stack.Message[Data, K]

// Layered is a Service of layers.
type Layered[K protocols.Namer] struct {
	stack     *stack.Stack[Data, K]
	delivered []Item
}

// Over returns the service of these layers, the highest first.
func Over[K protocols.Namer](layers ...Layer) *Layered[K] {
	return &Layered[K]{stack: stack.New[Data, K](layers...)}
}

// Broadcast implements [Service].
func (l *Layered[K]) Broadcast(n protocols.Node[Message[K]], item Item) {
	l.deliver(l.stack.Request(n, Data{Item: item}))
}

// Receive implements [Service].
func (l *Layered[K]) Receive(n protocols.Node[Message[K]], from protocols.ID, m Message[K]) {
	l.deliver(l.stack.Receive(n, from, m))
}

// Timeout implements [Service].
func (l *Layered[K]) Timeout(n protocols.Node[Message[K]], t protocols.Timer) {
	l.deliver(l.stack.Timeout(n, t))
}

// TimerName implements [protocols.TimerNamer].
func (l *Layered[K]) TimerName(t protocols.Timer) string { return l.stack.TimerName(t) }

// Delivered implements [Service].
func (l *Layered[K]) Delivered() []Item { return l.delivered }

func (l *Layered[K]) deliver(all []Data) {
	for _, d := range all {
		l.delivered = append(l.delivered, d.Item)
	}
}

// NoTimers is the Timeout of a layer that sets no timers, to be embedded.
type NoTimers struct{}

// Timeout implements [Layer].
func (NoTimers) Timeout(_ Node, t protocols.Timer) { protocols.NoTimers[Data]{}.Timeout(nil, t) }
