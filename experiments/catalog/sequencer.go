package catalog

import (
	"slices"

	"bullring/experiments"
	"bullring/protocols"
	"bullring/protocols/multicast"
	"bullring/protocols/multicast/sequencer"
)

func sequencerAlgorithm() experiments.Algorithm {
	const convention = "REQUEST and DATA counted; what a process sends itself is free"
	orders := func(in *experiments.Instance) bool { return slices.Contains(in.Initiators, in.Address("sequencer")) }
	return experiments.Multicast(experiments.Algorithm{
		Name:     "sequencer",
		Title:    "totally ordered multicast: one process numbers what all multicast",
		Source:   "Kaashoek, Tanenbaum, Hummel & Bal, ACM Operating Systems Review 23(4) 1989; Coulouris et al., Distributed Systems, 5th ed., section 15.4.3",
		Cost:     "n an item; n-1 of the sequencer's own",
		Variants: [][]string{{"total", "fifo"}},
		Params:   []experiments.Param{experiments.AddressParam("sequencer", "0", "who numbers")},
		Assumes: experiments.Assumptions{
			Topologies: []string{"complete"}, NoCrash: true, NoRestart: true,
		},
		Bounds: []experiments.Bound{
			{
				Name: "exact", Metric: "messages", Relation: experiments.Exactly, Convention: convention,
				Formula: "n for each item; n-1 if the sequencer multicasts it",
				Value: func(in *experiments.Instance) (float64, bool) {
					messages := in.N * len(in.Initiators)
					if orders(in) {
						messages--
					}
					return float64(messages * in.Count("items")), noPlan(in)
				},
			},
			{
				Name: "longest", Metric: "delivery_time_max", Relation: experiments.Exactly, Convention: "constant delay",
				Formula: "2; 1 if only the sequencer multicasts",
				Value: func(in *experiments.Instance) (float64, bool) {
					units := 2.0
					if orders(in) && len(in.Initiators) == 1 {
						units = 1
					}
					return units, noPlan(in) && constantDelay(in) && in.N > 1
				},
			},
			{
				Name: "deliveries", Metric: "deliveries", Relation: experiments.Exactly, Convention: "at all processes together",
				Formula: "n for each item",
				Value: func(in *experiments.Instance) (float64, bool) {
					return float64(in.N * len(in.Initiators) * in.Count("items")), noPlan(in)
				},
			},
		},
	}, func(in *experiments.Instance) multicast.Promise {
		return multicast.Promise{FIFO: in.Variant.Has("fifo")}
	}, func(in *experiments.Instance) func(protocols.ID) multicast.Service[sequencer.Message] {
		cfg := sequencer.Config{Sequencer: in.Address("sequencer"), FIFO: in.Variant.Has("fifo")}
		return func(p protocols.ID) multicast.Service[sequencer.Message] { return sequencer.New(p, cfg) }
	})
}
