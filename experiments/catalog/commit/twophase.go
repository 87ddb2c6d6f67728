package commit

import (
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/commit"
	"bullring/protocols/commit/twophase"
)

func twoPhaseAlgorithm() trial.Algorithm {
	return families.Commit(trial.Algorithm{
		Name:       "twophase",
		Title:      "two-phase commit: all vote, then the coordinator decides",
		Look:       looks.Look{Colour: looks.Blue, Marker: looks.Circle},
		LabelLooks: map[string]looks.Look{"cooperative": {Colour: looks.Sky, Marker: looks.Triangle}},
		Source:     "Gray, LNCS 60, 1978; Bernstein, Hadzilacos, Goodman, 1987, section 7.4",
		Papers:     []string{"gray1978", "bernstein1987"},
		Cost:       "3(n-1)",
		Variants:   [][]string{{"basic", "cooperative"}},
		Assumes: trial.Assumptions{
			Topologies: []string{"complete"}, AllInitiate: true, AllRestart: true, BoundedDelay: true,
		},
		Bounds: []trial.Bound{{
			Name: "exact", Metric: "messages", Relation: trial.Exactly, Convention: "no failures; no: the processes but the coordinator that vote no",
			Formula: "3(n-1) - no",
			Value: func(in *trial.Instance) (float64, bool) {
				no, _ := refusals(in)
				return float64(3*(in.N-1) - no), undisturbed(in)
			},
		}, committedAfter("3", 3)},
	}, func(in *trial.Instance) func(protocols.ID) commit.Process[twophase.Message] {
		cfg := twophase.Config{Processes: in.N, Bound: in.Assumed, Cooperative: in.Variant.Has("cooperative")}
		return func(p protocols.ID) commit.Process[twophase.Message] { return twophase.New(willing(in, p), cfg) }
	})
}
