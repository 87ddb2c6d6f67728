package mutex

import (
	"fmt"
	"time"

	"bullring/protocols"
	"bullring/protocols/workload"
)

// Pause is a time between requests.
type Pause = workload.Pause

// Workload is the work of a client: think, request, hold, release, and again.
type Workload struct {
	// Requests is the number of requests, at least 1.
	Requests int
	// Hold is the time inside.
	Hold time.Duration
	// Think is the pause before another request: from the release to the next request
	// or, if Open, from one request to the next. Without a pause the client asks again
	// when it releases.
	Think Pause
	// Open: requests come up independently of those before, the first after a pause.
	// They wait in line at the client, which puts one at a time to the lock. Otherwise
	// the loop is closed: the first request comes up at the start, each other one after
	// its predecessor.
	Open bool
}

// Client is a process with a lock and a workload. A client that is never started takes
// part in the algorithm and asks for nothing.
type Client[M any] struct {
	lock  Lock[M]
	work  Workload
	usage Usage
}

var (
	_ Process[protocols.Message]          = (*Client[protocols.Message])(nil)
	_ protocols.Linked[protocols.Message] = (*Client[protocols.Message])(nil)
	_ Carrier                             = (*Client[protocols.Message])(nil)
)

// NewClient returns the process with that lock. It panics if the workload has no request
// or a negative time.
func NewClient[M any](lock Lock[M], work Workload) *Client[M] {
	if work.Requests < 1 || work.Hold < 0 || work.Think.Mean < 0 {
		panic(fmt.Sprintf("mutex: a workload of %d requests, holding for %v and thinking for %v", work.Requests, work.Hold, work.Think.Mean))
	}
	return &Client[M]{lock: lock, work: work}
}

// Usage implements [User].
func (c *Client[M]) Usage() Usage { return c.usage }

// HasToken implements [Carrier], for locks that are Carriers.
func (c *Client[M]) HasToken() bool {
	carrier, ok := c.lock.(Carrier)
	return ok && carrier.HasToken()
}

// The timers of a client.
const (
	hold   = clientTimers + iota // the time inside is over
	arrive                       // a request comes up
)

// Boot implements [protocols.Booter], for locks that act from the beginning.
func (c *Client[M]) Boot(n protocols.Node[M]) {
	if b, ok := c.lock.(protocols.Booter[M]); ok {
		b.Boot(n)
		c.look(n)
	}
}

// Recover implements [protocols.Recoverer], for locks that act when they are back. The
// client has lost its work.
func (c *Client[M]) Recover(n protocols.Node[M]) {
	c.usage = Usage{Arrived: c.work.Requests, Asked: c.work.Requests, Entered: c.work.Requests, Left: c.work.Requests}
	if r, ok := c.lock.(protocols.Recoverer[M]); ok {
		r.Recover(n)
	}
}

// Linked implements [protocols.PartlyLinked].
func (c *Client[M]) Linked() bool {
	_, linked := c.lock.(protocols.Linked[M])
	return linked
}

// LinkUp implements [protocols.Linked], for locks that are told of links.
func (c *Client[M]) LinkUp(n protocols.Node[M], to protocols.ID) {
	c.lock.(protocols.Linked[M]).LinkUp(n, to)
	c.look(n)
}

// LinkDown implements [protocols.Linked], for locks that are told of links.
func (c *Client[M]) LinkDown(n protocols.Node[M], to protocols.ID) {
	c.lock.(protocols.Linked[M]).LinkDown(n, to)
	c.look(n)
}

// Start begins the work of the client, once.
func (c *Client[M]) Start(n protocols.Node[M]) {
	switch {
	case c.usage.Arrived > 0:
	case c.work.Open:
		c.pause(n)
	default:
		c.arrive(n)
	}
}

// Receive implements [protocols.Process].
func (c *Client[M]) Receive(n protocols.Node[M], from protocols.ID, m M) {
	c.lock.Receive(n, from, m)
	c.look(n)
}

// Timeout implements [protocols.Process].
func (c *Client[M]) Timeout(n protocols.Node[M], t protocols.Timer) {
	switch t {
	case hold:
		c.leave(n)
	case arrive:
		c.arrive(n)
	default:
		c.lock.Timeout(n, t)
		c.look(n)
	}
}

// TimerName implements [protocols.TimerNamer].
func (c *Client[M]) TimerName(t protocols.Timer) string {
	switch t {
	case hold:
		return "hold"
	case arrive:
		return "arrive"
	}
	return protocols.TimerName(c.lock, t)
}

// arrive is the arrival of a request.
func (c *Client[M]) arrive(n protocols.Node[M]) {
	c.usage.Arrived++
	if c.work.Open && c.usage.Arrived < c.work.Requests {
		c.pause(n)
	}
	c.ask(n)
}

// ask puts the next request to the lock, if there is one and none is under way.
func (c *Client[M]) ask(n protocols.Node[M]) {
	if c.usage.Arrived > c.usage.Asked && c.usage.Asked == c.usage.Left {
		c.usage.Asked++
		c.lock.Request(n)
		c.look(n)
	}
}

// look enters if the lock allows it.
func (c *Client[M]) look(n protocols.Node[M]) {
	if c.usage.Waits() && c.lock.Granted() {
		c.usage.Entered++
		n.SetTimer(hold, c.work.Hold)
	}
}

// leave ends the time inside.
func (c *Client[M]) leave(n protocols.Node[M]) {
	c.usage.Left++
	c.lock.Release(n)
	switch more := c.usage.Arrived < c.work.Requests; {
	case c.work.Open:
		c.ask(n)
	case more && c.work.Think.Mean > 0:
		c.pause(n)
	case more:
		c.arrive(n)
	}
}

func (c *Client[M]) pause(n protocols.Node[M]) {
	n.SetTimer(arrive, c.work.Think.Draw(n.Intn))
}
