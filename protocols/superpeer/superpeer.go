// Package superpeer is the family of elections in large systems: not one leader but
// many, the superpeers, which serve the others. It has the checks that runs are held
// to.
package superpeer

import (
	"fmt"
	"time"

	"bullring/protocols"
)

// Peer is a process that may become a superpeer, and may learn which one serves it:
// checkers ask after every handler.
type Peer interface {
	// Serves reports whether the process is a superpeer.
	Serves() bool
	// Superpeer is the superpeer of the process, if it knows it.
	Superpeer() (p protocols.ID, known bool)
}

// Assignment watches a run in which everybody who starts looks for its superpeer, and
// judges it:
//
//	responsible  the superpeer that a process knows is the right one, and nobody
//	             serves who is not somebody's right superpeer
//	assigned     everybody who has started knows its superpeer in the end, and that
//	             serves
//
// It is told how far processes are after every step.
type Assignment struct {
	right   []protocols.ID // the superpeer that each should find, by address
	seats   []peer
	crashed bool // somebody has
	wrong   string

	// What is noted for reports only does not tell states of a run apart.
	broke   protocols.Step `explore:"-"`
	changes int            `explore:"-"`
}

// peer is what the checker knows of a process.
type peer struct {
	started, crashed bool
	serves, known    bool
	superpeer        protocols.ID
}

// NewAssignment returns a checker of processes that should find these superpeers, by
// address. It keeps the slice.
func NewAssignment(right []protocols.ID) *Assignment {
	return &Assignment{right: right, seats: make([]peer, len(right))}
}

// Started tells that a process looks for its superpeer.
func (c *Assignment) Started(p protocols.ID) { c.seats[p].started = true }

// Stepped tells how far a process is.
func (c *Assignment) Stepped(p protocols.ID, is Peer, now time.Duration) {
	s := &c.seats[p]
	superpeer, known := is.Superpeer()
	serves := is.Serves()
	if s.known == known && s.superpeer == superpeer && s.serves == serves {
		return
	}
	c.changes++
	s.superpeer, s.known = superpeer, known
	if known && superpeer != c.right[p] {
		c.violated(p, now, "process %d takes process %d for its superpeer, not %d", p, superpeer, c.right[p])
	}
	if serves && !s.serves && !c.isRight(p) {
		c.violated(p, now, "process %d serves, and is nobody's superpeer", p)
	}
	s.serves = serves
}

// isRight reports whether a process should be somebody's superpeer.
func (c *Assignment) isRight(p protocols.ID) bool {
	for q, r := range c.right {
		if r == p && c.seats[q].started {
			return true
		}
	}
	return false
}

func (c *Assignment) violated(p protocols.ID, now time.Duration, format string, args ...any) {
	if c.wrong == "" {
		c.wrong = fmt.Sprintf(format, args...)
		c.broke = protocols.Step{Process: p, At: now, Change: c.changes}
	}
}

// Crashed tells that a process stopped.
func (c *Assignment) Crashed(p protocols.ID) { c.seats[p].crashed, c.crashed = true, true }

// Superpeers is how many processes serve.
func (c *Assignment) Superpeers() int {
	count := 0
	for _, s := range c.seats {
		if s.serves && !s.crashed {
			count++
		}
	}
	return count
}

// Known is the superpeer that a process knew when it was last told.
func (c *Assignment) Known(p protocols.ID) (superpeer protocols.ID, known bool) {
	return c.seats[p].superpeer, c.seats[p].known
}

// Right reports whether nobody has a wrong superpeer or serves for nothing.
func (c *Assignment) Right() bool { return c.wrong == "" }

// Serves reports whether a process was a superpeer when it was last told.
func (c *Assignment) Serves(p protocols.ID) bool { return c.seats[p].serves }

// Complete reports whether everybody who has started and lives knows its superpeer, and
// that serves.
func (c *Assignment) Complete() bool { return c.missing() == "" }

func (c *Assignment) missing() string {
	for p, s := range c.seats {
		switch {
		case s.crashed || !s.started:
		case !s.known:
			return fmt.Sprintf("process %d does not know its superpeer", p)
		case !c.seats[s.superpeer].serves:
			return fmt.Sprintf("process %d has process %d for a superpeer, which does not serve", p, s.superpeer)
		}
	}
	return ""
}

// Checks judges the run so far; rest says that nothing more will happen.
func (c *Assignment) Checks(rest bool) []protocols.Check {
	checks := []protocols.Check{
		{Name: "responsible", Detail: "nobody has a wrong superpeer, and nobody serves for nothing"},
		{Name: "assigned", Detail: "everybody who looks for a superpeer has one that serves"},
	}
	switch {
	case c.wrong != "":
		checks[0].Verdict, checks[0].Detail, checks[0].Broke = protocols.Violated, c.wrong, &c.broke
	case rest:
		checks[0].Verdict = protocols.Holds
	}
	missing := c.missing()
	switch {
	case !rest:
	case missing == "":
		checks[1].Verdict = protocols.Holds
	case c.crashed:
		checks[1].Detail = missing + "; a process crashed"
	default:
		checks[1].Verdict, checks[1].Detail = protocols.Violated, missing
	}
	return checks
}
