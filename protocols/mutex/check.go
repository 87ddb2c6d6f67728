package mutex

import (
	"fmt"
	"time"

	"bullring/protocols"
)

// Promise is what an algorithm for mutual exclusion promises beyond ME1 and ME2.
type Promise struct {
	// Ordered: if one request happened before another (Lamport, CACM 21(7) 1978) it is
	// granted first. Without this promise a run that breaks ME3 is "not promised", and
	// not "violated".
	Ordered bool
	// Tolerant: no process starves because another has crashed.
	Tolerant bool
}

// Checker watches a run and judges it by the requirements of Coulouris et al.,
// Distributed Systems, 5th ed., section 15.2:
//
//	ME1 (safety)    at most one process at a time is inside
//	ME2 (liveness)  every request of a process that lives is granted
//	ME3 (order)     if one request happened before another, it is granted first
//
// Its caller tells it the usage of clients after every step, with the instant, and, for
// ME3, which requests happened before each request.
type Checker struct {
	promise Promise
	states  []state
	inside  int
	waiting int
	crashed bool   // a process has crashed
	unsafe  string // what broke ME1
	unruly  string // what broke ME3

	// For reports alone: no part of the state of a run.
	mostInside int                `explore:"-"`
	broke      [2]protocols.Step  `explore:"-"` // the steps that broke ME1 and ME3
	changes    int                `explore:"-"` // of usage
	known      map[request]Vector `explore:"-"` // by request, those that happened before; nil unless Follow was called
	times      *times             `explore:"-"` // nil unless Measure was called
}

// state is what the checker knows of a process.
type state struct {
	usage   Usage
	crashed bool
}

// request is a request of a process, counted from 1.
type request struct {
	process protocols.ID
	number  int
}

// Vector counts, by address, the requests of each process.
type Vector []int

// NewChecker returns a checker of n processes.
func NewChecker(n int, promise Promise) *Checker {
	return &Checker{promise: promise, states: make([]state, n)}
}

// Measure makes the checker measure the service.
func (c *Checker) Measure() { c.times = newTimes(len(c.states)) }

// Follow makes the checker judge ME3. The caller tells of requests by Asked.
func (c *Checker) Follow() { c.known = map[request]Vector{} }

// Asked tells which requests happened before the latest of a process. The checker keeps
// the vector. The call comes before that of Stepped.
func (c *Checker) Asked(p protocols.ID, number int, before Vector) {
	c.known[request{p, number}] = before
}

// Stepped tells the usage of the client of a process. One step may take the client
// through several stages.
func (c *Checker) Stepped(p protocols.ID, u Usage, now time.Duration) {
	s := &c.states[p]
	if u == s.usage {
		return
	}
	c.changes++
	for s.usage != u {
		switch was := &s.usage; {
		case was.Inside() && was.Left < u.Left:
			was.Left++
			c.inside--
			c.times.left(now, c.waiting > 0)
		case was.Waits() && was.Entered < u.Entered:
			was.Entered++
			c.waiting--
			c.enter(p, now)
		case was.Asked < u.Asked && was.Asked < was.Arrived:
			was.Asked++
			c.waiting++
		case was.Arrived < u.Arrived:
			was.Arrived++
			c.times.arrived(p, now)
		default:
			panic(fmt.Sprintf("mutex: the client of process %d went from %+v to %+v", p, *was, u))
		}
	}
}

func (c *Checker) enter(p protocols.ID, now time.Duration) {
	c.inside++
	c.mostInside = max(c.mostInside, c.inside)
	if c.inside > 1 && c.unsafe == "" {
		c.unsafe, c.broke[0] = fmt.Sprintf("process %d entered while process %d was inside, at %v", p, c.other(p), now), protocols.Step{Process: p, At: now, Change: c.changes}
	}
	c.order(p, now)
	c.times.entered(p, now)
}

// other is a process besides p that is inside.
func (c *Checker) other(p protocols.ID) protocols.ID {
	for q, s := range c.states {
		if protocols.ID(q) != p && !s.crashed && s.usage.Inside() {
			return protocols.ID(q)
		}
	}
	return -1
}

// order judges ME3 of an entry.
func (c *Checker) order(p protocols.ID, now time.Duration) {
	if c.known == nil {
		return
	}
	this := request{p, c.states[p].usage.Entered}
	before := c.known[this]
	delete(c.known, this)
	for q, number := range before {
		s := &c.states[q]
		if protocols.ID(q) != p && !s.crashed && s.usage.Entered < number && c.unruly == "" {
			c.unruly = fmt.Sprintf("process %d entered before process %d, whose request happened before its own, at %v", p, q, now)
			c.broke[1] = protocols.Step{Process: p, At: now, Change: c.changes}
		}
	}
}

// Crashed tells that a process stopped. It is no longer inside, and no longer waits.
func (c *Checker) Crashed(p protocols.ID, now time.Duration) {
	s := &c.states[p]
	if s.usage.Inside() {
		c.inside--
		c.times.left(now, c.waiting > 0)
	}
	if s.usage.Waits() {
		c.waiting--
	}
	s.crashed, c.crashed = true, true
	c.times.forget(p)
}

// Restarted tells that a process is back, with the usage of its client. It wants nothing.
func (c *Checker) Restarted(p protocols.ID, u Usage) {
	c.states[p] = state{usage: u}
}

// Usage is the usage of the client of a process, after its last step.
func (c *Checker) Usage(p protocols.ID) Usage { return c.states[p].usage }

// Served reports whether no process waits and none is inside.
func (c *Checker) Served() bool { return c.waiting == 0 && c.inside == 0 }

// Waiting are the processes that live and wait, ascending.
func (c *Checker) Waiting() (all []protocols.ID) {
	for p, s := range c.states {
		if s.usage.Waits() && !s.crashed {
			all = append(all, protocols.ID(p))
		}
	}
	return all
}

// MostInside is the largest number of processes that were inside at the same time.
func (c *Checker) MostInside() int { return c.mostInside }

// Checks judges the run so far. At rest no event is left.
func (c *Checker) Checks(rest bool) []protocols.Check {
	checks := []protocols.Check{
		{Name: "ME1", Detail: "at most one process at a time is inside"},
		{Name: "ME2", Detail: "every request of a process that lives is granted"},
		{Name: "ME3", Detail: "requests are granted in the order in which they happened before each other"},
	}
	safety(&checks[0], c.unsafe, &c.broke[0], rest)
	safety(&checks[2], c.unruly, &c.broke[1], rest)
	if checks[2].Verdict == protocols.Violated && !c.promise.Ordered {
		checks[2].Verdict = protocols.NotPromised
	}
	switch {
	case !rest:
	case c.waiting == 0:
		checks[1].Verdict = protocols.Holds
	case c.crashed && !c.promise.Tolerant:
		checks[1].Detail = c.starving() + "; a process crashed"
	default:
		checks[1].Verdict, checks[1].Detail = protocols.Violated, c.starving()
	}
	if c.known == nil {
		return checks[:2]
	}
	return checks
}

// safety is the verdict on a property that no step may break.
func safety(check *protocols.Check, failure string, broke *protocols.Step, rest bool) {
	switch {
	case failure != "":
		check.Verdict, check.Detail, check.Broke = protocols.Violated, failure, broke
	case rest:
		check.Verdict = protocols.Holds
	}
}

// starving says which processes wait for ever.
func (c *Checker) starving() string {
	who := c.Waiting()[0]
	if c.waiting > 1 {
		return fmt.Sprintf("deadlock: process %d and %d more wait for ever", who, c.waiting-1)
	}
	return fmt.Sprintf("deadlock: process %d waits for ever", who)
}
