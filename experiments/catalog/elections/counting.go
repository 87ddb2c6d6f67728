package elections

import (
	"bullring/experiments/trial"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/election/counting"
)

func countingAlgorithm() trial.Algorithm {
	return inLockstep(trial.Algorithm{
		Name:     "counting",
		Title:    "counting by broadcasts: each round everybody tells all that it knows, until no more can come",
		Look:     looks.Look{Colour: looks.Green, Marker: looks.Cross},
		Source:   "Kuhn, Lynch & Oshman, STOC 2010",
		Papers:   []string{"kuhn2010"},
		Cost:     "n*n broadcasts, n rounds, n unknown",
		Variants: [][]string{{"max", "min"}},
		Assumes: trial.Assumptions{
			Topologies: []string{"complete", "biring", trial.Connected}, AllInitiate: true, NoCrash: true, NoRestart: true, BoundedDelay: true, ConnectedRounds: true,
		},
		Bounds: []trial.Bound{
			{
				Name: "exact", Metric: "messages", Relation: trial.Exactly, Formula: "n*n", Convention: "a broadcast counts once; no reliable link, which sends to each",
				Value: func(in *trial.Instance) (float64, bool) { return float64(in.N) * float64(in.N), in.Transport == nil },
			},
			{
				Name: "decided", Metric: "decided_time", Relation: trial.Exactly, Formula: "n rounds", Convention: "a constant delay; all begin together",
				Value: func(in *trial.Instance) (float64, bool) {
					unit, constant := in.Unit()
					return float64(in.N) * float64(in.Assumed) / float64(unit), constant
				},
			},
		},
	}, everyoneDecides, func(in *trial.Instance) func(protocols.ID) electionRound[counting.Message] {
		return func(p protocols.ID) electionRound[counting.Message] { return counting.New(in.Ranks.At(p), in.Order) }
	})
}
