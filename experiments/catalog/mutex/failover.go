package mutex

import (
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/protocols"
	"bullring/protocols/mutex"
	"bullring/protocols/mutex/centralized"
)

func centralizedFailoverAlgorithm(r *trial.Registry) trial.Algorithm {
	return families.MutexFailover(trial.Algorithm{
		Name:   "centralized-failover",
		Title:  "a coordinator lets one in at a time; if it crashes those who live elect another, by any algorithm",
		Source: "Coulouris et al., Distributed Systems, 5th ed., sections 15.2 and 15.3",
		Papers: []string{"coulouris2012", "garciamolina1982", "tanenbaum2007"},
		Cost:   "3 per entry; s-1 for a change among s, and the election",
		Bounds: []trial.Bound{
			{
				Name: "exact", Metric: "messages", Relation: trial.Exactly, Convention: "elections are overhead; the coordinator lives",
				Formula: "3 for every request that is not the coordinator's",
				Value: func(in *trial.Instance) (float64, bool) {
					k := in.Initiators.Len()
					if in.Initiators.Has(in.Address("coordinator")) {
						k--
					}
					return float64(3 * k * in.Count("requests")), in.Calm() && !in.IsDead(in.Address("coordinator"))
				},
			},
			{
				Name: "elections", Metric: "overhead", Relation: trial.Exactly, Convention: "the coordinator lives", Formula: "0",
				Value: func(in *trial.Instance) (float64, bool) {
					return 0, in.Calm() && !in.IsDead(in.Address("coordinator"))
				},
			},
		},
	}, r, func(in *trial.Instance) func(protocols.ID) mutex.Coordinated[centralized.Message] {
		coordinator := in.Address("coordinator")
		return func(p protocols.ID) mutex.Coordinated[centralized.Message] {
			return centralized.New(p, coordinator)
		}
	})
}
