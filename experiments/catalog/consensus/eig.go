package consensus

import (
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/adversary"
	"bullring/protocols/consensus/eig"
)

func eigAlgorithm() trial.Algorithm {
	declare := func(assumes trial.Assumptions) trial.Algorithm {
		assumes.Topologies, assumes.AllInitiate, assumes.NoRestart, assumes.BoundedDelay = []string{"complete"}, true, true, true
		assumes.Resilience.Limit = roomForPaths
		cost := func(in *trial.Instance) float64 { return float64((in.F + 1) * in.N * (in.N - 1)) }
		return inLockstep(trial.Algorithm{
			Name:     "eig",
			Title:    "exponential information gathering: for f+1 rounds everybody passes on all that he was told",
			Look:     looks.Look{Colour: looks.Purple, Marker: looks.Nabla},
			Source:   "Lynch, Distributed Algorithms, 1996, sections 6.2.3 and 6.3.2",
			Papers:   []string{"lynch1996"},
			Cost:     "(f+1)n(n-1), f+1 rounds",
			Variants: [][]string{{"byzantine", "stop"}},
			Inputs:   &trial.Inputs{Least: 0, Most: 1, Default: trial.RandomInputs},
			Assumes:  assumes,
			Bounds: []trial.Bound{
				{
					Name: "exact", Metric: "messages", Relation: trial.Exactly, Convention: "VALUES counted when sent; nobody crashes or is Byzantine",
					Formula: "(f+1)n(n-1)",
					Value:   func(in *trial.Instance) (float64, bool) { return cost(in), in.Calm() && len(in.Dead) == 0 },
				},
				{
					Name: "worst", Metric: "messages", Relation: trial.AtMost, Convention: "VALUES counted when sent, those of Byzantine processes not",
					Formula: "(f+1)n(n-1)",
					Value:   func(in *trial.Instance) (float64, bool) { return cost(in), true },
				},
				decidedBehind("f+1", func(in *trial.Instance) (int, bool) { return in.F + 1, true }),
			},
		}, families.OfAll, func(in *trial.Instance) protocol[eig.Message] {
			cfg := eig.Config{Processes: in.N, Faulty: in.F, Stop: in.Variant.Has("stop")}
			return protocol[eig.Message]{
				honest: func(p protocols.ID) round[eig.Message] { return eig.New(p, in.Input(p), cfg) },
				second: func(p protocols.ID) protocols.Round[eig.Message] {
					return adversary.Contrary(eig.New(p, in.Input(p), cfg), eig.Message.Opposite)
				},
				repertoire: adversary.Repertoire[eig.Message]{Versions: eig.Versions(cfg)},
			}
		})
	}
	byzantine := declare(trial.Assumptions{Liars: true, Resilience: &trial.Resilience{Words: "n > 3f", Most: func(n int) int { return (n - 1) / 3 }}})
	return byzantine.Or("stop", declare(trial.Assumptions{Resilience: &trial.Resilience{Words: "n > f", Most: func(n int) int { return n - 1 }}}))
}
