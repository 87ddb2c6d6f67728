package broadcast

import (
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/broadcast"
	"bullring/protocols/broadcast/bracha"
)

func brachaAlgorithm() trial.Algorithm {
	cost := func(in *trial.Instance) float64 { return float64(families.Items(in) * (in.N - 1) * (2*in.N + 1)) }
	return families.BroadcastAmongLiars(trial.Algorithm{
		Name:     "bracha",
		Title:    "Bracha's reliable broadcast: a process echoes an item, is ready when enough echo it, and delivers when enough are ready",
		Look:     looks.Look{Colour: looks.Red, Marker: looks.Cross},
		Source:   "Bracha, Information and Computation 75(2), 1987; " + textbook + "section 3.11",
		Papers:   []string{"bracha1987", "cachin2011"},
		Cost:     "(n-1)(2n+1) an item",
		Variants: [][]string{{"ready", "unready"}},
		Assumes: trial.Assumptions{
			Topologies: []string{"complete"}, NoRestart: true, Liars: true, Params: getsReady,
			Resilience: &trial.Resilience{Words: "n > 3f", Most: func(n int) int { return (n - 1) / 3 }},
		},
		Bounds: []trial.Bound{
			{
				Name: "exact", Metric: "messages", Relation: trial.Exactly, Convention: "what a process sends itself is free; no process crashes or is Byzantine",
				Formula: "(n-1)(2n+1) for each item",
				Value:   func(in *trial.Instance) (float64, bool) { return cost(in), calm(in) },
			},
			{
				Name: "worst", Metric: "messages", Relation: trial.AtMost, Convention: "those of Byzantine processes do not count",
				Formula: "(n-1)(2n+1) for each item",
				Value:   func(in *trial.Instance) (float64, bool) { return cost(in), true },
			},
			{
				Name: "longest", Metric: "delivery_time_max", Relation: trial.Exactly, Convention: "constant delay; no process crashes or is Byzantine",
				Formula: "3, or 2 if f = 0",
				Value: func(in *trial.Instance) (float64, bool) {
					return float64(min(2+in.F, 3)), calm(in) && in.ConstantDelay() && in.N > 1
				},
			},
		},
	}, broadcast.Promise{Agreement: true, Uniform: true}, families.Lies[bracha.Message]{Versions: bracha.Versions, Told: bracha.Told, Opposite: bracha.Opposite},
		func(in *trial.Instance) func(protocols.ID) broadcast.Service[bracha.Message] {
			cfg := bracha.Config{Faulty: in.F, Unready: in.Variant.Has("unready")}
			return func(protocols.ID) broadcast.Service[bracha.Message] { return bracha.New(cfg) }
		})
}

// getsReady: the wrong variant is outside the model.
func getsReady(in *trial.Instance) string {
	if in.Variant.Has("unready") {
		return "items are delivered without READY"
	}
	return ""
}
