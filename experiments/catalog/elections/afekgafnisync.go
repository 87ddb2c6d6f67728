package elections

import (
	"math/bits"

	"bullring/des"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/afekgafnisync"
)

func afekGafniSyncAlgorithm() trial.Algorithm {
	const convention = "LEADER, n-1, counted unless leader-only; any delays within the bound"
	return families.Election(trial.Algorithm{
		Name:     "afekgafnisync",
		Title:    "Afek and Gafni, synchronous: candidates capture twice as many processes in each phase, all or nothing",
		Source:   "Afek & Gafni, SIAM J. Computing 20(2) 1991; doubling capture, reconstructed",
		Papers:   []string{"afek1991"},
		Cost:     "3n ceil(lg n) - n at most, in 2 ceil(lg n) rounds; + n-1 to tell all",
		Variants: [][]string{{"all-terminate", "leader-only"}, {"max", "min"}},
		Assumes: trial.Assumptions{
			Topologies: []string{"complete"}, AllInitiate: true, NoCrash: true, NoRestart: true, BoundedDelay: true,
		},
		Bounds: []trial.Bound{
			{
				Name: "exact", Metric: "messages", Relation: trial.Exactly, Convention: convention,
				Formula: "in phase i each candidate left sends 2^i CAPTURE, and each process that a better candidate wants one ACCEPT; + n-1",
				Value: func(in *trial.Instance) (float64, bool) {
					return float64(doublingCapture(in) + captureLeader(in)), true
				},
			},
			{
				Name: "worst", Metric: "messages", Relation: trial.AtMost, Convention: convention,
				Formula: "3n ceil(lg n) - n, + n-1",
				Value: func(in *trial.Instance) (float64, bool) {
					return float64(3*in.N*bits.Len(uint(in.N-1)) - in.N + captureLeader(in)), in.N > 1
				},
			},
			{
				Name: "elected", Metric: "elected_time", Relation: trial.Exactly, Formula: "2 ceil(lg n) rounds",
				Convention: "constant delay; a round is the assumed bound on it",
				Value: func(in *trial.Instance) (float64, bool) {
					rounds := des.Time(afekgafnisync.Rounds(in.N))
					return in.Units(rounds * des.Time(in.Assumed)), in.ConstantDelay()
				},
			},
		},
	}, func(in *trial.Instance) election.Promise {
		return election.Promise{LeaderOnly: in.Variant.Has("leader-only")}
	}, func(in *trial.Instance) func(protocols.ID) election.Process[afekgafnisync.Message] {
		cfg := afekgafnisync.Config{Round: in.Assumed, Announce: in.Variant.Has("all-terminate"), Order: in.Order}
		return func(p protocols.ID) election.Process[afekgafnisync.Message] {
			return afekgafnisync.New(in.Ranks.At(p), cfg)
		}
	})
}

// doublingCapture is the number of CAPTURE and ACCEPT messages. In each phase the best of
// its claimants captures a process. A process that is still a candidate claims itself.
func doublingCapture(in *trial.Instance) int {
	n, messages := in.N, 0
	running := make([]bool, n)
	for p := range running {
		running[p] = true
	}
	for captured := 0; captured < n-1; captured = 2*captured + 1 {
		asks := min(captured+1, n-1-captured)
		owner := make([]int, n) // of each process after the phase; -1 is none
		for p := range owner {
			if owner[p] = -1; running[p] {
				owner[p] = p
			}
		}
		wanted := func(c, port int) int { return (c + 1 + port) % n }
		for c := range n {
			for port := captured; running[c] && port < captured+asks; port++ {
				messages++
				p := wanted(c, port)
				if owner[p] < 0 || in.Order.Better(in.Ranks.At(protocols.ID(c)), in.Ranks.At(protocols.ID(owner[p]))) {
					owner[p] = c
				}
			}
		}
		for p, c := range owner {
			if c >= 0 && c != p {
				messages++
			}
		}
		next := make([]bool, n)
		for c := range n {
			next[c] = running[c] && owner[c] == c
			for port := captured; next[c] && port < captured+asks; port++ {
				next[c] = owner[wanted(c, port)] == c
			}
		}
		running = next
	}
	return messages
}
