package termination

import (
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/termination"
	"bullring/protocols/termination/huang"
)

func huangAlgorithm() trial.Algorithm {
	return families.Termination(trial.Algorithm{
		Name:   "huang",
		Title:  "Huang: work messages carry weights, which passive processes return",
		Look:   looks.Look{Colour: looks.Purple, Marker: looks.Diamond},
		Source: "Huang, ICDCS 1989",
		Papers: []string{"huang1989"},
		Cost:   "at most one return for each work message",
		Assumes: trial.Assumptions{
			Topologies: []string{"complete"}, OneInitiates: true, NoCrash: true, NoRestart: true,
		},
		Bounds: []trial.Bound{
			{
				Name: "returns", Metric: "sent_RETURN", Relation: trial.AtMost, Formula: "as many as WORK", Convention: counted,
				Of: trial.Measured("sent_WORK"),
			},
			detected("1", "the last return", func(int) int { return 1 }),
		},
	}, diffusing, func(in *trial.Instance) func(protocols.ID, termination.Config) termination.Process[huang.Message] {
		agent := families.FirstInitiator(in)
		return func(p protocols.ID, work termination.Config) termination.Process[huang.Message] {
			return huang.New(p, work, agent)
		}
	})
}
