package mutex

import (
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/mutex"
	"bullring/protocols/mutex/tokenring"
)

func tokenRingAlgorithm() trial.Algorithm {
	return families.Mutex(trial.Algorithm{
		Name:   "tokenring",
		Title:  "the token ring: a token goes round for ever, and who wants in keeps it until it leaves",
		Look:   looks.Look{Colour: looks.Orange, Marker: looks.Ring},
		Source: "Le Lann, IFIP Congress 1977; Tanenbaum & van Steen, Distributed Systems, 2nd ed., section 6.3.4",
		Papers: []string{"lelann1977", "tanenbaum2007"},
		Cost:   "d+1 from distance d; 1 an entry if all ask; one each message time when idle",
		Params: []trial.Param{holderParam()},
		Assumes: trial.Assumptions{
			Topologies: []string{"ring", "biring", "complete"}, NoCrash: true, NoRestart: true,
		},
		Bounds: tokenRingBounds((*trial.Instance).Calm),
	}, families.MutexPromise{Endless: true}, func(in *trial.Instance) func(protocols.ID) mutex.Lock[tokenring.Message] {
		holder := in.Address("holder")
		return func(p protocols.ID) mutex.Lock[tokenring.Message] { return tokenring.New(p == holder) }
	})
}

// tokenRingBounds are the bounds for runs in which no token is lost, or taken for lost.
func tokenRingBounds(kept func(*trial.Instance) bool) []trial.Bound {
	const convention = "until the last client has left, with the pass by which it gives the token away; all ask at 0 and on leaving"
	// allAsk: there is a ring, and all ask at 0 and on leaving.
	allAsk := func(in *trial.Instance) bool {
		return kept(in) && greedy(in) && in.AllInitiate() && in.N > 1
	}
	return []trial.Bound{
		{
			Name: "exact", Metric: "messages", Relation: trial.Exactly, Convention: convention,
			Formula: "(R-1)n + d + 1 with R requests of each client, d the distance from the holder to the farthest: nR if all ask; 0 if n = 1",
			Value: func(in *trial.Instance) (float64, bool) {
				if in.N == 1 {
					return 0, kept(in)
				}
				farthest := 0
				for p := range in.Initiators.All() {
					farthest = max(farthest, onward(in, p))
				}
				return float64((in.Count("requests")-1)*in.N + farthest + 1), kept(in) && greedy(in)
			},
		},
		{
			Name: "saturated", Metric: "messages_per_entry", Relation: trial.Exactly, Convention: convention, Formula: "1 if all ask and n > 1",
			Value: func(in *trial.Instance) (float64, bool) { return 1, allAsk(in) },
		},
		{
			Name: "mean", Metric: "messages", Relation: trial.Mean, Formula: "(n+1)/2",
			Convention: "until the client has left, with the pass by which it gives the token away; one client, at random, one request",
			Value: func(in *trial.Instance) (float64, bool) {
				return float64(in.N+1) / 2, kept(in) && greedy(in) && in.Setting.Initiators == "random:1" && in.Count("requests") == 1 && in.N > 1
			},
		},
		{
			Name: "alone", Metric: "client_delay", Relation: trial.Exactly, Formula: "d, from the holder to the only client",
			Convention: "one request at 0; constant delay",
			Value: func(in *trial.Instance) (float64, bool) {
				p, alone := onlyClient(in)
				return float64(onward(in, p)), kept(in) && in.ConstantDelay() && greedy(in) && alone && in.Count("requests") == 1
			},
		},
		{
			Name: "delay", Metric: "client_delay", Relation: trial.Exactly, Formula: "(n-1)(cs+1)/2: the k-th entry from 0 is at k(cs+1)",
			Convention: "all ask at 0, once each; constant delay",
			Value: func(in *trial.Instance) (float64, bool) {
				return queueing(in), allAsk(in) && in.ConstantDelay() && in.Count("requests") == 1
			},
		},
		{
			Name: "handover", Metric: "sync_delay", Relation: trial.Exactly, Formula: "1", Convention: "all ask at 0 and on leaving; constant delay",
			Value: func(in *trial.Instance) (float64, bool) { return 1, allAsk(in) && in.ConstantDelay() },
		},
	}
}

// onward is the distance on the ring from the holder to a process.
func onward(in *trial.Instance, p protocols.ID) int {
	return (int(p-in.Address("holder")) + in.N) % in.N
}
