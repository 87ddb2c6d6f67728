package broadcast

import (
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/broadcast"
	"bullring/protocols/broadcast/besteffort"
	"bullring/protocols/broadcast/eager"
)

func eagerAlgorithm() trial.Algorithm {
	return families.Broadcast(trial.Algorithm{
		Name:    "eager",
		Title:   "eager reliable broadcast: a process that gets an item for the first time passes it on to all",
		Look:    looks.Look{Colour: looks.Blue, Marker: looks.Square},
		Source:  "Cachin, Guerraoui & Rodrigues, Reliable and Secure Distributed Programming, 2nd ed., section 3.3",
		Papers:  []string{"cachin2011"},
		Cost:    "n(n-1) an item",
		Assumes: trial.Assumptions{Topologies: []string{"complete"}, NoRestart: true},
		Bounds:  []trial.Bound{anItem("n(n-1)", func(n int) int { return n * (n - 1) }), longest("1", 1)},
	}, promises(broadcast.Promise{Agreement: true}), func(*trial.Instance) func(protocols.ID) broadcast.Service[broadcast.Message[broadcast.DataKind]] {
		return func(protocols.ID) broadcast.Service[broadcast.Message[broadcast.DataKind]] {
			return broadcast.Over[broadcast.DataKind](eager.New(), besteffort.New())
		}
	})
}
