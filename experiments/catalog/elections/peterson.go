package elections

import (
	"math"
	"math/bits"

	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/peterson"
)

func petersonAlgorithm() trial.Algorithm {
	const convention = "ONE, TWO and n WINNER counted when sent; any initiators"
	return families.Election(trial.Algorithm{
		Name:       "peterson",
		Title:      "Dolev, Klawe, Rodeh; Lynch's Peterson: who is active takes over the largest of three identities, or retires",
		Look:       looks.Look{Colour: looks.Green, Marker: looks.Triangle},
		LabelLooks: map[string]looks.Look{"Dolev-Klawe-Rodeh": {Colour: looks.Sky, Marker: looks.Square}},
		Source:     "Dolev, Klawe & Rodeh, J. Algorithms 3(3) 1982; Lynch, Distributed Algorithms, 1996, section 15.1.3; first, improved: Peterson, ACM TOPLAS 4(4) 1982",
		Papers:     []string{"dolev1982", "peterson1982", "lynch1996"},
		Cost:       "4n to 2n floor(lg n) + 2n",
		Variants:   [][]string{{"max", "min"}, {"dkr", "first", "improved"}},
		Rotations:  true,
		Bands:      []trial.Band{families.Candidates[*peterson.Process]("is active, and compares ranks")},
		Assumes: trial.Assumptions{
			Topologies: []string{"ring", "biring"}, FIFO: true, NoCrash: true, NoRestart: true,
		},
		Bounds: []trial.Bound{
			{
				Name: "exact", Metric: "messages", Relation: trial.Exactly, Convention: convention,
				Formula: "2nR + n, + n: R is how often one keeps only the local maxima until one is left; improved: nP' + n, with each time only what beats the next, then the one before; first: 2nr + d, + n, with d hops from the last holder to the owner, or e less and n + d more if two are left, e apart",
				Value:   func(in *trial.Instance) (float64, bool) { return float64(petersonMessages(in) + in.N), true },
			},
			{
				Name: "best", Metric: "messages", Relation: trial.AtLeast, Convention: convention,
				Formula: "3n, + n; first 3n-1, + n; improved 2n, + n; 2 if n = 1",
				Value: func(in *trial.Instance) (float64, bool) {
					switch {
					case in.N == 1:
						return 2, true
					case in.Variant.Has("first"):
						return float64(4*in.N - 1), true
					case in.Variant.Has("improved"):
						return float64(3 * in.N), true
					}
					return float64(4 * in.N), true
				},
			},
			{
				Name: "worst", Metric: "messages", Relation: trial.AtMost, Convention: convention,
				Formula: "2n floor(lg n) + n, + n; improved: n times the largest p with Fib(p+1) <= n, + n",
				Value: func(in *trial.Instance) (float64, bool) {
					if in.Variant.Has("improved") {
						return float64(in.N*mostImprovedRounds(in.N) + in.N), true
					}
					return float64(2*in.N*(bits.Len(uint(in.N))-1) + 2*in.N), true
				},
			},
			{
				Name: "fibonacci", Metric: "messages", Relation: trial.AtMost, Convention: convention,
				Formula: "improved: n lg n / lg phi + n, + n, where 1/lg phi is 1.44",
				Value: func(in *trial.Instance) (float64, bool) {
					n := float64(in.N)
					return float64(n*lg(n)/lg(math.Phi)) + 2*n, in.Variant.Has("improved")
				},
			},
			{
				Name: "quiet", Metric: "time", Relation: trial.Exactly,
				Formula:    "2n + when the last round begins: from 2n+2 to 4n-1; first: n + d instead of 2n",
				Convention: "constant delay, all start at 0",
				Value: func(in *trial.Instance) (float64, bool) {
					return float64(petersonQuiet(in)), in.ConstantDelay() && in.AllInitiate()
				},
			},
		},
	}, everyoneDecides, func(in *trial.Instance) func(protocols.ID) election.Process[peterson.Message] {
		cfg := peterson.Config{Order: in.Order}
		switch {
		case in.Variant.Has("first"):
			cfg.Program = peterson.First
		case in.Variant.Has("improved"):
			cfg.Program = peterson.Improved
		}
		return func(p protocols.ID) election.Process[peterson.Message] { return peterson.New(in.Ranks.At(p), cfg) }
	})
}

// standing is an active process of a ring.
type standing struct {
	at    int // its address
	rank  election.Rank
	begun int // when it begins the round, in delays
}

// petersonMessages is the number of ONE and TWO messages.
func petersonMessages(in *trial.Instance) int {
	rounds, last := petersonRounds(in)
	switch {
	case in.Variant.Has("improved"):
		return in.N * (rounds + 1)
	case !in.Variant.Has("first"):
		return 2*in.N*rounds + in.N
	}
	holder, d := lastHolder(in, last)
	if len(last) == 1 {
		return 2*in.N*rounds + d
	}
	other := last[1-holder]
	return 2*in.N*rounds + in.N + 2*d - distance(last[holder].at, other.at, in.N)
}

// petersonQuiet is when the last WINNER arrives, in delays.
func petersonQuiet(in *trial.Instance) int {
	_, last := petersonRounds(in)
	holder, d := lastHolder(in, last)
	if !in.Variant.Has("first") {
		d = in.N // all the way back to the holder
	}
	return last[holder].begun + d + in.N
}

// lastHolder is the index of the process that stands for the best rank, and its distance to
// the owner of this rank.
func lastHolder(in *trial.Instance, active []standing) (holder, toOwner int) {
	owner := best(in)
	for i, s := range active {
		if s.rank == in.Ranks.At(owner) {
			holder = i
		}
	}
	return holder, distance(active[holder].at, int(owner), in.N)
}

// petersonRounds is the number of rounds before the last, and the processes that are active
// in the last: one, or in Peterson's first program one or two.
func petersonRounds(in *trial.Instance) (rounds int, active []standing) {
	active = make([]standing, in.N)
	for p := range active {
		active[p] = standing{at: p, rank: in.Ranks.At(protocols.ID(p))}
	}
	most := 1
	if in.Variant.Has("first") {
		most = 2
	}
	for ; len(active) > most; rounds++ {
		if in.Variant.Has("improved") {
			active = improvedRound(active, in, rounds%2 == 0)
		} else {
			active = localMaxima(active, in)
		}
	}
	return rounds, active
}

// localMaxima are the active processes of the next round. The next active process takes over
// a local maximum, as soon as it has received the rank of the process before the maximum.
func localMaxima(active []standing, in *trial.Instance) []standing {
	var left []standing
	for i, k := 0, len(active); i < k; i++ {
		before, next := active[(i+k-1)%k], active[(i+1)%k]
		if r := active[i].rank; in.Order.Better(r, before.rank) && in.Order.Better(r, next.rank) {
			left = append(left, standing{next.at, r, before.begun + distance(before.at, next.at, in.N)}) // of two, it is a whole round
		}
	}
	return left
}

// improvedRound are the active processes after a round of the improved program. In an odd
// round, a rank that beats the next one moves there. In an even round, a process stays
// active if it beats the one before. Either happens when the message arrives.
func improvedRound(active []standing, in *trial.Instance, odd bool) []standing {
	var left []standing
	for i, k := 0, len(active); i < k; i++ {
		before, s := active[(i+k-1)%k], active[i]
		s.begun = before.begun + distance(before.at, s.at, in.N)
		switch wins := in.Order.Better(before.rank, s.rank); {
		case odd && wins:
			s.rank = before.rank
			left = append(left, s)
		case !odd && !wins:
			left = append(left, s)
		}
	}
	return left
}

// mostImprovedRounds is the largest p with Fib(p+1) <= n.
func mostImprovedRounds(n int) int {
	p := 1
	for fib, next := 1, 2; next <= n; fib, next = next, fib+next { // Fib(p+1), Fib(p+2)
		p++
	}
	return p
}
