package superpeer

import (
	"fmt"
	"math"
	"time"

	"bullring/protocols"
)

// Keeper is a process that may hold a token, and become a superpeer by it: checkers ask
// after every handler.
type Keeper interface {
	// Token is the token that the process holds, if any.
	Token() (token int, holds bool)
	// Serves reports whether the process is a superpeer.
	Serves() bool
}

// Tokens watches a run in which tokens move from process to process, and judges it:
//
//	tokens    no token is in two places, and no process holds two: those at processes
//	          and those under way are always as many as there were
//	held      a superpeer holds a token, and held it for the required time before it
//	          became one; it keeps it
//	settled   in the end no token is under way, and whoever holds one is a superpeer
//
// It is told how far processes are after every step, with the instant.
type Tokens struct {
	required time.Duration  // negative: time does not count
	at       []protocols.ID // of each token, underWay if it is at no process
	seats    []keeper
	crashed  bool // somebody has
	broken   [2]string

	// What is noted for reports only does not tell states of a run apart.
	broke   [2]protocols.Step `explore:"-"`
	changes int               `explore:"-"`
	since   []time.Duration   `explore:"-"` // when each token came to where it is
	first   []protocols.ID    `explore:"-"` // where each token was in the beginning
	moves   int               `explore:"-"`
}

// keeper is what the checker knows of a process.
type keeper struct {
	token           int // none if it holds none
	serves, crashed bool
}

const (
	none     = -1
	underWay = protocols.ID(-1)
)

// NewTokens returns a checker of n processes, of which these hold the tokens 0, 1... in
// the beginning. Required is how long a token is held before its holder becomes a
// superpeer; negative does not check that, because no time passes.
func NewTokens(n int, holders []protocols.ID, required time.Duration) *Tokens {
	c := &Tokens{required: required, seats: make([]keeper, n), since: make([]time.Duration, len(holders))}
	for p := range c.seats {
		c.seats[p].token = none
	}
	for token, p := range holders {
		c.seats[p].token = token
		c.at = append(c.at, p)
		c.first = append(c.first, p)
	}
	return c
}

// Stepped tells what a process holds.
func (c *Tokens) Stepped(p protocols.ID, k Keeper, now time.Duration) {
	s := &c.seats[p]
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

// leave judges what has become of the token that a process held.
func (c *Tokens) leave(p protocols.ID, next int, now time.Duration) {
	s := &c.seats[p]
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

// arrive judges a token that a process holds now.
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

// serve judges a change of who is a superpeer.
func (c *Tokens) serve(p protocols.ID, serves bool, now time.Duration) {
	switch token := c.seats[p].token; {
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

// Crashed tells that a process stopped, and its token with it.
func (c *Tokens) Crashed(p protocols.ID) { c.seats[p].crashed, c.crashed = true, true }

// At are the addresses at which the tokens are, negative for those under way, and First
// those at which they were in the beginning.
func (c *Tokens) At() []protocols.ID    { return c.at }
func (c *Tokens) First() []protocols.ID { return c.first }

// Moves is how often a token came to a process.
func (c *Tokens) Moves() int { return c.moves }

// Superpeers is how many processes serve.
func (c *Tokens) Superpeers() int {
	count := 0
	for _, s := range c.seats {
		if s.serves && !s.crashed {
			count++
		}
	}
	return count
}

// Safe reports whether nothing is broken that must never be.
func (c *Tokens) Safe() bool { return c.broken == [2]string{} }

// Held is the token that a process held when it was last told, negative for none, and
// whether it was a superpeer.
func (c *Tokens) Held(p protocols.ID) (token int, serves bool) {
	return c.seats[p].token, c.seats[p].serves
}

// Settled reports whether whoever holds a token is a superpeer, and no token is under
// way.
func (c *Tokens) Settled() bool { return c.unsettled() == "" }

func (c *Tokens) unsettled() string {
	for token, p := range c.at {
		switch {
		case p == underWay:
			return fmt.Sprintf("token %d is nowhere", token)
		case !c.seats[p].serves:
			return fmt.Sprintf("process %d holds token %d, and is no superpeer", p, token)
		}
	}
	return ""
}

// Checks judges the run so far; rest says that nothing more will happen.
func (c *Tokens) Checks(rest bool) []protocols.Check {
	checks := []protocols.Check{
		{Name: "tokens", Detail: fmt.Sprintf("there are always %d tokens, and no process holds two", len(c.at))},
		{Name: "held", Detail: "superpeers have held a token for the required time, and keep it"},
		{Name: "settled", Detail: "every token has made a superpeer"},
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
// the mean distance to the nearest other point, divided by what it is for points at
// random, 1/2 over the square root of their density. 1 is random, 2.149 a hexagonal
// lattice; points at the edge have neighbours on one side only, which makes it larger
// for few points. It is 0 for less than two.
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

// apart is the distance of two points. Squares and a root are the same to the last
// bit on every processor, which math.Hypot is not.
func apart(p, q [2]float64) float64 {
	dx, dy := p[0]-q[0], p[1]-q[1]
	return math.Sqrt(float64(dx*dx) + float64(dy*dy))
}
