// Package broadcast declares the built-in algorithms for broadcast.
package broadcast

import (
	"fmt"

	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/protocols/broadcast"
)

// All returns the algorithms.
func All() []trial.Algorithm {
	return []trial.Algorithm{
		bestEffortAlgorithm(),
		eagerAlgorithm(),
	}
}

// promises is a promise that does not depend on the instance.
func promises(p broadcast.Promise) func(*trial.Instance) broadcast.Promise {
	return func(*trial.Instance) broadcast.Promise { return p }
}

// calm: no process crashes, so that theory is exact.
func calm(in *trial.Instance) bool { return in.Calm() && len(in.Dead) == 0 }

// anItem is the bound on messages of an algorithm that sends so many for each item.
func anItem(formula string, messages func(n int) int) trial.Bound {
	return trial.Bound{
		Name: "exact", Metric: "messages", Relation: trial.Exactly, Convention: "what a process sends itself is free; no process crashes",
		Formula: fmt.Sprintf("%s for each item", formula),
		Value: func(in *trial.Instance) (float64, bool) {
			return float64(families.Items(in) * messages(in.N)), calm(in)
		},
	}
}

// longest is the bound on the time from a broadcast to the last delivery.
func longest(formula string, delays float64) trial.Bound {
	return trial.Bound{
		Name: "longest", Metric: "delivery_time_max", Relation: trial.Exactly, Convention: "constant delay; no process crashes", Formula: formula,
		Value: func(in *trial.Instance) (float64, bool) {
			return delays, calm(in) && in.ConstantDelay() && in.N > 1
		},
	}
}
