package broadcast_test

import (
	"fmt"
	"testing"

	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/protocols"
)

// among is the exploration of Bracha's broadcast with a plan that says who is Byzantine. A process
// initiates.
func among(n, f int, origin, fault string) catalogtest.Search {
	s := withF(asked("bracha", n, 0, ""), f).Started(origin)
	s.Setting.Fault = fault
	return s
}

// lying is the exploration with one Byzantine process, whichever it is and whatever it sends. Process 0
// initiates.
func lying(n, f int) catalogtest.Search {
	s := among(n, f, "0", "")
	s.Liars = 1
	return s
}

// With n > 3f all is proven, whether the origin or another process lies or crashes. Without READY, a
// crash does no harm to four.
func TestBrachaProven(t *testing.T) {
	catalogtest.Proven(t, registry, testing.Short(), []catalogtest.Proof{
		{Search: asked("bracha", 2, 0, "").Started("all"), States: 21, Transitions: 25},
		{Search: asked("bracha", 3, 0, "").InFull(), States: 935, Transitions: 3349},
		{Search: asked("bracha", 3, 0, "").InFull().Unordered(), States: 4643, Transitions: 25389},
		{Search: asked("bracha", 3, 0, "requests=2"), States: 9668, Transitions: 24497},
		{Search: asked("bracha", 4, 1, ""), States: 431433, Transitions: 3809981},
		{Search: asked("bracha", 4, 1, "").Variant("unready"), States: 12740, Transitions: 76086, Outside: true},
		{Search: among(4, 1, "0", "byzantine 0 as split"), States: 17644, Transitions: 78149},
		{Search: among(4, 1, "0", "byzantine 0 as split").Unordered(), States: 221545, Transitions: 1770773},
		{Search: among(4, 1, "0", "byzantine 0 as two-faced"), States: 18338, Transitions: 80994},
		{Search: among(4, 1, "0", "byzantine 3 as split"), States: 90355, Transitions: 444773},
		{Search: lying(4, 1), States: 45077360, Transitions: 222396244, Deep: true},
	})
}

// With n = 3f a process that lies, or says nothing, has others wait for ever. With an f that is too
// small, two processes deliver different values, or one delivers what nobody broadcast. Without READY a lying
// origin divides four processes.
func TestBrachaOtherSide(t *testing.T) {
	const threshold, tooMany, wrong = "n is 3 and f is 1, and not n > 3f", "up to 1 processes fail, and f is 0", "items are delivered without READY"
	for _, c := range []struct {
		catalogtest.Search
		violated string
		steps    int
		outside  string
	}{
		{lying(3, 1), "validity", 7, threshold},
		{among(3, 1, "0", "byzantine 0 as random"), "agreement", 13, threshold},
		{among(3, 1, "0", "byzantine 2 as split"), "validity", 13, threshold},
		{lying(3, 0), "no creation", 4, tooMany},
		{among(3, 0, "1", "byzantine 1 as split"), "agreement", 15, tooMany},
		{among(4, 1, "0", "byzantine 0 as split").Variant("unready"), "agreement", 16, wrong},
	} {
		e := catalogtest.Explore(t, registry, c.Search)
		run := e.Counterexample
		if run == nil || e.Properties[run.Property].Name != c.violated || len(run.Steps) != c.steps || fmt.Sprint(e.Outside) != "["+c.outside+"]" {
			t.Errorf("%v: %+v, outside the model: %q; want %s in %d steps", c.Search, run, e.Outside, c.violated, c.steps)
			continue
		}
		s := e.Scheduled(run)
		s.OutsideModel = true
		in, err := registry.Instance(s)
		if err != nil {
			t.Fatal(err)
		}
		if r := new(trial.Worker).Run(t.Context(), in, nil); r.Verdict(c.violated) != protocols.Violated || len(in.LyingProcesses()) != 1 {
			t.Errorf("%v, played: %s is %v, Byzantine are %v", c.Search, c.violated, r.Verdict(c.violated), in.LyingProcesses())
		}
	}
}

// Runs with as many Byzantine processes as the model allows come out right, whatever these do; with n = 3f
// some do not. What the others send is at most what theory says.
func TestBrachaAmongLiars(t *testing.T) {
	c, wrong, lied, seeds := catalogtest.NewChecker(t, registry), 0, uint64(0), uint64(12)
	if testing.Short() {
		seeds = 3
	}
	for _, strategy := range []string{"silent", "random", "two-faced", "split"} {
		for seed := range seeds {
			for _, param := range []string{"", "requests=2,reactions=1", "requests=3,think=exp(2ms)", "requests=2,think=exp(2ms),loop=open"} {
				s := trial.Setting{Algorithm: "bracha", N: 4, F: "1", Param: param, Delay: "exp(1ms)", Unordered: true, Seed: seed}
				for _, liar := range []string{"0", "3"} {
					s.Fault = "byzantine " + liar + " as " + strategy
					lied += c.Run(s, families.Delivered).Lied.Messages()
				}
				s.N, s.F, s.Fault = 7, "2", "byzantine 1 5 as "+strategy
				c.Run(s, families.Delivered)
				s.Fault = "byzantine 1 as " + strategy + "; at 1ms crash 2"
				c.Run(s, families.Delivered)
				s.N, s.Fault = 6, "byzantine 1 5 as "+strategy
				if c.Outside(s).Outcome != families.Delivered {
					wrong++
				}
			}
		}
	}
	c.NeedsAny("worst")
	if lied == 0 || wrong == 0 {
		t.Errorf("%d lies, %d runs with n = 3f went wrong", lied, wrong)
	}
}

var brachaDefects = []catalogtest.Defect{
	{
		Algorithm: "bracha", Name: "one too few",
		Says: "a process is ready for what one process less than (n+f)/2 has echoed",
		File: "bracha.go",
		Is:   "2*count(&i.echoes, from, m.Item.Value) > n.Degree()+1+p.cfg.Faulty {", Becomes: "2*count(&i.echoes, from, m.Item.Value)+2 > n.Degree()+1+p.cfg.Faulty {",
	},
	{
		Algorithm: "bracha", Name: "waits for all",
		Says: "a process is ready for what all have echoed",
		File: "bracha.go",
		Is:   "2*count(&i.echoes, from, m.Item.Value) > n.Degree()+1+p.cfg.Faulty {", Becomes: "count(&i.echoes, from, m.Item.Value) > n.Degree() {",
	},
	{
		Algorithm: "bracha", Name: "no amplification",
		Says: "a process is not ready for that for which f+1 are",
		File: "bracha.go",
		Is:   "if readies > p.cfg.Faulty && !i.ready {", Becomes: "if readies < 0 {",
	},
	{
		Algorithm: "bracha", Name: "first READY",
		Says: "a process delivers that for which one process is ready",
		File: "bracha.go",
		Is:   "if readies > 2*p.cfg.Faulty {", Becomes: "if readies > 0 {",
	},
	{
		Algorithm: "bracha", Name: "not noted",
		Says: "a process forgets what it has delivered",
		File: "bracha.go",
		Is:   "i.delivered, i.readies = true, nil", Becomes: "i.readies = nil",
	},
}

// brachaSearches is where the defects are looked for.
func brachaSearches(add catalogtest.Add) {
	add(0, twice(2))
	for _, fault := range []string{"byzantine 3 as silent", "byzantine 3 as split", "byzantine 0 as split"} {
		add(0, trial.Setting{N: 4, F: "1", Initiators: "0", Fault: fault})
	}
}

// brachaRuns are runs inside the model, with a process that crashes or is Byzantine.
func brachaRuns(yield func(trial.Setting) bool) {
	for seed := range uint64(100) {
		for _, fault := range []string{"random crashes 1 in 0s..4ms", "byzantine 0 as split", "byzantine 3 as random"} {
			s := trial.Setting{Algorithm: "bracha", N: 4 + int(seed%2), F: "1", Param: "requests=2,reactions=1", Delay: "exp(1ms)", Fault: fault, Seed: seed, MaxEvents: 10_000}
			if !yield(s) {
				return
			}
		}
	}
}
