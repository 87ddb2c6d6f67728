package catalog

import (
	"math/bits"

	"bullring/experiments"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/franklin"
)

func franklinAlgorithm() experiments.Algorithm {
	const convention = "PROBE counted when sent, ANNOUNCE too in all-terminate; any initiators"
	return experiments.Election(experiments.Algorithm{
		Name:      "franklin",
		Title:     "Franklin: who is active stays so if it is better than the active ones on both sides",
		Source:    "Franklin, CACM 25(5) 1982",
		Cost:      "4n to 2n floor(lg n) + 2n",
		Variants:  [][]string{{"leader-only", "all-terminate"}, {"max", "min"}},
		Rotations: true,
		Assumes: experiments.Assumptions{
			Topologies: []string{"biring"}, FIFO: true, NoCrash: true, NoRestart: true,
		},
		Bounds: []experiments.Bound{
			{
				Name: "exact", Metric: "messages", Relation: experiments.Exactly, Convention: convention,
				Formula: "2nP (+ n): P-1 is how often one keeps only the local maxima until one is left",
				Value: func(in *experiments.Instance) (float64, bool) {
					phases, _ := franklinPhases(in)
					return float64(2*in.N*phases + announced(in)), true
				},
			},
			{
				Name: "best", Metric: "messages", Relation: experiments.AtLeast, Convention: convention,
				Formula: "4n, 2 if n = 1 (+ n)",
				Value: func(in *experiments.Instance) (float64, bool) {
					if in.N == 1 {
						return float64(2 + announced(in)), true
					}
					return float64(4*in.N + announced(in)), true
				},
			},
			{
				Name: "worst", Metric: "messages", Relation: experiments.AtMost, Convention: convention,
				Formula: "2n floor(lg n) + 2n (+ n)",
				Value: func(in *experiments.Instance) (float64, bool) {
					return float64(2*in.N*bits.Len(uint(in.N)) + announced(in)), true
				},
			},
			{
				Name: "elected", Metric: "elected_time", Relation: experiments.Exactly,
				Formula:    "n + when the last phase begins",
				Convention: "constant delay, all start at 0",
				Value: func(in *experiments.Instance) (float64, bool) {
					_, begun := franklinPhases(in)
					return float64(begun + in.N), constantDelay(in) && allInitiate(in)
				},
			},
			{
				Name: "quiet", Metric: "time", Relation: experiments.Exactly,
				Formula:    "n + when the last phase begins (+ n)",
				Convention: "constant delay, all start at 0",
				Value: func(in *experiments.Instance) (float64, bool) {
					_, begun := franklinPhases(in)
					return float64(begun + in.N + announced(in)), constantDelay(in) && allInitiate(in)
				},
			},
		},
	}, leaderOrEveryone, func(in *experiments.Instance) func(protocols.ID) election.Process[franklin.Message] {
		cfg := franklin.Config{Announce: in.Variant.Has("all-terminate"), Order: in.Order}
		return func(p protocols.ID) election.Process[franklin.Message] { return franklin.New(in.Ranks[p], cfg) }
	})
}

// franklinPhases is how many phases there are, and when the last one begins, in
// delays: a process goes on when it has heard from the active ones on both sides.
func franklinPhases(in *experiments.Instance) (phases, begun int) {
	active := make([]standing, in.N)
	for p := range active {
		active[p] = standing{at: p, rank: in.Ranks[p]}
	}
	for phases = 1; len(active) > 1; phases++ {
		var left []standing
		for i, k := 0, len(active); i < k; i++ {
			a, before, next := active[i], active[(i+k-1)%k], active[(i+1)%k]
			if in.Order.Better(a.rank, before.rank) && in.Order.Better(a.rank, next.rank) {
				a.begun = max(before.begun+distance(before.at, a.at, in.N), next.begun+distance(a.at, next.at, in.N))
				left = append(left, a)
			}
		}
		active = left
	}
	return phases, active[0].begun
}

// distance is the number of hops from one address of a ring to another, 1 to n.
func distance(from, to, n int) int { return (to-from+n-1)%n + 1 }
