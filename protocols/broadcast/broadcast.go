// Package broadcast is what algorithms for broadcast have in common: processes broadcast items, and
// deliver them (C. Cachin, R. Guerraoui and L. Rodrigues, "Introduction to Reliable and Secure
// Distributed Programming", 2nd edition, 2011, chapter 3). A process is correct if it neither crashes
// nor is Byzantine.
//
//	validity           an item of a correct process is delivered by every correct process
//	no duplication     no item is delivered twice by a process
//	no creation        an item that is delivered was broadcast by its origin
//	agreement          what one correct process delivers every correct process delivers
//	uniform agreement  what any process delivers every correct process delivers
//	FIFO order         a process delivers the items of an origin in the order in which that broadcast them
//	causal order       a process delivers no item before those that may have caused it
//	total order        what two processes deliver, be they correct or not, they deliver in one order
package broadcast

import (
	"fmt"
	"slices"

	"bullring/protocols"
	"bullring/protocols/workload"
)

// Item is what a process broadcasts.
type Item struct {
	Origin protocols.ID
	Number int // among the items of its origin, from 1
	Value  int // what it says: 0, unless its origin is Byzantine
}

// String prints the item as traces show it: 2.1 is the first item of process 2.
func (i Item) String() string {
	if i.Value != 0 {
		return fmt.Sprintf("%d.%d=%d", i.Origin, i.Number, i.Value)
	}
	return fmt.Sprintf("%d.%d", i.Origin, i.Number)
}

// Member is a process of the family. Checkers ask after every handler.
type Member interface {
	// Broadcasts has a number for each item that the process has broadcast: how many items had been
	// delivered to it before. The slice must not be modified.
	Broadcasts() []int
	// Delivered are the items that were delivered to the process, in their order. Later calls
	// return the same items and more. The slice must not be modified.
	Delivered() []Item
}

// Service is an algorithm for broadcast at one process. The client of that process uses it.
type Service[M any] interface {
	// Broadcast broadcasts an item to all processes, this one included.
	Broadcast(n protocols.Node[M], item Item)
	// Receive handles a message from a neighbour.
	Receive(n protocols.Node[M], from protocols.ID, m M)
	// Timeout handles the expiry of a timer of the service. Its labels are below [workload.Next].
	Timeout(n protocols.Node[M], t protocols.Timer)
	// Delivered is that of [Member].
	Delivered() []Item
}

// Booter is an optional extension of a Service that may act from the beginning of the life of its
// process, whether that broadcasts or not.
type Booter[M any] interface {
	// Boots reports whether it does.
	Boots() bool
	// Boot is that of [protocols.Booter].
	Boot(n protocols.Node[M])
}

// Client is a process with a service and a workload. A client that is never started delivers the
// items of others, and reacts to them.
type Client[M any] struct {
	service Service[M]
	work    workload.Client
	since   []int // the items delivered before each one that it broadcast
	asked   []int // the numbers of those that are no reactions and not delivered, ascending
	looked  int   // at so many of the delivered items
}

var (
	_ Member                              = (*Client[protocols.Message])(nil)
	_ protocols.Booter[protocols.Message] = (*Client[protocols.Message])(nil)
	_ protocols.Partial                   = (*Client[protocols.Message])(nil)
)

// NewClient returns the process with that service.
func NewClient[M any](service Service[M], work workload.Work) *Client[M] {
	return &Client[M]{service: service, work: workload.New(work)}
}

// Broadcasts implements [Member].
func (c *Client[M]) Broadcasts() []int { return c.since }

// Delivered implements [Member].
func (c *Client[M]) Delivered() []Item { return c.service.Delivered() }

// Boots implements [protocols.Partial].
func (c *Client[M]) Boots() bool {
	b, ok := c.service.(Booter[M])
	return ok && b.Boots()
}

// Lasts implements [protocols.Partial]: a client has no stable storage.
func (c *Client[M]) Lasts() bool { return false }

// Boot implements [protocols.Booter].
func (c *Client[M]) Boot(n protocols.Node[M]) {
	if c.Boots() {
		c.service.(Booter[M]).Boot(n)
	}
}

// Start begins the work of the client, once.
func (c *Client[M]) Start(n protocols.Node[M]) {
	if c.work.Starts(n) {
		c.ask(n)
	}
	c.look(n)
}

// Receive implements [protocols.Process].
func (c *Client[M]) Receive(n protocols.Node[M], from protocols.ID, m M) {
	c.service.Receive(n, from, m)
	c.look(n)
}

// Timeout implements [protocols.Process].
func (c *Client[M]) Timeout(n protocols.Node[M], t protocols.Timer) {
	if t == workload.Next {
		c.work.Expired(n)
		c.ask(n)
	} else {
		c.service.Timeout(n, t)
	}
	c.look(n)
}

// TimerName implements [protocols.TimerNamer].
func (c *Client[M]) TimerName(t protocols.Timer) string {
	if t == workload.Next {
		return workload.NextName
	}
	return protocols.TimerName(c.service, t)
}

// Round implements [protocols.Rounder], if the service does.
func (c *Client[M]) Round() int {
	if round, numbered := protocols.RoundOf(c.service); numbered {
		return round
	}
	return -1
}

// ask broadcasts an item that is no reaction.
func (c *Client[M]) ask(n protocols.Node[M]) {
	c.asked = append(c.asked, len(c.since)+1)
	c.broadcast(n)
}

func (c *Client[M]) broadcast(n protocols.Node[M]) {
	c.since = append(c.since, len(c.Delivered()))
	c.service.Broadcast(n, Item{Origin: n.ID(), Number: len(c.since)})
}

// look goes on with what has been delivered.
func (c *Client[M]) look(n protocols.Node[M]) {
	for c.looked < len(c.Delivered()) {
		item := c.Delivered()[c.looked]
		c.looked++
		switch i := slices.Index(c.asked, item.Number); {
		case item.Origin != n.ID():
			if c.work.Reacts() {
				c.broadcast(n)
			}
		case i >= 0:
			c.asked = slices.Delete(c.asked, i, i+1)
			if c.work.Done(n) {
				c.ask(n)
			}
		}
	}
}
