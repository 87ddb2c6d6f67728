// Package workload is the work of clients: when their requests come up.
//
//	closed     the first request comes up at the start, each other one a pause after its
//	           predecessor is done
//	open       requests come up independently of those before, the first after a pause
//	reactions  requests that come up because of what others did
package workload

import (
	"fmt"
	"time"

	"bullring/protocols"
)

// Work is the work of a client.
type Work struct {
	Requests  int   // at least 1
	Think     Pause // before another request; without one it comes up at once
	Open      bool  // else the loop is closed
	Reactions int   // to what others did
}

// Next is the label of the timer with which the next request comes up. Smaller ones belong to the
// service that the client uses.
const Next protocols.Timer = 1 << 30

// NextName is the name of that timer.
const NextName = "next request"

// Node is what the requests need of a [protocols.Node].
type Node interface {
	SetTimer(t protocols.Timer, after time.Duration)
	Intn(n int) int
}

// Client says when the requests of a client come up.
type Client struct {
	work    Work
	came    int // requests that came up
	reacted int
}

// New returns the client with that work. It panics if there is no request, or a number is negative.
func New(work Work) Client {
	if work.Requests < 1 || work.Think.Mean < 0 || work.Reactions < 0 {
		panic(fmt.Sprintf("workload: %d requests, thinking for %v, and %d reactions", work.Requests, work.Think.Mean, work.Reactions))
	}
	return Client{work: work}
}

// Starts begins the work, once. It reports whether a request comes up now.
func (c *Client) Starts(n Node) bool {
	if c.came > 0 {
		return false
	}
	return c.follows(n, c.work.Open)
}

// Expired tells that the timer Next has expired: a request comes up.
func (c *Client) Expired(n Node) {
	c.came++
	if c.work.Open {
		c.next(n)
	}
}

// Done tells that a request is done that is no reaction. It reports whether another one comes up now.
func (c *Client) Done(n Node) bool { return !c.work.Open && c.next(n) }

// Reacts tells that another process did something. It reports whether a request comes up because of
// that.
func (c *Client) Reacts() bool {
	if c.reacted == c.work.Reactions {
		return false
	}
	c.reacted++
	return true
}

// next has the next request come up, if there is one. It reports whether it does now.
func (c *Client) next(n Node) bool {
	return c.came < c.work.Requests && c.follows(n, c.work.Open || c.work.Think.Mean > 0)
}

// follows has a request come up, after a pause or now.
func (c *Client) follows(n Node, pause bool) bool {
	if pause {
		n.SetTimer(Next, c.work.Think.Draw(n.Intn))
		return false
	}
	c.came++
	return true
}
