package elections

import (
	"bullring/des"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/faults"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/modifiedring"
)

func modifiedRingAlgorithm() trial.Algorithm {
	const convention = "polls of dead processes counted; dead from the start; no acknowledgements"
	return families.Election(trial.Algorithm{
		Name:     "modifiedring",
		Title:    "the modified ring: COORDINATOR collects the living again, and the election is repeated if the winner died",
		Look:     looks.Look{Colour: looks.Green, Marker: looks.OpenTriangle},
		Source:   "lecture notes on distributed algorithms, modified ring algorithm; Tanenbaum & van Steen, Distributed Systems, 2nd ed., section 6.5",
		Papers:   []string{"tanenbaum2007"},
		Cost:     "2kn with k initiators; 4n if the winner dies",
		Variants: [][]string{{"no-memory", "memory"}, {"watchdog", "no-watchdog"}, {"max", "min"}},
		Assumes: trial.Assumptions{
			Topologies: []string{"complete"}, NoRestart: true, BoundedDelay: true, PerfectDetector: true,
		},
		Bounds: []trial.Bound{
			{
				Name: "exact", Metric: "messages", Relation: trial.Exactly, Convention: convention,
				Formula: "2kn; 2(n-D)+D with one initiator and memory of the D dead",
				Value: func(in *trial.Instance) (float64, bool) {
					if in.Variant.Has("memory") {
						return float64(2*in.N - len(in.Dead)), in.Calm() && in.Initiators.Len() == 1
					}
					return float64(2 * in.Initiators.Len() * in.N), in.Calm()
				},
			},
			{
				Name: "best", Metric: "messages", Relation: trial.AtLeast, Convention: convention,
				Formula: "2k(n-D)+D with memory",
				Value: func(in *trial.Instance) (float64, bool) {
					dead := len(in.Dead)
					return float64(2*in.Initiators.Len()*(in.N-dead) + dead), in.Calm() && in.Variant.Has("memory")
				},
			},
			{
				Name: "worst", Metric: "messages", Relation: trial.AtMost, Convention: convention,
				Formula: "k(2(n-D)+D) with memory",
				Value: func(in *trial.Instance) (float64, bool) {
					return float64(in.Initiators.Len() * (2*in.N - len(in.Dead))), in.Calm() && in.Variant.Has("memory")
				},
			},
			{
				Name: "crash", Metric: "messages", Relation: trial.AtMost, Formula: "4n+2",
				Convention: "one initiator, one crash at any time; polls of the dead counted",
				Value: func(in *trial.Instance) (float64, bool) {
					return float64(4*in.N + 2), oneCrash(in) && in.Initiators.Len() == 1
				},
			},
			{
				Name: "winner-dies", Metric: "messages", Relation: trial.Exactly,
				Formula:    "4n; 4n-2 with memory",
				Convention: "one initiator, which does not win; the winner crashes between its two messages, when nobody polls it; constant delay, a timeout of twice that",
				Value: func(in *trial.Instance) (float64, bool) {
					if in.Variant.Has("memory") {
						return float64(4*in.N - 2), winnerDies(in)
					}
					return float64(4 * in.N), winnerDies(in)
				},
			},
			{
				Name: "delivered", Metric: "delivered", Relation: trial.Exactly, Convention: convention,
				Formula: "2k(n-D)",
				Value: func(in *trial.Instance) (float64, bool) {
					return float64(2 * in.Initiators.Len() * (in.N - len(in.Dead))), in.Calm()
				},
			},
			{
				Name: "quiet", Metric: "time", Relation: trial.Exactly,
				Formula:    "2(n-D) + 2D timeouts; D timeouts with memory",
				Convention: "one initiator, constant delay, a timeout of twice the assumed bound on it; dead from the start",
				Value: func(in *trial.Instance) (float64, bool) {
					dead, rounds := len(in.Dead), 2
					if in.Variant.Has("memory") {
						rounds = 1
					}
					wait := in.Units(des.Time(pollTimeout(in)))
					return float64(2*(in.N-dead)) + float64(float64(rounds*dead)*wait),
						in.Calm() && in.ConstantDelay() && in.Initiators.Len() == 1
				},
			},
		},
	}, func(in *trial.Instance) election.Promise {
		return election.Promise{Notices: in.Variant.Has("watchdog")}
	}, func(in *trial.Instance) func(protocols.ID) election.Process[modifiedring.Message] {
		cfg := modifiedring.Config{
			Timeout:  pollTimeout(in),
			Memory:   in.Variant.Has("memory"),
			Watchdog: in.Variant.Has("watchdog"),
			Order:    in.Order,
		}
		return func(p protocols.ID) election.Process[modifiedring.Message] {
			return modifiedring.New(in.Ranks.At(p), cfg)
		}
	})
}

// winnerDies: only the winner crashes, after it has passed ELECTION on and polled its
// successor, and before it is polled for COORDINATOR.
func winnerDies(in *trial.Instance) bool {
	unit, ok := in.Unit()
	if !ok || unit != in.Assumed || !oneCrash(in) || in.Initiators.Len() != 1 || in.Drawn[0].For > 0 || in.Drawn[0].Amid || in.Drawn[0].With > 0 {
		return false
	}
	f, winner := in.Drawn[0], best(in)
	d := des.Time((int(winner-in.Initiators.At(0)) + in.N) % in.N)
	at := f.When.At
	return f.Process == winner && d > 0 && f.When.On == faults.Instant &&
		at > (d+1)*des.Time(unit) && at < (des.Time(in.N)+d-1)*des.Time(unit)
}

// oneCrash: no process is dead from the start, and one crashes.
func oneCrash(in *trial.Instance) bool {
	return len(in.Dead) == 0 && len(in.Drawn) == 1 && in.Drawn[0].Kind == faults.Crash
}
