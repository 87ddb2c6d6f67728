package elections

import (
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/ghs"
)

func ghsAlgorithm() trial.Algorithm {
	const convention = "N processes, E edges; distinct weights; any initiators; the order of events matters"
	return families.Election(trial.Algorithm{
		Name:     "ghs",
		Title:    "Gallager, Humblet, Spira: the minimum spanning tree, whose last core has the leader",
		Look:     looks.Look{Colour: looks.Orange, Marker: looks.Circle},
		Source:   "Gallager, Humblet & Spira, ACM TOPLAS 5(1) 1983",
		Papers:   []string{"gallager1983"},
		Cost:     "5N lg N + 2E at most; + N-1 to tell all",
		Variants: [][]string{{"all-terminate", "leader-only"}, {"max", "min"}},
		Seeded: func(in *trial.Instance) string {
			if in.Graph().Drawn() {
				return "weights of the links"
			}
			return ""
		},
		Assumes: trial.Assumptions{
			Topologies: []string{"complete", trial.Connected}, FIFO: true, NoCrash: true, NoRestart: true,
		},
		Bounds: []trial.Bound{
			{
				Name: "worst", Metric: "messages", Relation: trial.AtMost, Convention: convention,
				Formula: "5N lg N + 2E, + N-1",
				Value: func(in *trial.Instance) (float64, bool) {
					n := float64(in.N)
					return float64(5*n*lg(n)) + float64(2*in.Graph().Edges()+ghsLeader(in)), true
				},
			},
			{
				Name: "best", Metric: "messages", Relation: trial.AtLeast, Convention: convention,
				Formula: "2E + N + 2, + N-1: two over each edge outside the tree, N CONNECT, N INITIATE and N REPORT",
				Value: func(in *trial.Instance) (float64, bool) {
					return float64(2*in.Graph().Edges() + in.N + 2 + ghsLeader(in)), in.N > 1
				},
			},
		},
	}, func(in *trial.Instance) election.Promise {
		return election.Promise{Winner: election.Anyone, LeaderOnly: in.Variant.Has("leader-only")}
	}, func(in *trial.Instance) func(protocols.ID) election.Process[ghs.Message] {
		made := ghsProcesses(in)
		return func(p protocols.ID) election.Process[ghs.Message] { return made(p) }
	})
}

// ghsProcesses makes the processes of an instance.
func ghsProcesses(in *trial.Instance) func(protocols.ID) *ghs.Process {
	cfg := ghs.Config{Announce: in.Variant.Has("all-terminate"), Order: in.Order}
	return func(p protocols.ID) *ghs.Process {
		weights := make([]int64, in.Topology.Degree(p))
		for port := range weights {
			weights[port] = in.Graph().Weight(p, port)
		}
		return ghs.New(in.Ranks.At(p), weights, cfg)
	}
}

// ghsLeader is the number of LEADER messages.
func ghsLeader(in *trial.Instance) int {
	if in.Variant.Has("leader-only") {
		return 0
	}
	return in.N - 1
}
