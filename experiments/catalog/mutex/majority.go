package mutex

import (
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/mutex"
	"bullring/protocols/mutex/majority"
)

func majorityAlgorithm() trial.Algorithm {
	const convention = "what a process tells itself is no message"
	return families.Mutex(trial.Algorithm{
		Name:   "majority",
		Title:  "majority voting: everybody is asked, and any majority of votes is enough; votes are asked back as Maekawa's are",
		Look:   looks.Look{Colour: looks.Green, Marker: looks.OpenDiamond},
		Source: "Thomas, ACM TODS 4(2) 1979; Gifford, SOSP 1979; Maekawa, ACM TOCS 3(2) 1985",
		Papers: []string{"thomas1979", "gifford1979", "maekawa1985"},
		Cost:   "3(n-1) uncontended; 2(n-1) to 6n-3 per entry",
		Assumes: trial.Assumptions{
			Topologies: []string{"complete"}, FIFO: true, NoRestart: true,
			MustSurvive: "a majority and those that wait or are inside",
		},
		Bounds: []trial.Bound{
			{
				Name: "exact", Metric: "messages", Relation: trial.Exactly,
				Formula:    "3(n-1) a request",
				Convention: convention + "; there is one client",
				Value: func(in *trial.Instance) (float64, bool) {
					return float64(3 * (in.N - 1) * requests(in)), in.Calm() && in.Initiators.Len() == 1 && len(in.Dead) == 0
				},
			},
			{
				Name: "best", Metric: "messages", Relation: trial.AtLeast, Convention: convention,
				Formula: "2(n-1) a request",
				Value: func(in *trial.Instance) (float64, bool) {
					return float64(2 * (in.N - 1) * requests(in)), in.Calm() && len(in.Dead) == 0
				},
			},
			{
				Name: "worst", Metric: "messages", Relation: trial.AtMost, Convention: convention,
				Formula: "6n-3 a request",
				Value:   func(in *trial.Instance) (float64, bool) { return float64((6*in.N - 3) * requests(in)), true },
			},
			{
				Name: "delay", Metric: "client_delay_max", Relation: trial.Exactly, Formula: "2",
				Convention: "there is one client, which asks once; a majority lives; constant delay",
				Value: func(in *trial.Instance) (float64, bool) {
					return roundTrip(in.N - 1), askOnce(in) && in.Initiators.Len() == 1
				},
			},
		},
	}, families.MutexPromise{}, func(in *trial.Instance) func(protocols.ID) mutex.Lock[majority.Message] {
		return func(p protocols.ID) mutex.Lock[majority.Message] {
			return majority.New(p, in.N)
		}
	})
}
