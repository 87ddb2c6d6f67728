package elections

import (
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/lelann"
)

func leLannAlgorithm() trial.Algorithm {
	const convention = "TOKEN counted when sent; initiators start together; nobody announces"
	return families.Election(trial.Algorithm{
		Name:      "lelann",
		Title:     "Le Lann: every initiator's identity goes all the way round, and the best initiator leads",
		Look:      looks.Look{Colour: looks.Black, Marker: looks.Cross},
		Source:    "Le Lann, IFIP Congress 1977; Tel, Introduction to Distributed Algorithms, 2nd ed., section 7.2",
		Papers:    []string{"lelann1977", "tel2000"},
		Cost:      "kn with k initiators, n^2 at most",
		Variants:  [][]string{{"max", "min"}},
		Rotations: true,
		Bands:     []trial.Band{families.Candidates[*lelann.Process]("has started, and has not met a better identity")},
		Assumes: trial.Assumptions{
			Topologies: []string{"ring", "biring"}, FIFO: true, NoCrash: true, NoRestart: true,
		},
		Bounds: []trial.Bound{
			{
				Name: "exact", Metric: "messages", Relation: trial.Exactly, Convention: convention,
				Formula: "kn with k initiators",
				Value:   func(in *trial.Instance) (float64, bool) { return float64(in.Initiators.Len() * in.N), true },
			},
			{
				Name: "worst", Metric: "messages", Relation: trial.AtMost, Convention: convention,
				Formula: "n^2",
				Value:   func(in *trial.Instance) (float64, bool) { return float64(in.N * in.N), true },
			},
			{
				Name: "elected", Metric: "elected_time", Relation: trial.Exactly, Formula: "n",
				Convention: "constant delay, initiators start at 0",
				Value:      func(in *trial.Instance) (float64, bool) { return float64(in.N), in.ConstantDelay() },
			},
			{
				Name: "quiet", Metric: "time", Relation: trial.Exactly, Formula: "n",
				Convention: "constant delay, initiators start at 0",
				Value:      func(in *trial.Instance) (float64, bool) { return float64(in.N), in.ConstantDelay() },
			},
		},
	}, func(*trial.Instance) election.Promise {
		// The initiators learn the winner, the others do not.
		return election.Promise{Winner: election.BestInitiator, LeaderOnly: true}
	}, func(in *trial.Instance) func(protocols.ID) election.Process[lelann.Message] {
		cfg := lelann.Config{Order: in.Order}
		return func(p protocols.ID) election.Process[lelann.Message] { return lelann.New(in.Ranks.At(p), cfg) }
	})
}
