package consensus_test

import (
	"fmt"
	"testing"

	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/protocols"
)

// synod is the exploration of Paxos among three processes.
func synod(initiators string) catalogtest.Search {
	s := catalogtest.Of("paxos", 3).Started(initiators)
	s.Setting.Inputs = "0,1,1"
	return s
}

// Up to so many ballots or timeouts, agreement, validity and integrity are proven: also of two proposers
// that disturb each other, and with a crash and a restart. What holds in the end is not decided, since
// ballots have no end.
func TestPaxosIsProvenUpToALimit(t *testing.T) {
	ballots := func(s catalogtest.Search, k int) catalogtest.Search {
		s.Limits.Rounds = k
		return s
	}
	for _, c := range []struct {
		catalogtest.Search
		states uint64
	}{
		{synod("0").UpTo(1), 147},
		{ballots(synod("0,1"), 2), 843},
		{synod("0,1").UpTo(1), 13168},
		{synod("0").Crashing(1).Restarting(1).UpTo(1), 11504},
		{ballots(synod("0,1").Crashing(1).Restarting(1), 2), 21078},
	} {
		e := catalogtest.Explore(t, registry, c.Search)
		if !e.Complete || e.States != c.states || e.Cut == 0 || len(e.Outside) > 0 {
			t.Errorf("%v: %d states, want %d; %d at the limit, stopped by %v, outside the model: %q", c.Search, e.States, c.states, e.Cut, e.Stopped, e.Outside)
		}
		for _, p := range e.Properties {
			want := protocols.Holds
			if p.Name == "termination" || p.Name == "rest" {
				want = protocols.Undecided
			}
			if p.Verdict != want {
				t.Errorf("%v: %s is %v", c.Search, p.Name, p.Verdict)
			}
		}
	}
}

// Runs inside the model agree: of several proposers, with crashes and restarts, and with messages lost
// if all propose.
func TestPaxosAgrees(t *testing.T) {
	c := catalogtest.NewChecker(t, registry)
	for seed := range uint64(40) {
		for n := 1; n <= 6; n++ {
			c.Run(trial.Setting{Algorithm: "paxos", N: n, Seed: seed}, families.Agreed)
			c.Run(trial.Setting{Algorithm: "paxos", N: n, Initiators: "all", Delay: "exp(1ms)", Unordered: true, Seed: seed}, families.Agreed)
		}
		c.Run(trial.Setting{Algorithm: "paxos", N: 5, F: "2", Dead: "random:2", Seed: seed}, families.Agreed)
		c.Run(trial.Setting{Algorithm: "paxos", N: 5, F: "2", Initiators: "all", Fault: "random crashes 2 in 0s..30ms", Delay: "uniform(0,1ms)", Seed: seed}, families.Agreed)
		c.Run(trial.Setting{Algorithm: "paxos", N: 5, Initiators: "all", Link: "loss 20%", Seed: seed}, families.Agreed)
		c.Run(trial.Setting{Algorithm: "paxos", N: 3, Fault: fmt.Sprintf("at %dms crash 0; at %dms restart 0", seed%7, 20+seed), Seed: seed}, families.Agreed)
	}
	c.Needs("exact", "decided")
}

var paxosDefects = []catalogtest.Defect{
	{
		Algorithm: "paxos", Name: "own value",
		Says: "a proposer ignores the values that are in promises, and proposes its own",
		File: "paxos.go",
		Is:   "			if m.Accepted > p.best {\n", Becomes: "			if m.Accepted > p.best && p.input == m.Value {\n",
	},
	{
		Algorithm: "paxos", Name: "late promise",
		Says: "a promise that comes late, with a value, changes the value of a ballot that is being accepted",
		File: "paxos.go",
		Is:   "		if p.phase == promising && m.Ballot == p.ballot {\n			if m.Accepted > p.best {\n", Becomes: "		if p.phase != idle && m.Ballot == p.ballot {\n			if m.Accepted > p.best {\n",
	},
	{
		Algorithm: "paxos", Name: "half",
		Says: "half of the processes count as a majority",
		File: "paxos.go",
		Is:   "	case votes <= len(p.votes)/2:\n", Becomes: "	case votes < len(p.votes)/2:\n",
	},
	{
		Algorithm: "paxos", Name: "no memory",
		Says: "a process that comes back does not know what it promised and accepted",
		File: "paxos.go",
		Is:   "	p.promised, p.accepted, p.value, p.proposes, p.decision = was.promised, was.accepted, was.value, was.proposes, was.decision\n", Becomes: "	p.proposes, p.decision = was.proposes, was.decision\n",
	},
	{
		Algorithm: "paxos", Name: "broken promise",
		Says: "an acceptor accepts also in a ballot that is smaller than one that it has promised",
		File: "paxos.go",
		Is:   "		if m.Ballot >= p.promised {\n", Becomes: "		if m.Ballot >= 0 {\n",
	},
}

// paxosSearches are where the defects are looked for.
var paxosSearches = map[string]catalogtest.Explored{
	"paxos": func(add catalogtest.Add) {
		add(0, trial.Setting{N: 2, F: "0", Initiators: "0,1", Inputs: "0,1"}).Limits.Rounds = 2
		add(0, trial.Setting{N: 3, Initiators: "0,1", Inputs: "0,1,1"}).Limits.Rounds = 2
		restarts := add(1, trial.Setting{N: 3, Initiators: "0,1", Inputs: "0,1,1"})
		restarts.Limits.Rounds, restarts.Budget.Restarts = 2, 1
	},
}
