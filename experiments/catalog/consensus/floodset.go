package consensus

import (
	"slices"

	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/adversary"
	"bullring/protocols/consensus/floodset"
)

func floodSetAlgorithm() trial.Algorithm {
	const convention = "VALUES counted when sent"
	return inLockstep(trial.Algorithm{
		Name:  "floodset",
		Title: "FloodSet, OptFloodSet: for f+1 rounds everybody tells all the values that it knows",
		Look:  looks.Look{Colour: looks.Blue, Marker: looks.Circle},
		LabelLooks: map[string]looks.Look{
			"OptFloodSet":    {Colour: looks.Sky, Marker: looks.Triangle},
			"early FloodSet": {Colour: looks.Orange, Marker: looks.Diamond},
		},
		Source:   "Lynch, Distributed Algorithms, 1996, section 6.2",
		Papers:   []string{"lynch1996", "fischerlynch1982", "dolev1990"},
		Cost:     "(f+1)n(n-1), f+1 rounds; opt: at most 2n(n-1)",
		Variants: [][]string{{"plain", "opt", "early", "hasty"}},
		Inputs:   &trial.Inputs{Least: 0, Most: floodset.MaxValue, Default: trial.RandomInputs},
		Assumes: trial.Assumptions{
			Topologies: []string{"complete"}, AllInitiate: true, NoRestart: true, BoundedDelay: true,
			Resilience: &trial.Resilience{Words: "n > f", Most: func(n int) int { return n - 1 }},
			Params: func(in *trial.Instance) string {
				if in.Variant.Has("hasty") && in.F > 1 {
					return "hasty: a process that decides and crashes may have told no other process what it knows"
				}
				return ""
			},
		},
		Bounds: []trial.Bound{
			{
				Name: "exact", Metric: "messages", Relation: trial.Exactly, Convention: convention + "; nobody crashes",
				Formula: "(f+1)n(n-1); opt: n(n-1) if all begin with one value or f is 0, else 2n(n-1); early, hasty: n(n-1) if f is 0, else 2n(n-1)",
				Value: func(in *trial.Instance) (float64, bool) {
					times := in.F + 1
					switch {
					case in.Variant.Has("opt"):
						times = min(times, len(slices.Compact(slices.Sorted(slices.Values(in.Inputs())))), 2)
					case early(in):
						times = min(times, 2)
					}
					return float64(times * in.N * (in.N - 1)), in.Calm() && len(in.Dead) == 0
				},
			},
			{
				Name: "worst", Metric: "messages", Relation: trial.AtMost, Convention: convention, Formula: "(f+1)n(n-1); opt: 2n(n-1)",
				Value: func(in *trial.Instance) (float64, bool) {
					times := in.F + 1
					if in.Variant.Has("opt") {
						times = min(times, 2)
					}
					return float64(times * in.N * (in.N - 1)), true
				},
			},
			decidedBehind("f+1; not early, hasty", func(in *trial.Instance) (int, bool) { return in.F + 1, !early(in) }),
			{
				Name: "early", Metric: "decided_round", Relation: trial.AtMost, Convention: "t processes crash, those that are dead at the start included",
				Formula: "early: min(t+2, f+1); hasty: min(t+1, f+1)",
				Value: func(in *trial.Instance) (float64, bool) {
					rounds := len(in.Dead) + in.Drawn.Crashing(in.Dead) + 2
					if in.Variant.Has("hasty") {
						rounds--
					}
					return float64(min(rounds, in.F+1)), early(in)
				},
			},
		},
	}, families.OfAll, func(in *trial.Instance) protocol[floodset.Message] {
		cfg := floodset.Config{Rounds: in.F + 1, Optimised: in.Variant.Has("opt"), Early: early(in), Hasty: in.Variant.Has("hasty")}
		return protocol[floodset.Message]{
			honest: func(p protocols.ID) round[floodset.Message] { return floodset.New(in.Input(p), cfg) },
			second: func(p protocols.ID) protocols.Round[floodset.Message] {
				return floodset.New((in.Input(p)+1)%(floodset.MaxValue+1), cfg)
			},
			repertoire: adversary.Repertoire[floodset.Message]{Silence: true, Versions: floodset.Versions},
		}
	})
}

// early reports whether processes need not take f+1 rounds.
func early(in *trial.Instance) bool { return in.Variant.Has("early") || in.Variant.Has("hasty") }
