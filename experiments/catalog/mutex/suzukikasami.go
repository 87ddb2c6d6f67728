package mutex

import (
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/mutex"
	"bullring/protocols/mutex/suzukikasami"
)

func suzukiKasamiAlgorithm() trial.Algorithm {
	const convention = "REQUEST to every other process counted, and TOKEN"
	// without is the clients that have to ask for the token the first time.
	without := func(in *trial.Instance) int {
		k := in.Initiators.Len()
		if asks(in, in.Address("holder")) {
			k--
		}
		return k
	}
	return families.Mutex(trial.Algorithm{
		Name:   "suzukikasami",
		Title:  "Suzuki and Kasami: a request to everybody, and the token goes straight to the next",
		Look:   looks.Look{Colour: looks.Sky, Marker: looks.Nabla},
		Source: "Suzuki & Kasami, ACM TOCS 3(4) 1985",
		Papers: []string{"suzuki1985"},
		Cost:   "0 with the token, else n",
		Params: []trial.Param{holderParam()},
		Assumes: trial.Assumptions{
			Topologies: []string{"complete"}, NoCrash: true, NoRestart: true,
		},
		Bounds: []trial.Bound{
			{
				Name: "exact", Metric: "messages", Relation: trial.Exactly,
				Formula:    "n for each client without the token: n(n-1) if all ask",
				Convention: convention + "; all ask at 0, once each, or there is one client",
				Value: func(in *trial.Instance) (float64, bool) {
					once := in.Count("requests") == 1 && in.Param("loop") == "closed"
					return float64(without(in) * in.N), in.Calm() && (once || in.Initiators.Len() == 1)
				},
			},
			{
				Name: "saturated", Metric: "messages", Relation: trial.Exactly,
				Formula:    "n for each entry, but for the first if that has the token",
				Convention: convention + "; several clients ask at 0 and on leaving; constant delay, and no less inside",
				Value: func(in *trial.Instance) (float64, bool) {
					k := in.Initiators.Len()
					free := k - without(in)
					return float64(in.N * (k*in.Count("requests") - free)), in.Calm() && in.ConstantDelay() && greedy(in) && lingers(in) && k > 1
				},
			},
			{
				Name: "worst", Metric: "messages_per_entry", Relation: trial.AtMost, Formula: "n", Convention: convention,
				Value: func(in *trial.Instance) (float64, bool) { return float64(in.N), in.Calm() },
			},
			{
				Name: "delay", Metric: "client_delay", Relation: trial.Exactly,
				Formula:    "(n-1)(cs+1)/2: the k-th entry from 0 is at k(cs+1)",
				Convention: "all ask at 0, once each; constant delay, and no less inside",
				Value: func(in *trial.Instance) (float64, bool) {
					return queueing(in), in.Calm() && in.ConstantDelay() && greedy(in) && lingers(in) && in.AllInitiate() && in.Count("requests") == 1
				},
			},
			{
				Name: "handover", Metric: "sync_delay", Relation: trial.Exactly, Formula: "1",
				Convention: "several clients ask at 0 and on leaving, one of which has the token; constant delay, and no less inside",
				Value: func(in *trial.Instance) (float64, bool) {
					return 1, in.Calm() && in.ConstantDelay() && greedy(in) && lingers(in) && in.Initiators.Len() > without(in)
				},
			},
		},
	}, families.MutexPromise{}, func(in *trial.Instance) func(protocols.ID) mutex.Lock[suzukikasami.Message] {
		holder := in.Address("holder")
		return func(p protocols.ID) mutex.Lock[suzukikasami.Message] {
			return suzukikasami.New(in.N, p == holder)
		}
	})
}
