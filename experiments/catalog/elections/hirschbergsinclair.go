package elections

import (
	"math"
	"math/bits"
	"slices"

	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/hirschbergsinclair"
)

func hirschbergSinclairAlgorithm() trial.Algorithm {
	const convention = "OUT, IN and NO counted when sent, ANNOUNCE too in all-terminate; any initiators"
	return families.Election(trial.Algorithm{
		Name:      "hirschbergsinclair",
		Title:     "Hirschberg and Sinclair: candidates probe 1, 2, 4, ... hops both ways",
		Look:      looks.Look{Colour: looks.Red, Marker: looks.Square},
		Source:    "Hirschberg & Sinclair, CACM 23(11) 1980; Lynch, Distributed Algorithms, 1996, section 3.4",
		Papers:    []string{"hirschberg1980", "lynch1996"},
		Cost:      "at most 8n + 8 ceil(n lg n)",
		Variants:  [][]string{{"lynch", "original"}, {"leader-only", "all-terminate"}, {"max", "min"}},
		Rotations: true,
		Assumes: trial.Assumptions{
			Topologies: []string{"biring"}, NoCrash: true, NoRestart: true,
		},
		Bounds: []trial.Bound{
			{
				Name: "exact", Metric: "messages", Relation: trial.Exactly, Convention: convention,
				Formula: "lynch: sum over phases 2^k and sides of min(2^k, distance to the next better) out, and 2^k in if that is farther (+ n)",
				Value: func(in *trial.Instance) (float64, bool) {
					return float64(hirschbergSinclairMessages(in) + announced(in)), !in.Variant.Has("original")
				},
			},
			{
				Name: "best", Metric: "messages", Relation: trial.AtLeast, Convention: convention,
				Formula: "5n + 4*2^ceil(lg n) - 8, 2 if n = 1; original: n more (+ n)",
				Value: func(in *trial.Instance) (float64, bool) {
					least := 5*in.N + 4*lastReach(in.N) - 8
					if in.N == 1 {
						least = 2
					} else if in.Variant.Has("original") {
						least += in.N
					}
					return float64(least + announced(in)), true
				},
			},
			{
				Name: "worst", Metric: "messages", Relation: trial.AtMost, Convention: convention,
				Formula: "8n + 8 ceil(n lg n) (+ n)",
				Value: func(in *trial.Instance) (float64, bool) {
					n := float64(in.N)
					return 8*n + 8*math.Ceil(n*lg(n)) + float64(announced(in)), true
				},
			},
			{
				Name: "lynch", Metric: "messages", Relation: trial.AtMost, Convention: convention,
				Formula: "8n (1 + ceil(lg n)) (+ n)",
				Value: func(in *trial.Instance) (float64, bool) {
					return float64(8*in.N*(1+bits.Len(uint(in.N-1))) + announced(in)), true
				},
			},
			{
				Name: "mean", Metric: "messages", Relation: trial.Mean,
				Formula:    "lynch: sum over phases k, b = 2^(k-1) (0 for k = 0), up to the first 2^k >= n, of: sum for h = 1..min(2^k, n) of 2n / max(min(n, 2b+1), min(n, b+h)), and if 2^k < n 2n 2^k / max(min(n, 2b+1), min(n, b+2^k+1)) (+ n)",
				Convention: convention + "; over uniformly random placements",
				Value: func(in *trial.Instance) (float64, bool) {
					return hirschbergSinclairMean(in.N) + float64(announced(in)), randomPlacement(in) && !in.Variant.Has("original")
				},
			},
			{
				Name: "elected", Metric: "elected_time", Relation: trial.Exactly,
				Formula:    "n + 2 (2^ceil(lg n) - 1): 3n-2 if n is a power of two, less than 5n",
				Convention: "constant delay, all start at 0",
				Value: func(in *trial.Instance) (float64, bool) {
					return float64(in.N + 2*(lastReach(in.N)-1)), in.ConstantDelay() && in.AllInitiate()
				},
			},
			{
				Name: "quiet", Metric: "time", Relation: trial.Exactly,
				Formula:    "n + 2 (2^ceil(lg n) - 1) (+ n)",
				Convention: "constant delay, all start at 0",
				Value: func(in *trial.Instance) (float64, bool) {
					return float64(in.N + 2*(lastReach(in.N)-1) + announced(in)), in.ConstantDelay() && in.AllInitiate()
				},
			},
		},
	}, leaderOrEveryone, func(in *trial.Instance) func(protocols.ID) election.Process[hirschbergsinclair.Message] {
		cfg := hirschbergsinclair.Config{Original: in.Variant.Has("original"), Announce: in.Variant.Has("all-terminate"), Order: in.Order}
		return func(p protocols.ID) election.Process[hirschbergsinclair.Message] {
			return hirschbergsinclair.New(in.Ranks.At(p), cfg)
		}
	})
}

// lastReach is the reach of the leader's last phase, the first power of two that
// is not less than n.
func lastReach(n int) int { return 1 << bits.Len(uint(n-1)) }

// hirschbergSinclairMessages is the number of OUT and IN messages of Lynch's form. The next
// better process swallows an OUT. A process is in the next phase if there is no better one
// within reach on either side.
func hirschbergSinclairMessages(in *trial.Instance) int {
	with, against := make([]int, in.N), make([]int, in.N)
	eachHops(in.Ranks, in.Order, func(p protocols.ID, hops int) { with[p] = hops })
	backwards := in.Ranks.List()
	slices.Reverse(backwards)
	eachHops(election.Listed(backwards), in.Order, func(p protocols.ID, hops int) { against[in.N-1-int(p)] = hops })
	sum := 0
	for p := range in.N {
		for reach := 1; ; reach *= 2 {
			for _, distance := range [...]int{with[p], against[p]} {
				sum += min(reach, distance)
				if reach < distance {
					sum += reach
				}
			}
			if reach >= min(with[p], against[p]) {
				break
			}
		}
	}
	return sum
}

// hirschbergSinclairMean is the mean over all placements. A process that is in a phase, and
// whose OUT is still under way, is the best of k processes, with probability 1/k.
func hirschbergSinclairMean(n int) float64 {
	sum, twice := 0.0, 2*float64(n)
	for reach, before := 1, 0; ; reach, before = 2*reach, reach {
		known := min(n, 2*before+1)
		for h := 1; h <= min(reach, n); h++ {
			sum += twice / float64(max(known, min(n, before+h)))
		}
		if reach >= n {
			return sum
		}
		sum += twice * float64(reach) / float64(max(known, min(n, before+reach+1)))
	}
}
