package termination

import (
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/termination"
	"bullring/protocols/termination/mattern"
)

func matternAlgorithm() trial.Algorithm {
	return families.Termination(trial.Algorithm{
		Name:       "mattern",
		Title:      "Mattern's four counters: two waves count the work messages sent and received",
		Look:       looks.Look{Colour: looks.Green, Marker: looks.Triangle},
		LabelLooks: map[string]looks.Look{"one-wave": {Colour: looks.Red, Marker: looks.OpenSquare}},
		Source:     "Mattern, Distributed Computing 2(3) 1987",
		Papers:     []string{"mattern1987"},
		Cost:       "2(n-1) a wave; at most 2 waves begin after termination",
		Variants:   [][]string{{"two-waves", "one-wave"}},
		Assumes: trial.Assumptions{
			Topologies: []string{"complete"}, NoCrash: true, NoRestart: true,
		},
		Bounds: []trial.Bound{
			{
				Name: "replies", Metric: "sent_REPLY", Relation: trial.Exactly, Formula: "as many as ASK", Convention: counted,
				Of: trial.Measured("sent_ASK"),
			},
			whole("waves", "ASK", "a multiple of n-1", func(n int) int { return n - 1 }),
			detected("6", "the rest of a wave, and two more", func(int) int { return 6 }),
		},
	}, general, func(in *trial.Instance) func(protocols.ID, termination.Config) termination.Process[mattern.Message] {
		leader, oneWave := families.FirstInitiator(in), in.Variant.Has("one-wave")
		return func(p protocols.ID, work termination.Config) termination.Process[mattern.Message] {
			return mattern.New(work, p == leader, oneWave)
		}
	})
}
