package elections

import (
	"cmp"
	"math"
	"slices"

	"bullring/experiments/trial"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/variablespeeds"
)

func variableSpeedsAlgorithm() trial.Algorithm {
	return inLockstep(trial.Algorithm{
		Name:      "variablespeeds",
		Title:     "VariableSpeeds: the token of identity v takes 2^v rounds a hop, and the fastest comes home",
		Look:      looks.Look{Colour: looks.Black, Marker: looks.OpenSquare},
		Source:    "Lynch, Distributed Algorithms, 1996, section 3.5; Frederickson & Lynch, STOC 1984",
		Papers:    []string{"frederickson1984", "lynch1996"},
		Cost:      "fewer than 2n messages, n*2^u rounds for the smallest identity u",
		Variants:  [][]string{{"min"}},
		Rotations: true,
		Assumes: trial.Assumptions{
			Topologies: []string{"ring", "biring"}, AllInitiate: true, NoCrash: true, NoRestart: true, BoundedDelay: true, Numbers: true,
		},
		Bounds: []trial.Bound{
			{
				Name: "exact", Metric: "messages", Relation: trial.Exactly,
				Formula:    "token v makes hop h at h*2^v - 1, unless a smaller one has been there by then",
				Convention: "TOKEN counted when sent; every message takes exactly a round",
				Value: func(in *trial.Instance) (float64, bool) {
					return float64(variableSpeedsHops(in)), exactRounds(in)
				},
			},
			{
				Name: "worst", Metric: "messages", Relation: trial.AtMost, Formula: "2n - 1",
				Convention: "TOKEN counted when sent; every message takes exactly a round",
				Value:      func(in *trial.Instance) (float64, bool) { return float64(2*in.N - 1), exactRounds(in) },
			},
			{
				Name: "elected", Metric: "elected_time", Relation: trial.Exactly, Formula: "n*2^u",
				Convention: "u the smallest identity; every message takes exactly a round",
				Value: func(in *trial.Instance) (float64, bool) {
					return math.Ldexp(float64(in.N), int(smallest(in))), exactRounds(in)
				},
			},
		},
	}, func(*trial.Instance) election.Promise {
		return election.Promise{LeaderOnly: true}
	}, func(in *trial.Instance) func(protocols.ID) electionRound[variablespeeds.Message] {
		return func(p protocols.ID) electionRound[variablespeeds.Message] {
			return variablespeeds.New(in.Ranks.At(p).ID)
		}
	})
}

// runner is a token of VariableSpeeds.
type runner struct {
	owner int
	id    int
	hops  int
}

// at is the round in which the token reached an address. It is at its owner from the
// beginning.
func (r runner) at(p, n int) (when float64, came bool) {
	d := (p - r.owner + n) % n
	return math.Ldexp(float64(d), r.id), d <= r.hops
}

// variableSpeedsHops is the number of hops of all tokens. The hops of one token depend only
// on smaller tokens.
func variableSpeedsHops(in *trial.Instance) int {
	tokens := make([]runner, in.N)
	for p, r := range in.Ranks.All() {
		tokens[p] = runner{owner: int(p), id: int(r.ID)}
	}
	slices.SortFunc(tokens, func(a, b runner) int { return cmp.Compare(a.id, b.id) })
	sum := 0
	for i := range tokens {
		t := &tokens[i]
		for t.hops < in.N && !stopped(t, tokens[:i], in.N) {
			t.hops++
		}
		sum += t.hops
	}
	return sum
}

// stopped reports whether a smaller token reaches the place of the token before its next
// hop.
func stopped(t *runner, smaller []runner, n int) bool {
	at, leaves := (t.owner+t.hops)%n, math.Ldexp(float64(t.hops+1), t.id)-1
	return slices.ContainsFunc(smaller, func(s runner) bool {
		when, came := s.at(at, n)
		return came && when <= leaves
	})
}
