package mutex

import (
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/mutex"
	"bullring/protocols/mutex/ricartagrawala"
)

func ricartAgrawalaAlgorithm() trial.Algorithm {
	const convention = "REQUEST and REPLY counted when sent, a deferred REPLY for the entry that it permits"
	clocked := func(in *trial.Instance) bool { return in.Param("reply") == "clock" }
	return families.Mutex(trial.Algorithm{
		Name:   "ricartagrawala",
		Title:  "Ricart and Agrawala: everybody permits, at once or, if its own request is earlier, on leaving",
		Look:   looks.Look{Colour: looks.Red, Marker: looks.Circle},
		Source: "Ricart & Agrawala, CACM 24(1) 1981; reply=clock: Coulouris et al., Distributed Systems, 5th ed., section 15.2",
		Papers: []string{"ricart1981", "coulouris2012"},
		Cost:   "2(n-1) per entry",
		Params: []trial.Param{
			trial.WordParam("reply", "what a REPLY carries: nothing, as in the paper, or the largest number that its sender has seen, as with the clocks of Coulouris et al.; only then ME3 is promised", "bare", "clock"),
		},
		Assumes: trial.Assumptions{
			Topologies: []string{"complete"}, NoCrash: true, NoRestart: true,
		},
		Bounds: []trial.Bound{
			{
				Name: "exact", Metric: "messages", Relation: trial.Exactly, Convention: convention,
				Formula: "2(n-1) a request",
				Value: func(in *trial.Instance) (float64, bool) {
					return float64(2 * (in.N - 1) * requests(in)), in.Calm()
				},
			},
			permittedInLine(),
			permittedHandover(),
		},
	}, families.MutexPromise{Orders: clocked}, func(in *trial.Instance) func(protocols.ID) mutex.Lock[ricartagrawala.Message] {
		cfg := ricartagrawala.Config{Clocks: clocked(in)}
		return func(p protocols.ID) mutex.Lock[ricartagrawala.Message] {
			return ricartagrawala.New(p, in.N, cfg)
		}
	})
}

// permittedInLine is the bound on the time at which the last client enters.
func permittedInLine() trial.Bound {
	return trial.Bound{
		Name: "last", Metric: "client_delay_max", Relation: trial.Exactly,
		Formula:    "2 + (k-1)(cs+1) with k clients",
		Convention: "all clients ask once, at 0; constant delay",
		Value: func(in *trial.Instance) (float64, bool) {
			return inLine(in, min(2, 2*(in.N-1)), in.Initiators.Len(), 1), askOnce(in)
		},
	}
}

// permittedHandover is the bound on the time from an exit to the next entry.
func permittedHandover() trial.Bound {
	return trial.Bound{
		Name: "handover", Metric: "sync_delay", Relation: trial.Exactly, Formula: "1: REPLY",
		Convention: "several clients ask at 0 and whenever they leave; constant delay",
		Value:      func(in *trial.Instance) (float64, bool) { return 1, askOn(in) },
	}
}
