// Command commit is bullring with a family of one's own: atomic commitment.
package main

import (
	"fmt"
	"os"
	"slices"

	"bullring/experiments/cli"
	"bullring/experiments/trial"
	"bullring/netem/explore"
	"bullring/plots/looks"
	"bullring/protocols"
)

const Committed, Aborted, Blocked, Unsafe trial.Outcome = "committed", "aborted", "blocked", "unsafe"

// family is the problem, with the properties of Babaoglu and Toueg (1993).
var family = trial.Family{
	Name: "commit", Right: []trial.Outcome{Committed, Aborted}, Wrong: []trial.Outcome{Unsafe, Blocked},
	Checks: []explore.Property{
		{Name: "AC1", Kind: explore.Always, Says: "no two processes decide differently"},
		{Name: "AC2", Kind: explore.Always, Says: "a process commits only if all have voted yes"},
		{Name: "AC3", Kind: explore.Always, Says: "if all vote yes and none has crashed, no process aborts"},
		{Name: "AC5", Kind: explore.Eventually, Says: "every live process decides"},
	},
	Bands: []trial.Band{{
		Name: "in doubt", Says: "has voted yes, and knows no decision", Look: looks.Fill{Colour: looks.Orange, Texture: looks.Zigzag},
		In: trial.InBand(func(p *Process) bool { return p.log == Yes }),
	}},
}

// refuse is how many participants vote no, from the last address down.
func refuse(in *trial.Instance) int { return min(in.Count("no"), in.N-1) }

// rules judge runs by the logs of the processes.
type rules struct{ willing bool } // all vote yes

func rulesOf(in *trial.Instance) trial.Rules[Message] { return rules{refuse(in) == 0} }

func (rules) State(process any) Message { return process.(*Process).log }

func (r rules) Broken(seen trial.Seen[Message]) map[string]string {
	committed, broken := slices.Contains(seen.States, Commit), map[string]string{}
	for p, log := range seen.States {
		switch {
		case log == Abort && committed:
			broken["AC1"] = fmt.Sprintf("process %d aborts, and another commits", p)
		case log == 0 && p > 0 && committed:
			broken["AC2"] = fmt.Sprintf("process %d has not voted, and another commits", p)
		case log == Abort && r.willing && !seen.Crashed:
			broken["AC3"] = fmt.Sprintf("process %d aborts", p)
		case log < Abort && !seen.Down[p]:
			broken["AC5"] = fmt.Sprintf("process %d is alive and cannot decide", p)
		}
	}
	return broken
}

func (rules) Outcome(seen trial.Seen[Message]) trial.Outcome {
	if slices.Contains(seen.States, Commit) {
		return Committed
	}
	return Aborted
}

func main() {
	registry := &trial.Registry{}
	registry.Register(trial.Ruled(trial.Algorithm{
		Name: "twophase", Title: "two-phase commit: all vote, then the coordinator decides",
		Source: "Gray 1978; Bernstein et al. 1987, ch. 7", Cost: "3(n-1)", Variants: [][]string{{"basic", "cooperative"}},
		Params:  []trial.Param{trial.CountParam("no", "0", "how many participants vote no", 0, 1_000_000)},
		Assumes: trial.Assumptions{Topologies: []string{"complete"}, AllInitiate: true, BoundedDelay: true},
		Bounds: []trial.Bound{{
			Name: "exact", Metric: "messages", Relation: trial.Exactly, Formula: "3(n-1) - no", Convention: "no faults",
			Value: func(in *trial.Instance) (float64, bool) {
				return float64(3*(in.N-1) - refuse(in)), in.Calm() && len(in.Dead) == 0
			},
		}},
	}, family, rulesOf, func(in *trial.Instance) func(protocols.ID) protocols.Process[Message] {
		return func(p protocols.ID) protocols.Process[Message] {
			return &Process{make([]Message, in.N), int(p) >= in.N-refuse(in), in.Variant.Has("cooperative"), in.Assumed, 0}
		}
	}))
	os.Exit(cli.Main(registry))
}
