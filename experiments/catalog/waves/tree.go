package waves

import (
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/wave"
	"bullring/protocols/wave/tree"
)

func treeAlgorithm() trial.Algorithm {
	const start = "all start together"
	middle := func(in *trial.Instance) int {
		if in.N == 1 {
			return 0
		}
		return in.Graph().Diameter()/2 + 1
	}
	return families.Wave(trial.Algorithm{
		Name:   "tree",
		Title:  "the wave of trees: who has heard from all neighbours but one tells that one",
		Look:   looks.Look{Colour: looks.Orange, Marker: looks.Triangle},
		Source: "Tel, Introduction to Distributed Algorithms, 2nd ed., 2000, section 6.2",
		Papers: []string{"tel2000"},
		Cost:   "n messages, D/2 + 1 time",
		Assumes: trial.Assumptions{
			Topologies: []string{"tree", trial.AnyTree}, AllInitiate: true, NoCrash: true, NoRestart: true,
		},
		Bounds: []trial.Bound{
			messages("exact", trial.Exactly, "n, or 0 if n is 1", "TOKEN counted when sent; the decision is not passed on", func(in *trial.Instance) int {
				if in.N == 1 {
					return 0
				}
				return in.N
			}),
			exactTime("D/2 + 1 rounded down, or 0 if n is 1", start, middle),
			longestTime("D/2 + 1 rounded down, or 0 if n is 1", start, middle),
			deciders("2, or 1 if n is 1", func(in *trial.Instance) int { return min(in.N, 2) }),
		},
	}, families.Plain, func(*trial.Instance) func(protocols.ID) wave.Process[tree.Message] {
		return func(protocols.ID) wave.Process[tree.Message] { return tree.New() }
	})
}
