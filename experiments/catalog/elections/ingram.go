package elections

import (
	"math"
	"time"

	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/ingram"
)

func ingramAlgorithm() trial.Algorithm {
	const convention = "the graph never changes, V > 1 processes, E edges; d and e are the degree and the eccentricity of the process with the smallest identity; a broadcast counts once"
	return families.Election(trial.Algorithm{
		Name:    "ingram",
		Title:   "the election of Ingram et al. for links that come and go: heights lead to the leader, a search without an answer elects",
		Look:    looks.Look{Colour: looks.Sky, Marker: looks.OpenDiamond},
		Source:  "Ingram, Radeva, Shields, Viqar, Walter & Welch, Distributed Computing 26(2) 2013; as it is known, not compared with the text",
		Papers:  []string{"ingram2013", "ingram2009"},
		Cost:    "at least 2V-1 + 2E-d",
		Metrics: families.Agreement(),
		Assumes: trial.Assumptions{
			Topologies: []string{"complete", trial.Connected}, FIFO: true, NoCrash: true, NoRestart: true, Moving: true,
		},
		Bounds: []trial.Bound{
			{
				Name: "best", Metric: "messages", Relation: trial.AtLeast, Formula: "2V-1 + 2E-d", Convention: convention,
				Value: func(in *trial.Instance) (float64, bool) { return float64(ingramFewest(in)), in.Calm() && in.N > 1 },
			},
			{
				Name: "exact", Metric: "messages", Relation: trial.Exactly, Formula: "3V-2",
				Convention: convention + "; the process with the smallest identity is the centre of a star, or one of two",
				Value: func(in *trial.Instance) (float64, bool) {
					star := in.N > 1 && edges(in) == in.N-1 && len(living(in, ingramLeader(in))) == in.N-1
					return float64(3*in.N - 2), in.Calm() && in.Transport == nil && star
				},
			},
			{
				Name: "decided", Metric: "decided_time", Relation: trial.Exactly, Formula: "e", Convention: convention + "; constant delay",
				Value: func(in *trial.Instance) (float64, bool) {
					return float64(searchFrom(in, ingramLeader(in)).deepest), in.Calm() && in.ConstantDelay()
				},
			},
		},
	}, func(in *trial.Instance) election.Promise {
		return election.Promise{Winner: election.Local, Rest: restWhenTold(in)}
	}, func(in *trial.Instance) func(protocols.ID) election.Process[ingram.Message] {
		return func(p protocols.ID) election.Process[ingram.Message] { return ingram.New(in.Ranks.At(p).ID) }
	})
}

// ingramFewest is a bound from below for messages on a graph that never changes.
func ingramFewest(in *trial.Instance) int {
	return 2*in.N - 1 + 2*edges(in) - len(living(in, ingramLeader(in)))
}

// ingramLeader is the leader of a connected graph that never changes.
func ingramLeader(in *trial.Instance) (leader protocols.ID) {
	for p, r := range in.Ranks.All() {
		if r.ID < in.Ranks.At(leader).ID {
			leader = p
		}
	}
	return leader
}

// restWhenTold is how long after the last change of a component its processes may disagree, if they are told of their
// links. No such bound is proven: no run of ingram or vktlinks has needed half of it.
func restWhenTold(in *trial.Instance) time.Duration {
	longest, bounded := in.Bound()
	if !bounded || in.Transport != nil || in.Processing > 0 || len(in.Lines) > 0 || longest > time.Hour {
		return math.MaxInt64
	}
	return 8 * longest * time.Duration(in.N)
}
