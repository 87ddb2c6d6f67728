package consensus

import (
	"fmt"
	"slices"

	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/consensus"
	"bullring/protocols/consensus/benor"
)

func benOrAlgorithm() trial.Algorithm {
	crash := benOr(trial.Algorithm{
		Name:     "benor",
		Title:    "Ben-Or: report, propose, and toss a coin if no value is proposed",
		Look:     looks.Look{Colour: looks.Orange, Marker: looks.Nabla},
		Source:   "Ben-Or, PODC 1983; Aguilera, Toueg, Distributed Computing 25(5), 2012",
		Papers:   []string{"benor1983", "aguileratoueg2012"},
		Cost:     "2n(n-1) a round, n(n-1) to decide; equal inputs: 1 round",
		Variants: [][]string{{"crash", "liars"}},
		Inputs:   &trial.Inputs{Least: 0, Most: 1, Default: trial.RandomInputs},
	}, trial.Resilience{Words: "n > 2f", Most: func(n int) int { return (n - 1) / 2 }}, false)
	return crash.Or("liars", benOr(trial.Algorithm{}, trial.Resilience{Words: "n > 5f", Most: func(n int) int { return (n - 1) / 5 }}, true))
}

// benOr declares a variant.
func benOr(a trial.Algorithm, r trial.Resilience, liars bool) trial.Algorithm {
	r.Limit = func(n, f int) error {
		if most := benor.MostFaulty(n, liars); f > most {
			return fmt.Errorf("f %d: with n %d it is at most %d, so that a process waits for others in each phase", f, n, most)
		}
		return nil
	}
	a.Metrics = []trial.Metric{families.RoundOfDecision}
	a.Assumes = trial.Assumptions{Topologies: []string{"complete"}, AllInitiate: true, NoRestart: true, Liars: liars, Resilience: &r}
	const convention = "REPORT, PROPOSE and DECIDE counted when sent, those of Byzantine processes not; no process crashes"
	a.Bounds = []trial.Bound{
		{
			Name: "exact", Metric: "messages", Relation: trial.Exactly, Convention: convention + " or is Byzantine",
			Formula: "3n(n-1) if all begin with one value",
			Value: func(in *trial.Instance) (float64, bool) {
				equal := len(slices.Compact(slices.Clone(in.Inputs()))) == 1
				return float64(3 * in.N * (in.N - 1)), equal && in.Calm() && len(in.Dead) == 0
			},
		},
		{
			Name: "worst", Metric: "messages", Relation: trial.AtMost, Convention: convention,
			Formula: "2n(n-1) a round, and n(n-1)",
			Of: func(r *trial.Result) (float64, bool) {
				rounds, decided := r.Metric("decided_round")
				in, does := r.Instance, r.Instance.Drawn.Effects()
				return (2*rounds + 1) * float64(in.N*(in.N-1)), decided && !does.Crashes && !does.DeadFromStart && len(in.Dead) == 0
			},
		},
	}
	return withLiars(a, families.OfAll, func(in *trial.Instance) unclocked[benor.Message] {
		cfg := benor.Config{Processes: in.N, Faulty: in.F, Liars: liars}
		return unclocked[benor.Message]{
			honest:   func(p protocols.ID) consensus.Process[benor.Message] { return benor.New(in.Input(p), cfg) },
			second:   func(p protocols.ID) consensus.Process[benor.Message] { return benor.New(1-in.Input(p), cfg) },
			versions: benor.Versions, told: benor.Told,
		}
	})
}
