package elections

import (
	"math"

	"bullring/experiments/trial"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/timeslice"
)

func timeSliceAlgorithm() trial.Algorithm {
	return inLockstep(trial.Algorithm{
		Name:      "timeslice",
		Title:     "TimeSlice: each identity has its time, and the smallest is the first to break the silence",
		Look:      looks.Look{Colour: looks.Purple, Marker: looks.Ring},
		Source:    "Lynch, Distributed Algorithms, 1996, section 3.5; Frederickson & Lynch, STOC 1984",
		Papers:    []string{"frederickson1984", "lynch1996"},
		Cost:      "n messages, n*u rounds for the smallest identity u",
		Variants:  [][]string{{"min"}},
		Rotations: true,
		Assumes: trial.Assumptions{
			Topologies: []string{"ring", "biring"}, AllInitiate: true, NoCrash: true, NoRestart: true, BoundedDelay: true, Numbers: true,
		},
		Bounds: []trial.Bound{
			{
				Name: "exact", Metric: "messages", Relation: trial.Exactly, Formula: "n", Convention: "TOKEN counted when sent",
				Value: func(in *trial.Instance) (float64, bool) { return float64(in.N), true },
			},
			{
				Name: "elected", Metric: "elected_time", Relation: trial.Exactly, Formula: "n*u",
				Convention: "u the smallest identity; every message takes exactly a round",
				Value: func(in *trial.Instance) (float64, bool) {
					return float64(in.N) * float64(smallest(in)), exactRounds(in)
				},
			},
		},
	}, everyoneDecides, func(in *trial.Instance) func(protocols.ID) electionRound[timeslice.Message] {
		return func(p protocols.ID) electionRound[timeslice.Message] { return timeslice.New(in.Ranks.At(p).ID, in.N) }
	})
}

// smallest is the smallest identity.
func smallest(in *trial.Instance) election.Identity {
	least := election.Identity(math.MaxInt64)
	for _, r := range in.Ranks.All() {
		least = min(least, r.ID)
	}
	return least
}
