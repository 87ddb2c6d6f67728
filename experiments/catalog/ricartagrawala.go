package catalog

import (
	"bullring/experiments"
	"bullring/protocols"
	"bullring/protocols/mutex"
	"bullring/protocols/mutex/ricartagrawala"
)

func ricartAgrawalaAlgorithm() experiments.Algorithm {
	const convention = "REQUEST and REPLY counted when sent, a deferred REPLY for the entry that it permits"
	return experiments.Mutex(experiments.Algorithm{
		Name:   "ricartagrawala",
		Title:  "Ricart and Agrawala: everybody permits, at once or, if its own request is earlier, on leaving",
		Source: "Ricart & Agrawala, CACM 24(1) 1981",
		Papers: []string{"ricart1981"},
		Cost:   "2(n-1) per entry",
		Assumes: experiments.Assumptions{
			Topologies: []string{"complete"}, NoCrash: true, NoRestart: true,
		},
		Bounds: []experiments.Bound{
			{
				Name: "exact", Metric: "messages", Relation: experiments.Exactly, Convention: convention,
				Formula: "2(n-1) a request",
				Value: func(in *experiments.Instance) (float64, bool) {
					return float64(2 * (in.N - 1) * requests(in)), noPlan(in)
				},
			},
			permittedInLine(),
			permittedHandover(),
		},
	}, experiments.MutexPromise{Promise: mutex.Promise{Ordered: true}}, func(in *experiments.Instance) func(protocols.ID) mutex.Lock[ricartagrawala.Message] {
		return func(p protocols.ID) mutex.Lock[ricartagrawala.Message] {
			return ricartagrawala.New(p, in.N)
		}
	})
}

// permittedInLine is when the last of the clients enters.
func permittedInLine() experiments.Bound {
	return experiments.Bound{
		Name: "last", Metric: "client_delay_max", Relation: experiments.Exactly,
		Formula:    "2 + (k-1)(cs+1) with k clients",
		Convention: "all clients ask once, at 0; constant delay",
		Value: func(in *experiments.Instance) (float64, bool) {
			return inLine(in, min(2, 2*(in.N-1)), len(in.Initiators), 1), askOnce(in)
		},
	}
}

// permittedHandover is how long it takes from an exit to the next entry.
func permittedHandover() experiments.Bound {
	return experiments.Bound{
		Name: "handover", Metric: "sync_delay", Relation: experiments.Exactly, Formula: "1: REPLY",
		Convention: "several clients ask at 0 and whenever they leave; constant delay",
		Value: func(in *experiments.Instance) (float64, bool) {
			return 1, askOn(in)
		},
	}
}
