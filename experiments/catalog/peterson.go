package catalog

import (
	"math/bits"

	"bullring/experiments"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/peterson"
)

func petersonAlgorithm() experiments.Algorithm {
	const convention = "ONE, TWO and n WINNER counted when sent; any initiators"
	return experiments.Election(experiments.Algorithm{
		Name:      "peterson",
		Title:     "Dolev, Klawe, Rodeh; Lynch's Peterson: who is active takes over the largest of three identities, or retires",
		Source:    "Dolev, Klawe & Rodeh, J. Algorithms 3(3) 1982; Lynch, Distributed Algorithms, 1996, section 15.1.3",
		Cost:      "4n to 2n floor(lg n) + 2n",
		Variants:  [][]string{{"max", "min"}},
		Rotations: true,
		Assumes: experiments.Assumptions{
			Topologies: []string{"ring", "biring"}, FIFO: true, NoCrash: true, NoRestart: true,
		},
		Bounds: []experiments.Bound{
			{
				Name: "exact", Metric: "messages", Relation: experiments.Exactly, Convention: convention,
				Formula: "2nR + n, + n: R is how often one keeps only the local maxima until one is left",
				Value: func(in *experiments.Instance) (float64, bool) {
					rounds, _ := petersonRounds(in)
					return float64(2*in.N*rounds + 2*in.N), true
				},
			},
			{
				Name: "best", Metric: "messages", Relation: experiments.AtLeast, Convention: convention,
				Formula: "3n, + n; 2 if n = 1",
				Value: func(in *experiments.Instance) (float64, bool) {
					if in.N == 1 {
						return 2, true
					}
					return float64(4 * in.N), true
				},
			},
			{
				Name: "worst", Metric: "messages", Relation: experiments.AtMost, Convention: convention,
				Formula: "2n floor(lg n) + n, + n",
				Value: func(in *experiments.Instance) (float64, bool) {
					return float64(2*in.N*(bits.Len(uint(in.N))-1) + 2*in.N), true
				},
			},
			{
				Name: "quiet", Metric: "time", Relation: experiments.Exactly,
				Formula:    "2n + when the last round begins: from 2n+2 to 4n-1",
				Convention: "constant delay, all start at 0",
				Value: func(in *experiments.Instance) (float64, bool) {
					_, begun := petersonRounds(in)
					return float64(begun + 2*in.N), constantDelay(in) && allInitiate(in)
				},
			},
		},
	}, everyoneDecides, func(in *experiments.Instance) func(protocols.ID) election.Process[peterson.Message] {
		cfg := peterson.Config{Order: in.Order}
		return func(p protocols.ID) election.Process[peterson.Message] { return peterson.New(in.Ranks[p], cfg) }
	})
}

// standing is an active process of Dolev, Klawe and Rodeh.
type standing struct {
	at    int // its address
	rank  election.Rank
	begun int // when it begins the round, in delays
}

// petersonRounds is how many rounds there are before that in which one process is
// left, and when that one begins. A local maximum goes on at the next active
// process, as soon as what the one before it stands for has come there.
func petersonRounds(in *experiments.Instance) (rounds, begun int) {
	active := make([]standing, in.N)
	for p := range active {
		active[p] = standing{at: p, rank: in.Ranks[p]}
	}
	for ; len(active) > 1; rounds++ {
		active = localMaxima(active, in)
	}
	return rounds, active[0].begun
}

// localMaxima are the active processes of the next round.
func localMaxima(active []standing, in *experiments.Instance) []standing {
	var left []standing
	for i, k := 0, len(active); i < k; i++ {
		before, next := active[(i+k-1)%k], active[(i+1)%k]
		if r := active[i].rank; in.Order.Better(r, before.rank) && in.Order.Better(r, next.rank) {
			distance := (next.at-before.at+in.N-1)%in.N + 1 // of two, it is a whole round
			left = append(left, standing{next.at, r, before.begun + distance})
		}
	}
	return left
}
