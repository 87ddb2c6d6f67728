package elections

import (
	"math/bits"

	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/franklin"
)

func franklinAlgorithm() trial.Algorithm {
	const convention = "PROBE counted when sent, ANNOUNCE too in all-terminate; any initiators"
	return families.Election(trial.Algorithm{
		Name:      "franklin",
		Title:     "Franklin: who is active stays so if it is better than the active ones on both sides",
		Look:      looks.Look{Colour: looks.Purple, Marker: looks.Diamond},
		Source:    "Franklin, CACM 25(5) 1982",
		Papers:    []string{"franklin1982"},
		Cost:      "4n to 2n floor(lg n) + 2n",
		Variants:  [][]string{{"leader-only", "all-terminate"}, {"max", "min"}},
		Rotations: true,
		Bands:     []trial.Band{families.Candidates[*franklin.Process]("is active, and compares ranks")},
		Assumes: trial.Assumptions{
			Topologies: []string{"biring"}, FIFO: true, NoCrash: true, NoRestart: true,
		},
		Bounds: []trial.Bound{
			{
				Name: "exact", Metric: "messages", Relation: trial.Exactly, Convention: convention,
				Formula: "2nP (+ n): P-1 is how often one keeps only the local maxima until one is left",
				Value: func(in *trial.Instance) (float64, bool) {
					phases, _ := franklinPhases(in)
					return float64(2*in.N*phases + announced(in)), true
				},
			},
			{
				Name: "best", Metric: "messages", Relation: trial.AtLeast, Convention: convention,
				Formula: "4n, 2 if n = 1 (+ n)",
				Value: func(in *trial.Instance) (float64, bool) {
					if in.N == 1 {
						return float64(2 + announced(in)), true
					}
					return float64(4*in.N + announced(in)), true
				},
			},
			{
				Name: "worst", Metric: "messages", Relation: trial.AtMost, Convention: convention,
				Formula: "2n floor(lg n) + 2n (+ n)",
				Value: func(in *trial.Instance) (float64, bool) {
					return float64(2*in.N*bits.Len(uint(in.N)) + announced(in)), true
				},
			},
			{
				Name: "elected", Metric: "elected_time", Relation: trial.Exactly,
				Formula:    "when the best has heard of itself from both sides: n after its last phase began, and later if a process on the way still waits for its other side",
				Convention: "constant delay, all start at 0",
				Value: func(in *trial.Instance) (float64, bool) {
					_, elected := franklinPhases(in)
					return float64(elected), in.ConstantDelay() && in.AllInitiate()
				},
			},
			{
				Name: "quiet", Metric: "time", Relation: trial.Exactly,
				Formula:    "elected (+ n)",
				Convention: "constant delay, all start at 0",
				Value: func(in *trial.Instance) (float64, bool) {
					_, elected := franklinPhases(in)
					return float64(elected + announced(in)), in.ConstantDelay() && in.AllInitiate()
				},
			},
		},
	}, leaderOrEveryone, func(in *trial.Instance) func(protocols.ID) election.Process[franklin.Message] {
		cfg := franklin.Config{Announce: in.Variant.Has("all-terminate"), Order: in.Order}
		return func(p protocols.ID) election.Process[franklin.Message] { return franklin.New(in.Ranks.At(p), cfg) }
	})
}

// franklinPhases is the number of phases, and the time, in delays, at which the leader has
// received its own identity from both sides. A process ends its phase when it has heard
// from the active processes on both sides. Until then it forwards no message.
func franklinPhases(in *trial.Instance) (phases, elected int) {
	active := make([]standing, in.N)
	for p := range active {
		active[p] = standing{at: p, rank: in.Ranks.At(protocols.ID(p))}
	}
	retired := make([]int, in.N) // by address, when the process began to forward messages
	for phases = 1; ; phases++ {
		var left []standing
		k := len(active)
		ended := make([]int, k)
		for i, a := range active {
			next := active[(i+1)%k]
			hops := distance(a.at, next.at, in.N)
			ended[(i+1)%k] = max(ended[(i+1)%k], reaches(a, hops, 1, retired))
			ended[i] = max(ended[i], reaches(next, hops, in.N-1, retired))
		}
		if k == 1 {
			return phases, ended[0]
		}
		for i, a := range active {
			if in.Order.Better(a.rank, active[(i+k-1)%k].rank) && in.Order.Better(a.rank, active[(i+1)%k].rank) {
				left = append(left, standing{a.at, a.rank, ended[i]})
				continue
			}
			retired[a.at] = ended[i]
		}
		active = left
	}
}

// reaches is the time at which a message of an active process has made some hops, each over
// so many addresses.
func reaches(from standing, hops, step int, retired []int) int {
	at, now := from.at, from.begun
	for range hops - 1 {
		at = (at + step) % len(retired)
		now = max(now+1, retired[at])
	}
	return now + 1
}

// distance is the number of hops from one address of a ring to another, 1 to n.
func distance(from, to, n int) int { return (to-from+n-1)%n + 1 }
