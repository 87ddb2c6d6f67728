package termination

import (
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/termination"
	"bullring/protocols/termination/scholten"
)

func scholtenAlgorithm() trial.Algorithm {
	return families.Termination(trial.Algorithm{
		Name:   "scholten",
		Title:  "Dijkstra and Scholten: a signal for each work message, along the tree of who made whom active",
		Look:   looks.Look{Colour: looks.Blue, Marker: looks.Circle},
		Source: "Dijkstra & Scholten, IPL 11(1) 1980",
		Papers: []string{"dijkstra1980"},
		Cost:   "as many signals as work messages",
		Assumes: trial.Assumptions{
			Topologies: []string{"complete", trial.Connected}, OneInitiates: true, NoCrash: true, NoRestart: true,
		},
		Bounds: []trial.Bound{
			{
				Name: "signals", Metric: "sent_SIGNAL", Relation: trial.Exactly, Formula: "as many as WORK", Convention: counted,
				Of: trial.Measured("sent_WORK"),
			},
			detected("n", "a signal to a leaf, and n-1 edges of the tree", func(n int) int { return n }),
		},
	}, diffusing, func(in *trial.Instance) func(protocols.ID, termination.Config) termination.Process[scholten.Message] {
		root := families.FirstInitiator(in)
		return func(p protocols.ID, work termination.Config) termination.Process[scholten.Message] {
			return scholten.New(work, p == root)
		}
	})
}
