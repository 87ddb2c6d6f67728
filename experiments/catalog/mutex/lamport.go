package mutex

import (
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/mutex"
	"bullring/protocols/mutex/lamport"
)

func lamportAlgorithm() trial.Algorithm {
	const convention = "REQUEST, REPLY and RELEASE counted when sent"
	plain := func(in *trial.Instance) bool { return in.Variant.Has("plain") }
	return families.Mutex(trial.Algorithm{
		Name:     "lamport",
		Title:    "Lamport: a queue of requests in the order of logical time, of which everybody has a copy",
		Look:     looks.Look{Colour: looks.Blue, Marker: looks.Triangle},
		Source:   "Lamport, CACM 21(7) 1978",
		Papers:   []string{"lamport1978"},
		Cost:     "3(n-1) per entry; optimised 2(n-1) to 3(n-1)",
		Variants: [][]string{{"plain", "optimised"}},
		Assumes: trial.Assumptions{
			Topologies: []string{"complete"}, FIFO: true, NoCrash: true, NoRestart: true,
		},
		Bounds: []trial.Bound{
			{
				Name: "exact", Metric: "messages", Relation: trial.Exactly, Convention: convention,
				Formula: "3(n-1) a request",
				Value: func(in *trial.Instance) (float64, bool) {
					return float64(3 * (in.N - 1) * requests(in)), in.Calm() && plain(in)
				},
			},
			{
				Name: "best", Metric: "messages", Relation: trial.AtLeast, Convention: convention,
				Formula: "2(n-1) a request, optimised",
				Value: func(in *trial.Instance) (float64, bool) {
					return float64(2 * (in.N - 1) * requests(in)), in.Calm() && !plain(in)
				},
			},
			{
				Name: "worst", Metric: "messages", Relation: trial.AtMost, Convention: convention,
				Formula: "3(n-1) a request, optimised",
				Value: func(in *trial.Instance) (float64, bool) {
					return float64(3 * (in.N - 1) * requests(in)), in.Calm() && !plain(in)
				},
			},
			{
				Name: "optimised", Metric: "messages", Relation: trial.Exactly,
				Formula:    "3k(n-1) - k(k-1)/2 with k clients, optimised: one REPLY less for every two of them",
				Convention: convention + "; all clients ask once, at 0; constant delay",
				Value: func(in *trial.Instance) (float64, bool) {
					k := in.Initiators.Len()
					return float64(3*k*(in.N-1) - k*(k-1)/2), askOnce(in) && !plain(in)
				},
			},
			{
				Name: "last", Metric: "client_delay_max", Relation: trial.Exactly,
				Formula:    "1 + (n-1)(cs+1) if all ask; 2 + (k-1)(cs+1) with k < n clients",
				Convention: "all clients ask once, at 0; constant delay",
				Value: func(in *trial.Instance) (float64, bool) {
					first := 2
					if in.AllInitiate() {
						first = min(1, in.N-1)
					}
					return inLine(in, first, in.Initiators.Len(), 1), askOnce(in)
				},
			},
			{
				Name: "handover", Metric: "sync_delay", Relation: trial.Exactly, Formula: "1: RELEASE",
				Convention: "several clients ask at 0 and whenever they leave; constant delay",
				Value:      func(in *trial.Instance) (float64, bool) { return 1, askOn(in) },
			},
		},
	}, families.MutexPromise{Orders: func(*trial.Instance) bool { return true }}, func(in *trial.Instance) func(protocols.ID) mutex.Lock[lamport.Message] {
		cfg := lamport.Config{Optimised: !plain(in)}
		return func(p protocols.ID) mutex.Lock[lamport.Message] {
			return lamport.New(p, in.N, cfg)
		}
	})
}
