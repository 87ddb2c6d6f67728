package election_test

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"bullring/protocols"
	"bullring/protocols/election"
)

// plain judges E1 by looking at all processes at each decision.
type plain struct {
	ranks   []election.Rank
	order   election.Order
	promise election.Promise
	states  []plainState
	terms   map[int]election.Identity
	unsafe  string
}

type plainState struct {
	crashed, started, unborn, took, back bool
	since                                time.Duration
}

func (m *plain) decided(p protocols.ID, d election.Decision, now time.Duration) {
	if m.unsafe != "" || d.Status == election.Undecided {
		return
	}
	if m.promise.Anonymous && d.Status == election.Leader {
		d.Leader = m.ranks[p].ID
	}
	elected := -1
	for q, r := range m.ranks {
		if r.ID == d.Leader {
			elected = q
		}
	}
	before, again := m.terms[d.Term]
	switch {
	case elected < 0 || m.states[elected].unborn:
		m.unsafe = fmt.Sprintf("process %d elected %d, which was never alive", p, d.Leader)
	case m.promise.Winner == election.Anyone && again && before != d.Leader:
		m.unsafe = fmt.Sprintf("process %d elected %d in term %d, in which %d was elected before, at %v", p, d.Leader, d.Term, before, now)
	case m.promise.Winner == election.Anyone:
		m.terms[d.Term] = d.Leader
	case m.promise.Winner == election.BestInitiator && !m.states[elected].started && !m.states[elected].crashed:
		m.unsafe = fmt.Sprintf("process %d elected %d, which has not started", p, d.Leader)
	default:
		m.unsafe = m.better(p, elected, now)
	}
}

func (m *plain) knows(q int, now time.Duration) bool {
	s := &m.states[q]
	return !s.crashed && (!s.back || now-s.since > m.promise.Settle) && (m.promise.Winner == election.Best || s.started)
}

func (m *plain) best(now time.Duration) int {
	best := -1
	for q, r := range m.ranks {
		if m.knows(q, now) && (best < 0 || m.order.Better(r, m.ranks[best])) {
			best = q
		}
	}
	return best
}

func (m *plain) better(p protocols.ID, elected int, now time.Duration) string {
	for q := range m.states {
		if m.knows(q, now) && m.order.Better(m.ranks[q], m.ranks[elected]) {
			return fmt.Sprintf("process %d elected %d while the better %v was alive, at %v", p, m.ranks[elected].ID, m.ranks[q], now)
		}
	}
	return ""
}

// The checker compares a leader with one process. It finds the same as if it had compared it
// with each, in any order of starts, decisions, crashes and restarts.
func TestTheBestKnownStandsForAll(t *testing.T) {
	broken := map[election.Winner]int{}
	rapid.Check(t, func(t *rapid.T) {
		for range 100 {
			if m := elect(t); m.unsafe != "" {
				broken[m.promise.Winner]++
			}
		}
	})
	for w := election.Best; w <= election.Anyone; w++ {
		if broken[w] == 0 {
			t.Errorf("no run broke E1 of winner %d", w)
		}
	}
}

// elect compares the checker with the plain one in a random election.
func elect(t *rapid.T) *plain {
	n := rapid.IntRange(1, 5).Draw(t, "n")
	m := &plain{
		order: rapid.SampledFrom([]election.Order{election.Max, election.Min}).Draw(t, "order"),
		promise: election.Promise{
			Winner: election.Winner(rapid.IntRange(0, 2).Draw(t, "winner")), Settle: time.Duration(rapid.IntRange(0, 4).Draw(t, "settle")),
			Anonymous: rapid.Bool().Draw(t, "anonymous"),
		},
		states: make([]plainState, n), terms: map[int]election.Identity{},
	}
	for _, id := range rapid.Permutation([]election.Identity{1, 2, 3, 4, 5}[:n]).Draw(t, "identities") {
		m.ranks = append(m.ranks, election.Rank{ID: id, Attr: float64(rapid.IntRange(0, 1).Draw(t, "attribute"))})
	}
	c := election.NewChecker(election.Listed(m.ranks), m.order, m.promise)
	now := time.Duration(0)
	for range rapid.IntRange(0, 100).Draw(t, "steps") {
		now += time.Duration(rapid.IntRange(0, 2).Draw(t, "after"))
		m.step(t, c, now)
		if e1 := c.Checks(false)[0]; (e1.Verdict == protocols.Violated) != (m.unsafe != "") || m.unsafe != "" && e1.Detail != m.unsafe {
			t.Fatalf("E1 %v: %s; one process after another: %q", e1.Verdict, e1.Detail, m.unsafe)
		}
	}
	return m
}

// step takes a random step.
func (m *plain) step(t *rapid.T, c *election.Checker, now time.Duration) {
	p := protocols.ID(rapid.IntRange(0, len(m.ranks)-1).Draw(t, "process"))
	s := &m.states[p]
	switch what := rapid.SampledFrom([]string{"start", "take part", "decide", "decide", "crash", "restart", "restart"}).Draw(t, "what"); {
	case what == "restart" && s.crashed:
		*s = plainState{back: true, since: now}
		c.Restarted(p, now)
	case s.crashed || what == "restart":
	case what == "start":
		s.started, s.took = s.started || m.promise.Winner == election.BestInitiator && !s.took, true
		c.Started(p, now)
	case what == "take part":
		s.took = true
		c.TookPart(p)
	case what == "crash":
		s.crashed, s.unborn = true, now == 0 && !s.took && !s.back
		c.Crashed(p, now)
	default:
		leader := election.Identity(rapid.IntRange(1, len(m.ranks)+1).Draw(t, "leader"))
		if best := m.best(now); best >= 0 && rapid.IntRange(0, 7).Draw(t, "right") > 0 {
			leader = m.ranks[best].ID
		}
		d := election.Decide(m.ranks[p].ID, leader)
		if m.promise.Winner == election.Anyone {
			d.Term = rapid.IntRange(1, 3).Draw(t, "term")
		}
		m.decided(p, d, now)
		c.Decided(p, d, now)
	}
}
