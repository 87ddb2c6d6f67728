package elections

import (
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/bully"
)

func bullyAlgorithm() trial.Algorithm {
	const convention = "A: ELECTION to every higher identity; B: the detector skips the dead coordinator, and announces itself at once if no other is above it; C: nothing is sent to the dead; N counts the dead; dead from the start"
	return families.Election(trial.Algorithm{
		Name:     "bully",
		Title:    "the bully: a higher process that lives takes over",
		Look:     looks.Look{Colour: looks.Red, Marker: looks.OpenSquare},
		Source:   "Garcia-Molina, IEEE Trans. Computers C-31(1) 1982; Coulouris et al., Distributed Systems, 5th ed., section 15.3",
		Papers:   []string{"garciamolina1982", "coulouris2012"},
		Cost:     "N-2 to O(N^2)",
		Variants: [][]string{{"B", "A", "C"}, {"overlap", "start-after-answer"}, {"max", "min"}},
		Remark:   bullyRemark,
		Bands:    []trial.Band{families.Candidates[*bully.Process]("has sent ELECTION, and waits for an ANSWER")},
		Assumes: trial.Assumptions{
			KnowsIdentities: true,
			Topologies:      []string{"complete"}, BoundedDelay: true, PerfectDetector: true,
		},
		Bounds: []trial.Bound{
			{
				Name: "exact", Metric: "messages", Relation: trial.Exactly,
				Formula:    "ELECTION, sum over P of the ranks above; ANSWER, |P|(|P|-1)/2; COORDINATOR, the ranks below the winner; P: the detector and the living above it",
				Convention: convention + "; constant delay, one detector or all",
				Value:      func(in *trial.Instance) (float64, bool) { return float64(bullyMessages(in)), bullyExact(in) },
			},
			{
				Name: "best", Metric: "messages", Relation: trial.AtLeast, Formula: "A N-1; B and C N-2",
				Convention: convention + "; only the coordinator dead, one detector",
				Value: func(in *trial.Instance) (float64, bool) {
					if in.Variant.Has("A") {
						return float64(in.N - 1), onlyTopDead(in)
					}
					return float64(in.N - 2), onlyTopDead(in)
				},
			},
			{
				Name: "worst", Metric: "messages", Relation: trial.AtMost,
				Formula:    "A N^2-N-1; B N^2-N-2; C N^2-2N",
				Convention: convention + "; only the coordinator dead, one detector",
				Value: func(in *trial.Instance) (float64, bool) {
					n := in.N
					switch {
					case in.Variant.Has("A"):
						return float64(n*n - n - 1), onlyTopDead(in)
					case in.Variant.Has("C"):
						return float64(n*n - 2*n), onlyTopDead(in)
					}
					return float64(n*n - n - 2), onlyTopDead(in)
				},
			},
			{
				Name: "mean", Metric: "messages", Relation: trial.Mean,
				Formula:    "A N(2N-1)/6+N-2; B one less; C (N-2)(N+3)/3",
				Convention: convention + "; only the coordinator dead, over a uniformly random detector",
				Value: func(in *trial.Instance) (float64, bool) {
					n := in.N
					mean := float64(n*(2*n-1))/6 + float64(n-2)
					switch {
					case in.Variant.Has("C"):
						mean = float64((n-2)*(n+3)) / 3
					case in.Variant.Has("B"):
						mean--
					}
					return mean, onlyTopDead(in)
				},
			},
			{
				Name: "turnaround", Metric: "decided_time", Relation: trial.Exactly,
				Formula:    "4+2p (A, B), 2+p (C), 5+2p (start-after-answer) if the winner is not the detector; else 3+p, or 1 if it knows that nobody is above",
				Convention: "one detector, constant delay, which is the assumed bound; p is the processing time; dead from the start",
				Value:      bullyTurnaround,
			},
		},
	}, func(in *trial.Instance) election.Promise {
		// A process may be passed over if it is not asked within T. The news of that
		// takes one more transmission.
		cfg := bullyConfig(in)
		// After a fault, a process may wait for a coordinator before it elects.
		settle := cfg.T() + cfg.Transmission
		return election.Promise{Settle: settle, Rest: 2*cfg.T() + 2*settle}
	}, func(in *trial.Instance) func(protocols.ID) election.Process[bully.Message] {
		cfg := bullyConfig(in)
		ranks := in.Ranks.List()
		return func(p protocols.ID) election.Process[bully.Message] { return bully.New(p, ranks, cfg) }
	})
}

// bullyRemark says why a histogram over random detectors has two peaks. Under B, the best
// live process asks no other if only the coordinator is above it.
func bullyRemark(in *trial.Instance) string {
	if !in.Variant.Has("B") || !in.Calm() || !in.IsDead(top(in)) || above(in, true)[best(in)] > 1 || len(in.Dead) > in.N-2 {
		return ""
	}
	return "the best of the living, if it is a detector, announces itself at once under B, and asks the dead coordinator first under A; over random detectors, turnaround times have two peaks"
}

func bullyConfig(in *trial.Instance) bully.Config {
	cfg := bully.Config{
		StartAfterAnswer: in.Variant.Has("start-after-answer"),
		Transmission:     in.Assumed,
		Processing:       in.Processing,
		Order:            in.Order,
	}
	switch {
	case in.Variant.Has("A"):
		cfg.Convention = bully.All
	case in.Variant.Has("C"):
		cfg.Convention = bully.PerfectDetector
	}
	return cfg
}

// top is the address of the best rank, dead or alive: the coordinator that all processes
// know at the start.
func top(in *trial.Instance) protocols.ID {
	t := protocols.ID(0)
	for p := range protocols.ID(in.N) {
		if in.Order.Better(in.Ranks.At(p), in.Ranks.At(t)) {
			t = p
		}
	}
	return t
}

func onlyTopDead(in *trial.Instance) bool {
	return in.Calm() && in.ConstantDelay() && in.Initiators.Len() == 1 && len(in.Dead) == 1 && in.IsDead(top(in))
}

// bullyExact reports whether the count is independent of the order of events. It is not
// with some detectors but not all: one of them may announce at once and settle a process
// at the instant at which the ELECTION of another would start it.
func bullyExact(in *trial.Instance) bool {
	return in.Calm() && in.ConstantDelay() && (in.Initiators.Len() == 1 || in.AllInitiate())
}

// bullyMessages is the exact number of messages.
func bullyMessages(in *trial.Instance) int {
	perfect := in.Variant.Has("C")
	lowest := in.Initiators.At(0)
	for d := range in.Initiators.All() {
		if in.Order.Better(in.Ranks.At(lowest), in.Ranks.At(d)) {
			lowest = d
		}
	}
	higher, winner := above(in, !perfect), best(in)
	messages, takePart := 0, 0
	for p := range protocols.ID(in.N) {
		if !in.IsDead(p) && !in.Order.Better(in.Ranks.At(lowest), in.Ranks.At(p)) {
			takePart++
			messages += higher[p]
		}
	}
	if in.Variant.Has("B") && in.IsDead(top(in)) {
		messages -= in.Initiators.Len() // each is below the coordinator that it found dead
	}
	lower := in.N - 1 - higher[winner]
	if perfect {
		lower = in.N - len(in.Dead) - 1
	}
	return messages + takePart*(takePart-1)/2 + lower
}

// bullyTurnaround is the time until the last live process knows the coordinator.
func bullyTurnaround(in *trial.Instance) (float64, bool) {
	unit, ok := in.Unit()
	if !ok || unit != in.Assumed || !in.Calm() || in.Initiators.Len() != 1 {
		return 0, false
	}
	d, winner := in.Initiators.At(0), best(in)
	p := float64(in.Processing) / float64(unit)
	if in.Variant.Has("start-after-answer") {
		return 5 + float64(2*p), d != winner && !bullyKnows(in, winner, false)
	}
	wait := 0.0 // of the winner, for the dead above it
	if !bullyKnows(in, winner, d == winner) {
		wait = 2 + p
	}
	reach := 0.0 // of the COORDINATOR
	if len(in.Dead) < in.N-1 {
		reach = 1
	}
	if d == winner {
		return wait + reach, true
	}
	return 1 + p + wait + reach, true
}

// bullyKnows reports whether the winner knows at once that no process above it lives.
func bullyKnows(in *trial.Instance, winner protocols.ID, detector bool) bool {
	switch higher := above(in, true)[winner]; {
	case in.Variant.Has("C") || higher == 0:
		return true
	default:
		return in.Variant.Has("B") && detector && higher == 1
	}
}
