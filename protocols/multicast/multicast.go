// Package multicast is the family of algorithms that deliver messages to a group in
// one order: the contract between an algorithm and its client, one client with a workload,
// and the checks of every run.
package multicast

import (
	"fmt"
	"time"

	"bullring/protocols"
)

// Item is a multicast message.
type Item struct {
	Sender  protocols.ID
	Number  int // among the items of the sender, from 1
	Payload int64
}

// String prints the item as traces show it: 2.1 is the first item of process 2.
func (i Item) String() string { return fmt.Sprintf("%d.%d", i.Sender, i.Number) }

// Member is a process of a group. Checkers ask after every handler.
type Member interface {
	// Multicasts is the number of items that the process has multicast.
	Multicasts() int
	// Delivered are the items that were delivered to the process, in their order.
	// Later calls return the same items and more. The slice must not be modified.
	Delivered() []Item
}

// Service is an algorithm for multicast at one process. The client of that process uses
// it.
type Service[M any] interface {
	Member
	// Multicast sends a payload to all processes of the group, this one included.
	Multicast(n protocols.Node[M], payload int64)
	// Receive handles a message from a neighbour.
	Receive(n protocols.Node[M], from protocols.ID, m M)
	// Timeout handles the expiry of a timer of the service. Its labels are below
	// [ClientTimers].
	Timeout(n protocols.Node[M], t protocols.Timer)
}

// ClientTimers is the label of the timer of the client, for its next item. Smaller ones
// belong to the service.
const ClientTimers protocols.Timer = 1 << 30

// Workload is the work of a client.
type Workload struct {
	// Items is the number of items, at least 1. The first leaves at the start.
	Items int
	// Pause is the time between two of them.
	Pause time.Duration
}

// Client is a process with a service and a workload. A client that is never started
// delivers the items of others.
type Client[M any] struct {
	Service[M]
	work Workload
}

// NewClient returns the process with that service. It panics if the workload has no item
// or a negative time.
func NewClient[M any](service Service[M], work Workload) *Client[M] {
	if work.Items < 1 || work.Pause < 0 {
		panic(fmt.Sprintf("multicast: a workload of %d items with pauses of %v", work.Items, work.Pause))
	}
	return &Client[M]{service, work}
}

// Start multicasts the first item, once.
func (c *Client[M]) Start(n protocols.Node[M]) {
	if c.Multicasts() == 0 {
		c.multicast(n)
	}
}

// Timeout multicasts the next item. Timers of the service go to the service.
func (c *Client[M]) Timeout(n protocols.Node[M], t protocols.Timer) {
	if t < ClientTimers {
		c.Service.Timeout(n, t)
		return
	}
	c.multicast(n)
}

// TimerName implements [protocols.TimerNamer].
func (c *Client[M]) TimerName(t protocols.Timer) string {
	if t < ClientTimers {
		return protocols.TimerName(c.Service, t)
	}
	return "next item"
}

func (c *Client[M]) multicast(n protocols.Node[M]) {
	for {
		c.Multicast(n, int64(c.Multicasts()+1))
		switch {
		case c.Multicasts() == c.work.Items:
			return
		case c.work.Pause > 0:
			n.SetTimer(ClientTimers, c.work.Pause)
			return
		}
	}
}
