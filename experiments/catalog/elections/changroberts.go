package elections

import (
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/changroberts"
)

func changRobertsAlgorithm() trial.Algorithm {
	const convention = "ELECTION and ELECTED counted when sent; initiators start together"
	return families.Election(trial.Algorithm{
		Name:      "changroberts",
		Title:     "Chang and Roberts with participant flags: ELECTION, then ELECTED",
		Look:      looks.Look{Colour: looks.Sky, Marker: looks.Ring},
		Source:    "Chang & Roberts, CACM 22(5) 1979; Coulouris et al., Distributed Systems, 5th ed., section 15.3; tel: Tel, Introduction to Distributed Algorithms, 2nd ed., section 7.2",
		Papers:    []string{"chang1979", "coulouris2012", "tel2000"},
		Cost:      "one initiator 2N to 3N-1; all N(N+3)/2 at most",
		Variants:  [][]string{{"max", "min"}, {"coulouris", "tel"}},
		Rotations: true,
		Assumes: trial.Assumptions{
			Topologies: []string{"ring", "biring"}, FIFO: true, NoCrash: true, NoRestart: true,
		},
		Bounds: []trial.Bound{
			{
				Name: "exact", Metric: "messages", Relation: trial.Exactly, Convention: convention,
				Formula: "2N+d with one initiator, at distance d from the best; in general each initiator's ELECTION as far as it gets, + N; tel: sum over initiators of the distance to the next better one, + N",
				Value: func(in *trial.Instance) (float64, bool) {
					if in.Variant.Has("tel") {
						return float64(telElection(in) + in.N), true
					}
					return float64(changRobertsElection(in) + in.N), true
				},
			},
			{
				Name: "best", Metric: "messages", Relation: trial.AtLeast, Convention: convention,
				Formula: "2N; 3N-1 if all initiate; tel: 2N+k-1 with k initiators",
				Value: func(in *trial.Instance) (float64, bool) {
					switch {
					case in.AllInitiate():
						return float64(3*in.N - 1), true
					case in.Variant.Has("tel"):
						return float64(2*in.N + in.Initiators.Len() - 1), true
					}
					return float64(2 * in.N), true
				},
			},
			{
				Name: "worst", Metric: "messages", Relation: trial.AtMost, Convention: convention,
				Formula: "3N-1 with one initiator; N(N+3)/2 else; tel: kN - k(k-1)/2 + N with k initiators",
				Value: func(in *trial.Instance) (float64, bool) {
					switch k := in.Initiators.Len(); {
					case in.Variant.Has("tel"):
						return float64(k*in.N - k*(k-1)/2 + in.N), true
					case k == 1:
						return float64(3*in.N - 1), true
					}
					return float64(in.N * (in.N + 3) / 2), true
				},
			},
			{
				Name: "mean", Metric: "messages", Relation: trial.Mean,
				Formula:    "(5N-1)/2 with one initiator; N H_N + N if all initiate and places are random; tel: N H_k + N with k initiators",
				Convention: convention + "; over uniformly random places",
				Value: func(in *trial.Instance) (float64, bool) {
					switch {
					case in.Variant.Has("tel"):
						return float64(float64(in.N)*harmonic(in.Initiators.Len())) + float64(in.N), randomPlacement(in)
					case in.Initiators.Len() == 1:
						return float64(5*in.N-1) / 2, true
					case in.AllInitiate():
						return float64(float64(in.N)*harmonic(in.N)) + float64(in.N), randomPlacement(in)
					}
					return 0, false
				},
			},
			{
				Name: "again", Metric: "messages", Relation: trial.Exactly, Again: true,
				Formula:    "exact, and 2N+d for the second election",
				Convention: "one process starts again when the first election is over, at distance d from the best; constant delay",
				Value: func(in *trial.Instance) (float64, bool) {
					p, ok := startsAgain(in, 3*in.N)
					d := (int(best(in)-p) + in.N) % in.N
					return float64(changRobertsElection(in) + 3*in.N + d), ok && !in.Variant.Has("tel")
				},
			},
			{
				Name: "quiet", Metric: "time", Relation: trial.Exactly,
				Formula:    "2N + the distance from the last initiator before the best process to it; tel: 2N",
				Convention: "constant delay, initiators start at 0",
				Value: func(in *trial.Instance) (float64, bool) {
					if in.Variant.Has("tel") {
						return float64(2 * in.N), in.ConstantDelay()
					}
					return float64(2*in.N + distanceToBest(in)), in.ConstantDelay()
				},
			},
		},
	}, func(in *trial.Instance) election.Promise {
		if in.Variant.Has("tel") {
			return election.Promise{Winner: election.BestInitiator}
		}
		return election.Promise{}
	}, func(in *trial.Instance) func(protocols.ID) election.Process[changroberts.Message] {
		cfg := changroberts.Config{Order: in.Order, Tel: in.Variant.Has("tel")}
		return func(p protocols.ID) election.Process[changroberts.Message] {
			return changroberts.New(in.Ranks.At(p), cfg)
		}
	})
}
