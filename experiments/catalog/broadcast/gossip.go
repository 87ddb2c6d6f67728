package broadcast

import (
	"math/bits"

	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/broadcast"
	"bullring/protocols/broadcast/gossip"
)

func gossipAlgorithm() trial.Algorithm {
	return families.Broadcast(trial.Algorithm{
		Name:  "gossip",
		Title: "epidemic broadcast: a process tells others at random, or asks them, until it loses interest",
		Look:  looks.Look{Colour: looks.Orange, Marker: looks.Nabla},
		LabelLooks: map[string]looks.Look{
			"push, feedback, coin":    {Colour: looks.Purple, Marker: looks.OpenDiamond},
			"push, blind, coin":       {Colour: looks.Red, Marker: looks.OpenSquare},
			"pull, feedback, counter": {Colour: looks.Blue, Marker: looks.OpenTriangle},
			"push":                    {Colour: looks.Orange, Marker: looks.Circle},
			"pull":                    {Colour: looks.Sky, Marker: looks.OpenTriangle},
			"push and pull":           {Colour: looks.Green, Marker: looks.OpenSquare},
		},
		Source:   "Demers et al., PODC 1987, section 1.4; Pittel, SIAM J. Appl. Math. 47(1), 1987",
		Papers:   []string{"demers1987", "pittel1987"},
		Cost:     "push, counter, d deliveries of an item: kd DATA blind, at least (k+1)d - 1 with feedback",
		Variants: [][]string{{"push", "pull", "pushpull"}, {"feedback", "blind"}, {"counter", "coin"}},
		Params: []trial.Param{
			trial.CountParam("k", "2", "how many unnecessary cycles in a row make a process lose interest; coin: it does with probability 1/k after each", 1, 1_000_000),
			orAuto(trial.CountParam("cycles", trial.Auto, "pull: in how many cycles a process pulls; auto is 3 times log2 n, rounded up", 0, 1_000_000)),
		},
		Metrics: []trial.Metric{
			families.Residue, families.Traffic(sentData),
			inCycles("cycles_mean", "delivery_time", "mean number of cycles from when an item is broadcast to when a process delivers it", "cycles to deliver"),
			inCycles("cycles_last", "delivery_time_max", "largest number of cycles from when an item is broadcast to when a process delivers it", "cycles to the last delivery"),
		},
		Assumes: trial.Assumptions{Topologies: []string{"complete"}, NoRestart: true, BoundedDelay: true},
		Bounds:  gossipBounds(),
	}, broadcast.Promise{Chance: true}, func(in *trial.Instance) func(protocols.ID) broadcast.Service[gossip.Message] {
		cfg := config(in)
		return func(protocols.ID) broadcast.Service[gossip.Message] { return gossip.New(cfg) }
	})
}

// inCycles is a metric of times in cycles of a process.
func inCycles(name, of, meaning, axis string) trial.Metric {
	return trial.Metric{
		Name: name, Unit: "cycles", Meaning: meaning, Axis: axis, Summary: true,
		Measure: func(r *trial.Result) (float64, bool) {
			t, ok := r.Metric(of)
			unit, _ := r.Instance.Unit()
			return t * float64(unit) / float64(config(r.Instance).Cycle()), ok && !r.Instance.Timeless()
		},
	}
}

// config is the configuration of all processes.
func config(in *trial.Instance) gossip.Config {
	return gossip.Config{
		Push: pushes(in), Pull: pulls(in), Blind: in.Variant.Has("blind"), Coin: in.Variant.Has("coin"),
		K: in.Count("k"), Cycles: pullCycles(in), Delay: in.Assumed,
	}
}

// orAuto is the parameter with the value auto.
func orAuto(p trial.Param) trial.Param {
	check := p.Check
	p.Form += "|" + trial.Auto
	p.Check = func(in *trial.Instance, value string) error {
		if value == trial.Auto {
			return nil
		}
		return check(in, value)
	}
	return p
}

func pushes(in *trial.Instance) bool { return !in.Variant.Has("pull") }

func pulls(in *trial.Instance) bool { return !in.Variant.Has("push") }

// pullCycles is in how many cycles a process pulls.
func pullCycles(in *trial.Instance) int {
	if in.Param("cycles") == trial.Auto {
		return 3 * bits.Len(uint(in.N-1))
	}
	return in.Count("cycles")
}

const (
	sentData    = trial.SentPrefix + "DATA"
	sentNeeded  = trial.SentPrefix + "NEEDED"
	sentRequest = trial.SentPrefix + "REQUEST"
)

func gossipBounds() []trial.Bound {
	const deliveries = "d deliveries of all items; no process crashes"
	pushing := func(in *trial.Instance) bool { return calm(in) && in.N > 1 && !pulls(in) }
	blind := func(in *trial.Instance) bool { return pushing(in) && in.Variant.Has("blind") }
	counting := func(in *trial.Instance) bool {
		return pushing(in) && in.Variant.Has("feedback") && in.Variant.Has("counter")
	}
	return []trial.Bound{
		{
			Name: "needed", Metric: sentNeeded, Relation: trial.AtLeast, Convention: deliveries, Formula: "feedback: d - items",
			Of: spread(func(in *trial.Instance) bool { return calm(in) && in.Variant.Has("feedback") },
				func(s spreading) float64 { return s.deliveries - s.items }),
		},
		{
			Name: "requests", Metric: sentRequest, Relation: trial.Exactly, Convention: "no process crashes", Formula: "pull, pushpull: n cycles; push: 0",
			Value: func(in *trial.Instance) (float64, bool) {
				if !pulls(in) || in.N == 1 {
					return 0, true
				}
				return float64(in.N * pullCycles(in)), calm(in)
			},
		},
		{
			Name: "blind", Metric: sentData, Relation: trial.Exactly, Convention: deliveries, Formula: "push, blind, counter: k d",
			Of: spread(func(in *trial.Instance) bool { return blind(in) && in.Variant.Has("counter") }, spreading.pushed),
		},
		{
			Name: "least", Metric: sentData, Relation: trial.AtLeast, Convention: deliveries, Formula: "push, feedback, counter: NEEDED + k d",
			Of: spread(counting, func(s spreading) float64 { return s.needed + s.pushed() }),
		},
		{
			Name: "most", Metric: sentData, Relation: trial.AtMost, Convention: deliveries, Formula: "push, feedback, counter: NEEDED + k(d + NEEDED)",
			Of: spread(counting, func(s spreading) float64 { return s.needed + s.pushed() + float64(s.k*s.needed) }),
		},
		{
			Name: "mean", Metric: families.Residue.Name, Relation: trial.Mean,
			Convention: "one item; no process crashes; nk at most 10,000; over all draws",
			Formula:    "push, blind: informed processes tell k others each (coin: k on average), one process after the other",
			Value:      meanResidue, Curve: drawnResidue,
		},
	}
}

// spreading is how items have spread in a run.
type spreading struct{ k, deliveries, items, needed float64 }

// pushed is k for each delivery.
func (s spreading) pushed() float64 { return float64(s.k * s.deliveries) }

// spread is a bound that depends on how items have spread.
func spread(applies func(*trial.Instance) bool, of func(spreading) float64) trial.Measure {
	return func(r *trial.Result) (float64, bool) {
		in := r.Instance
		deliveries, ok := r.Metric("deliveries")
		needed, _ := r.Metric(sentNeeded)
		return of(spreading{float64(in.Count("k")), deliveries, float64(families.Items(in)), needed}), ok && applies(in)
	}
}
