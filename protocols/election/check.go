package election

import (
	"fmt"
	"slices"

	"bullring/protocols"
)

// Promise is what an election promises to the processes that do not win.
type Promise uint8

// The two promises.
const (
	EveryoneDecides Promise = iota // every live process learns the leader
	LeaderOnly                     // the leader learns that it is, and then there is silence
)

// Checker watches an election and judges it. It is told of every change; it
// looks at no process by itself.
//
//	E1 (safety)    nobody elects anyone but the best live process
//	E2 (liveness)  every live process decides, or what the promise says instead
type Checker struct {
	ranks     []Rank
	order     Order
	promise   Promise
	crashed   []bool
	decisions []Decision
	best      int // address of the best live process, -1 for none
	unsafe    string
}

// NewChecker returns a checker of an election among live processes with these
// ranks, by address.
func NewChecker(ranks []Rank, order Order, promise Promise) *Checker {
	c := &Checker{
		ranks: ranks, order: order, promise: promise,
		crashed: make([]bool, len(ranks)), decisions: make([]Decision, len(ranks)),
	}
	c.findBest()
	return c
}

func (c *Checker) findBest() {
	c.best = -1
	for p, r := range c.ranks {
		if !c.crashed[p] && (c.best < 0 || c.order.Better(r, c.ranks[c.best])) {
			c.best = p
		}
	}
}

// Crashed tells that a process stopped.
func (c *Checker) Crashed(p protocols.ID) {
	c.crashed[p] = true
	c.findBest()
}

// Restarted tells that a process is back and knows nothing.
func (c *Checker) Restarted(p protocols.ID) {
	c.crashed[p] = false
	c.decisions[p] = Decision{}
	c.findBest()
}

// Decided tells that the decision of a process has become d.
func (c *Checker) Decided(p protocols.ID, d Decision) {
	c.decisions[p] = d
	if best := c.ranks[c.best]; d.Status != Undecided && d.Leader != best.ID && c.unsafe == "" {
		c.unsafe = fmt.Sprintf("process %d elected %d while the best live process was %v", p, d.Leader, best)
	}
}

// Leaders are the live processes that take themselves for the leader, by
// address.
func (c *Checker) Leaders() []protocols.ID {
	var leaders []protocols.ID
	for p, d := range c.decisions {
		if d.Status == Leader && !c.crashed[p] {
			leaders = append(leaders, protocols.ID(p))
		}
	}
	return leaders
}

// Checks judges the run so far; quiescent says that nothing more will happen.
func (c *Checker) Checks(quiescent bool) []protocols.Check {
	return []protocols.Check{c.safety(quiescent), c.liveness(quiescent)}
}

func (c *Checker) safety(quiescent bool) protocols.Check {
	check := protocols.Check{Name: "E1", Verdict: protocols.Undecided, Detail: "nobody elects anyone but the best live process"}
	switch {
	case c.unsafe != "":
		check.Verdict, check.Detail = protocols.Violated, c.unsafe
	case quiescent:
		check.Verdict = protocols.Holds
	}
	return check
}

func (c *Checker) liveness(quiescent bool) protocols.Check {
	check := protocols.Check{Name: "E2", Verdict: protocols.Undecided, Detail: "every live process decides"}
	if c.promise == LeaderOnly {
		check.Detail = "one leader and silence"
	}
	if !quiescent {
		return check
	}
	if failure := c.notLive(); failure != "" {
		check.Verdict, check.Detail = protocols.Violated, failure
	} else {
		check.Verdict = protocols.Holds
	}
	return check
}

// notLive says what the promise lacks in the state the run has come to rest in.
func (c *Checker) notLive() string {
	if c.promise == LeaderOnly {
		if n := len(c.Leaders()); n != 1 {
			return fmt.Sprintf("%d leaders", n)
		}
		return ""
	}
	undecided := slices.IndexFunc(c.decisions, func(d Decision) bool { return d.Status == Undecided })
	for ; undecided >= 0 && undecided < len(c.decisions); undecided++ {
		if c.decisions[undecided].Status == Undecided && !c.crashed[undecided] {
			return fmt.Sprintf("process %d has not decided", undecided)
		}
	}
	return ""
}
