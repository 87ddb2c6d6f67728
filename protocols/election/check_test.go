package election_test

import (
	"cmp"
	"testing"
	"time"

	"bullring/protocols"
	"bullring/protocols/election"
)

const ms = time.Millisecond

// of is a checker of processes with the identities 10, 20, 30... by address.
func of(n int, promise election.Promise) *election.Checker {
	ranks := make([]election.Rank, n)
	for p := range ranks {
		ranks[p].ID = election.Identity(10 * (p + 1))
	}
	return election.NewChecker(election.Listed(ranks), election.Max, promise)
}

// elects has a process decide for the identity of the process at an address.
func elects(c *election.Checker, p, leader protocols.ID, now time.Duration) {
	c.Decided(p, election.Decide(election.Identity(10*(p+1)), election.Identity(10*(leader+1))), now)
}

// everybodyElects has the first n processes start at 0 and decide at 5 ms.
func everybodyElects(c *election.Checker, n, leader protocols.ID) {
	for p := range n {
		c.Started(p, 0)
	}
	for p := range n {
		elects(c, p, leader, 5*ms)
	}
}

func TestVerdicts(t *testing.T) {
	const holds, violated, undecided = protocols.Holds, protocols.Violated, protocols.Undecided
	for _, c := range []struct {
		name              string
		promise           election.Promise
		happens           func(c *election.Checker)
		unfinished        bool
		e1, e2            protocols.Verdict
		correct, followed bool
		leaders           int
	}{
		{name: "nothing happened yet", happens: func(*election.Checker) {}, unfinished: true, e1: undecided, e2: undecided},
		{name: "nobody ever started", happens: func(*election.Checker) {}, e1: holds, e2: undecided},
		{name: "the best is elected", happens: func(c *election.Checker) { everybodyElects(c, 3, 2) },
			e1: holds, e2: holds, correct: true, followed: true, leaders: 1},
		{name: "the best is elected, and the run went on", happens: func(c *election.Checker) { everybodyElects(c, 3, 2) },
			unfinished: true, e1: undecided, e2: undecided, correct: true, followed: true, leaders: 1},
		{name: "a worse one is elected", happens: func(c *election.Checker) { everybodyElects(c, 3, 1) },
			e1: violated, e2: holds, followed: true, leaders: 1},
		{name: "a worse one is elected by somebody who sees it", happens: func(c *election.Checker) { everybodyElects(c, 3, 1); everybodyElects(c, 3, 2) },
			unfinished: true, e1: violated, e2: undecided, correct: true, followed: true, leaders: 1},
		{name: "an identity that nobody has", happens: func(c *election.Checker) { everybodyElects(c, 3, 7) }, e1: violated, e2: holds},
		{name: "dead from the start, elected all the same", happens: func(c *election.Checker) {
			c.Crashed(2, 0)
			everybodyElects(c, 2, 2)
		}, e1: violated, e2: holds},
		{name: "dead from the start, and the best that lives is elected", happens: func(c *election.Checker) {
			c.Crashed(2, 0)
			everybodyElects(c, 2, 1)
		}, e1: holds, e2: holds, correct: true, followed: true, leaders: 1},
		{name: "crashed at 0 after it took part, and elected", happens: func(c *election.Checker) {
			c.TookPart(2)
			c.Crashed(2, 0)
			everybodyElects(c, 2, 2)
		}, e1: holds, e2: holds}, // the starts were at the instant of the crash, and so not after it
		{name: "crashed at the first instant after 0, and elected", happens: func(c *election.Checker) {
			c.Crashed(2, 1)
			everybodyElects(c, 2, 2)
		}, e1: holds, e2: holds},
		{name: "a leader dies and nobody notices", happens: func(c *election.Checker) {
			everybodyElects(c, 3, 2)
			c.Crashed(2, 9*ms)
		}, e1: holds, e2: holds, leaders: 1},
		{name: "a leader dies and somebody elects another", happens: func(c *election.Checker) {
			everybodyElects(c, 3, 2)
			c.Crashed(2, 9*ms)
			elects(c, 0, 1, 20*ms)
			elects(c, 1, 1, 20*ms)
		}, e1: holds, e2: holds, correct: true, followed: true, leaders: 1},
		{name: "one who took part has not decided", happens: func(c *election.Checker) {
			c.Started(0, 0)
			elects(c, 2, 2, ms)
		}, e1: holds, e2: violated, leaders: 1},
		{name: "only the dead took part", happens: func(c *election.Checker) {
			c.Started(0, 0)
			c.Crashed(0, ms)
		}, e1: holds, e2: undecided},
		{name: "a crash that nobody noticed", happens: func(c *election.Checker) {
			c.Started(0, 0)
			c.Crashed(2, ms)
		}, e1: holds, e2: undecided},
		{name: "a crash that is promised to be noticed", promise: election.Promise{Notices: true}, happens: func(c *election.Checker) {
			c.Started(0, 0)
			c.Crashed(2, ms)
		}, e1: holds, e2: violated},
		{name: "a start while the fault disturbs", promise: election.Promise{Rest: 5 * ms}, happens: func(c *election.Checker) {
			c.Crashed(2, ms)
			c.Started(0, 6*ms)
		}, e1: holds, e2: undecided},
		{name: "a start when all was calm", promise: election.Promise{Rest: 5 * ms}, happens: func(c *election.Checker) {
			c.Crashed(2, ms)
			c.Started(0, 6*ms+1)
		}, e1: holds, e2: violated},
		{name: "a calm start, and then another crash", promise: election.Promise{Rest: 5 * ms}, happens: func(c *election.Checker) {
			c.Crashed(2, ms)
			c.Started(0, 9*ms)
			c.Crashed(1, 10*ms)
		}, e1: holds, e2: undecided},
		{name: "a calm start, and everybody follows a worse one", promise: election.Promise{Rest: ms, Settle: time.Hour}, happens: func(c *election.Checker) {
			c.Crashed(2, ms)
			c.Restarted(2, 2*ms)
			c.Started(0, 9*ms)
			for p := range protocols.ID(3) {
				elects(c, p, 1, 10*ms)
			}
		}, e1: holds, e2: violated, followed: true, leaders: 1},
		{name: "passed over just after it came back", promise: election.Promise{Settle: 3 * ms}, happens: func(c *election.Checker) {
			c.Crashed(2, ms)
			c.Restarted(2, 2*ms)
			elects(c, 1, 1, 5*ms)
		}, e1: holds, e2: undecided, leaders: 1},
		{name: "passed over when it had settled", promise: election.Promise{Settle: 3 * ms}, happens: func(c *election.Checker) {
			c.Crashed(2, ms)
			c.Restarted(2, 2*ms)
			elects(c, 1, 1, 5*ms+1)
		}, e1: violated, e2: undecided, leaders: 1},
		{name: "it comes back and is elected", happens: func(c *election.Checker) {
			c.Crashed(2, ms)
			c.Restarted(2, 2*ms)
			everybodyElects(c, 3, 2)
		}, e1: holds, e2: holds, correct: true, followed: true, leaders: 1},
		{name: "a leader that comes back knows nothing", happens: func(c *election.Checker) {
			everybodyElects(c, 3, 2)
			c.Crashed(2, 9*ms)
			c.Restarted(2, 10*ms)
		}, e1: holds, e2: undecided, leaders: 1},
		{name: "everybody dies", happens: func(c *election.Checker) {
			for p := range protocols.ID(3) {
				c.Crashed(p, ms)
			}
		}, e1: holds, e2: holds},
		{name: "only the leader is promised to know", promise: election.Promise{LeaderOnly: true}, happens: func(c *election.Checker) {
			elects(c, 2, 2, ms)
		}, e1: holds, e2: holds, correct: true, followed: true, leaders: 1},
		{name: "no leader, where one is promised", promise: election.Promise{LeaderOnly: true}, happens: func(*election.Checker) {},
			e1: holds, e2: violated},
		{name: "two leaders, where one is promised", promise: election.Promise{LeaderOnly: true}, happens: func(c *election.Checker) {
			elects(c, 2, 2, ms)
			elects(c, 1, 1, ms)
		}, e1: violated, e2: violated, leaders: 2},
		{name: "the wrong one alone, where one is promised", promise: election.Promise{LeaderOnly: true}, happens: func(c *election.Checker) {
			elects(c, 1, 1, ms)
		}, e1: violated, e2: holds, followed: true, leaders: 1},
		{name: "one is overtaken, and at rest the best leads", promise: election.Promise{Winner: election.BestAtRest, LeaderOnly: true}, happens: func(c *election.Checker) {
			elects(c, 1, 1, ms)
			elects(c, 2, 2, ms)
			c.Decided(1, election.Decision{}, 2*ms)
		}, e1: holds, e2: holds, correct: true, followed: true, leaders: 2},
		{name: "another leads at rest", promise: election.Promise{Winner: election.BestAtRest, LeaderOnly: true}, happens: func(c *election.Checker) {
			elects(c, 1, 1, ms)
		}, e1: holds, e2: violated, followed: true, leaders: 1},
		{name: "two lead at rest", promise: election.Promise{Winner: election.BestAtRest, LeaderOnly: true}, happens: func(c *election.Checker) {
			elects(c, 1, 1, ms)
			elects(c, 2, 2, ms)
		}, e1: holds, e2: violated, leaders: 2},
		{name: "one leads on the way", promise: election.Promise{Winner: election.BestAtRest, LeaderOnly: true}, happens: func(c *election.Checker) {
			elects(c, 1, 1, ms)
		}, unfinished: true, e1: undecided, e2: undecided, followed: true, leaders: 1},
		{name: "two leaders, until one follows the other, which is elected again", happens: func(c *election.Checker) {
			elects(c, 1, 1, ms)
			elects(c, 2, 2, ms)
			everybodyElects(c, 3, 2)
			c.Decided(2, election.Decision{Status: election.Leader, Leader: 30, Term: 2}, 6*ms)
		}, e1: violated, e2: holds, correct: true, followed: true, leaders: 2},
		{name: "a leader changes its mind", happens: func(c *election.Checker) {
			everybodyElects(c, 3, 2)
			c.Decided(2, election.Decision{}, 6*ms)
		}, e1: holds, e2: violated, leaders: 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			checker := of(3, c.promise)
			c.happens(checker)
			checks := checker.Checks(!c.unfinished)
			if checks[0].Name != "E1" || checks[0].Verdict != c.e1 || checks[1].Name != "E2" || checks[1].Verdict != c.e2 {
				t.Errorf("E1 %v (%s), E2 %v (%s); want %v, %v", checks[0].Verdict, checks[0].Detail, checks[1].Verdict, checks[1].Detail, c.e1, c.e2)
			}
			if got := checker.Correct(); got != c.correct {
				t.Errorf("correct is %v", got)
			}
			if got := checker.Followed(); got != c.followed {
				t.Errorf("followed is %v", got)
			}
			if got := checker.MostLeaders(); got != c.leaders {
				t.Errorf("at most %d leaders, want %d", got, c.leaders)
			}
			if broke := checks[0].Broke; (broke != nil) != (c.e1 == violated) {
				t.Errorf("E1 is %v, broken at %v", checks[0].Verdict, broke)
			}
		})
	}
}

// What broke E1 is named by process, instant and change, and is the first of all.
// An algorithm may promise another winner than the best process that lives.
func TestWinners(t *testing.T) {
	const holds, violated = protocols.Holds, protocols.Violated
	initiator := election.Promise{Winner: election.BestInitiator}
	anyone := election.Promise{Winner: election.Anyone}
	start := func(c *election.Checker, ids ...protocols.ID) {
		for _, p := range ids {
			c.Started(p, 0)
		}
	}
	follow := func(c *election.Checker, leader protocols.ID) {
		for p := range protocols.ID(3) {
			elects(c, p, leader, 5*ms)
		}
	}
	inTerm := func(c *election.Checker, p, leader protocols.ID, term int) {
		d := election.Decide(election.Identity(10*(p+1)), election.Identity(10*(leader+1)))
		d.Term = term
		c.Decided(p, d, 5*ms)
	}
	for _, c := range []struct {
		name    string
		promise election.Promise
		happens func(c *election.Checker)
		e1, e2  protocols.Verdict
		correct bool
	}{
		{"the best initiator", initiator, func(c *election.Checker) { start(c, 0, 1); follow(c, 1) }, holds, holds, true},
		{"a worse initiator", initiator, func(c *election.Checker) { start(c, 0, 1); follow(c, 0) }, violated, holds, false},
		{"nobody who started", initiator, func(c *election.Checker) { start(c, 0, 1); follow(c, 2) }, violated, holds, false},
		{"one who started too late", initiator, func(c *election.Checker) { start(c, 0); c.TookPart(2); start(c, 2); follow(c, 0) }, holds, holds, true},
		{"one who started too late, elected", initiator, func(c *election.Checker) { start(c, 0); c.TookPart(2); start(c, 2); follow(c, 2) }, violated, holds, false},
		{"one who started twice", initiator, func(c *election.Checker) { start(c, 0, 1, 1); follow(c, 1) }, holds, holds, true},
		{"anyone", anyone, func(c *election.Checker) { start(c, 0, 1, 2); follow(c, 0) }, holds, holds, true},
		{"anyone, and then another", anyone, func(c *election.Checker) { start(c, 0, 1, 2); follow(c, 0); follow(c, 1) }, violated, holds, true},
		{"anyone, and then another in the next term", anyone, func(c *election.Checker) {
			start(c, 0, 1, 2)
			for term := 1; term <= 2; term++ {
				for p := range protocols.ID(3) {
					inTerm(c, p, protocols.ID(term), term)
				}
			}
		}, holds, holds, true},
		{"two in an earlier term", anyone, func(c *election.Checker) {
			start(c, 0, 1, 2)
			inTerm(c, 0, 0, 4)
			inTerm(c, 1, 1, 3)
			inTerm(c, 2, 2, 3)
		}, violated, holds, false},
		{"one that says nothing of identities", election.Promise{Winner: election.Anyone, Anonymous: true, LeaderOnly: true}, func(c *election.Checker) {
			start(c, 0, 1, 2)
			c.Decided(1, election.Decision{Status: election.Leader}, 5*ms)
		}, holds, holds, true},
		{"two that say nothing of identities", election.Promise{Winner: election.Anyone, Anonymous: true, LeaderOnly: true}, func(c *election.Checker) {
			start(c, 0, 1, 2)
			c.Decided(1, election.Decision{Status: election.Leader}, 5*ms)
			c.Decided(2, election.Decision{Status: election.Leader}, 5*ms)
		}, violated, violated, false},
	} {
		checker := of(3, c.promise)
		c.happens(checker)
		checks := checker.Checks(true)
		if checks[0].Verdict != c.e1 || checks[1].Verdict != c.e2 || checker.Correct() != c.correct {
			t.Errorf("%s: E1 %v (%s), E2 %v (%s), correct %v; want %v, %v, %v", c.name,
				checks[0].Verdict, checks[0].Detail, checks[1].Verdict, checks[1].Detail, checker.Correct(), c.e1, c.e2, c.correct)
		}
	}
}

func TestWhereSafetyBroke(t *testing.T) {
	c := of(3, election.Promise{})
	elects(c, 0, 2, ms)
	elects(c, 1, 0, 2*ms)
	elects(c, 1, 2, 2*ms)
	elects(c, 0, 1, 3*ms)
	want := protocols.Step{Process: 1, At: 2 * ms, Change: 2}
	if got := c.Checks(true)[0].Broke; got == nil || *got != want {
		t.Errorf("E1 broke at %+v, want %+v", got, want)
	}
}

// With the order reversed the smallest rank is the best.
func TestOrder(t *testing.T) {
	ranks := []election.Rank{{Attr: 2, ID: 1}, {Attr: 1, ID: 9}, {Attr: 1, ID: 8}}
	for order, best := range map[election.Order]int{election.Max: 0, election.Min: 2} {
		for p := range ranks {
			c := election.NewChecker(election.Listed(ranks), order, election.Promise{LeaderOnly: true})
			c.Decided(protocols.ID(p), election.Decide(ranks[p].ID, ranks[p].ID), ms)
			if good := c.Checks(true)[0].Verdict == protocols.Holds; good != (p == best) || c.Correct() != good {
				t.Errorf("order %d: that %v leads is good %v, correct %v", order, ranks[p], good, c.Correct())
			}
		}
	}
}

// Where elections are limited in number nothing is promised once a process has given up
// in the last of them; to give up before is no excuse.
func TestGivingUp(t *testing.T) {
	for _, c := range []struct {
		name  string
		terms int
		term  [3]int // in which they gave up, 0 for those that follow 10
		want  protocols.Verdict
	}{
		{"nobody", 2, [3]int{}, protocols.Holds},
		{"one, in the last term", 2, [3]int{0, 0, 2}, protocols.Undecided},
		{"all, in the last term", 2, [3]int{2, 2, 2}, protocols.Undecided},
		{"one in the last term and one before", 2, [3]int{0, 2, 1}, protocols.Undecided},
		{"one, before the last term", 2, [3]int{0, 0, 1}, protocols.Violated},
		{"where there is no last term", 0, [3]int{0, 0, 2}, protocols.Violated},
	} {
		checker := of(3, election.Promise{Winner: election.Anyone, Terms: c.terms})
		for p := range protocols.ID(3) {
			checker.Started(p, 0)
			d := election.Decision{Term: c.term[p]}
			if d.Term == 0 {
				d = election.Decide(election.Identity(10*(p+1)), 10)
			}
			checker.Decided(p, d, 5*ms)
		}
		if e2 := checker.Checks(true)[1]; e2.Verdict != c.want {
			t.Errorf("%s gave up: E2 %v (%s), want %v", c.name, e2.Verdict, e2.Detail, c.want)
		}
	}
}

// The dead have no decisions, and do not lead.
func TestTheDeadDecideNothing(t *testing.T) {
	c := of(3, election.Promise{})
	everybodyElects(c, 3, 2)
	c.Crashed(2, 9*ms)
	ds := c.Decisions()
	if ds[2] != (election.Decision{}) || ds[0].Leader != 30 || len(c.Leaders()) != 0 {
		t.Errorf("decisions %v, leaders %v", ds, c.Leaders())
	}
}

// What is said of two leaders names the term, if there are terms.
func TestTwoInATerm(t *testing.T) {
	for term, want := range []string{
		"process 1 elected 20, and 10 was elected before, at 1ms",
		"process 1 elected 20 in term 1, in which 10 was elected before, at 1ms",
	} {
		c := of(3, election.Promise{Winner: election.Anyone})
		for p := range protocols.ID(2) {
			d := election.Decide(election.Identity(10*(p+1)), election.Identity(10*(p+1)))
			d.Term = term
			c.Decided(p, d, ms)
		}
		if got := c.Checks(true)[0].Detail; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A ring that is turned is the same ring: what is known of each process goes along.
func TestRotate(t *testing.T) {
	c := of(3, election.Promise{})
	c.Started(0, 0)
	c.Crashed(2, ms)
	elects(c, 1, 1, 2*ms)
	before := c.Decisions()
	for turns := range 3 {
		c.Rotate()
		now := c.Decisions()
		for p := range 3 {
			if now[(p+turns+1)%3] != before[p] {
				t.Errorf("after %d turns: %v; before %v", turns+1, now, before)
			}
		}
		leader := protocols.ID((1 + turns + 1) % 3)
		if got := c.Leaders(); len(got) != 1 || got[0] != leader {
			t.Errorf("after %d turns %v lead, and not %d", turns+1, got, leader)
		}
	}
	elects(c, 0, 1, 3*ms) // the other one that lives
	if checks := c.Checks(true); checks[0].Verdict != protocols.Holds || !c.Correct() {
		t.Errorf("after all turns: %+v, correct %v", checks, c.Correct())
	}
	c.Rotate()
	if !c.Followed() || !c.Correct() {
		t.Error("after a turn, nobody follows the leader any more")
	}
	elects(c, 1, 0, 4*ms) // itself
	if c.Correct() || c.Checks(true)[0].Verdict != protocols.Violated {
		t.Error("after a turn, the worst is elected unnoticed")
	}
}

func TestRanks(t *testing.T) {
	for _, c := range []struct {
		rank election.Rank
		text string
		bits int
	}{{election.Rank{ID: 7}, "7", 64}, {election.Rank{Attr: 2.5, ID: 7}, "2.5:7", 128}} {
		if c.rank.String() != c.text || c.rank.Bits() != c.bits {
			t.Errorf("%v has %d bits; want %s and %d", c.rank, c.rank.Bits(), c.text, c.bits)
		}
	}
	sorted := []election.Rank{{Attr: 1, ID: 9}, {Attr: 2, ID: 1}, {Attr: 2, ID: 3}}
	for i, r := range sorted {
		for j, s := range sorted {
			if got := r.Compare(s); got != cmp.Compare(i, j) {
				t.Errorf("%v and %v compare as %d", r, s, got)
			}
		}
	}
}
