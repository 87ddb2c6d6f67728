package mutex

import (
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/mutex"
	"bullring/protocols/mutex/carvalhoroucairol"
)

func carvalhoRoucairolAlgorithm() trial.Algorithm {
	const convention = "REQUEST and REPLY counted when sent; nobody has a permission at the beginning"
	return families.Mutex(trial.Algorithm{
		Name:   "carvalhoroucairol",
		Title:  "Carvalho and Roucairol: a permission holds until the one who gave it asks itself",
		Look:   looks.Look{Colour: looks.Red, Marker: looks.Ring},
		Source: "Carvalho & Roucairol, CACM 26(2) 1983",
		Papers: []string{"carvalho1983", "ricart1981"},
		Cost:   "0 to 2(n-1) per entry",
		Assumes: trial.Assumptions{
			Topologies: []string{"complete"}, NoCrash: true, NoRestart: true,
		},
		Bounds: []trial.Bound{
			{
				Name: "exact", Metric: "messages", Relation: trial.Exactly,
				Formula:    "2(n-1) for all requests of a single client; 2(n-1) a request where all ask",
				Convention: convention + "; there is one client, or all ask once, at 0, with constant delay",
				Value: func(in *trial.Instance) (float64, bool) {
					k := in.Initiators.Len()
					return float64(2 * (in.N - 1) * k), in.Calm() && (k == 1 || askOnce(in))
				},
			},
			{
				Name: "worst", Metric: "messages", Relation: trial.AtMost, Convention: convention,
				Formula: "2(n-1) a request",
				Value: func(in *trial.Instance) (float64, bool) {
					return float64(2 * (in.N - 1) * requests(in)), in.Calm()
				},
			},
			permittedInLine(),
			permittedHandover(),
		},
	}, families.MutexPromise{}, func(in *trial.Instance) func(protocols.ID) mutex.Lock[carvalhoroucairol.Message] {
		return func(p protocols.ID) mutex.Lock[carvalhoroucairol.Message] {
			return carvalhoroucairol.New(p, in.N)
		}
	})
}
