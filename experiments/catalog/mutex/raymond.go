package mutex

import (
	"strings"
	"time"

	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/mutex"
	"bullring/protocols/mutex/raymond"
)

func raymondAlgorithm() trial.Algorithm {
	const convention = "in the spanning tree breadth first from the holder, which is the whole topology if that is a tree"
	spanning := func(in *trial.Instance) tree { return spanningTree(in.Topology, in.Address("holder")) }
	// tours is 4R(N-1), what R Euler tours cost.
	tours := func(in *trial.Instance) int { return 4 * in.Count("requests") * (in.N - 1) }
	together := func(in *trial.Instance) bool {
		return in.Calm() && in.ConstantDelay() && greedy(in) && in.AllInitiate() && (in.Count("requests") == 1 || lingers(in))
	}
	return families.Mutex(trial.Algorithm{
		Name:   "raymond",
		Title:  "Raymond: requests go to the token along a tree, and it comes back the same way",
		Look:   looks.Look{Colour: looks.Purple, Marker: looks.Square},
		Source: "Raymond, ACM TOCS 7(1) 1989",
		Papers: []string{"raymond1989"},
		Cost:   "twice the distance to the token; about 4 an entry under heavy demand",
		Params: []trial.Param{holderParam()},
		Assumes: trial.Assumptions{
			Topologies: []string{"tree", trial.Connected}, NoCrash: true, NoRestart: true,
		},
		Bounds: []trial.Bound{
			{
				Name: "alone", Metric: "messages", Relation: trial.Exactly,
				Formula: "2d, d the distance of the only client to the holder", Convention: convention + "; then it has the token",
				Value: func(in *trial.Instance) (float64, bool) {
					p, alone := onlyClient(in)
					return float64(2 * spanning(in).depth[p]), in.Calm() && alone
				},
			},
			{
				Name: "round-trip", Metric: "client_delay", Relation: trial.Exactly,
				Formula: "2d, d the distance of the only client to the holder", Convention: convention + "; one request; constant delay",
				Value: func(in *trial.Instance) (float64, bool) {
					p, alone := onlyClient(in)
					return float64(2 * spanning(in).depth[p]), in.Calm() && in.ConstantDelay() && alone && in.Count("requests") == 1
				},
			},
			{
				Name: "tours", Metric: "messages", Relation: trial.AtMost,
				Formula:    "4R(N-1), R requests of each; 4R(N-1)-2L exactly, L the distance of the last to be served from the holder",
				Convention: convention + "; all ask at 0 and on leaving; constant delay, and no less inside if R > 1",
				Value:      func(in *trial.Instance) (float64, bool) { return float64(tours(in)), together(in) },
			},
			{
				Name: "tours-less", Metric: "messages", Relation: trial.AtLeast,
				Formula:    "4R(N-1)-2H, H the height of the tree",
				Convention: convention + "; all ask at 0 and on leaving; constant delay, and no less inside if R > 1",
				Value: func(in *trial.Instance) (float64, bool) {
					return float64(tours(in) - 2*spanning(in).height()), together(in)
				},
			},
			{
				Name: "worst", Metric: "messages_per_entry", Relation: trial.AtMost,
				Formula: "2D, D the diameter of the tree", Convention: convention,
				Value: func(in *trial.Instance) (float64, bool) { return float64(2 * spanning(in).diameter()), in.Calm() },
			},
			{
				Name: "light", Metric: "messages", Relation: trial.Mean,
				Formula:    "2(m + (N-1)m'), m the mean distance from the holder and m' that of two processes: 2(N+1)/3 an entry on a line, but for the first",
				Convention: convention + "; all ask once, each after a random pause, so long that they seldom meet",
				Value: func(in *trial.Instance) (float64, bool) {
					t := spanning(in)
					return float64(2*t.fromRoot()+4*t.distances()) / float64(in.N), in.Calm() && in.AllInitiate() && seldomMeet(in)
				},
			},
		},
	}, families.MutexPromise{}, func(in *trial.Instance) func(protocols.ID) mutex.Lock[raymond.Message] {
		toward := spanning(in).parent
		return func(p protocols.ID) mutex.Lock[raymond.Message] { return raymond.New(toward[p]) }
	})
}

// seldomMeet: each client asks once, after a random pause. The pause is so long that at most
// one request in a thousand meets another one.
func seldomMeet(in *trial.Instance) bool {
	text, random := strings.CutPrefix(in.Param("think"), "exp(")
	think, err := time.ParseDuration(strings.TrimSuffix(text, ")"))
	unit, constant := in.Unit()
	served := time.Duration(2*in.N)*unit + in.Duration("cs")
	return random && err == nil && constant && in.Param("loop") == "open" && in.Count("requests") == 1 && think/1000 >= time.Duration(in.N)*served
}
