package commit

import (
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/commit"
	"bullring/protocols/commit/threephase"
)

func threePhaseAlgorithm() trial.Algorithm {
	return families.Commit(trial.Algorithm{
		Name:   "threephase",
		Title:  "three-phase commit: all learn that all have voted yes, before one commits",
		Look:   looks.Look{Colour: looks.Red, Marker: looks.Square},
		Source: "Skeen, SIGMOD 1981; Bernstein, Hadzilacos, Goodman, 1987, section 7.5",
		Papers: []string{"skeen1981", "bernstein1987"},
		Cost:   "5(n-1); 3(n-1) to abort",
		Assumes: trial.Assumptions{
			Topologies: []string{"complete"}, AllInitiate: true, NoRestart: true, BoundedDelay: true,
		},
		Bounds: []trial.Bound{committedAfter("5", 5), {
			Name: "worst", Metric: "decided_time", Relation: trial.AtMost, Formula: "5 + 4t",
			Convention: "t processes crash, those that are dead at the start included; every message takes exactly the bound on delay",
			Value: func(in *trial.Instance) (float64, bool) {
				return float64(5 + 4*(len(in.Dead)+in.Drawn.Crashing(in.Dead))), in.InStep()
			},
		}, {
			Name: "exact", Metric: "messages", Relation: trial.Exactly, Convention: "no failures; no: the processes but the coordinator that vote no",
			Formula: "5(n-1) if all vote yes, else 3(n-1) - no",
			Value: func(in *trial.Instance) (float64, bool) {
				no, coordinator := refusals(in)
				if no == 0 && !coordinator {
					return float64(5 * (in.N - 1)), undisturbed(in)
				}
				return float64(3*(in.N-1) - no), undisturbed(in)
			},
		}},
	}, func(in *trial.Instance) func(protocols.ID) commit.Process[threephase.Message] {
		cfg := threephase.Config{Processes: in.N, Bound: in.Assumed}
		return func(p protocols.ID) commit.Process[threephase.Message] { return threephase.New(willing(in, p), cfg) }
	})
}
