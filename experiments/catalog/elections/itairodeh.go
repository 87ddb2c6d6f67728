package elections

import (
	"math"

	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/itairodeh"
	"bullring/protocols/election/itairodeh/synchronous"
)

// anonymous is the promise of an election among processes without identities.
func anonymous(*trial.Instance) election.Promise {
	return election.Promise{Winner: election.Anyone, Anonymous: true, LeaderOnly: true}
}

func itaiRodehAlgorithm() trial.Algorithm {
	asynchronous := families.Election(trial.Algorithm{
		Name:      "itairodeh",
		Title:     "Itai and Rodeh: no identities; whoever draws the largest number alone is the leader",
		Look:      looks.Look{Colour: looks.Orange, Marker: looks.Nabla},
		Source:    "Itai & Rodeh, Inf. Comput. 88(1) 1990; Fokkink & Pang, J. UCS 12(8) 2006; Lavault & Louchard, TCS 359 2006",
		Papers:    []string{"itai1990", "fokkink2006", "lavault2006", "angluin1980"},
		Cost:      "mean O(n log n), 1.418 rounds of n time units; sync: mean 2.442n, 2.442 phases of n rounds",
		Variants:  [][]string{{"async", "sync"}, {"coins", "nocoins"}},
		Rotations: true,
		Bands:     []trial.Band{families.Candidates[*itairodeh.Process]("is active: has drawn a number, and has not met a larger one")},
		Assumes: trial.Assumptions{
			Topologies: []string{"ring", "biring"}, FIFO: true, NoCrash: true, NoRestart: true, Anonymous: true,
		},
		Bounds: []trial.Bound{
			{
				Name: "mean", Metric: "messages", Relation: trial.Mean,
				Formula:    "a round with m active costs n sum of E[(X/n)^j], j < m, X uniform on 1..n; w go on with probability C(m,w) sum of (x-1)^(m-w)/n^m",
				Convention: "TOKEN counted when sent; m is the number of initiators at first; over all draws",
				Value: func(in *trial.Instance) (float64, bool) {
					messages, _ := itaiRodehMeans(in.N, in.Initiators.Len())
					return messages, in.Variant.Has("coins")
				},
			},
			{
				Name: "elected", Metric: "elected_time", Relation: trial.Mean,
				Formula:    "n times the expected number of rounds, which goes to 2 - 1/(e-1)",
				Convention: "constant delay, initiators start at 0; over all draws",
				Value: func(in *trial.Instance) (float64, bool) {
					_, rounds := itaiRodehMeans(in.N, in.Initiators.Len())
					return float64(in.N) * rounds, in.Variant.Has("coins") && in.ConstantDelay()
				},
			},
		},
	}, anonymous, func(in *trial.Instance) func(protocols.ID) election.Process[itairodeh.Message] {
		cfg := itairodeh.Config{N: in.N, K: in.N}
		if in.Variant.Has("nocoins") {
			cfg.K = 1
		}
		return func(protocols.ID) election.Process[itairodeh.Message] { return itairodeh.New(cfg) }
	})
	return asynchronous.Or("sync", inLockstep(trial.Algorithm{
		Rotations: true,
		Assumes: trial.Assumptions{
			Topologies: []string{"ring", "biring"}, AllInitiate: true, NoCrash: true, NoRestart: true, BoundedDelay: true, Anonymous: true,
		},
		Bounds: []trial.Bound{
			{
				Name: "mean", Metric: "messages", Relation: trial.Mean, Formula: "n*M(n), M(n) -> 2.441715879",
				Convention: "TOKEN counted when sent; over all draws",
				Value: func(in *trial.Instance) (float64, bool) {
					return float64(in.N) * itaiRodehPhases(in.N), in.Variant.Has("coins")
				},
			},
			{
				Name: "elected", Metric: "elected_time", Relation: trial.Mean, Formula: "n*M(n), M(n) -> 2.441715879",
				Convention: "every message takes exactly a round; over all draws",
				Value: func(in *trial.Instance) (float64, bool) {
					return float64(in.N) * itaiRodehPhases(in.N), in.Variant.Has("coins") && exactRounds(in)
				},
			},
		},
	}, anonymous, func(in *trial.Instance) func(protocols.ID) electionRound[synchronous.Message] {
		cfg := synchronous.Config{N: in.N, NoCoins: in.Variant.Has("nocoins")}
		return func(protocols.ID) electionRound[synchronous.Message] { return synchronous.New(cfg) }
	}))
}

// mostWinners limits how many processes have the same largest draw. More have a probability
// below 10^-23, if n processes draw from 1..n.
const mostWinners = 24

// itaiRodehMeans are the expected numbers of messages and rounds of the asynchronous
// algorithm with n processes that draw from 1..n. At first some of them are active.
func itaiRodehMeans(n, active int) (messages, rounds float64) {
	type mean struct{ messages, rounds float64 }
	few := make([]mean, min(active, mostWinners)+1)
	of := func(m int) mean {
		e, again := mean{float64(n) * hopsOfRound(n, m), 1}, 0.0
		for w := 2; w <= min(m, mostWinners); w++ {
			p := goOn(n, m, w)
			if w == m {
				again = p
				continue
			}
			e.messages += float64(p * few[w].messages)
			e.rounds += float64(p * few[w].rounds)
		}
		return mean{e.messages / (1 - again), e.rounds / (1 - again)}
	}
	for m := 1; m < len(few); m++ {
		few[m] = of(m)
	}
	all := of(active)
	return all.messages, all.rounds
}

// hopsOfRound is the sum of E[(X/n)^j] over j = 0..m-1, X uniform on 1..n.
func hopsOfRound(n, m int) float64 {
	sum := float64(m) // of x = n
	for x := 1; x < n; x++ {
		share := float64(x) / float64(n)
		sum += (1 - math.Pow(share, float64(m))) / (1 - share)
	}
	return sum / float64(n)
}

// goOn is the probability that w of m draw the same largest number of 1..n, for w < m
// or more than one process.
func goOn(n, m, w int) float64 {
	sum := 0.0
	for x := 1; x <= n; x++ {
		sum += math.Pow(float64(x-1)/float64(n), float64(m-w))
	}
	return float64(sum * binomial(m, w) * math.Pow(1/float64(n), float64(w)))
}

// binomial is the number of ways to choose w of m.
func binomial(m, w int) float64 {
	c := 1.0
	for i := 1; i <= w; i++ {
		c = c * float64(m-w+i) / float64(i)
	}
	return c
}

// itaiRodehPhases is M(n), the expected number of phases of the synchronous algorithm:
// each of m active processes becomes a candidate with probability 1/m.
func itaiRodehPhases(n int) float64 {
	if n == 1 {
		return 1
	}
	few := make([]float64, min(n, mostWinners)+1)
	of := func(m int) float64 {
		p := 1 / float64(m)
		e, again := 1.0, math.Pow(1-p, float64(m)) // no candidate
		for w := 2; w <= min(m, mostWinners); w++ {
			probability := binomial(m, w) * math.Pow(p, float64(w)) * math.Pow(1-p, float64(m-w))
			if w == m {
				again += probability
				continue
			}
			e += float64(probability * few[w])
		}
		return e / (1 - again)
	}
	for m := 2; m < len(few); m++ {
		few[m] = of(m)
	}
	return of(n)
}
