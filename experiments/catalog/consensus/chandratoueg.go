package consensus

import (
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/consensus"
	"bullring/protocols/consensus/chandratoueg"
)

func chandraTouegAlgorithm() trial.Algorithm {
	detector := chandraToueg(trial.Algorithm{
		Name:     "chandratoueg",
		Title:    "Chandra-Toueg: a coordinator that rotates, and a failure detector that may be mistaken",
		Look:     looks.Look{Colour: looks.Purple, Marker: looks.Cross},
		Source:   "Chandra, Toueg, JACM 43(2), 1996, section 6.2",
		Papers:   []string{"chandratoueg1996"},
		Cost:     "no suspicion: 1 round, 3(n-1), n(n-1) to decide",
		Variants: [][]string{{"detector", "timeout"}},
		Params:   []trial.Param{trial.PauseParam("wait", "5ms", "the pause between two looks at the failure detector; timeout: how long a process waits for the coordinator of round 1, and r times as long in round r")},
		Inputs:   &trial.Inputs{Least: 0, Most: 63, Default: trial.RandomInputs},
	}, false)
	detector.Assumes.Detector = true
	detector.Bounds = chandraTouegBounds()
	return detector.Or("timeout", chandraToueg(trial.Algorithm{
		Title: "Chandra-Toueg with timeouts that grow in place of a failure detector",
	}, true))
}

// chandraToueg declares a variant.
func chandraToueg(a trial.Algorithm, timeout bool) trial.Algorithm {
	a.Metrics = []trial.Metric{families.RoundOfDecision}
	a.Assumes = trial.Assumptions{
		Topologies: []string{"complete"}, AllInitiate: true, NoRestart: true,
		Resilience: &trial.Resilience{Words: "n > 2f", Most: func(n int) int { return (n - 1) / 2 }},
	}
	return families.Consensus(a, families.OfAll, func(in *trial.Instance) func(protocols.ID) consensus.Process[chandratoueg.Message[int]] {
		cfg := chandratoueg.Config{Processes: in.N, Wait: in.Duration("wait"), Timeout: timeout}
		return func(p protocols.ID) consensus.Process[chandratoueg.Message[int]] {
			return chandratoueg.New(p, in.Input(p), cfg)
		}
	})
}

// chandraTouegBounds are the bounds on runs in which nobody is suspected, and each message takes one delay.
func chandraTouegBounds() []trial.Bound {
	const convention = "every message takes the same time; no process crashes or is suspected"
	calm := func(in *trial.Instance) bool {
		return in.ConstantDelay() && in.Calm() && len(in.Dead) == 0 && in.Detector == nil && in.Transport == nil
	}
	return []trial.Bound{
		{
			Name: "exact", Metric: "messages", Relation: trial.Exactly, Convention: convention + "; all messages counted when sent",
			Formula: "3(n-1) + n(n-1), and, with n > 2, 2n-3 of round 2, which begins before the decision is known",
			Value: func(in *trial.Instance) (float64, bool) {
				messages := (in.N - 1) * (in.N + 3)
				if in.N > 2 {
					messages += 2*in.N - 3
				}
				return float64(messages), calm(in)
			},
		},
		{
			Name: "decided", Metric: "decided_time", Relation: trial.Exactly, Convention: convention, Formula: "4",
			Value: func(in *trial.Instance) (float64, bool) { return 4, calm(in) && in.N > 1 },
		},
	}
}
