package multicast

import (
	"fmt"
	"time"

	"bullring/protocols"
)

// Promise is what an algorithm for multicast promises beyond reliable delivery in
// one order.
type Promise struct {
	// FIFO: the items of one process are delivered in its order.
	FIFO bool
	// Tolerant: the others deliver in spite of crashes.
	Tolerant bool
}

// Checker watches a run and judges it by the requirements of Coulouris et al.,
// Distributed Systems, 5th ed., sections 15.4.2 and 15.4.3:
//
//	integrity    a process delivers an item at most once, and only if it was multicast
//	total order  the k-th item of a process is the k-th item of all others
//	validity     a live process delivers its own items
//	agreement    an item that one live process delivers is delivered by all of them
//	FIFO order   the items of one sender are delivered in its order, if that is promised
//
// Items that only crashed processes have delivered do not count. The caller tells the
// checker about processes after every step, with the instant.
type Checker struct {
	promise Promise
	states  []state
	order   []place
	crashed bool      // a process has crashed
	broken  [3]string // how the properties broke

	// For reports alone: no part of the state of a run.
	broke     [3]protocols.Step `explore:"-"` // the steps that broke them
	changes   int               `explore:"-"` // of deliveries
	since     [][]time.Duration `explore:"-"` // the instants of multicasts, by sender
	delay     time.Duration     `explore:"-"` // of all deliveries together
	longest   time.Duration     `explore:"-"`
	delivered int               `explore:"-"`
}

// The properties that can break before the end.
const (
	integrity = iota
	totalOrder
	fifoOrder
)

// state is what the checker knows of a process.
type state struct {
	multicasts int
	delivered  int
	has        [][]bool // the delivered items, by sender and number-1
	crashed    bool
	back       bool // it has crashed, and come back
}

// place is an item in the order of deliveries, and the number of live processes that
// have delivered it.
type place struct {
	item Item
	by   int
}

// NewChecker returns a checker of n processes.
func NewChecker(n int, promise Promise) *Checker {
	c := &Checker{promise: promise, states: make([]state, n), since: make([][]time.Duration, n)}
	for p := range c.states {
		c.states[p].has = make([][]bool, n)
	}
	return c
}

// Stepped tells what a process has multicast and delivered.
func (c *Checker) Stepped(p protocols.ID, m Member, now time.Duration) {
	s := &c.states[p]
	for s.multicasts < m.Multicasts() {
		s.multicasts++
		c.since[p] = append(c.since[p], now)
	}
	for all := m.Delivered(); s.delivered < len(all); {
		item := all[s.delivered]
		s.delivered++
		c.changes++
		c.deliver(p, item, now)
	}
}

// deliver judges a delivery.
func (c *Checker) deliver(p protocols.ID, item Item, now time.Duration) {
	s := &c.states[p]
	if item.Sender < 0 || int(item.Sender) >= len(c.states) || item.Number < 1 || item.Number > c.states[item.Sender].multicasts {
		c.violated(integrity, p, now, "process %d delivered %v, which was never multicast", p, item)
		return
	}
	has := &s.has[item.Sender]
	for len(*has) < item.Number {
		*has = append(*has, false)
	}
	if (*has)[item.Number-1] {
		c.violated(integrity, p, now, "process %d delivered %v twice", p, item)
	}
	(*has)[item.Number-1] = true
	if item.Number > 1 && !(*has)[item.Number-2] || len(*has) > item.Number {
		c.violated(fifoOrder, p, now, "process %d delivered %v out of turn", p, item)
	}
	switch k := s.delivered - 1; {
	case k > len(c.order): // the order is violated already
	case k == len(c.order):
		c.order = append(c.order, place{item, 1})
	case c.order[k].item != item:
		c.violated(totalOrder, p, now, "process %d delivered %v in place %d, where others have %v", p, item, k+1, c.order[k].item)
	default:
		c.order[k].by++
	}
	delay := now - c.since[item.Sender][item.Number-1]
	c.delay += delay
	c.longest = max(c.longest, delay)
	c.delivered++
}

func (c *Checker) violated(property int, p protocols.ID, now time.Duration, format string, args ...any) {
	if c.broken[property] == "" {
		c.broken[property] = fmt.Sprintf(format, args...)
		c.broke[property] = protocols.Step{Process: p, At: now, Change: c.changes}
	}
}

// Crashed tells that a process stopped. Items that only it has delivered are forgotten.
func (c *Checker) Crashed(p protocols.ID, _ time.Duration) {
	s := &c.states[p]
	if s.crashed {
		return
	}
	s.crashed, c.crashed = true, true
	for k := range min(s.delivered, len(c.order)) {
		c.order[k].by--
	}
	for len(c.order) > 0 && c.order[len(c.order)-1].by <= 0 {
		c.order = c.order[:len(c.order)-1]
	}
}

// Restarted tells that a process is back, and has delivered nothing.
func (c *Checker) Restarted(p protocols.ID) {
	s := &c.states[p]
	*s = state{multicasts: s.multicasts, has: make([][]bool, len(c.states)), back: true}
}

// Delay is the mean time from a multicast to a delivery, and the longest.
func (c *Checker) Delay() (mean, longest time.Duration) {
	if c.delivered == 0 {
		return 0, 0
	}
	return c.delay / time.Duration(c.delivered), c.longest
}

// Multicasts is the number of items that a process has multicast. alive is false if it has ever crashed.
func (c *Checker) Multicasts(p protocols.ID) (items int, alive bool) {
	s := &c.states[p]
	return s.multicasts, !s.crashed && !s.back
}

// Delivered is the number of items that a process has delivered, after its last step.
func (c *Checker) Delivered(p protocols.ID) int { return c.states[p].delivered }

// Safe reports whether integrity and the promised orders hold.
func (c *Checker) Safe() bool {
	return c.broken[integrity] == "" && c.broken[totalOrder] == "" && (!c.promise.FIFO || c.broken[fifoOrder] == "")
}

// Complete reports whether validity and agreement hold now.
func (c *Checker) Complete() bool { return c.missing() == "" && c.behind() == "" }

// Deliveries is the number of deliveries at all processes.
func (c *Checker) Deliveries() int { return c.delivered }

// Checks judges the run so far. At rest no event is left.
func (c *Checker) Checks(rest bool) []protocols.Check {
	checks := []protocols.Check{
		{Name: "integrity", Detail: "an item is delivered at most once, and only if it was multicast"},
		{Name: "total order", Detail: "all deliver the same items in the same order"},
		{Name: "validity", Detail: "a live process delivers its own items"},
		{Name: "agreement", Detail: "an item that one process delivers is delivered by all"},
		{Name: "FIFO order", Detail: "items of one sender are delivered in its order"},
	}
	for i, check := range []*protocols.Check{integrity: &checks[0], totalOrder: &checks[1], fifoOrder: &checks[4]} {
		switch failure := c.broken[i]; {
		case failure != "":
			check.Verdict, check.Detail, check.Broke = protocols.Violated, failure, &c.broke[i]
		case rest:
			check.Verdict = protocols.Holds
		}
	}
	if rest {
		c.conclude(&checks[2], c.missing())
		c.conclude(&checks[3], c.behind())
	}
	if !c.promise.FIFO {
		return checks[:4]
	}
	return checks
}

// conclude is the verdict on a property that must hold at rest.
func (c *Checker) conclude(check *protocols.Check, failure string) {
	switch {
	case failure == "":
		check.Verdict = protocols.Holds
	case c.crashed && !c.promise.Tolerant:
		check.Detail = failure + "; a process crashed"
	default:
		check.Verdict, check.Detail = protocols.Violated, failure
	}
}

// missing says which process has not delivered one of its own items, "" if none.
func (c *Checker) missing() string {
	for p, s := range c.states {
		if s.crashed {
			continue
		}
		for k := range s.multicasts {
			if k >= len(s.has[p]) || !s.has[p][k] {
				return fmt.Sprintf("process %d never delivered its own %v", p, Item{Sender: protocols.ID(p), Number: k + 1})
			}
		}
	}
	return ""
}

// behind says which process has delivered less than another, "" if none.
func (c *Checker) behind() string {
	for p, s := range c.states {
		if !s.crashed && s.delivered < len(c.order) {
			return fmt.Sprintf("process %d delivered %d items, and not %v", p, s.delivered, c.order[s.delivered].item)
		}
	}
	return ""
}
