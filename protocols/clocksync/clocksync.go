// Package clocksync is the family of algorithms that synchronize the clocks of
// processes: what such a process tells of itself, and the checks that every run is
// held to.
package clocksync

import (
	"fmt"
	"slices"
	"time"

	"bullring/protocols"
)

// Clock is a process that corrects its clock: checkers ask after every handler.
type Clock interface {
	// Correction is what is added to what the clock of the process shows.
	Correction() time.Duration
	// Adjusted is how often the correction was adjusted.
	Adjusted() int
}

// Promise is what a run is to come to.
type Promise struct {
	// Rounds is how often each clock is adjusted.
	Rounds int
	// Spread is the largest difference of two corrected clocks at the end of the last
	// round; negative promises nothing.
	Spread time.Duration
	// Tolerant: processes that crash do not keep the others from being adjusted,
	// unless it is one that has started.
	Tolerant bool
}

// Checker watches a run and judges it:
//
//	adjusted      the clock of every process that lives is adjusted in every round
//	synchronized  in the end corrected clocks differ by no more than is promised
//
// It is told how far processes are after every step, with the instant.
type Checker struct {
	promise Promise
	seats   []seat
	crashed bool // somebody has
	orphans bool // somebody who had started

	// What is noted for reports only does not tell states of a run apart.
	rounds []Round `explore:"-"`
	before Round   `explore:"-"`
}

// seat is what the checker knows of a process.
type seat struct {
	correction       time.Duration
	shows            time.Duration // its clock, less what the time is
	adjusted         int
	started, crashed bool
}

// Round is the end of a round: the instant at which the last clock was adjusted, and
// how far corrected clocks are apart then.
type Round struct {
	At     time.Duration
	Spread time.Duration
}

// NewChecker returns a checker of n processes.
func NewChecker(n int, promise Promise) *Checker {
	return &Checker{promise: promise, seats: make([]seat, n)}
}

// Started tells that a process began to synchronize the others.
func (c *Checker) Started(p protocols.ID) { c.seats[p].started = true }

// Stepped tells how far a process is. Shown is what the clock of each process shows
// now; it is asked only when it matters.
func (c *Checker) Stepped(p protocols.ID, clock Clock, now time.Duration, shown func(protocols.ID) time.Duration) {
	s := &c.seats[p]
	if s.adjusted == clock.Adjusted() {
		return
	}
	if !slices.ContainsFunc(c.seats, func(s seat) bool { return s.adjusted > 0 }) {
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

// look notes what all clocks show.
func (c *Checker) look(now time.Duration, shown func(protocols.ID) time.Duration) {
	for p := range c.seats {
		c.seats[p].shows = shown(protocols.ID(p)) - now
	}
}

// least is how often the clocks of all who live were adjusted.
func (c *Checker) least() int {
	least := -1
	for _, s := range c.seats {
		if !s.crashed && (least < 0 || s.adjusted < least) {
			least = s.adjusted
		}
	}
	return max(least, 0)
}

// Crashed tells that a process stopped.
func (c *Checker) Crashed(p protocols.ID, _ time.Duration) {
	c.seats[p].crashed, c.crashed = true, true
	c.orphans = c.orphans || c.seats[p].started
}

// Spread is how far the corrected clocks of those who live were apart when the last
// round ended, or the first began.
func (c *Checker) Spread() time.Duration {
	var first, last time.Duration
	seen := false
	for _, s := range c.seats {
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

// Before is how far corrected clocks were apart when the first was adjusted, and
// Rounds how far after each round.
func (c *Checker) Before() Round   { return c.before }
func (c *Checker) Rounds() []Round { return c.rounds }

// Adjusted is how often the clock of a process was adjusted when it was last told.
func (c *Checker) Adjusted(p protocols.ID) int { return c.seats[p].adjusted }

// Done reports whether the clocks of all who live were adjusted in all rounds.
func (c *Checker) Done() bool { return c.least() >= c.promise.Rounds }

// Apart reports whether corrected clocks are farther apart than was promised, when all
// rounds are over.
func (c *Checker) Apart() bool {
	return c.Done() && c.promise.Spread >= 0 && c.Spread() > c.promise.Spread
}

// Checks judges the run so far; rest says that nothing more will happen.
func (c *Checker) Checks(rest bool) []protocols.Check {
	checks := []protocols.Check{
		{Name: "adjusted", Detail: fmt.Sprintf("every clock is adjusted in all rounds: %d", c.promise.Rounds)},
		{Name: "synchronized", Detail: fmt.Sprintf("in the end clocks differ by at most %v", c.promise.Spread)},
	}
	if c.promise.Spread < 0 {
		checks[1].Detail = "nothing is promised of how far clocks are apart"
	}
	if !rest {
		return checks
	}
	done := c.Done()
	for p, s := range c.seats {
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
