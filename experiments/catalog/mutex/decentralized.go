package mutex

import (
	"fmt"
	"strconv"

	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/mutex"
	"bullring/protocols/mutex/decentralized"
)

func decentralizedAlgorithm() trial.Algorithm {
	const convention = "REQUEST, GRANT, DENY and RELEASE counted when sent; who needs the votes of all needs no message for its own"
	return families.Mutex(trial.Algorithm{
		Name:   "decentralized",
		Title:  "Lin et al.: m of n coordinators vote, and who has too few votes gives them back and tries again later",
		Look:   looks.Look{Colour: looks.Black, Marker: looks.OpenSquare},
		Source: "Lin, Lian, Chen & Zhang, IPTPS 2004; Tanenbaum & van Steen, Distributed Systems, 2nd ed., section 6.3",
		Papers: []string{"lin2005", "tanenbaum2007"},
		Cost:   "2mk + m at the k-th attempt, and the votes obtained before: 3m uncontended",
		Params: []trial.Param{
			{
				Name: "coordinators", Form: "all|K", Default: "all", Meaning: "how many processes are coordinators: those from address 0 on",
				Check: func(in *trial.Instance, value string) error {
					if k, err := strconv.Atoi(value); value != "all" && (err != nil || k < 1 || k > in.N) {
						return fmt.Errorf("it takes all, or a number from 1 to %d", in.N)
					}
					return nil
				},
			},
			{
				Name: "votes", Form: "majority|M", Default: "majority", Meaning: "how many of their votes it takes",
				Check: func(in *trial.Instance, value string) error {
					k := coordinators(in)
					if m, err := strconv.Atoi(value); value != "majority" && (err != nil || 2*m <= k || m > k) {
						return fmt.Errorf("it takes majority, or a number from %d to %d", k/2+1, k)
					}
					return nil
				},
			},
			trial.DurationParam("backoff", "1ms", "unit of the pause after an attempt that failed"),
			trial.CountParam("slots", "16", "the longest such pause, in units; it is drawn from 1 to so many", 1, 1_000_000),
		},
		Assumes: trial.Assumptions{
			Topologies: []string{"complete"}, NoCrash: true, NoRestart: true,
		},
		Bounds: []trial.Bound{
			{
				Name: "exact", Metric: "messages", Relation: trial.Exactly,
				Formula:    "3m a request",
				Convention: convention + "; there is one client; it asks once, or links keep the order: else its next REQUEST may come before its RELEASE",
				Value: func(in *trial.Instance) (float64, bool) {
					return float64(3 * asked(in) * in.Count("requests")), in.Calm() && in.Initiators.Len() == 1 && (in.Count("requests") == 1 || in.Ordered())
				},
			},
			{
				Name: "best", Metric: "messages", Relation: trial.AtLeast, Formula: "3m a request", Convention: convention,
				Value: func(in *trial.Instance) (float64, bool) {
					return float64(3 * asked(in) * in.Count("requests")), in.Calm()
				},
			},
			{
				Name: "delay", Metric: "client_delay_max", Relation: trial.Exactly, Formula: "2",
				Convention: "there is one client, which asks once; constant delay",
				Value: func(in *trial.Instance) (float64, bool) {
					return roundTrip(asked(in)), askOnce(in) && in.Initiators.Len() == 1
				},
			},
		},
	}, families.MutexPromise{}, func(in *trial.Instance) func(protocols.ID) mutex.Lock[decentralized.Message] {
		cfg := decentralized.Config{Votes: votes(in), Backoff: in.Duration("backoff"), Slots: in.Count("slots")}
		for p := range protocols.ID(coordinators(in)) {
			cfg.Coordinators = append(cfg.Coordinators, p)
		}
		return func(p protocols.ID) mutex.Lock[decentralized.Message] {
			return decentralized.New(p, cfg)
		}
	})
}

// coordinators is the number of coordinators.
func coordinators(in *trial.Instance) int {
	if in.Param("coordinators") == "all" {
		return in.N
	}
	return in.Count("coordinators")
}

// votes is the number of votes that an entry needs.
func votes(in *trial.Instance) int {
	if in.Param("votes") == "majority" {
		return coordinators(in)/2 + 1
	}
	return in.Count("votes")
}

// asked is the number of other processes that a client asks for votes, summed over the
// clients.
func asked(in *trial.Instance) int {
	k, m, sum := coordinators(in), votes(in), 0
	for p := range in.Initiators.All() {
		if sum += m; m == k && int(p) < k {
			sum--
		}
	}
	return sum
}
