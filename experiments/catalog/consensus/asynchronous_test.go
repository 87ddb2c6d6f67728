package consensus_test

import (
	"fmt"
	"iter"
	"testing"

	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/experiments/trial/search"
	"bullring/netem/explore"
	"bullring/protocols"
)

// half is the largest f with n > 2f.
func half(n int) int { return (n - 1) / 2 }

// crashing is the exploration of an algorithm with inputs and up to so many crashes.
func crashing(algorithm string, n, f, crashes int, inputs string) catalogtest.Search {
	s := catalogtest.Of(algorithm, n).Crashing(crashes)
	s.Setting.F, s.Setting.Inputs = fmt.Sprint(f), inputs
	return s
}

// If all begin with one value, Ben-Or's processes decide in round 1, and all is proven. With a perfect
// detector so is all of Chandra and Toueg, for whatever inputs.
func TestAsynchronousThresholds(t *testing.T) {
	catalogtest.Proven(t, registry, testing.Short(), []catalogtest.Proof{
		{Search: crashing("benor", 2, 0, 0, "all 1").InFull(), States: 13, Transitions: 16},
		{Search: crashing("benor", 3, 0, 0, "all 0"), States: 219, Transitions: 475},
		{Search: crashing("benor", 3, 1, 1, "all 1"), States: 4363, Transitions: 25061},
		{Search: crashing("chandratoueg", 2, 0, 0, search.Every).InFull(), States: 36, Transitions: 44},
		{Search: crashing("chandratoueg", 3, 1, 1, search.Every), States: 9596, Transitions: 39886},
		{Search: crashing("chandratoueg", 3, 1, 1, search.Every).Unordered(), States: 41206, Transitions: 254940},
		{Search: crashing("chandratoueg", 4, 1, 1, "0,1,0,1"), States: 348977, Transitions: 2736494, Deep: true},
	})
}

// For whatever inputs, whatever coins, and whatever is suspected wrongly, agreement and validity are proven
// up to some rounds. What is behind them is not decided.
func TestAsynchronousSafety(t *testing.T) {
	for _, p := range []struct {
		catalogtest.Search
		rounds              int
		states, transitions uint64
	}{
		{crashing("benor", 3, 1, 1, search.Every), 1, 13334, 67359},
		{crashing("benor", 4, 2, 0, search.Every), 1, 4799, 9112}, // n = 2f: none decides
		{crashing("benor", 3, 1, 1, search.Every), 2, 401135, 2556385},
		{crashing("chandratoueg", 3, 1, 1, search.Every).Variant("timeout"), 2, 12982, 51788},
		{crashing("chandratoueg", 3, 1, 0, search.Every).Variant("timeout"), 3, 34578, 85230},
	} {
		if p.Limits.Rounds = p.rounds; testing.Short() && p.states > 25_000 {
			continue
		}
		e := catalogtest.Explore(t, registry, p.Search)
		if e.States != p.states || e.Transitions != p.transitions || !e.Complete || e.Cut == 0 {
			t.Errorf("%v: %d states and %d transitions, complete %v, cut off %d; want %d and %d", p.Search, e.States, e.Transitions, e.Complete, e.Cut, p.states, p.transitions)
		}
		for _, property := range e.Properties {
			if want := map[bool]protocols.Verdict{true: protocols.Holds, false: protocols.Undecided}[property.Kind == explore.Always]; property.Verdict != want && property.Kind != explore.Sometimes {
				t.Errorf("%v: %s is %v, want %v", p.Search, property.Name, property.Verdict, want)
			}
		}
	}
}

// With a crash more than f, or with n = 2f, those that are left wait for ever.
func TestBelowAsynchronousThresholds(t *testing.T) {
	for _, c := range []struct {
		catalogtest.Search
		outside string
	}{
		{crashing("benor", 3, 1, 2, "all 1"), "up to 2 processes fail, and f is 1"},
		{crashing("chandratoueg", 3, 1, 2, "0,1,1"), "up to 2 processes fail, and f is 1"},
		{crashing("chandratoueg", 2, 1, 1, search.Every), "n is 2 and f is 1, and not n > 2f"},
	} {
		e := catalogtest.Explore(t, registry, c.Search)
		if run := e.Counterexample; run == nil || e.Properties[run.Property].Name != "termination" || fmt.Sprint(e.Outside) != "["+c.outside+"]" {
			t.Errorf("%v: %+v, outside the model: %q", c.Search, run, e.Outside)
		}
	}
	// Of four of Ben-Or's processes with f = 2, two are dead: no value has more than two reports. Of five
	// with f = 2 three are left, and they decide.
	c := catalogtest.NewChecker(t, registry)
	for seed := range uint64(10) {
		s := trial.Setting{Algorithm: "benor", N: 4, F: "2", Dead: "random:2", Inputs: trial.RandomInputs, Seed: seed, MaxEvents: 5_000}
		if r := c.Outside(s); r.Outcome != trial.Unfinished || r.Verdict("agreement") == protocols.Violated {
			t.Errorf("seed %d: %v", seed, r.Outcome)
		}
		s.N = 5
		c.Run(s, families.Agreed)
	}
}

// Ben-Or's five processes with a Byzantine one, n = 5f: drawn runs find one in which all others begin with 1,
// and one decides 0. Of six, drawn runs do not.
func TestBenOrAmongLiars(t *testing.T) {
	for n, violated := range map[int]bool{5: true, 6: false} {
		if testing.Short() {
			break
		}
		s := lying("benor", n, 1, 1).Variant("liars")
		s.Setting.Inputs, s.Options.Strategy = "all 1", explore.RandomWalk
		s.Options.Sampling = explore.Sampling{Seed: 1, Runs: 5, MaxSteps: 1000}
		e := catalogtest.Explore(t, registry, s)
		if run := e.Counterexample; (run != nil) != violated || violated && e.Properties[run.Property].Name != "validity" {
			t.Errorf("n %d: %+v", n, run)
		}
	}
	c, wrong := catalogtest.NewChecker(t, registry), 0
	for _, strategy := range []string{"silent", "random", "two-faced", "split"} {
		for seed := range uint64(20) {
			s := trial.Setting{Algorithm: "benor", Variant: "liars", N: 6, F: "1", Inputs: trial.RandomInputs, Delay: "exp(1ms)", Fault: "byzantine 5 as " + strategy, Seed: seed}
			c.Run(s, families.Agreed)
			s.N, s.Inputs, s.Fault, s.MaxTime = 5, "all 1", "byzantine 4 as "+strategy, "100ms"
			if c.Outside(s).Verdict("validity") == protocols.Violated {
				wrong++
			}
		}
	}
	if wrong == 0 {
		t.Error("with n = 5f no Byzantine process did harm")
	}
}

// Inside the model processes agree, whatever the delays are, and whatever a detector takes for crashed.
func TestAsynchronousRunsAgree(t *testing.T) {
	c := catalogtest.NewChecker(t, registry)
	for s := range asynchronousRuns("benor", 20) {
		c.Run(s, families.Agreed)
	}
	for s := range asynchronousRuns("chandratoueg", 20) {
		c.Run(s, families.Agreed)
		s.Detector, s.Param = "heartbeat(1ms,2ms)", "wait=1ms"
		c.Run(s, families.Agreed)
	}
	c.Needs("exact", "decided")
	c.NeedsAny("worst")
}

// asynchronousRuns are runs of an algorithm inside its model, without and with failures.
func asynchronousRuns(algorithm string, seeds uint64) iter.Seq[trial.Setting] {
	return func(yield func(trial.Setting) bool) {
		for seed := range seeds {
			for n := 2; n <= 6; n++ {
				calm := trial.Setting{Algorithm: algorithm, N: n, Initiators: "all", F: fmt.Sprint(half(n)), Seed: seed, MaxEvents: 100_000}
				crashes := calm
				crashes.Delay, crashes.Inputs = "exp(1ms)", trial.RandomInputs
				if seed%4 == 0 {
					crashes.Inputs = "all 1"
				}
				if half(n) > 0 {
					crashes.Fault = fmt.Sprintf("random crashes %d in 0s..5ms", half(n))
				}
				other := crashes
				if other.Variant = "timeout"; algorithm == "benor" {
					other.Variant, other.F, other.Fault = "liars", "0", ""
					if n == 6 {
						other.F, other.Fault = "1", "byzantine 0 as random"
					}
				}
				for _, s := range []trial.Setting{calm, crashes, other} {
					if !yield(s) {
						return
					}
				}
			}
		}
	}
}

var asynchronousDefects = []catalogtest.Defect{
	{
		Algorithm: "benor", Name: "waits for all",
		Says: "a process waits for all n messages of a phase",
		File: "benor.go",
		Is:   "< p.cfg.Processes-p.cfg.Faulty {", Becomes: "< p.cfg.Processes {",
	},
	{
		Algorithm: "benor", Name: "forgets its input",
		Says: "a process reports 0 in round 1",
		File: "benor.go",
		Is:   "	p.report(n, p.own)\n", Becomes: "	p.report(n, 0)\n",
	},
	{
		Algorithm: "benor", Name: "half is enough",
		Says: "a process proposes a value that half of the processes reported",
		File: "benor.go",
		Is:   "	return c.Processes / 2, c.Faulty, 0\n", Becomes: "	return (c.Processes - 1) / 2, c.Faulty, 0\n",
	},
	{
		Algorithm: "benor", Name: "one proposal is enough",
		Says: "a process decides for a value that one proposes",
		File: "benor.go",
		Is:   "	return c.Processes / 2, c.Faulty, 0\n", Becomes: "	return c.Processes / 2, 0, 0\n",
	},
	{
		Algorithm: "benor", Name: "stops without a word",
		Says: "a process that decides does not say so",
		File: "benor.go",
		Is:   "	tell(n, Message{Decide, said, value})\n", Becomes: "	_ = said\n",
	},
	{
		Algorithm: "chandratoueg", Name: "own estimate",
		Says: "the coordinator proposes its own estimate, and not one of the latest round",
		File: "chandratoueg.go",
		Is:   "	p.estimate, p.stamp = p.answers[0].value, p.round\n", Becomes: "	p.stamp = p.round\n",
	},
	{
		Algorithm: "chandratoueg", Name: "no stamp",
		Says: "a process does not note in which round it took its estimate",
		File: "chandratoueg.go",
		Is:   "	p.estimate, p.stamp = p.early[0].Value, p.round\n", Becomes: "	p.estimate = p.early[0].Value\n",
	},
	{
		Algorithm: "chandratoueg", Name: "waits for all",
		Says: "the coordinator waits for all estimates and answers",
		File: "chandratoueg.go",
		Is:   "return p.cfg.Processes/2 + 1 ", Becomes: "return p.cfg.Processes ",
	},
	{
		Algorithm: "chandratoueg", Name: "passes nothing on",
		Says: "a process that learns of the decision does not tell the others",
		File: "chandratoueg.go",
		Is:   "		p.decide(n, m.Value)\n", Becomes: "		p.decision = consensus.DecisionOf[V]{Made: true, Value: m.Value}\n",
	},
	{
		Algorithm: "chandratoueg", Name: "proposes nothing",
		Says: "a proposal has no value, which is taken for 0",
		File: "chandratoueg.go",
		Is:   "Round: p.round, Value: p.estimate})", Becomes: "Round: p.round})",
	},
}

// asynchronousSearches are where the defects are looked for. Ben-Or's processes may go on for ever, unless
// all begin with one value.
var asynchronousSearches = map[string]catalogtest.Explored{
	"benor": func(add catalogtest.Add) {
		add(0, trial.Setting{N: 2, F: "0", Initiators: "all", Inputs: "all 1"})
		add(1, trial.Setting{N: 3, F: "1", Initiators: "all", Inputs: "all 1"})
	},
	"chandratoueg": func(add catalogtest.Add) {
		add(0, trial.Setting{N: 2, F: "0", Initiators: "all", Inputs: search.Every})
		add(1, trial.Setting{N: 3, F: "1", Initiators: "all", Inputs: search.Every})
	},
}
