package families_test

import (
	"testing"

	"bullring/experiments/catalog"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/experiments/trial/search"
	"bullring/protocols"
)

func criticality(t *testing.T, s trial.Setting, strike search.Strike) *search.Criticality {
	t.Helper()
	c, err := search.FindCritical(t.Context(), catalog.New(), s, strike, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Where everybody follows a worse leader there is another leader, and no split.
func TestEffectsOfLosingTheBest(t *testing.T) {
	s := trial.Setting{Algorithm: "ringlist", N: 4, Initiators: "0"}
	cases := 0
	for _, k := range criticality(t, s, search.Crash).Cases {
		r := k.Result
		switch {
		case k.Effect == families.Split && families.ElectionOf(r).Followed:
			t.Errorf("%s: all follow %d, but that is called %v", k.Fault, families.ElectionOf(r).Leader, k.Effect)
		case k.Effect == families.OtherLeader && !families.ElectionOf(r).Followed:
			t.Errorf("%s: not all follow %d, but that is called %v", k.Fault, families.ElectionOf(r).Leader, k.Effect)
		}
		cases++
	}
	if cases == 0 {
		t.Error("there were no cases")
	}
}

// A process that followed the leader and does not is an effect, also where an election
// promises a leader and no followers.
func TestSameMeansSameFollowers(t *testing.T) {
	for _, s := range []trial.Setting{
		{Algorithm: "lelann", N: 4}, {Algorithm: "lcr", N: 4}, {Algorithm: "franklin", N: 5}, {Algorithm: "bully", N: 4, Initiators: "0"},
	} {
		for strike := range search.Strikes {
			c := criticality(t, s, search.Strike(strike))
			for _, k := range c.Cases {
				if k.Effect != trial.Same && k.Effect != trial.Slower {
					continue
				}
				before := families.ElectionOf(c.Baseline).Decisions
				for p, d := range families.ElectionOf(k.Result).Decisions {
					crashed := search.Strike(strike) == search.Crash && protocols.ID(p) == k.From
					if d != before[p] && !crashed {
						t.Errorf("%s, %s: %v, but process %d was %v, and is %v", s.Algorithm, k.Fault, k.Effect, p, before[p], d)
					}
				}
			}
		}
	}
}

// The strikes on a run that goes wrong by itself are no news where it goes wrong
// in the same way.
func TestStrikesOnAFailingRun(t *testing.T) {
	s := trial.Setting{Algorithm: "bully", N: 2, Initiators: "0", Fault: "omit receives of 0", OutsideModel: true}
	c := criticality(t, s, search.Duplicate)
	if c.Baseline.Outcome != families.SeveralLeaders || len(c.Cases) == 0 {
		t.Fatalf("the run as it is: %v, %d messages", c.Baseline.Outcome, len(c.Cases))
	}
	for _, k := range c.Cases {
		if k.Result.Outcome == families.SeveralLeaders && k.Effect != trial.Same && k.Effect != trial.Slower {
			t.Errorf("%s: two leaders with and without, called %v", k.Fault, k.Effect)
		}
	}
}
