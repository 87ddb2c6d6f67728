package broadcast

import (
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/broadcast"
	"bullring/protocols/broadcast/besteffort"
)

func bestEffortAlgorithm() trial.Algorithm {
	return families.Broadcast(trial.Algorithm{
		Name:    "besteffort",
		Title:   "best-effort broadcast: a process sends its item to each process",
		Look:    looks.Look{Colour: looks.Sky, Marker: looks.Circle},
		Source:  "Cachin, Guerraoui & Rodrigues, Reliable and Secure Distributed Programming, 2nd ed., section 3.2",
		Papers:  []string{"cachin2011"},
		Cost:    "n-1 an item",
		Assumes: trial.Assumptions{Topologies: []string{"complete"}, NoRestart: true},
		Bounds:  []trial.Bound{anItem("n-1", func(n int) int { return n - 1 }), longest("1", 1)},
	}, promises(broadcast.Promise{}), func(*trial.Instance) func(protocols.ID) broadcast.Service[broadcast.Message[broadcast.DataKind]] {
		return func(protocols.ID) broadcast.Service[broadcast.Message[broadcast.DataKind]] {
			return broadcast.Over[broadcast.DataKind](besteffort.New())
		}
	})
}
