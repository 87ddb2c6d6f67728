package superpeer

import (
	"fmt"
	"math"
	"time"

	"bullring/protocols"
)

// Keeper is a process that may hold a token, and become a superpeer by it. Checkers ask
// after every handler.
type Keeper interface {
	// Token is the token that the process holds, if any.
	Token() (token int, holds bool)
	// Serves reports whether the process is a superpeer.
	Serves() bool
}

// Tokens watches a run in which tokens move from process to process, and judges it:
//
//	tokens    no token is in two places, and no process holds two: the number of tokens,
//	          at processes and under way, does not change
//	held      a superpeer holds a token, and held it for the required time before it
//	          became one; it keeps it
//	promoted  in the end no token is under way, and every holder is a superpeer
//
// The caller tells it about processes after every step, with the instant.
type Tokens struct {
	required time.Duration  // negative: not checked
	at       []protocols.ID // the place of each token, underWay if it is at no process
	states   []holder
	crashed  bool      // a process has crashed
	broken   [2]string // how "tokens" and "held" broke

	// For reports alone: no part of the state of a run.
	broke   [2]protocols.Step `explore:"-"` // the steps that broke them
	changes int               `explore:"-"`
	since   []time.Duration   `explore:"-"` // when each token came to its place
	first   []protocols.ID    `explore:"-"` // the first place of each token
	moves   int               `explore:"-"`
}

// holder is what the checker knows of a process.
type holder struct {
	token           int // none if it holds none
	serves, crashed bool
}

const (
	none     = -1
	underWay = protocols.ID(-1)
)

// NewTokens returns a checker of n processes. At the beginning holders[i] holds token i.
// required is the time for which a process holds its token before it becomes a
// superpeer; a negative one is not checked, for runs in which no time passes.
func NewTokens(n int, holders []protocols.ID, required time.Duration) *Tokens {
	c := &Tokens{required: required, states: make([]holder, n), since: make([]time.Duration, len(holders))}
	for p := range c.states {
		c.states[p].token = none
	}
	for token, p := range holders {
		c.states[p].token = token
		c.at = append(c.at, p)
		c.first = append(c.first, p)
	}
	return c
}

// Stepped tells what a process holds.
func (c *Tokens) Stepped(p protocols.ID, k Keeper, now time.Duration) {
	s := &c.states[p]
	token, holds := k.Token()
	if !holds {
		token = none
	}
	if token != s.token {
		c.changes++
		c.leave(p, token, now)
		c.arrive(p, token, now)
		s.token = token
	}
	if serves := k.Serves(); serves != s.serves {
		c.changes++
		c.serve(p, serves, now)
		s.serves = serves
	}
}

// leave judges the loss of the token that a process held.
func (c *Tokens) leave(p protocols.ID, next int, now time.Duration) {
	s := &c.states[p]
	if s.token == none {
		return
	}
	c.at[s.token] = underWay
	switch {
	case next != none:
		c.violated(0, p, now, "process %d holds token %d, and held token %d", p, next, s.token)
	case s.serves:
		c.violated(1, p, now, "process %d is a superpeer, and gave token %d away", p, s.token)
	}
}

// arrive judges the token that a process holds now.
func (c *Tokens) arrive(p protocols.ID, token int, now time.Duration) {
	switch {
	case token == none:
		return
	case token < 0 || token >= len(c.at):
		c.violated(0, p, now, "process %d holds token %d, which there never was", p, token)
		return
	case c.at[token] != underWay:
		c.violated(0, p, now, "process %d holds token %d, which is at process %d", p, token, c.at[token])
	}
	c.at[token], c.since[token] = p, now
	c.moves++
}

// serve judges a process that becomes a superpeer, or is none any more.
func (c *Tokens) serve(p protocols.ID, serves bool, now time.Duration) {
	switch token := c.states[p].token; {
	case !serves:
		c.violated(1, p, now, "process %d is a superpeer no more", p)
	case token == none:
		c.violated(1, p, now, "process %d is a superpeer without a token", p)
	case now-c.since[token] < c.required:
		c.violated(1, p, now, "process %d is a superpeer after %v, and not %v", p, now-c.since[token], c.required)
	}
}

func (c *Tokens) violated(check int, p protocols.ID, now time.Duration, format string, args ...any) {
	if c.broken[check] == "" {
		c.broken[check] = fmt.Sprintf(format, args...)
		c.broke[check] = protocols.Step{Process: p, At: now, Change: c.changes}
	}
}

// Crashed tells that a process stopped; its token is lost.
func (c *Tokens) Crashed(p protocols.ID) { c.states[p].crashed, c.crashed = true, true }

// At are the places of the tokens, negative for those under way; First are their first
// places.
func (c *Tokens) At() []protocols.ID    { return c.at }
func (c *Tokens) First() []protocols.ID { return c.first }

// Moves is the number of arrivals of tokens at processes.
func (c *Tokens) Moves() int { return c.moves }

// Superpeers is the number of live superpeers.
func (c *Tokens) Superpeers() int {
	count := 0
	for _, s := range c.states {
		if s.serves && !s.crashed {
			count++
		}
	}
	return count
}

// Safe reports whether "tokens" and "held" hold so far.
func (c *Tokens) Safe() bool { return c.broken == [2]string{} }

// Held is the token of a process, negative for none, and whether it is a superpeer, after its
// last step.
func (c *Tokens) Held(p protocols.ID) (token int, serves bool) {
	return c.states[p].token, c.states[p].serves
}

// Settled reports whether "promoted" holds now.
func (c *Tokens) Settled() bool { return c.unsettled() == "" }

func (c *Tokens) unsettled() string {
	for token, p := range c.at {
		switch {
		case p == underWay:
			return fmt.Sprintf("token %d is nowhere", token)
		case !c.states[p].serves:
			return fmt.Sprintf("process %d holds token %d, and is no superpeer", p, token)
		}
	}
	return ""
}

// Checks judges the run so far. At rest no event is left.
func (c *Tokens) Checks(rest bool) []protocols.Check {
	checks := []protocols.Check{
		{Name: "tokens", Detail: fmt.Sprintf("there are always %d tokens, and no process holds two", len(c.at))},
		{Name: "held", Detail: "superpeers have held a token for the required time, and keep it"},
		{Name: "promoted", Detail: "every token has made a superpeer"},
	}
	for i, failure := range c.broken {
		switch check := &checks[i]; {
		case failure != "":
			check.Verdict, check.Detail, check.Broke = protocols.Violated, failure, &c.broke[i]
		case rest:
			check.Verdict = protocols.Holds
		}
	}
	unsettled := c.unsettled()
	switch settled := &checks[2]; {
	case !rest:
	case unsettled == "":
		settled.Verdict = protocols.Holds
	case c.crashed:
		settled.Detail = unsettled + "; a process crashed"
	default:
		settled.Verdict, settled.Detail = protocols.Violated, unsettled
	}
	return checks
}

// Evenness is the index of Clark and Evans (Ecology 35(4), 1954) of points in a plane:
// the mean distance to the nearest other point, divided by its value for random points,
// which is 1/2 over the square root of their density. 1 is random, 2.149 a hexagonal
// lattice. Points at the edge have neighbours on one side only, so the index is larger for
// few points. It is 0 for fewer than two.
func Evenness(points [][2]float64, area float64) float64 {
	if len(points) < 2 {
		return 0
	}
	sum := 0.0
	for i, p := range points {
		nearest := math.Inf(1)
		for j, q := range points {
			if i != j {
				nearest = min(nearest, apart(p, q))
			}
		}
		sum += nearest
	}
	n := float64(len(points))
	return sum / n / (0.5 / math.Sqrt(n/area))
}

// apart is the distance of two points. Squares and a root are equal to the last bit on
// every processor; math.Hypot is not.
func apart(p, q [2]float64) float64 {
	dx, dy := p[0]-q[0], p[1]-q[1]
	return math.Sqrt(float64(dx*dx) + float64(dy*dy))
}
