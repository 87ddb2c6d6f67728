package mutex

import (
	"strings"

	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/mutex"
	"bullring/protocols/mutex/maekawa"
)

func maekawaAlgorithm() trial.Algorithm {
	const convention = "K with oneself, but what a process tells itself is no message"
	handled := func(in *trial.Instance) bool { return in.Variant.Has("inquire") }
	return families.Mutex(trial.Algorithm{
		Name:     "maekawa",
		Title:    "Maekawa: the votes of a quorum, any two of which meet; votes are asked back, unless naive",
		Look:     looks.Look{Colour: looks.Green, Marker: looks.Diamond},
		Source:   "Maekawa, ACM TOCS 3(2) 1985; Sanders, ACM TOCS 5(3) 1987",
		Papers:   []string{"maekawa1985", "sanders1987"},
		Cost:     "3(K-1) to 6K-3 per entry; K = 2 sqrt(n) - 1 on a grid, n = K(K-1)+1 on a plane",
		Variants: [][]string{{"inquire", "naive"}},
		Params: []trial.Param{{
			Name: "quorums", Form: strings.Join(maekawa.Systems, "|"), Default: maekawa.Systems[0],
			Meaning: "who votes: a row and a column of a grid, a line of a projective plane, or a process and those behind it, a majority",
			Check: func(in *trial.Instance, value string) error {
				_, err := maekawa.NewQuorums(value, in.N)
				return err
			},
		}},
		Assumes: trial.Assumptions{
			Topologies: []string{"complete"}, FIFO: true, NoCrash: true, NoRestart: true,
		},
		Bounds: []trial.Bound{
			{
				Name: "exact", Metric: "messages", Relation: trial.Exactly,
				Formula:    "3(K-1) a request",
				Convention: convention + "; there is one client",
				Value: func(in *trial.Instance) (float64, bool) {
					return float64(3 * (members(in) - in.Initiators.Len()) * in.Count("requests")), in.Calm() && in.Initiators.Len() == 1
				},
			},
			{
				Name: "best", Metric: "messages", Relation: trial.AtLeast, Convention: convention,
				Formula: "3(K-1) a request, unless naive",
				Value: func(in *trial.Instance) (float64, bool) {
					return float64(3 * (members(in) - in.Initiators.Len()) * in.Count("requests")), in.Calm() && handled(in)
				},
			},
			{
				Name: "worst", Metric: "messages", Relation: trial.AtMost, Convention: convention,
				Formula: "6K-3 a request; naive 3(K-1)",
				Value: func(in *trial.Instance) (float64, bool) {
					if handled(in) {
						return float64((6*members(in) - 3*in.Initiators.Len()) * in.Count("requests")), in.Calm()
					}
					return float64(3 * (members(in) - in.Initiators.Len()) * in.Count("requests")), in.Calm()
				},
			},
			{
				Name: "delay", Metric: "client_delay_max", Relation: trial.Exactly, Formula: "2",
				Convention: "there is one client, which asks once; constant delay",
				Value: func(in *trial.Instance) (float64, bool) {
					return roundTrip(members(in) - in.Initiators.Len()), askOnce(in) && in.Initiators.Len() == 1
				},
			},
		},
	}, families.MutexPromise{}, func(in *trial.Instance) func(protocols.ID) mutex.Lock[maekawa.Message] {
		quorums := quorumsOf(in)
		return func(p protocols.ID) mutex.Lock[maekawa.Message] {
			return maekawa.New(p, maekawa.Config{Quorum: quorums[p], Votes: len(quorums[p]), Naive: !handled(in)})
		}
	})
}

func quorumsOf(in *trial.Instance) maekawa.Quorums {
	q, err := maekawa.NewQuorums(in.Param("quorums"), in.N)
	if err != nil {
		panic(err) // it was checked
	}
	return q
}

// members is the sum of the sizes of the clients' quorums.
func members(in *trial.Instance) int {
	quorums, sum := quorumsOf(in), 0
	for p := range in.Initiators.All() {
		sum += len(quorums[p])
	}
	return sum
}
