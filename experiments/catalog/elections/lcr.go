package elections

import (
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/lcr"
)

const lcrConvention = "all initiate; PROBE counted when sent, ANNOUNCE too in all-terminate"

func lcrAlgorithm() trial.Algorithm {
	return families.Election(trial.Algorithm{
		Name:      "lcr",
		Title:     "Le Lann, Chang, Roberts: the largest identity survives the ring",
		Look:      looks.Look{Colour: looks.Blue, Marker: looks.Circle},
		Source:    "Chang & Roberts, CACM 22(5) 1979; Lynch, Distributed Algorithms, 1996, section 3.3",
		Papers:    []string{"chang1979", "lynch1996", "lelann1977"},
		Cost:      "2n-1 to n(n+1)/2, mean n H_n",
		Variants:  [][]string{{"leader-only", "all-terminate"}, {"max", "min"}},
		Rotations: true,
		Assumes: trial.Assumptions{
			Topologies: []string{"ring", "biring"}, AllInitiate: true, NoCrash: true, NoRestart: true,
		},
		Bounds: []trial.Bound{
			{
				Name: "exact", Metric: "messages", Relation: trial.Exactly, Convention: lcrConvention,
				Formula: "sum over identities of the distance to the next better one (+ n)",
				Value:   func(in *trial.Instance) (float64, bool) { return float64(lcrProbes(in) + announced(in)), true },
			},
			{
				Name: "best", Metric: "messages", Relation: trial.AtLeast, Convention: lcrConvention,
				Formula: "2n-1 (+ n)",
				Value:   func(in *trial.Instance) (float64, bool) { return float64(2*in.N - 1 + announced(in)), true },
			},
			{
				Name: "worst", Metric: "messages", Relation: trial.AtMost, Convention: lcrConvention,
				Formula: "n(n+1)/2 (+ n)",
				Value:   func(in *trial.Instance) (float64, bool) { return float64(in.N*(in.N+1)/2 + announced(in)), true },
			},
			{
				Name: "mean", Metric: "messages", Relation: trial.Mean, Formula: "n H_n (+ n)",
				Convention: lcrConvention + "; over uniformly random placements",
				Value: func(in *trial.Instance) (float64, bool) {
					return float64(float64(in.N)*harmonic(in.N)) + float64(announced(in)), randomPlacement(in)
				},
			},
			{
				Name: "elected", Metric: "elected_time", Relation: trial.Exactly, Formula: "n",
				Convention: "constant delay, all start at 0",
				Value:      func(in *trial.Instance) (float64, bool) { return float64(in.N), in.ConstantDelay() },
			},
			{
				Name: "quiet", Metric: "time", Relation: trial.Exactly, Formula: "n (all-terminate: 2n)",
				Convention: "constant delay, all start at 0",
				Value: func(in *trial.Instance) (float64, bool) {
					return float64(in.N + announced(in)), in.ConstantDelay()
				},
			},
		},
		Distribution: func(in *trial.Instance) ([]float64, bool) {
			const largest = 80 // beyond, the recurrence takes seconds
			if in.N > largest || !randomPlacement(in) {
				return nil, false
			}
			return append(make([]float64, announced(in)), lcrDistribution(in.N)...), true
		},
	}, leaderOrEveryone, func(in *trial.Instance) func(protocols.ID) election.Process[lcr.Message] {
		cfg := lcr.Config{Announce: in.Variant.Has("all-terminate"), Order: in.Order}
		return func(p protocols.ID) election.Process[lcr.Message] { return lcr.New(in.Ranks.At(p), cfg) }
	})
}

// announced is the number of ANNOUNCE messages.
func announced(in *trial.Instance) int {
	if in.Variant.Has("all-terminate") {
		return in.N
	}
	return 0
}
