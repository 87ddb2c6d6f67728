package consensus

import (
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/adversary"
	"bullring/protocols/consensus/phaseking"
)

func phaseKingAlgorithm() trial.Algorithm {
	cost := func(in *trial.Instance) float64 { return float64((in.F + 1) * (in.N - 1) * (in.N + 1)) }
	return inLockstep(trial.Algorithm{
		Name:   "phaseking",
		Title:  "Phase king: whoever has no large majority follows the king of the phase",
		Look:   looks.Look{Colour: looks.Green, Marker: looks.Diamond},
		Source: "Berman, Garay, ICALP 1989",
		Papers: []string{"bermangaray1989", "attiyawelch2004"},
		Cost:   "(f+1)(n-1)(n+1), 2(f+1) rounds",
		Inputs: &trial.Inputs{Least: 0, Most: 1, Default: trial.RandomInputs},
		Assumes: trial.Assumptions{
			Topologies: []string{"complete"}, AllInitiate: true, NoRestart: true, BoundedDelay: true, Liars: true,
			Resilience: &trial.Resilience{Words: "n > 4f", Most: func(n int) int { return (n - 1) / 4 }},
		},
		Bounds: []trial.Bound{
			{
				Name: "exact", Metric: "messages", Relation: trial.Exactly, Convention: "PREFER and KING counted when sent; nobody crashes or is Byzantine",
				Formula: "(f+1)(n-1)(n+1)",
				Value:   func(in *trial.Instance) (float64, bool) { return cost(in), in.Calm() && len(in.Dead) == 0 },
			},
			{
				Name: "worst", Metric: "messages", Relation: trial.AtMost, Convention: "PREFER and KING counted when sent, those of Byzantine processes not",
				Formula: "(f+1)(n-1)(n+1)",
				Value:   func(in *trial.Instance) (float64, bool) { return cost(in), true },
			},
			decidedBehind("2f+2", func(in *trial.Instance) (int, bool) { return 2*in.F + 2, true }),
		},
	}, families.OfAll, func(in *trial.Instance) protocol[phaseking.Message] {
		cfg := phaseking.Config{Processes: in.N, Faulty: in.F}
		return protocol[phaseking.Message]{
			honest:     func(p protocols.ID) round[phaseking.Message] { return phaseking.New(p, in.Input(p), cfg) },
			second:     func(p protocols.ID) protocols.Round[phaseking.Message] { return phaseking.New(p, 1-in.Input(p), cfg) },
			repertoire: adversary.Repertoire[phaseking.Message]{Versions: phaseking.Versions},
		}
	})
}
