package elections

import (
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/afekgafni"
)

func afekGafniAlgorithm() trial.Algorithm {
	const convention = "c initiators; LEADER, n-1, counted unless leader-only; the order of events matters"
	return families.Election(trial.Algorithm{
		Name:     "afekgafni",
		Title:    "Afek and Gafni, asynchronous: candidates capture one process after the other, and give up where a stronger one comes",
		Look:     looks.Look{Colour: looks.Purple, Marker: looks.Nabla},
		Source:   "Afek & Gafni, SIAM J. Computing 20(2) 1991; the simple form, reconstructed",
		Papers:   []string{"afek1991"},
		Cost:     "2(n-1) with one initiator, 4n H_n at most; + n-1 to tell all",
		Variants: [][]string{{"all-terminate", "leader-only"}, {"max", "min"}},
		Assumes: trial.Assumptions{
			Topologies: []string{"complete"}, NoCrash: true, NoRestart: true,
		},
		Bounds: []trial.Bound{
			{
				Name: "exact", Metric: "messages", Relation: trial.Exactly, Convention: convention,
				Formula: "2(n-1) with one initiator, + n-1",
				Value: func(in *trial.Instance) (float64, bool) {
					return float64(2*(in.N-1) + captureLeader(in)), oneInitiator(in)
				},
			},
			{
				Name: "best", Metric: "messages", Relation: trial.AtLeast, Convention: convention,
				Formula: "2(n-1), + n-1",
				Value:   func(in *trial.Instance) (float64, bool) { return float64(2*(in.N-1) + captureLeader(in)), true },
			},
			{
				Name: "worst", Metric: "messages", Relation: trial.AtMost, Convention: convention,
				Formula: "4 (S + c-1) - 2(n-1), + n-1; S the sum of min(c, floor(n/k)) for k = 2..n",
				Value: func(in *trial.Instance) (float64, bool) {
					c, sum := in.Initiators.Len(), 0
					for k := 2; k <= in.N; k++ {
						sum += min(c, in.N/k)
					}
					return float64(4*(sum+c-1) - 2*(in.N-1) + captureLeader(in)), true
				},
			},
			{
				Name: "elected", Metric: "elected_time", Relation: trial.Exactly, Formula: "2(n-1)",
				Convention: "one initiator, constant delay",
				Value: func(in *trial.Instance) (float64, bool) {
					return float64(2 * (in.N - 1)), oneInitiator(in) && in.ConstantDelay()
				},
			},
		},
	}, func(in *trial.Instance) election.Promise {
		return election.Promise{Winner: election.Anyone, LeaderOnly: in.Variant.Has("leader-only")}
	}, func(in *trial.Instance) func(protocols.ID) election.Process[afekgafni.Message] {
		cfg := afekgafni.Config{Announce: in.Variant.Has("all-terminate"), Order: in.Order}
		return func(p protocols.ID) election.Process[afekgafni.Message] { return afekgafni.New(in.Ranks.At(p), cfg) }
	})
}

// captureLeader is the number of LEADER messages.
func captureLeader(in *trial.Instance) int {
	if in.Variant.Has("leader-only") {
		return 0
	}
	return in.N - 1
}
