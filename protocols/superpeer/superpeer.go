// Package superpeer is the family of elections in large systems. They elect many leaders,
// the superpeers, which serve the others. The package has the checks of such runs.
package superpeer

import (
	"fmt"
	"time"

	"bullring/protocols"
)

// Peer is a process that may become a superpeer, and may learn which one serves it.
// Checkers ask after every handler.
type Peer interface {
	// Serves reports whether the process is a superpeer.
	Serves() bool
	// Superpeer is the superpeer of the process, if known.
	Superpeer() (p protocols.ID, known bool)
}

// Assignment watches a run in which every process that starts looks for its superpeer,
// and judges it:
//
//	responsible  a process takes only its right superpeer for it, and a process serves
//	             only if it is the right superpeer of another or itself
//	found        in the end every process that has started knows its superpeer, and that
//	             one serves
//
// The caller tells it about processes after every step.
type Assignment struct {
	right   []protocols.ID // the superpeer that each process should find, by address
	states  []peer
	crashed bool   // a process has crashed
	wrong   string // how "responsible" broke

	// For reports alone: no part of the state of a run.
	broke   protocols.Step `explore:"-"` // the step that broke it
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
	return &Assignment{right: right, states: make([]peer, len(right))}
}

// Started tells that a process looks for its superpeer.
func (c *Assignment) Started(p protocols.ID) { c.states[p].started = true }

// Stepped tells what a process knows and whether it serves.
func (c *Assignment) Stepped(p protocols.ID, is Peer, now time.Duration) {
	s := &c.states[p]
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
		c.violated(p, now, "process %d serves, and is the superpeer of no process", p)
	}
	s.serves = serves
}

// isRight reports whether a process is the right superpeer of a process that started.
func (c *Assignment) isRight(p protocols.ID) bool {
	for q, r := range c.right {
		if r == p && c.states[q].started {
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
func (c *Assignment) Crashed(p protocols.ID) { c.states[p].crashed, c.crashed = true, true }

// Superpeers is the number of live superpeers.
func (c *Assignment) Superpeers() int {
	count := 0
	for _, s := range c.states {
		if s.serves && !s.crashed {
			count++
		}
	}
	return count
}

// Known is the superpeer that a process knows, after its last step.
func (c *Assignment) Known(p protocols.ID) (superpeer protocols.ID, known bool) {
	return c.states[p].superpeer, c.states[p].known
}

// Right reports whether "responsible" holds so far.
func (c *Assignment) Right() bool { return c.wrong == "" }

// Serves reports whether a process is a superpeer, after its last step.
func (c *Assignment) Serves(p protocols.ID) bool { return c.states[p].serves }

// Complete reports whether "found" holds now.
func (c *Assignment) Complete() bool { return c.missing() == "" }

func (c *Assignment) missing() string {
	for p, s := range c.states {
		switch {
		case s.crashed || !s.started:
		case !s.known:
			return fmt.Sprintf("process %d does not know its superpeer", p)
		case !c.states[s.superpeer].serves:
			return fmt.Sprintf("process %d has process %d for a superpeer, which does not serve", p, s.superpeer)
		}
	}
	return ""
}

// Checks judges the run so far. At rest no event is left.
func (c *Assignment) Checks(rest bool) []protocols.Check {
	checks := []protocols.Check{
		{Name: "responsible", Detail: "no process has a wrong superpeer, and none serves for nothing"},
		{Name: "found", Detail: "every process that looks for a superpeer has one that serves"},
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
