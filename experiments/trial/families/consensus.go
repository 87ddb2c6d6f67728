package families

import (
	"fmt"

	"bullring/experiments/trial"
	"bullring/netem/explore"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/consensus"
)

// The outcomes of a consensus.
const (
	Agreed    trial.Outcome = "agreed"    // all live processes have decided for one value
	Disagreed trial.Outcome = "disagreed" // two have decided differently, or one for what it may not
	Unagreed  trial.Outcome = "undecided" // a live process has not decided
)

var consensusFamily = trial.Family{
	Name: "consensus",
	Checks: []explore.Property{
		{Name: "agreement", Kind: explore.Always, Says: "no two processes decide differently"},
		{Name: "validity", Kind: explore.Always, Says: "if all processes begin with one value, none decides another"},
		{Name: "integrity", Kind: explore.Always, Says: "a process decides once"},
		{Name: "termination", Kind: explore.Eventually, Says: "every live process decides"},
	},
	Bands: []trial.Band{
		{Name: "decided", Says: "has decided for a value", Look: looks.Fill{Colour: looks.Green, Texture: looks.Full},
			In: trial.InBand(func(d consensus.Decider) bool { return d.Decision().Made })},
	},
	Right: []trial.Outcome{Agreed},
	Wrong: []trial.Outcome{Disagreed, Unagreed},
	Metrics: []trial.Metric{
		{Name: "decided_time", Unit: trial.Units, Meaning: "when the last process decided", Axis: "time to decide", Summary: true,
			Measure: trial.LastChange[consensus.Decision]()},
		{Name: "deciders", Unit: "processes", Meaning: "processes that decided, those that crashed later included", Axis: "processes that decided",
			Measure: trial.SeenBy(func(seen trial.Seen[consensus.Decision]) (float64, bool) {
				decided := 0
				for _, d := range seen.States {
					if d.Made {
						decided++
					}
				}
				return float64(decided), true
			})},
	},
}

// Consensus completes the declaration of an algorithm by which processes agree on a value. It has
// inputs that are whole numbers; its processes are consensus.Deciders.
func Consensus[M protocols.Message](a trial.Algorithm, build func(*trial.Instance) func(protocols.ID) consensus.Process[M]) trial.Algorithm {
	return trial.Ruled(a, consensusFamily, newConsensusRules, func(in *trial.Instance) func(protocols.ID) protocols.Process[M] {
		made := build(in)
		return func(p protocols.ID) protocols.Process[M] { return made(p) }
	})
}

// consensusRules are the rules of consensus.
type consensusRules struct {
	unanimous bool // all processes begin with one value
	value     int
}

func newConsensusRules(in *trial.Instance) trial.Rules[consensus.Decision] {
	r := consensusRules{unanimous: true, value: in.Input(0)}
	for p := range protocols.ID(in.N) {
		r.unanimous = r.unanimous && in.Input(p) == r.value
	}
	return r
}

// State implements trial.Rules.
func (consensusRules) State(process any) consensus.Decision {
	return process.(consensus.Decider).Decision()
}

// BrokenBy implements trial.Local.
func (r consensusRules) BrokenBy(seen trial.Seen[consensus.Decision], p protocols.ID, before consensus.Decision) map[string]string {
	now := seen.States[p]
	if now == before {
		return nil
	}
	broken := map[string]string{}
	if before.Made {
		broken["integrity"] = fmt.Sprintf("process %d, which had decided %d, %v", p, before.Value, now)
	}
	if !now.Made {
		return broken
	}
	if r.unanimous && now.Value != r.value {
		broken["validity"] = fmt.Sprintf("process %d decides %d, and all began with %d", p, now.Value, r.value)
	}
	for q, other := range seen.States {
		if other.Made && other.Value != now.Value {
			broken["agreement"] = fmt.Sprintf("process %d decides %d, and process %d decided %d", p, now.Value, q, other.Value)
			break
		}
		if other.Made && protocols.ID(q) != p {
			break // it was compared with the others when it decided
		}
	}
	return broken
}

// Broken implements trial.Rules: at rest, all that is left is who has not decided.
func (consensusRules) Broken(seen trial.Seen[consensus.Decision]) map[string]string {
	for p, d := range seen.States {
		if !d.Made && !seen.Down[p] {
			return map[string]string{"termination": fmt.Sprintf("process %d has not decided", p)}
		}
	}
	return nil
}

// Outcome implements trial.Rules.
func (consensusRules) Outcome(trial.Seen[consensus.Decision]) trial.Outcome { return Agreed }
