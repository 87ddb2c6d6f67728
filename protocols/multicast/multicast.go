// Package multicast is the family of algorithms that deliver messages to a group in
// one order: the contract between such an algorithm and its client, one client with
// its workload, and the checks that every run is held to.
package multicast

import (
	"fmt"
	"time"

	"bullring/protocols"
)

// Item is what is multicast.
type Item struct {
	Sender  protocols.ID
	Number  int // counted by the sender, from 1
	Payload int64
}

// String prints the item as traces show it: 2.1 is the first of process 2.
func (i Item) String() string { return fmt.Sprintf("%d.%d", i.Sender, i.Number) }

// Member is a process of a group: checkers ask after every handler.
type Member interface {
	// Multicasts is how many items the process has multicast.
	Multicasts() int
	// Delivered are the items that were delivered to the process, in their order.
	// Nobody modifies them, and what stands there once stays.
	Delivered() []Item
}

// Service is an algorithm for multicast at one process, as its client uses it.
type Service[M any] interface {
	Member
	// Multicast has a payload delivered to all processes of the group, this one
	// included.
	Multicast(n protocols.Node[M], payload int64)
	// Receive handles a message that arrived from a neighbour.
	Receive(n protocols.Node[M], from protocols.ID, m M)
	// Timeout handles the expiry of a timer of the service, whose labels are below
	// [ClientTimers].
	Timeout(n protocols.Node[M], t protocols.Timer)
}

// ClientTimers is the smallest label of a timer of the client; those below are the
// service's.
const ClientTimers protocols.Timer = 1 << 30

// Workload is what a client multicasts.
type Workload struct {
	// Items is how many, at least one. The first leaves at the start.
	Items int
	// Pause is the time between two of them.
	Pause time.Duration
}

// Client is a process that multicasts: a service and its workload. A process that
// never starts delivers what others multicast.
type Client[M any] struct {
	Service[M]
	work Workload
}

// NewClient returns the process with that service. It panics if the workload has no
// item or a negative time.
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

// Timeout multicasts the next item, or is the service's.
func (c *Client[M]) Timeout(n protocols.Node[M], t protocols.Timer) {
	if t < ClientTimers {
		c.Service.Timeout(n, t)
		return
	}
	c.multicast(n)
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
