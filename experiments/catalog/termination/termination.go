// Package termination declares the built-in algorithms that detect the termination of a computation.
package termination

import (
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/protocols"
)

// All returns the algorithms.
func All() []trial.Algorithm {
	return []trial.Algorithm{
		scholtenAlgorithm(),
		safraAlgorithm(),
		matternAlgorithm(),
		huangAlgorithm(),
	}
}

// general: every initiator begins the computation.
func general(in *trial.Instance, p protocols.ID) bool { return in.Initiators.Has(p) }

// diffusing: the computation begins at the process that detects.
func diffusing(in *trial.Instance, p protocols.ID) bool { return p == families.FirstInitiator(in) }

const counted = "messages counted when sent"

// detected is the bound on the time from termination to its announcement.
func detected(formula, why string, units func(n int) int) trial.Bound {
	return trial.Bound{
		Name: "detected", Metric: "detection_delay", Relation: trial.AtMost, Formula: formula, Convention: "constant delay; " + why,
		Value: func(in *trial.Instance) (float64, bool) { return float64(units(in.N)), in.ConstantDelay() },
	}
}

// whole is the bound that the messages of a kind come in whole rounds.
func whole(name, kind, formula string, round func(n int) int) trial.Bound {
	metric := trial.SentPrefix + kind
	return trial.Bound{
		Name: name, Metric: metric, Relation: trial.Exactly, Formula: formula, Convention: counted,
		Of: func(r *trial.Result) (float64, bool) {
			sent, ok := r.Metric(metric)
			size := max(round(r.Instance.N), 1)
			return float64(int(sent) / size * size), ok
		},
	}
}
