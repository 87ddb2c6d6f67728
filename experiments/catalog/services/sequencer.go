package services

import (
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/protocols"
	"bullring/protocols/multicast"
	"bullring/protocols/multicast/sequencer"
)

func sequencerAlgorithm() trial.Algorithm {
	const convention = "REQUEST and DATA counted; what a process sends itself is free"
	orders := func(in *trial.Instance) bool { return in.Initiators.Has(in.Address("sequencer")) }
	return families.Multicast(trial.Algorithm{
		Name:     "sequencer",
		Title:    "totally ordered multicast: one process numbers what all multicast",
		Source:   "Kaashoek, Tanenbaum, Hummel & Bal, ACM Operating Systems Review 23(4) 1989; Coulouris et al., Distributed Systems, 5th ed., section 15.4.3",
		Papers:   []string{"kaashoek1989", "coulouris2012"},
		Cost:     "n an item; n-1 of the sequencer's own",
		Variants: [][]string{{"total", "fifo"}},
		Params:   []trial.Param{trial.AddressParam("sequencer", "0", "who numbers")},
		Assumes: trial.Assumptions{
			Topologies: []string{"complete"}, NoCrash: true, NoRestart: true,
		},
		Bounds: []trial.Bound{
			{
				Name: "exact", Metric: "messages", Relation: trial.Exactly, Convention: convention,
				Formula: "n for each item; n-1 if the sequencer multicasts it",
				Value: func(in *trial.Instance) (float64, bool) {
					messages := in.N * in.Initiators.Len()
					if orders(in) {
						messages--
					}
					return float64(messages * in.Count("items")), in.Calm()
				},
			},
			{
				Name: "longest", Metric: "delivery_time_max", Relation: trial.Exactly, Convention: "constant delay",
				Formula: "2; 1 if only the sequencer multicasts",
				Value: func(in *trial.Instance) (float64, bool) {
					units := 2.0
					if orders(in) && in.Initiators.Len() == 1 {
						units = 1
					}
					return units, in.Calm() && in.ConstantDelay() && in.N > 1
				},
			},
			{
				Name: "deliveries", Metric: "deliveries", Relation: trial.Exactly, Convention: "at all processes together",
				Formula: "n for each item",
				Value: func(in *trial.Instance) (float64, bool) {
					return float64(in.N * in.Initiators.Len() * in.Count("items")), in.Calm()
				},
			},
		},
	}, orderPromised, func(in *trial.Instance) func(protocols.ID) multicast.Service[sequencer.Message] {
		cfg := sequencer.Config{Sequencer: in.Address("sequencer"), FIFO: in.Variant.Has("fifo")}
		return func(p protocols.ID) multicast.Service[sequencer.Message] { return sequencer.New(p, cfg) }
	})
}

// sequencerFailoverAlgorithm is the sequencer whose process is replaced when it crashes.
func sequencerFailoverAlgorithm(r *trial.Registry) trial.Algorithm {
	return families.MulticastFailover(trial.Algorithm{
		Name:     "sequencer-failover",
		Title:    "one process numbers what all multicast; if it crashes those who live elect another, by any algorithm",
		Source:   "Kaashoek, Tanenbaum, Hummel & Bal, ACM Operating Systems Review 23(4) 1989; Coulouris et al., Distributed Systems, 5th ed., sections 15.3 and 15.4.3",
		Papers:   []string{"kaashoek1989", "coulouris2012", "garciamolina1982"},
		Cost:     "n an item; 3(s-1) for a change among s, and the election",
		Variants: [][]string{{"total", "fifo"}},
		Bounds: []trial.Bound{
			{
				Name: "exact", Metric: "messages", Relation: trial.Exactly, Convention: "elections are overhead; the coordinator lives",
				Formula: "n for each item; n-1 if the coordinator multicasts it",
				Value: func(in *trial.Instance) (float64, bool) {
					messages := in.N * in.Initiators.Len()
					if in.Initiators.Has(in.Address("coordinator")) {
						messages--
					}
					return float64(messages * in.Count("items")), in.Calm() && !in.IsDead(in.Address("coordinator"))
				},
			},
			{
				Name: "elections", Metric: "overhead", Relation: trial.Exactly, Convention: "the coordinator lives", Formula: "0",
				Value: func(in *trial.Instance) (float64, bool) {
					return 0, in.Calm() && !in.IsDead(in.Address("coordinator"))
				},
			},
		},
	}, r, orderPromised, func(in *trial.Instance) func(protocols.ID) multicast.Coordinated[sequencer.Message] {
		cfg := sequencer.Config{Sequencer: in.Address("coordinator"), FIFO: in.Variant.Has("fifo")}
		return func(p protocols.ID) multicast.Coordinated[sequencer.Message] { return sequencer.New(p, cfg) }
	})
}

// orderPromised: the order of each sender is kept by the variant fifo.
func orderPromised(in *trial.Instance) multicast.Promise {
	return multicast.Promise{FIFO: in.Variant.Has("fifo")}
}
