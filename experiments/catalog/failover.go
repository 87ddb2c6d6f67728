package catalog

import (
	"bullring/experiments"
	"bullring/protocols"
	"bullring/protocols/mutex"
	"bullring/protocols/mutex/centralized"
)

func centralizedFailoverAlgorithm(r *experiments.Registry) experiments.Algorithm {
	return experiments.MutexFailover(experiments.Algorithm{
		Name:   "centralized-failover",
		Title:  "a coordinator lets one in at a time; if it crashes those who live elect another, by any algorithm",
		Source: "Coulouris et al., Distributed Systems, 5th ed., sections 15.2 and 15.3",
		Cost:   "3 per entry; s-1 for a change among s, and the election",
	}, r, func(in *experiments.Instance) func(protocols.ID) mutex.Coordinated[centralized.Message] {
		coordinator := in.Address("coordinator")
		return func(p protocols.ID) mutex.Coordinated[centralized.Message] {
			return centralized.New(p, coordinator)
		}
	})
}
