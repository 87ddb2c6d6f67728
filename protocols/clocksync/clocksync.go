// Package clocksync is the family of algorithms that synchronize the clocks of processes:
// what such a process tells of itself, and the checks of every run.
package clocksync

import (
	"fmt"
	"slices"
	"time"

	"bullring/protocols"
)

// Clock is a process that corrects its clock. Checkers ask after every handler.
type Clock interface {
	// Correction is added to the time on the clock of the process.
	Correction() time.Duration
	// Adjusted is the number of adjustments of the correction.
	Adjusted() int
}

// Promise is what an algorithm promises.
type Promise struct {
	// Rounds is the number of adjustments of each clock.
	Rounds int
	// Spread is the largest difference of two corrected clocks at the end of the last
	// round; negative promises nothing.
	Spread time.Duration
	// Tolerant: the clocks of the others are adjusted in spite of crashes, except those
	// of processes that have started.
	Tolerant bool
}

// Checker watches a run and judges it:
//
//	adjusted      the clock of every live process is adjusted in every round
//	close         in the end corrected clocks differ by no more than is promised
//
// The caller tells it about processes after every step, with the instant.
type Checker struct {
	promise Promise
	states  []state
	crashed bool // a process has crashed
	orphans bool // a process that had started has crashed

	// For reports alone: no part of the state of a run.
	rounds []Round `explore:"-"`
	before Round   `explore:"-"`
}

// state is what the checker knows of a process.
type state struct {
	correction       time.Duration
	shows            time.Duration // its clock, less the true time
	adjusted         int
	started, crashed bool
}

// Round is the end of a round.
type Round struct {
	At     time.Duration // the instant at which the last clock was adjusted
	Spread time.Duration // of the corrected clocks then
}

// NewChecker returns a checker of n processes.
func NewChecker(n int, promise Promise) *Checker {
	return &Checker{promise: promise, states: make([]state, n)}
}

// Started tells that a process began to synchronize the others.
func (c *Checker) Started(p protocols.ID) { c.states[p].started = true }

// Stepped tells the state of a process. shown is the time on the clock of a process now;
// it is called only when needed.
func (c *Checker) Stepped(p protocols.ID, clock Clock, now time.Duration, shown func(protocols.ID) time.Duration) {
	s := &c.states[p]
	if s.adjusted == clock.Adjusted() {
		return
	}
	if !slices.ContainsFunc(c.states, func(s state) bool { return s.adjusted > 0 }) {
		c.look(now, shown)
		c.before = Round{now, c.Spread()}
	}
	least := c.least()
	s.adjusted, s.correction = clock.Adjusted(), clock.Correction()
	if k := c.least(); k > least {
		c.look(now, shown)
		c.rounds = append(c.rounds, Round{now, c.Spread()})
	}
}

// look notes the time on all clocks.
func (c *Checker) look(now time.Duration, shown func(protocols.ID) time.Duration) {
	for p := range c.states {
		c.states[p].shows = shown(protocols.ID(p)) - now
	}
}

// least is the smallest number of adjustments of a live process.
func (c *Checker) least() int {
	least := -1
	for _, s := range c.states {
		if !s.crashed && (least < 0 || s.adjusted < least) {
			least = s.adjusted
		}
	}
	return max(least, 0)
}

// Crashed tells that a process stopped.
func (c *Checker) Crashed(p protocols.ID, _ time.Duration) {
	c.states[p].crashed, c.crashed = true, true
	c.orphans = c.orphans || c.states[p].started
}

// Spread is the largest difference of the corrected clocks of live processes, when the
// last round ended or the first began.
func (c *Checker) Spread() time.Duration {
	var first, last time.Duration
	seen := false
	for _, s := range c.states {
		if s.crashed {
			continue
		}
		shows := s.shows + s.correction
		if !seen {
			first, last, seen = shows, shows, true
		}
		first, last = min(first, shows), max(last, shows)
	}
	return last - first
}

// Before is the spread when the first clock was adjusted, and Rounds that at the end of
// each round.
func (c *Checker) Before() Round   { return c.before }
func (c *Checker) Rounds() []Round { return c.rounds }

// Adjusted is the number of adjustments of a process, after its last step.
func (c *Checker) Adjusted(p protocols.ID) int { return c.states[p].adjusted }

// Done reports whether the clocks of all live processes were adjusted in all rounds.
func (c *Checker) Done() bool { return c.least() >= c.promise.Rounds }

// Apart reports whether all rounds are over and corrected clocks differ by more than was
// promised.
func (c *Checker) Apart() bool {
	return c.Done() && c.promise.Spread >= 0 && c.Spread() > c.promise.Spread
}

// Checks judges the run so far. At rest no event is left.
func (c *Checker) Checks(rest bool) []protocols.Check {
	checks := []protocols.Check{
		{Name: "adjusted", Detail: fmt.Sprintf("every clock is adjusted in all rounds: %d", c.promise.Rounds)},
		{Name: "close", Detail: fmt.Sprintf("in the end clocks differ by at most %v", c.promise.Spread)},
	}
	if c.promise.Spread < 0 {
		checks[1].Detail = "nothing is promised of how far clocks are apart"
	}
	if !rest {
		return checks
	}
	done := c.Done()
	for p, s := range c.states {
		if !s.crashed && s.adjusted < c.promise.Rounds {
			checks[0].Detail = fmt.Sprintf("the clock of process %d was adjusted %d times, not %d", p, s.adjusted, c.promise.Rounds)
		}
	}
	switch {
	case done:
		checks[0].Verdict = protocols.Holds
	case c.orphans, c.crashed && !c.promise.Tolerant:
		checks[0].Detail += "; a process crashed"
	default:
		checks[0].Verdict = protocols.Violated
	}
	if c.promise.Spread >= 0 && done {
		checks[1].Verdict = protocols.Holds
		if c.Apart() {
			checks[1].Verdict, checks[1].Detail = protocols.Violated, fmt.Sprintf("in the end clocks differ by %v, more than %v", c.Spread(), c.promise.Spread)
		}
	}
	return checks
}
