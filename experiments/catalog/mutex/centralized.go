package mutex

import (
	"bullring/des"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/mutex"
	"bullring/protocols/mutex/centralized"
)

func centralizedAlgorithm() trial.Algorithm {
	const convention = "what the coordinator tells itself is no message"
	// others is the number of clients besides the coordinator.
	others := func(in *trial.Instance) (k int, server bool) {
		if in.Initiators.Has(in.Address("coordinator")) {
			return in.Initiators.Len() - 1, false
		}
		return in.Initiators.Len(), true
	}
	return families.Mutex(trial.Algorithm{
		Name:   "centralized",
		Title:  "a coordinator lets one in at a time; it may ask itself, or be a server of its own",
		Look:   looks.Look{Colour: looks.Black, Marker: looks.Circle},
		Source: "Coulouris et al., Distributed Systems, 5th ed., section 15.2; Tanenbaum & van Steen, Distributed Systems, 2nd ed., section 6.3",
		Papers: []string{"coulouris2012", "tanenbaum2007"},
		Cost:   "3 per entry, 0 for the coordinator's own",
		Params: []trial.Param{trial.AddressParam("coordinator", "0", "who lets the others in; a server of its own if it is no initiator")},
		Assumes: trial.Assumptions{
			Topologies: []string{"complete"}, NoCrash: true, NoRestart: true,
		},
		Bounds: []trial.Bound{
			{
				Name: "exact", Metric: "messages", Relation: trial.Exactly, Convention: convention,
				Formula: "3 for every request that is not the coordinator's",
				Value: func(in *trial.Instance) (float64, bool) {
					k, _ := others(in)
					return float64(3 * k * in.Count("requests")), in.Calm()
				},
			},
			{
				Name: "last", Metric: "client_delay_max", Relation: trial.Exactly,
				Formula:    "2 + (k-1)(cs+2) with k clients and a server of its own; max(1,cs) + 1 + (k-1)(cs+2) with k clients besides the coordinator, which enters at 0",
				Convention: "all clients ask once, at 0; constant delay",
				Value: func(in *trial.Instance) (float64, bool) {
					k, server := others(in)
					first := 2.0
					unit, _ := in.Unit()
					if cs := des.Time(in.Duration("cs")); !server {
						first = in.Units(max(des.Time(unit), cs) + des.Time(unit))
					}
					if k == 0 {
						return 0, askOnce(in)
					}
					return first + inLine(in, 0, k, 2), askOnce(in)
				},
			},
			{
				Name: "handover", Metric: "sync_delay", Relation: trial.Exactly, Formula: "2: RELEASE and GRANT",
				Convention: "a server of its own; several clients ask at 0 and whenever they leave; constant delay",
				Value: func(in *trial.Instance) (float64, bool) {
					_, server := others(in)
					return 2, server && askOn(in)
				},
			},
		},
	}, families.MutexPromise{}, func(in *trial.Instance) func(protocols.ID) mutex.Lock[centralized.Message] {
		coordinator := in.Address("coordinator")
		return func(p protocols.ID) mutex.Lock[centralized.Message] {
			return centralized.New(p, coordinator)
		}
	})
}
