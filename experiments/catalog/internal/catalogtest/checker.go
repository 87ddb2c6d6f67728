// Package catalogtest is what the tests of the catalogue's rooms share: a checker of runs
// and of explorations, laws that hold for every algorithm, and the hunt for seeded defects.
package catalogtest

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"

	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/lcr"
)

// Registry is a registry of the algorithms of one room. Those that replace their
// coordinator have to be given an election: LCR, bare of bounds and assumptions on
// processes, so that a change of the declared elections concerns no other room.
func Registry(room func(elections *trial.Registry) []trial.Algorithm) *trial.Registry {
	elector := &trial.Registry{}
	elector.Register(families.Election(trial.Algorithm{
		Name: "lcr", Assumes: trial.Assumptions{Topologies: []string{"ring"}},
	}, func(*trial.Instance) election.Promise { return election.Promise{} },
		func(in *trial.Instance) func(protocols.ID) election.Process[lcr.Message] {
			return func(p protocols.ID) election.Process[lcr.Message] {
				return lcr.New(in.Ranks.At(p), lcr.Config{Order: in.Order, Announce: true})
			}
		}))
	r := &trial.Registry{}
	r.Register(room(elector)...)
	return r
}

// composed reports whether an algorithm has another one elect its coordinator. Its tests
// need the whole catalogue.
func composed(a *trial.Algorithm) bool {
	return slices.Contains(a.ParamNames(), "election")
}

// Permutations calls f with every order of the identities 1..n.
func Permutations(n int, f func(ids string)) {
	ids := make([]int, n)
	for i := range ids {
		ids[i] = i + 1
	}
	var rec func(k int)
	rec = func(k int) {
		if k == n {
			words := make([]string, n)
			for i, id := range ids {
				words[i] = strconv.Itoa(id)
			}
			f(strings.Join(words, ","))
			return
		}
		for i := k; i < n; i++ {
			ids[k], ids[i] = ids[i], ids[k]
			rec(k + 1)
			ids[k], ids[i] = ids[i], ids[k]
		}
	}
	rec(0)
}

// Addresses are the elements of a set of addresses, which is given as bits.
func Addresses(set, n int) string {
	var words []string
	for p := range n {
		if set>>p&1 == 1 {
			words = append(words, strconv.Itoa(p))
		}
	}
	return strings.Join(words, ",")
}

// Checker runs settings and holds them to bounds and checks.
type Checker struct {
	Runs int // that came out right

	t        *testing.T
	registry *trial.Registry
	worker   trial.Worker
	exact    map[string]int // how often an exact bound was met
	applied  map[string]int // how often any bound was
}

// NewChecker returns a checker of runs of a registry's algorithms.
func NewChecker(t *testing.T, registry *trial.Registry) *Checker {
	return &Checker{t: t, registry: registry, exact: map[string]int{}, applied: map[string]int{}}
}

// Instance reads a setting, which has to be right.
func (c *Checker) Instance(s trial.Setting) *trial.Instance {
	c.t.Helper()
	in, err := c.registry.Instance(s)
	if err != nil {
		c.t.Fatalf("%+v: %v", s, err)
	}
	return in
}

// Run runs a setting in which nothing may go wrong: no bound is broken, every check holds,
// and the outcome is the one that is wanted.
func (c *Checker) Run(s trial.Setting, outcome trial.Outcome) *trial.Result {
	c.t.Helper()
	r := c.Survives(s)
	if err := r.BrokenBound(); err != nil {
		c.t.Fatalf("%+v: %v", s, err)
	}
	if r.Outcome != outcome {
		c.t.Fatalf("%+v: %v", s, r.Outcome)
	}
	c.Runs++
	for _, b := range r.Bounds {
		c.applied[b.Name]++
		if b.Relation == trial.Exactly {
			c.exact[b.Name]++
		}
	}
	return r
}

// Survives runs a setting in which things may fail: every check holds all the same.
func (c *Checker) Survives(s trial.Setting) *trial.Result {
	c.t.Helper()
	r := c.Play(s)
	for _, check := range r.Checks {
		if check.Verdict != protocols.Holds {
			c.t.Fatalf("%+v: %s %v: %s", s, check.Name, check.Verdict, check.Detail)
		}
	}
	return r
}

// Play runs a setting, and holds it to nothing.
func (c *Checker) Play(s trial.Setting) *trial.Result {
	c.t.Helper()
	return c.worker.Run(context.Background(), c.Instance(s), nil)
}

// Outside is Play even if the setting is outside the model.
func (c *Checker) Outside(s trial.Setting) *trial.Result {
	c.t.Helper()
	s.OutsideModel = true
	return c.Play(s)
}

// Needs fails unless every one of these exact bounds was met by some run.
func (c *Checker) Needs(bounds ...string) {
	c.t.Helper()
	c.wants(c.exact, bounds)
}

// NeedsAny fails unless every one of these bounds, exact or not, applied to some run.
func (c *Checker) NeedsAny(bounds ...string) {
	c.t.Helper()
	c.wants(c.applied, bounds)
}

func (c *Checker) wants(count map[string]int, bounds []string) {
	c.t.Helper()
	for _, b := range bounds {
		if count[b] == 0 {
			c.t.Errorf("in %d runs the bound %q never applied", c.Runs, b)
		}
	}
}

// Entries are the entries into the critical section of a run, in order.
func Entries(r *trial.Result) []trial.Moment {
	_, entries := r.Moments()
	return entries
}
