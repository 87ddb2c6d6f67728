package mutex

import (
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/mutex"
	"bullring/protocols/mutex/reverselink"
)

func reverseLinkAlgorithm() trial.Algorithm {
	const convention = "the graph never changes; a broadcast counts once"
	away := func(in *trial.Instance) []int { return spanningTree(in.Topology, in.Address("holder")).depth }
	return families.Mutex(trial.Algorithm{
		Name:   "reverselink",
		Title:  "Reverse Link: Raymond's token where links come and go; heights lead to it, and links without a way to it are reversed",
		Look:   looks.Look{Colour: looks.Purple, Marker: looks.OpenSquare},
		Source: "Walter, Welch & Vaidya, Wireless Networks 7(6) 2001; as it is known, not compared with the text",
		Papers: []string{"walter2001"},
		Cost:   "3 times the distance to the token",
		Params: []trial.Param{holderParam()},
		Assumes: trial.Assumptions{
			Topologies: []string{"complete", trial.Connected}, FIFO: true, NoCrash: true, NoRestart: true, Moving: true, Graceful: true,
		},
		Bounds: []trial.Bound{
			{
				Name: "alone", Metric: "messages", Relation: trial.Exactly,
				Formula: "3d, d the distance of the only client to the holder", Convention: convention + "; then it has the token",
				Value: func(in *trial.Instance) (float64, bool) {
					p, alone := onlyClient(in)
					return float64(3 * away(in)[p]), in.Calm() && in.Transport == nil && alone
				},
			},
			{
				Name: "round-trip", Metric: "client_delay", Relation: trial.Exactly,
				Formula: "2d, d the distance of the only client to the holder", Convention: convention + "; one request; constant delay",
				Value: func(in *trial.Instance) (float64, bool) {
					p, alone := onlyClient(in)
					return float64(2 * away(in)[p]), in.Calm() && in.ConstantDelay() && alone && in.Count("requests") == 1
				},
			},
		},
	}, families.MutexPromise{Holder: func(in *trial.Instance) protocols.ID { return in.Address("holder") }}, func(in *trial.Instance) func(protocols.ID) mutex.Lock[reverselink.Message] {
		distances := away(in)
		return func(p protocols.ID) mutex.Lock[reverselink.Message] { return reverselink.New(p, distances) }
	})
}
