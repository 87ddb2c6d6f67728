package consensus

import (
	"fmt"

	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/adversary"
	"bullring/protocols/consensus"
	"bullring/protocols/consensus/om"
)

// roomForPaths refuses systems whose paths a message has no room for.
func roomForPaths(n, f int) error {
	if n > consensus.MaxProcesses || f > consensus.MaxFaulty {
		return fmt.Errorf("n %d and f %d: a message has room for up to %d processes, and for the path of f up to %d", n, f, consensus.MaxProcesses, consensus.MaxFaulty)
	}
	return nil
}

func omAlgorithm() trial.Algorithm {
	return inLockstep(trial.Algorithm{
		Name:   "om",
		Title:  "OM, the Byzantine generals: for f+1 rounds everybody passes on what he was told",
		Look:   looks.Look{Colour: looks.Red, Marker: looks.Square},
		Source: "Lamport, Shostak, Pease, ACM TOPLAS 4(3), 1982",
		Papers: []string{"lamport1982"},
		Cost:   "the sum of (n-1)(n-2)...(n-r) over rounds r up to f+1",
		Inputs: &trial.Inputs{Least: 0, Most: 1, Default: "all 1"},
		Assumes: trial.Assumptions{
			Topologies: []string{"complete"}, AllInitiate: true, NoRestart: true, BoundedDelay: true, Liars: true,
			Resilience: &trial.Resilience{Words: "n > 3f", Most: func(n int) int { return (n - 1) / 3 }, Limit: roomForPaths},
		},
		Bounds: []trial.Bound{
			{
				Name: "exact", Metric: "messages", Relation: trial.Exactly, Convention: "ORDER counted when sent; nobody crashes or is Byzantine",
				Formula: "sum over r = 1..f+1 of (n-1)(n-2)...(n-r)",
				Value:   func(in *trial.Instance) (float64, bool) { return orders(in.N, in.F), in.Calm() && len(in.Dead) == 0 },
			},
			{
				Name: "worst", Metric: "messages", Relation: trial.AtMost, Convention: "ORDER counted when sent, those of Byzantine processes not",
				Formula: "sum over r = 1..f+1 of (n-1)(n-2)...(n-r)",
				Value:   func(in *trial.Instance) (float64, bool) { return orders(in.N, in.F), true },
			},
			decidedBehind("f+1", func(in *trial.Instance) (int, bool) { return in.F + 1, true }),
		},
	}, families.OfCommander, func(in *trial.Instance) protocol[om.Order] {
		cfg := om.Config{Processes: in.N, Faulty: in.F}
		return protocol[om.Order]{
			honest: func(p protocols.ID) round[om.Order] { return om.New(p, in.Input(p), cfg) },
			second: func(p protocols.ID) protocols.Round[om.Order] {
				return adversary.Contrary(om.New(p, in.Input(p), cfg), om.Order.Opposite)
			},
			repertoire: adversary.Repertoire[om.Order]{Versions: om.Versions(cfg)},
		}
	})
}

// orders is the number of messages of OM(f).
func orders(n, f int) float64 {
	sum, product := 0.0, 1.0
	for r := 1; r <= f+1; r++ {
		product *= float64(n - r)
		sum += product
	}
	return sum
}
