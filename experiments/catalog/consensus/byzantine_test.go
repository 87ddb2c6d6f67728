package consensus_test

import (
	"fmt"
	"testing"

	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/experiments/trial/search"
	"bullring/protocols"
)

// The largest f with n > 3f and n > 4f.
func third(n int) int   { return (n - 1) / 3 }
func quarter(n int) int { return (n - 1) / 4 }

// lying is the exploration of an algorithm with every vector of inputs and up to so many Byzantine
// processes.
func lying(algorithm string, n, f, liars int) catalogtest.Search {
	s := catalogtest.Of(algorithm, n)
	s.Setting.F, s.Setting.Inputs, s.Liars = fmt.Sprint(f), search.Every, liars
	return s
}

// gathering is the exploration of EIGStop with as many crashes as it is made for.
func gathering(n, crashes int) catalogtest.Search {
	return lying("eig", n, crashes, 0).Variant("stop").Crashing(crashes)
}

// Whatever a Byzantine process sends, the generals agree with n = 3f+1, and the phase king's processes
// with n = 4f+1.
func TestByzantineThresholds(t *testing.T) {
	half := lying("eig", 4, 1, 1)
	half.Setting.Inputs = "1,1,0,0"
	catalogtest.Proven(t, registry, testing.Short(), []catalogtest.Proof{
		{Search: lying("om", 2, 0, 0).InFull(), States: 40, Transitions: 48},
		{Search: lying("om", 4, 1, 1), States: 7536, Transitions: 9328},
		{Search: lying("om", 5, 1, 1), States: 54432, Transitions: 81920},
		{Search: lying("eig", 2, 0, 0).InFull(), States: 56, Transitions: 80},
		{Search: gathering(3, 1), States: 2262, Transitions: 3334},
		{Search: gathering(3, 2), States: 7336, Transitions: 15618},
		{Search: gathering(4, 1), States: 18880, Transitions: 27776},
		{Search: half, States: 45804, Transitions: 56056},
		{Search: lying("eig", 4, 1, 1), States: 732864, Transitions: 896896, Deep: true},
		{Search: lying("phaseking", 2, 0, 0).InFull(), States: 83, Transitions: 120},
		{Search: lying("phaseking", 5, 1, 1), States: 968922, Transitions: 1120514, Deep: true},
	})
}

// With one process less, they do not: the other side of the threshold. Nor does FloodSet, whose
// processes do not lie.
func TestBelowByzantineThresholds(t *testing.T) {
	for _, c := range []struct {
		catalogtest.Search
		violated, outside string
	}{
		{lying("om", 3, 1, 1), "validity", "n is 3 and f is 1, and not n > 3f"},
		{lying("eig", 3, 1, 1), "validity", "n is 3 and f is 1, and not n > 3f"},
		{lying("phaseking", 4, 1, 1), "validity", "n is 4 and f is 1, and not n > 4f"},
		{lying("om", 4, 0, 1), "agreement", "up to 1 processes fail, and f is 0"},
		{lying("floodset", 3, 1, 1), "validity", "a process is Byzantine"},
	} {
		e := catalogtest.Explore(t, registry, c.Search)
		run := e.Counterexample
		if run == nil || e.Properties[run.Property].Name != c.violated || fmt.Sprint(e.Outside) != "["+c.outside+"]" {
			t.Errorf("%v: %+v, outside the model: %q", c.Search, run, e.Outside)
			continue
		}
		// The run is a setting of its own, which names the Byzantine process.
		s := e.Scheduled(run)
		s.OutsideModel = true
		in, err := registry.Instance(s)
		if err != nil {
			t.Fatal(err)
		}
		if r := new(trial.Worker).Run(t.Context(), in, nil); r.Verdict(c.violated) != protocols.Violated || len(in.LyingProcesses()) != 1 {
			t.Errorf("%v, played: %s is %v, Byzantine are %v", c.Search, c.violated, r.Verdict(c.violated), in.LyingProcesses())
		}
		// And with fewer processes there is nothing to compare the threshold with.
		if small := e.Smallest(t.Context(), registry); small.Instances[0].N != c.Setting.N && c.outside != "a process is Byzantine" && c.Setting.F != "0" {
			t.Errorf("%v: smaller with n %d", c.Search, small.Instances[0].N)
		}
	}
}

// Runs with as many Byzantine processes as the model allows agree, whatever these do.
func TestByzantineRunsAgree(t *testing.T) {
	c := catalogtest.NewChecker(t, registry)
	lied := uint64(0)
	for _, a := range []struct {
		name    string
		n, f    int
		liars   string
		weather string
	}{{"om", 4, 1, "byzantine 0", ""}, {"om", 4, 1, "byzantine 2", ""}, {"om", 7, 2, "byzantine 0 3", "uniform(0,1ms)"}, {"om", 7, 2, "byzantine 1 2", ""}, {"eig", 4, 1, "byzantine 3", ""}, {"eig", 7, 2, "byzantine 0 6", "uniform(0,1ms)"}, {"phaseking", 5, 1, "byzantine 0", "uniform(0,1ms)"}, {"phaseking", 9, 2, "byzantine 0 1", ""}} {
		for _, strategy := range []string{"silent", "random", "two-faced"} {
			for seed := range uint64(20) {
				r := c.Run(trial.Setting{Algorithm: a.name, N: a.n, F: fmt.Sprint(a.f), Inputs: trial.RandomInputs, Delay: a.weather, Fault: a.liars + " as " + strategy, Seed: seed}, families.Agreed)
				if strategy == "silent" && r.Lied.Messages() != 0 {
					t.Errorf("%s: silent processes sent %d messages", a.name, r.Lied.Messages())
				}
				lied += r.Lied.Messages()
			}
		}
	}
	c.NeedsAny("worst")
	if lied == 0 {
		t.Error("no process lied")
	}
}

// What Byzantine processes send is counted apart: kinds, bits and the most that one process sent are of
// the others.
func TestLiesAreCountedApart(t *testing.T) {
	for _, c := range []struct {
		algorithm, fault string
		n                int
		sent, lied, most uint64
	}{
		{"om", "byzantine 0 as two-faced", 4, 6, 3, 2},       // the lieutenants pass on what came
		{"om", "byzantine 0 as silent", 4, 0, 0, 0},          // and nothing else
		{"om", "byzantine 1 as two-faced", 4, 7, 2, 3},       // 3 of the commander, 2 of each honest lieutenant
		{"phaseking", "byzantine 4 as random", 5, 40, 8, 12}, // 4 twice of each, and 4 of each king
	} {
		in, err := registry.Instance(trial.Setting{Algorithm: c.algorithm, N: c.n, F: "1", Fault: c.fault, Inputs: "all 1"})
		if err != nil {
			t.Fatal(err)
		}
		r := new(trial.Worker).Run(t.Context(), in, nil)
		if r.Counters.Messages() != c.sent || r.Lied.Messages() != c.lied || r.Counters.MaxSent != c.most || r.Counters.Delivered != c.sent+c.lied {
			t.Errorf("%s, %s: %d messages, %d of Byzantine processes, at most %d of another, %d delivered; want %d, %d, %d",
				c.algorithm, c.fault, r.Counters.Messages(), r.Lied.Messages(), r.Counters.MaxSent, r.Counters.Delivered, c.sent, c.lied, c.most)
		}
	}
}

var omDefects = []catalogtest.Defect{
	{
		Algorithm: "om", Name: "first order",
		Says: "a lieutenant decides for what the commander told it, whatever the others were told",
		File: "om.go",
		Is:   "	return consensus.Settle(told, p.id, p.cfg.Processes, p.cfg.Faulty+1, Path{}.With(commander))\n", Becomes: "	return told[Path{}.With(commander)]\n",
	},
	{
		Algorithm: "om", Name: "a round too few",
		Says: "a general decides behind f rounds",
		File: "om.go",
		Is:   "p.rounds == p.cfg.Faulty+1 {", Becomes: "p.rounds == max(p.cfg.Faulty, 1) {",
	},
	{
		Algorithm: "om", Name: "told all",
		Says: "a lieutenant passes an order on also to those that have seen it",
		File: "om.go",
		Is:   "!o.Path.Has(to) {", Becomes: "to != p.id {",
	},
}

var eigDefects = []catalogtest.Defect{
	{
		Algorithm: "eig", Name: "always the default",
		Says: "stop: a process decides for 0, also if it has heard of one value alone",
		File: "eig.go",
		Is:   "	return p.heard[0].Value\n", Becomes: "	return 0\n",
	},
	{
		Algorithm: "eig", Name: "first values",
		Says: "a process decides by what each one told it, whatever the others were told",
		File: "eig.go",
		Is:   "p.cfg.Faulty+1, consensus.Path{})", Becomes: "1, consensus.Path{})",
	},
	{
		Algorithm: "eig", Name: "a round too few",
		Says: "a process decides behind f rounds",
		File: "eig.go",
		Is:   "p.rounds == p.cfg.Faulty+1 {", Becomes: "p.rounds == max(p.cfg.Faulty, 1) {",
	},
	{
		Algorithm: "eig", Name: "own value",
		Says: "stop: a process with several values decides for its own",
		File: "eig.go",
		Is:   "			return 0\n", Becomes: "			return p.heard[0].Value\n",
	},
}

var phaseKingDefects = []catalogtest.Defect{
	{
		Algorithm: "phaseking", Name: "small majority",
		Says: "a process keeps to its majority if that has more than n/2 votes",
		File: "phaseking.go",
		Is:   "2*p.votes > p.cfg.Processes+2*p.cfg.Faulty {", Becomes: "2*p.votes > p.cfg.Processes {",
	},
	{
		Algorithm: "phaseking", Name: "a phase too few",
		Says: "a process decides behind f phases",
		File: "phaseking.go",
		Is:   "p.rounds == 2*(p.cfg.Faulty+1) {", Becomes: "p.rounds == 2*max(p.cfg.Faulty, 1) {",
	},
	{
		Algorithm: "phaseking", Name: "absolute king",
		Says: "a process follows the king, whatever its majority",
		File: "phaseking.go",
		Is:   "2*p.votes > p.cfg.Processes+2*p.cfg.Faulty {", Becomes: "p.votes > p.cfg.Processes {",
	},
	{
		Algorithm: "phaseking", Name: "no vote of its own",
		Says: "a process does not count its own preference",
		File: "phaseking.go",
		Is:   "ones, last := p.prefers, protocols.ID(-1)", Becomes: "ones, last := 0, protocols.ID(-1)",
	},
}

// byzantineSearches are where the defects are looked for.
var byzantineSearches = map[string]catalogtest.Explored{
	"om": func(add catalogtest.Add) {
		add(0, trial.Setting{N: 2, F: "0", Initiators: "all", Inputs: search.Every})
		add(0, trial.Setting{N: 4, F: "1", Initiators: "all", Inputs: search.Every, Fault: "byzantine 0 as random"})
		add(0, trial.Setting{N: 4, F: "1", Initiators: "all", Inputs: search.Every, Fault: "byzantine 2 as random"})
	},
	"eig": func(add catalogtest.Add) {
		add(0, trial.Setting{N: 2, F: "0", Initiators: "all", Inputs: search.Every})
		add(0, trial.Setting{N: 2, F: "1", Variant: "stop", Initiators: "all", Inputs: search.Every})
		add(0, trial.Setting{N: 4, F: "1", Initiators: "all", Inputs: "0,1,1,0", Fault: "byzantine 0 as random"})
		add(1, trial.Setting{N: 3, F: "1", Variant: "stop", Initiators: "all", Inputs: search.Every})
	},
	"phaseking": func(add catalogtest.Add) {
		add(0, trial.Setting{N: 2, F: "0", Initiators: "all", Inputs: search.Every})
	},
}
