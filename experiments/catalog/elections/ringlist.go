package elections

import (
	"time"

	"bullring/des"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/ringlist"
)

func ringListAlgorithm() trial.Algorithm {
	const convention = "polls of dead processes counted; dead from the start; no acknowledgements"
	return families.Election(trial.Algorithm{
		Name:     "ringlist",
		Title:    "Tanenbaum's ring: identities are collected, the initiator picks, dead successors are polled past",
		Look:     looks.Look{Colour: looks.Orange, Marker: looks.OpenDiamond},
		Source:   "Tanenbaum & van Steen, Distributed Systems, 2nd ed., section 6.5",
		Papers:   []string{"tanenbaum2007"},
		Cost:     "2kn with k initiators",
		Variants: [][]string{{"forget", "remember"}, {"max", "min"}},
		Assumes: trial.Assumptions{
			Topologies: []string{"complete"}, DeadAtStart: true, NoRestart: true, BoundedDelay: true, PerfectDetector: true,
		},
		Bounds: []trial.Bound{
			{
				Name: "exact", Metric: "messages", Relation: trial.Exactly, Convention: convention,
				Formula: "2kn; 2(n-D)+D with one initiator that remembers the D dead",
				Value: func(in *trial.Instance) (float64, bool) {
					n, dead, k := in.N, len(in.Dead), in.Initiators.Len()
					if in.Variant.Has("remember") {
						return float64(2*(n-dead) + dead), in.Calm() && k == 1
					}
					return float64(2 * k * n), in.Calm()
				},
			},
			{
				Name: "delivered", Metric: "delivered", Relation: trial.Exactly, Convention: convention,
				Formula: "2k(n-D)",
				Value: func(in *trial.Instance) (float64, bool) {
					return float64(2 * in.Initiators.Len() * (in.N - len(in.Dead))), in.Calm()
				},
			},
			{
				Name: "quiet", Metric: "time", Relation: trial.Exactly,
				Formula:    "2(n-D) + 2D timeouts",
				Convention: "one initiator, constant delay, a timeout of twice the assumed bound on it; nobody remembers",
				Value: func(in *trial.Instance) (float64, bool) {
					dead := len(in.Dead)
					wait := in.Units(des.Time(pollTimeout(in)))
					return float64(2*(in.N-dead)) + float64(float64(2*dead)*wait),
						in.Calm() && in.ConstantDelay() && in.Initiators.Len() == 1 && in.Variant.Has("forget")
				},
			},
		},
	}, everyoneDecides, func(in *trial.Instance) func(protocols.ID) election.Process[ringlist.Message] {
		cfg := ringlist.Config{Timeout: pollTimeout(in), Memory: in.Variant.Has("remember"), Order: in.Order}
		return func(p protocols.ID) election.Process[ringlist.Message] {
			return ringlist.New(in.Ranks.At(p), cfg)
		}
	})
}

// pollTimeout is how long a process waits for the answer to a poll, a message there and back,
// before it asks whether the polled process is dead.
func pollTimeout(in *trial.Instance) time.Duration { return 2 * in.Assumed }
