package consensus

import (
	"time"

	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/consensus"
	"bullring/protocols/consensus/paxos"
)

func paxosAlgorithm() trial.Algorithm {
	const convention = "s of n processes live, a majority; one proposer, nothing fails after the start, four delays are below the least timeout, and messages do not overtake each other"
	return families.Consensus(trial.Algorithm{
		Name:       "paxos",
		Title:      "Paxos for one decree: a majority promises, then a majority accepts",
		Look:       looks.Look{Colour: looks.Black, Marker: looks.Square},
		Source:     "Lamport, ACM SIGACT News 32(4), 2001; ACM TOCS 16(2), 1998",
		Papers:     []string{"lamport2001", "lamport1998"},
		Cost:       "5(n-1) with one proposer; no bound if proposers disturb each other",
		Inputs:     &trial.Inputs{Least: 0, Most: 1_000_000, Default: trial.RandomInputs},
		Initiators: trial.FirstInitiates,
		Params: []trial.Param{
			trial.CountParam("least", "10", "least timeout of a ballot, in assumed bounds on delay", 1, 1_000_000),
			trial.CountParam("width", "10", "how far the largest timeout is above the least, in assumed bounds on delay", 0, 1_000_000),
		},
		Assumes: trial.Assumptions{
			Topologies: []string{"complete"}, Lossy: true,
			Resilience: &trial.Resilience{Words: "n > 2f", Most: func(n int) int { return (n - 1) / 2 }},
		},
		Bounds: []trial.Bound{
			{
				Name: "exact", Metric: "messages", Relation: trial.Exactly, Convention: convention,
				Formula: "3(n-1) + 2(s-1); 5(n-1) if all live",
				Value: func(in *trial.Instance) (float64, bool) {
					return float64(3*(in.N-1) + 2*(in.N-len(in.Dead)-1)), undisturbed(in)
				},
			},
			{
				Name: "decided", Metric: "decided_time", Relation: trial.Exactly, Formula: "5", Convention: convention + "; constant delay",
				Value: func(in *trial.Instance) (float64, bool) {
					return 5, undisturbed(in) && in.N-len(in.Dead) > 1 && in.ConstantDelay()
				},
			},
		},
	}, families.OfAll, func(in *trial.Instance) func(protocols.ID) consensus.Process[paxos.Message] {
		cfg := paxosTimeouts(in)
		return func(p protocols.ID) consensus.Process[paxos.Message] { return paxos.New(in.Input(p), cfg) }
	})
}

// timeoutValues is from how many values a timeout is drawn in a run.
const timeoutValues = 1_000_000

// paxosTimeouts are the timeouts of an instance. In an exploration they are drawn in its steps of time;
// if it has none, timers expire at any time, and the draw makes no difference.
func paxosTimeouts(in *trial.Instance) paxos.Config {
	cfg := paxos.Config{Least: time.Duration(in.Count("least")) * in.Assumed}
	width := time.Duration(in.Count("width")) * in.Assumed
	switch in.Tick {
	case 0:
		return cfg
	case 1:
		cfg.Grain = max(width/timeoutValues, 1)
	default:
		cfg.Grain = in.Tick
	}
	cfg.Steps = int(width / cfg.Grain)
	return cfg
}

// undisturbed: there is one proposer, and its first ballot comes to a decision.
func undisturbed(in *trial.Instance) bool {
	_, longest, bounded := in.Delay.Bounds()
	return in.Calm() && in.Initiators.Len() == 1 && 2*(in.N-len(in.Dead)) > in.N && in.Transport == nil && len(in.Lines) == 0 &&
		in.Delta == 0 && in.Tick == 1 && !in.Timeless() && bounded && 4*longest < paxosTimeouts(in).Least &&
		(in.FIFO || in.ConstantDelay()) // an ACCEPT before its PREPARE leaves nothing to promise
}
