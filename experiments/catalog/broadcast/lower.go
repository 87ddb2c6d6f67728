package broadcast

import (
	"fmt"

	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/protocols"
	"bullring/protocols/broadcast"
	"bullring/protocols/broadcast/besteffort"
	"bullring/protocols/broadcast/eager"
	"bullring/protocols/broadcast/lazy"
	"bullring/protocols/broadcast/uniform"
)

// lower is a broadcast that another one can use.
type lower struct {
	word    string // the variant of that one
	promise broadcast.Promise
	model   trial.Assumptions
	formula string // of its messages for an item
	cost    func(n int) int
	delays  float64 // until all have delivered an item
	// layer makes its layer at a process, above best-effort broadcast. It is nil for that one itself.
	layer func(*trial.Instance) broadcast.Layer
}

// complete is the part of a model that all broadcasts have in common.
var complete = trial.Assumptions{Topologies: []string{"complete"}, NoRestart: true}

// detected is a model with a perfect failure detector.
var detected = trial.Assumptions{Topologies: []string{"complete"}, NoRestart: true, PerfectDetector: true}

// halved is a model in which fewer than half of the processes crash.
var halved = trial.Assumptions{
	Topologies: []string{"complete"}, NoRestart: true,
	Resilience: &trial.Resilience{Words: "n > 2f", Most: func(n int) int { return (n - 1) / 2 }},
}

func once(n int) int  { return n - 1 }
func again(n int) int { return n * (n - 1) }

// The broadcasts that others can use.
var (
	bestEffort = lower{"besteffort", broadcast.Promise{}, complete, "n-1", once, 1, nil}
	eagerly    = lower{"eager", broadcast.Promise{Agreement: true}, complete, "n(n-1)", again, 1,
		func(*trial.Instance) broadcast.Layer { return eager.New() }}
	lazily = lower{"lazy", broadcast.Promise{Agreement: true}, detected, "n-1", once, 1,
		func(*trial.Instance) broadcast.Layer { return lazy.New() }}
	byMajority = lower{"uniform", broadcast.Promise{Agreement: true, Uniform: true}, halved, "n(n-1)", again, 2,
		func(*trial.Instance) broadcast.Layer { return uniform.New(uniform.Config{Majority: true}) }}
	byAll = lower{"allack", byMajority.promise, detected, "n(n-1)", again, 2,
		func(in *trial.Instance) broadcast.Layer {
			return uniform.New(uniform.Config{Period: in.Duration("period")})
		}}
	lowers = []lower{bestEffort, eagerly, lazily, byMajority}
)

// words are the variants of a broadcast over another one.
func words() (all []string) {
	for _, l := range lowers {
		all = append(all, l.word)
	}
	return all
}

// period is the parameter of those that ask the detector again.
var period = trial.PauseParam("period", "1ms", "allack: how often a process that waits for others asks whether they live")

// alone: a broadcast has no layer above it.
func alone(*trial.Instance) []broadcast.Layer { return nil }

// declared declares a broadcast with the layers that above has over l.
func declared[K protocols.Namer](a trial.Algorithm, l lower, above func(*trial.Instance) []broadcast.Layer, more ...broadcast.Promise) trial.Algorithm {
	promise, params := l.promise, a.Assumes.Params
	for _, p := range more {
		promise = promise.And(p)
	}
	a.Assumes, a.Bounds = l.model, []trial.Bound{anItem(l), longest(l)}
	a.Assumes.Params = params
	return families.Broadcast(a, promise, func(in *trial.Instance) func(protocols.ID) broadcast.Service[broadcast.Message[K]] {
		return func(protocols.ID) broadcast.Service[broadcast.Message[K]] {
			layers := above(in)
			if l.layer != nil {
				layers = append(layers, l.layer(in))
			}
			return broadcast.Over[K](append(layers, besteffort.New())...)
		}
	})
}

// overAny declares a broadcast whose layer stands over any other one, the variants.
func overAny[K protocols.Namer](a trial.Algorithm, promise broadcast.Promise, layer func(*trial.Instance) broadcast.Layer) trial.Algorithm {
	above := func(in *trial.Instance) []broadcast.Layer { return []broadcast.Layer{layer(in)} }
	all := declared[K](a, lowers[0], above, promise)
	for _, l := range lowers[1:] {
		all = all.Or(l.word, declared[K](a, l, above, promise))
	}
	return all
}

// calm: no process crashes, so that theory is exact.
func calm(in *trial.Instance) bool { return in.Calm() && len(in.Dead) == 0 }

// anItem is the bound on the messages of a broadcast.
func anItem(l lower) trial.Bound {
	return trial.Bound{
		Name: "exact", Metric: "messages", Relation: trial.Exactly, Convention: "what a process sends itself is free; no process crashes",
		Formula: l.formula + " for each item",
		Value:   func(in *trial.Instance) (float64, bool) { return float64(families.Items(in) * l.cost(in.N)), calm(in) },
	}
}

// longest is the bound on the time from a broadcast to the last delivery.
func longest(l lower) trial.Bound {
	return trial.Bound{
		Name: "longest", Metric: "delivery_time_max", Relation: trial.Exactly, Convention: "constant delay; no process crashes",
		Formula: fmt.Sprint(l.delays),
		Value: func(in *trial.Instance) (float64, bool) {
			return l.delays, calm(in) && in.ConstantDelay() && in.N > 1
		},
	}
}
