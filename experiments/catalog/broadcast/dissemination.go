package broadcast

import (
	"math"
	"time"

	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/broadcast"
	"bullring/protocols/broadcast/dissemination"
)

func disseminationAlgorithm() trial.Algorithm {
	return families.Broadcast(trial.Algorithm{
		Name:       "dissemination",
		Title:      "dissemination by rounds: each round everybody tells its neighbours the items that it has, or one of them",
		Look:       looks.Look{Colour: looks.Black, Marker: looks.Cross},
		LabelLooks: map[string]looks.Look{"one item a message": {Colour: looks.Black, Marker: looks.OpenDiamond}},
		Source:     "Kuhn, Lynch & Oshman, STOC 2010",
		Papers:     []string{"kuhn2010"},
		Cost:       "n-1 rounds; tokens: k(n-1) rounds for k items",
		Variants:   [][]string{{"sets", "tokens"}},
		Metrics: []trial.Metric{{
			Name: "rounds_last", Unit: "rounds", Meaning: "the round in which the last item is delivered, from 1; 0 if only origins deliver", Axis: "rounds to the last delivery", Summary: true,
			Measure: func(r *trial.Result) (float64, bool) {
				t, ok := r.Metric("delivery_time_max")
				unit, _ := r.Instance.Unit()
				return math.Ceil(t * float64(unit) / float64(r.Instance.Assumed)), ok && !r.Instance.Timeless()
			},
		}},
		Assumes: trial.Assumptions{
			Topologies: []string{"complete", "biring", trial.Connected}, NoCrash: true, NoRestart: true, BoundedDelay: true, ConnectedRounds: true, Params: notAtOnce,
		},
		Bounds: []trial.Bound{
			{
				Name: "last", Metric: "rounds_last", Relation: trial.AtMost, Formula: "n-1; tokens: k(n-1)", Convention: "k items, all at the start",
				Value: func(in *trial.Instance) (float64, bool) {
					return float64(disseminates(in).Rounds()), notAtOnce(in) == ""
				},
			},
			{
				Name: "worst", Metric: "rounds_last", Relation: trial.Exactly, Formula: "motion interval(..., worst), process 0 initiates alone: n-1", Convention: "sets, or one item; no message takes 0s, which would be at the end of the round before",
				Value: func(in *trial.Instance) (float64, bool) {
					shortest, _, _ := in.Delay.Bounds()
					worst := in.Motion != nil && in.Motion.Worst() && shortest > 0
					return float64(in.N - 1), worst && in.Initiators.Len() == 1 && in.Initiators.Has(0) && notAtOnce(in) == ""
				},
			},
			{
				Name: "most", Metric: "messages", Relation: trial.AtMost, Formula: "n times the rounds", Convention: "a broadcast counts once; k items, all at the start; no reliable link, which sends to each",
				Value: func(in *trial.Instance) (float64, bool) {
					return float64(in.N * disseminates(in).Rounds()), notAtOnce(in) == "" && in.Transport == nil
				},
			},
		},
	}, broadcast.Promise{Agreement: true, Uniform: true}, func(in *trial.Instance) func(protocols.ID) broadcast.Service[dissemination.Message] {
		cfg := disseminates(in)
		return func(protocols.ID) broadcast.Service[dissemination.Message] { return dissemination.New(cfg) }
	})
}

// disseminates is the configuration of all processes.
func disseminates(in *trial.Instance) dissemination.Config {
	c := dissemination.Config{Processes: in.N, Length: max(in.Assumed, time.Nanosecond)}
	if in.Variant.Has("tokens") {
		c.Tokens = max(families.Items(in), 1)
	}
	return c
}

// notAtOnce names why not all items are broadcast when the run begins, or returns "".
func notAtOnce(in *trial.Instance) string {
	switch {
	case in.Count("requests") > 1:
		return "a client broadcasts more than one item"
	case in.Param("loop") == "open":
		return "an item comes up after a pause"
	case in.Count("reactions") > 0:
		return "processes react to items"
	case in.StartsAnother():
		return "a fault starts a client that is no initiator"
	}
	return ""
}
