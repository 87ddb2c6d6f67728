// Package waves declares the built-in wave algorithms and traversals.
package waves

import (
	"bullring/des"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/protocols"
	"bullring/protocols/wave"
)

// All returns the algorithms.
func All() []trial.Algorithm {
	return []trial.Algorithm{
		treeAlgorithm(),
		phaseAlgorithm(),
		finnAlgorithm(),
		tarryAlgorithm(),
		dfsAlgorithm(),
		awerbuchAlgorithm(),
		cidonAlgorithm(),
	}
}

// traversal declares an algorithm in which a token visits every process. new makes a process, which may
// draw the links that the token takes.
func traversal[M protocols.Message](a trial.Algorithm, sort families.Sort, made func(random bool) wave.Process[M]) trial.Algorithm {
	a.Variants = [][]string{{"first", "random"}}
	a.Assumes = trial.Assumptions{
		Topologies: []string{"complete", trial.Connected}, OneInitiates: true, NoCrash: true, NoRestart: true,
	}
	return families.Wave(a, sort, func(in *trial.Instance) func(protocols.ID) wave.Process[M] {
		random := in.Variant.Has("random")
		return func(protocols.ID) wave.Process[M] { return made(random) }
	})
}

// anyStart is the model of an algorithm in which any processes initiate, on directed graphs, too.
func anyStart() trial.Assumptions {
	return trial.Assumptions{Topologies: []string{"complete", trial.StronglyConnected}, NoCrash: true, NoRestart: true}
}

// messages is a bound on the number of messages.
func messages(name string, relation trial.Relation, formula, convention string, value func(*trial.Instance) int) trial.Bound {
	return trial.Bound{
		Name: name, Metric: "messages", Relation: relation, Formula: formula, Convention: convention,
		Value: func(in *trial.Instance) (float64, bool) { return float64(value(in)), true },
	}
}

// exactTime is the time of the last decision, in delays that are constant.
func exactTime(formula, convention string, value func(*trial.Instance) int) trial.Bound {
	return trial.Bound{
		Name: "decided", Metric: "decided_time", Relation: trial.Exactly, Formula: formula, Convention: convention + "; constant delay",
		Value: func(in *trial.Instance) (float64, bool) { return float64(value(in)), in.ConstantDelay() },
	}
}

// longestTime is a bound on that time in the longest delays, where all are bounded: Tel's time, in which a
// message takes at most one unit, and a step none.
func longestTime(formula, convention string, value func(*trial.Instance) int) trial.Bound {
	return trial.Bound{
		Name: "latest", Metric: "decided_time", Relation: trial.AtMost, Formula: formula, Convention: convention + "; in the longest delays, if all are bounded",
		Value: func(in *trial.Instance) (float64, bool) {
			longest, bounded := in.Bound()
			return float64(value(in)) * in.Units(des.Time(longest)), bounded && in.Processing == 0
		},
	}
}

// deciders is the number of processes that decide.
func deciders(formula string, value func(*trial.Instance) int) trial.Bound {
	return trial.Bound{
		Name: "deciders", Metric: "deciders", Relation: trial.Exactly, Formula: formula, Convention: "at rest",
		Value: func(in *trial.Instance) (float64, bool) { return float64(value(in)), true },
	}
}

func one(*trial.Instance) int { return 1 }

func everyone(in *trial.Instance) int { return in.N }

// links is the number of directed links, 2m.
func links(in *trial.Instance) int { return in.Graph().Links() }

// sources are the in-neighbours of each process.
func sources(in *trial.Instance) [][]protocols.ID {
	from := make([][]protocols.ID, in.N)
	for p := range protocols.ID(in.N) {
		for port := range in.Topology.Degree(p) {
			q := in.Topology.Neighbor(p, port)
			from[q] = append(from[q], p)
		}
	}
	return from
}

// reached is when a wave from the initiators reaches each process, in delays that are constant.
func reached(in *trial.Instance) []int {
	at := make([]int, in.N)
	for p := range at {
		at[p] = -1
	}
	queue := in.Initiators.List()
	for _, p := range queue {
		at[p] = 0
	}
	for ; len(queue) > 0; queue = queue[1:] {
		for port := range in.Topology.Degree(queue[0]) {
			if q := in.Topology.Neighbor(queue[0], port); at[q] < 0 {
				at[q] = at[queue[0]] + 1
				queue = append(queue, q)
			}
		}
	}
	return at
}
