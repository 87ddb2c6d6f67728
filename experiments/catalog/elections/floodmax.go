package elections

import (
	"fmt"

	"bullring/experiments/trial"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/election/floodmax"
)

func floodMaxAlgorithm() trial.Algorithm {
	const convention = "MAX counted when sent; m directed links; D is the diameter that the processes believe in"
	build := func(in *trial.Instance) func(protocols.ID) electionRound[floodmax.Message] {
		cfg := floodmax.Config{Order: in.Order, Diameter: floodRounds(in), Optimised: in.Variant.Has("opt")}
		return func(p protocols.ID) electionRound[floodmax.Message] { return floodmax.New(in.Ranks.At(p), cfg) }
	}
	messages := []trial.Bound{
		{
			Name: "exact", Metric: "messages", Relation: trial.Exactly, Convention: convention, Note: upperEnd,
			Formula: "D*m; opt: sum over processes of the out-degree times 1 + how often the best of the ball of radius 1..D-1 is news",
			Value: func(in *trial.Instance) (float64, bool) {
				if in.Variant.Has("opt") {
					return float64(optFloodMaxMessages(in)), true
				}
				return float64(floodRounds(in)) * float64(in.Graph().Links()), true
			},
		},
		{
			Name: "worst", Metric: "messages", Relation: trial.AtMost, Convention: convention, Note: upperEnd, Formula: "D*m",
			Value: func(in *trial.Instance) (float64, bool) {
				return float64(floodRounds(in)) * float64(in.Graph().Links()), true
			},
		},
	}
	lockstep := inLockstep(trial.Algorithm{
		Name:       "floodmax",
		Title:      "FloodMax, OptFloodMax: for D rounds everybody tells its neighbours the best that it knows",
		Look:       looks.Look{Colour: looks.Blue, Marker: looks.Square},
		LabelLooks: map[string]looks.Look{"OptFloodMax": {Colour: looks.Sky, Marker: looks.Triangle}},
		Source:     "Lynch, Distributed Algorithms, 1996, section 4.1; alpha: Awerbuch, J. ACM 32(4) 1985",
		Papers:     []string{"lynch1996", "awerbuch1985"},
		Cost:       "D*m, D+1 rounds; alpha: an ACK a message and D*m SAFE more",
		Variants:   [][]string{{"lockstep", "alpha"}, {"plain", "opt"}, {"max", "min"}},
		Params: []trial.Param{
			trial.CountParam("diameter", "0", "the diameter that the processes believe in; 0 is that of the network, or the upper end of what is known of it", 0, trial.MaxN),
		},
		Assumes: trial.Assumptions{
			Topologies: []string{"ring", "biring", "complete", trial.StronglyConnected}, AllInitiate: true, NoCrash: true, NoRestart: true, BoundedDelay: true, Params: tooSmall,
		},
		Bounds: append(messages[:2:2], trial.Bound{
			Name: "decided", Metric: "decided_time", Relation: trial.Exactly, Note: upperEnd, Formula: "D",
			Convention: "every message takes exactly a round: the instant D is round D+1",
			Value:      func(in *trial.Instance) (float64, bool) { return float64(floodRounds(in)), exactRounds(in) },
		}),
	}, everyoneDecides, build)
	return lockstep.Or("alpha", behindAlpha(trial.Algorithm{
		Assumes: trial.Assumptions{Topologies: []string{"biring", "complete", trial.Connected}, NoCrash: true, NoRestart: true, Params: tooSmall},
		Bounds: append(messages[:2:2], trial.Bound{
			Name: "synchronizer", Metric: "overhead", Relation: trial.Exactly, Note: upperEnd, Formula: "an ACK for each MAX, and D*m SAFE",
			Convention: "ACK and SAFE counted when sent",
			Value: func(in *trial.Instance) (float64, bool) {
				all := floodRounds(in) * in.Graph().Links()
				if in.Variant.Has("opt") {
					return float64(all + optFloodMaxMessages(in)), true
				}
				return float64(2 * all), true
			},
		}, trial.Bound{
			Name: "decided", Metric: "decided_time", Relation: trial.Exactly, Note: upperEnd, Formula: "3D",
			Convention: "constant delay, all start at 0, n > 1, not opt: MAX, ACK and SAFE take turns",
			Value: func(in *trial.Instance) (float64, bool) {
				return float64(3 * floodRounds(in)), in.ConstantDelay() && in.AllInitiate() && in.N > 1 && !in.Variant.Has("opt")
			},
		}),
	}, everyoneDecides, build))
}

// floodRounds is the number of rounds: the diameter that the processes assume. FloodMax is as
// correct with a larger number. So where a few searches leave the diameter open, they assume
// the upper end of its interval.
func floodRounds(in *trial.Instance) int {
	if d := in.Count("diameter"); d > 0 {
		return d
	}
	_, most := in.Graph().DiameterBounds()
	return most
}

// tooSmall says that the processes assume too small a diameter, or may do so.
func tooSmall(in *trial.Instance) string {
	least, most := in.Graph().DiameterBounds()
	switch d := floodRounds(in); {
	case d < least:
		return "the diameter is larger than the processes believe"
	case d < most:
		return fmt.Sprintf("the diameter may be larger than the processes believe: it is from %d to %d", least, most)
	}
	return ""
}

// upperEnd says that D is not the diameter, but the upper end of its interval.
func upperEnd(in *trial.Instance) string {
	least, most := in.Graph().DiameterBounds()
	if least == most || in.Count("diameter") > 0 {
		return ""
	}
	return fmt.Sprintf("D is %d, the upper end: the diameter is from %d to %d", most, least, most)
}

// optFloodMaxMessages is the number of messages of OptFloodMax. A process sends in round
// r+1 if the best process within distance r is better than the best within r-1.
func optFloodMaxMessages(in *trial.Instance) int {
	sent := 0
	known := in.Ranks.List() // and told
	heard := in.Ranks.List()
	news := make([]protocols.ID, in.N) // the processes that send in this round
	for p := range news {
		news[p] = protocols.ID(p)
	}
	for range floodRounds(in) {
		var next []protocols.ID
		for _, p := range news {
			sent += in.Topology.Degree(p)
			for port := range in.Topology.Degree(p) {
				q := in.Topology.Neighbor(p, port)
				if !in.Order.Better(known[p], heard[q]) {
					continue
				}
				if heard[q] == known[q] {
					next = append(next, q)
				}
				heard[q] = known[p]
			}
		}
		for _, q := range next {
			known[q] = heard[q]
		}
		news = next
	}
	return sent
}
