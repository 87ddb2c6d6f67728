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
	// By has an address for each layer that passes on what others broadcast, from the highest: the
	// process that broadcast it at that layer.
	By []protocols.ID
	// After, of a causal broadcast, is the number of items of each process that come before.
	After []int
}

// Bits implements [stack.Data]: 64 for each number and address.
func (d Data) Bits() int { return 64 * (3 + len(d.By) + len(d.After)) }

// String prints the item, who broadcast it if that is not its origin, and what comes before:
// 0.1 by 2 after 0,1,0.
func (d Data) String() string {
	text := d.Item.String()
	if slices.ContainsFunc(d.By, func(p protocols.ID) bool { return p != d.Origin }) {
		text += " by " + words(d.By)
	}
	if d.After != nil {
		text += " after " + words(d.After)
	}
	return text
}

// words prints a list.
func words[T any](list []T) string {
	all := make([]string, len(list))
	for i, v := range list {
		all[i] = fmt.Sprint(v)
	}
	return strings.Join(all, ",")
}

// Pushed returns the data as process p broadcasts it at a layer.
func (d Data) Pushed(p protocols.ID) Data {
	d.By = append(slices.Clip(d.By), p)
	return d
}

// Popped returns the process that broadcast the data at a layer, and what it was given there.
func (d Data) Popped() (protocols.ID, Data) {
	last := len(d.By) - 1
	by := d.By[last]
	d.By = d.By[:last]
	return by, d
}

// Key tells what is broadcast at a layer apart: no process broadcasts the same twice there.
type Key struct {
	Item Item
	By   string // the addresses, unless they are the origin
}

// Key returns the key of data that were pushed.
func (d Data) Key() Key {
	if len(d.By) == 1 && d.By[0] == d.Origin {
		return Key{Item: d.Item}
	}
	return Key{d.Item, words(d.By)}
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
