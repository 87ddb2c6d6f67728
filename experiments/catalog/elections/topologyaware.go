package elections

import (
	"math"
	"time"

	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/topologyaware"
)

func topologyAwareAlgorithm() trial.Algorithm {
	const convention = "the graph never changes, V > 1 processes, e(v) the eccentricity of v, D the diameter; a broadcast counts once"
	return families.Election(trial.Algorithm{
		Name:     "topologyaware",
		Title:    "the election of Favier et al. for mobile networks: each process knows the graph of its component, and the most central one leads",
		Look:     looks.Look{Colour: looks.Purple, Marker: looks.OpenSquare},
		Source:   "Favier, Guittonneau, Arantes, Fladenmuller, Lejeune & Sens, PRDC 2020; Favier, thesis, 2021, chapter 4; its pseudocode was not at hand",
		Papers:   []string{"favier2020", "favier2021"},
		Cost:     "V + the sum of the eccentricities, with constant delay",
		Variants: [][]string{{"closeness", "degree"}, {"max", "min"}},
		Params:   []trial.Param{intervalParam("interval", "how long updates are collected before they are told (Delta)")},
		Metrics:  append(families.Agreement(), families.Standing()...),
		Assumes: trial.Assumptions{
			Topologies: []string{"complete", trial.Connected}, FIFO: true, NoCrash: true, NoRestart: true, Moving: true,
		},
		Bounds: []trial.Bound{
			{
				Name: "exact", Metric: "messages", Relation: trial.Exactly, Formula: "V + sum of e(v)", Convention: convention + "; constant delay",
				Value: func(in *trial.Instance) (float64, bool) {
					sum, _ := eccentricities(in)
					return float64(in.N + sum), in.Calm() && in.ConstantDelay() && in.N > 1
				},
			},
			{
				Name: "best", Metric: "messages", Relation: trial.AtLeast, Formula: "2V", Convention: convention,
				Value: func(in *trial.Instance) (float64, bool) { return float64(2 * in.N), in.Calm() && in.N > 1 },
			},
			{
				Name: "worst", Metric: "messages", Relation: trial.AtMost, Formula: "V*V", Convention: convention,
				Value: func(in *trial.Instance) (float64, bool) {
					return float64(in.N * in.N), in.Calm() && in.Transport == nil && in.N > 1
				},
			},
			{
				Name: "decided", Metric: "decided_time", Relation: trial.AtMost, Formula: "D + (D-1) intervals", Convention: convention + "; constant delay",
				Value: func(in *trial.Instance) (float64, bool) {
					unit, constant := in.Unit()
					if !in.Calm() || !in.ConstantDelay() || !constant || in.N < 2 {
						return 0, false
					}
					_, diameter := eccentricities(in)
					interval := float64(timeoutOf(in, "interval")) / float64(unit)
					return float64(diameter) + float64(diameter-1)*interval, true
				},
			},
		},
	}, func(in *trial.Instance) election.Promise {
		criterion := election.ByCloseness
		if in.Variant.Has("degree") {
			criterion = election.ByDegree
		}
		return election.Promise{Winner: election.Local, Rest: topologyAwareRest(in), Criterion: criterion, Central: true}
	}, func(in *trial.Instance) func(protocols.ID) election.Process[topologyaware.Message] {
		cfg := topologyaware.Config{Order: in.Order, Degree: in.Variant.Has("degree"), Interval: timeoutOf(in, "interval")}
		return func(p protocols.ID) election.Process[topologyaware.Message] {
			return topologyaware.New(in.Ranks.At(p), cfg)
		}
	})
}

// eccentricities are the sum of those of all processes, and the largest.
func eccentricities(in *trial.Instance) (sum, diameter int) {
	for p := range protocols.ID(in.N) {
		e := searchFrom(in, p).deepest
		sum, diameter = sum+e, max(diameter, e)
	}
	return sum, diameter
}

// topologyAwareRest is how long after the last change of a component its processes may disagree: at each hop of the
// last news there is an interval and a delay.
func topologyAwareRest(in *trial.Instance) time.Duration {
	longest, bounded := in.Bound()
	if !bounded || in.Transport != nil || in.Processing > 0 || len(in.Lines) > 0 || longest > time.Hour {
		return math.MaxInt64
	}
	return time.Duration(in.N-1) * (longest + timeoutOf(in, "interval"))
}
