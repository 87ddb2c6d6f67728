package elections

import (
	"slices"
	"time"

	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/electiontree"
)

func electionTreeAlgorithm() trial.Algorithm {
	const convention = "V processes and E edges without the dead from the start; initiators start before anything reaches them; nobody crashes"
	return families.Election(trial.Algorithm{
		Name:     "electiontree",
		Title:    "the wireless election: a tree grows from the initiator, the best of each subtree is reported, the root announces",
		Source:   "Vasudevan, Kurose & Towsley, ICNP 2004; van Steen & Tanenbaum, Distributed Systems, 3rd ed., section 6.4.3",
		Papers:   []string{"vasudevan2004", "vansteen2017"},
		Cost:     "4E-2V+2 with one initiator, + V-1 LEADER",
		Variants: [][]string{{"max", "min"}},
		Assumes: trial.Assumptions{
			Topologies: []string{"complete", trial.Connected}, NoRestart: true, StaysConnected: true, BoundedDelay: true, PerfectDetector: true,
		},
		Bounds: []trial.Bound{
			{
				Name: "exact", Metric: "messages", Relation: trial.Exactly, Convention: convention,
				Formula: "4E-2V+2 with one initiator, + V-1",
				Value: func(in *trial.Instance) (float64, bool) {
					return float64(treeMessages(in, 1)), in.Calm() && oneInitiator(in)
				},
			},
			{
				Name: "best", Metric: "messages", Relation: trial.AtLeast, Convention: convention,
				Formula: "4E-2V+2, + V-1",
				Value:   func(in *trial.Instance) (float64, bool) { return float64(treeMessages(in, 1)), in.Calm() },
			},
			{
				Name: "worst", Metric: "messages", Relation: trial.AtMost, Convention: convention,
				Formula: "k(4E-2V+2) with k initiators, + V-1",
				Value: func(in *trial.Instance) (float64, bool) {
					return float64(treeMessages(in, in.Initiators.Len())), in.Calm() && !in.Timeless()
				},
			},
			{
				Name: "decided", Metric: "decided_time", Relation: trial.Exactly,
				Formula:    "c(root) + e; c(v): the largest of d(v), d(v)+2 if v has a neighbour that is neither parent nor child, and c+1 of each child",
				Convention: "one initiator, of eccentricity e; d is the distance from it; constant delay",
				Value: func(in *trial.Instance) (float64, bool) {
					if !in.Calm() || !oneInitiator(in) || !in.ConstantDelay() {
						return 0, false
					}
					done, e := treeDone(in, afterAck)
					return float64(done + e), true
				},
			},
			{
				Name: "latest", Metric: "decided_time", Relation: trial.AtMost, Formula: "3e+2",
				Convention: "one initiator, of eccentricity e; constant delay",
				Value: func(in *trial.Instance) (float64, bool) {
					if !in.Calm() || !oneInitiator(in) || !in.ConstantDelay() {
						return 0, false
					}
					return float64(3*searchFrom(in, in.Initiators.At(0)).deepest + 2), true
				},
			},
		},
	}, func(in *trial.Instance) election.Promise {
		// All processes notice the last crash within one timeout, or within two if they
		// join an election that a dead process has begun. Then the news reaches the
		// root, which begins the last election. Its ELECTION, ACK and LEADER take at
		// most n delays each.
		rest := 4*pollTimeout(in) + 8*in.Assumed*time.Duration(in.N)
		return election.Promise{Notices: true, Rest: rest}
	}, func(in *trial.Instance) func(protocols.ID) election.Process[electiontree.Message] {
		cfg := electiontree.Config{Timeout: pollTimeout(in), Order: in.Order}
		return func(p protocols.ID) election.Process[electiontree.Message] {
			return electiontree.New(in.Ranks.At(p), cfg)
		}
	})
}

// treeMessages is the number of messages of some elections that each span the graph. One
// of them is announced.
func treeMessages(in *trial.Instance, elections int) int {
	v := live(in)
	return elections*(4*edges(in)-2*v+2) + v - 1
}

// treeDone is the time, in delays, at which the one initiator knows the best process, and the eccentricity of the
// initiator. answered is when a process at distance d has the answer of a neighbour at distance of that is neither its
// parent nor its child.
func treeDone(in *trial.Instance, answered func(d, of int) int) (done, eccentricity int) {
	s := searchFrom(in, in.Initiators.At(0))
	c := make([]int, in.N)
	for _, v := range slices.Backward(s.order) {
		c[v] = max(c[v], s.distance[v])
		for _, q := range living(in, v) {
			if s.parent[v] != q && s.parent[q] != v {
				c[v] = max(c[v], answered(s.distance[v], s.distance[q]))
			}
		}
		if up := s.parent[v]; up >= 0 {
			c[up] = max(c[up], c[v]+1)
		}
	}
	return c[in.Initiators.At(0)], s.deepest
}

// afterAck: the process sends ELECTION, and the neighbour answers.
func afterAck(d, _ int) int { return d + 2 }
