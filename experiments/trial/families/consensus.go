package families

import (
	"fmt"
	"slices"

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
	Ear:   newConsensusEar,
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

// DecidedRound is a metric of a consensus whose rounds take the assumed bound on delay.
var DecidedRound = trial.Metric{
	Name: "decided_round", Unit: "rounds", Meaning: "the round at whose end the last process decided", Axis: "rounds to decide", Summary: true, Named: true,
	Measure: trial.LastRound[consensus.Decision](),
}

// RoundOfDecision is the same metric of a consensus whose decisions tell their round.
var RoundOfDecision = trial.Metric{
	Name: "decided_round", Unit: "rounds", Meaning: "the last round of the algorithm in which a process decided", Axis: "rounds to decide", Summary: true, Named: true,
	Measure: trial.SeenBy(func(seen trial.Seen[consensus.Decision]) (float64, bool) {
		last := 0
		for _, d := range seen.States {
			last = max(last, d.Round)
		}
		return float64(last), last > 0
	}),
}

// Validity says whose inputs processes may decide for.
type Validity struct {
	says string
	// bound is the only value that the processes of an instance may decide for, if there is one.
	bound func(*trial.Instance) (value int, ok bool)
	// commander: once process 0 has crashed, nothing binds them.
	commander bool
}

// Which inputs bind those who decide.
var (
	// OfAll: the inputs of all processes, if they are the same. Those of Byzantine ones do not count.
	OfAll = Validity{"if all processes begin with one value, none decides another", unanimous, false}
	// OfCommander: the input of process 0, unless it is Byzantine or has crashed.
	OfCommander = Validity{"if the commander is honest and lives, no process decides against its order", func(in *trial.Instance) (int, bool) {
		_, lies := in.Strategies()[0]
		return in.Input(0), !lies
	}, true}
)

func unanimous(in *trial.Instance) (value int, ok bool) {
	liars, first := in.Strategies(), true
	for p := range protocols.ID(in.N) {
		switch _, lies := liars[p]; {
		case lies:
		case first:
			value, first = in.Input(p), false
		case in.Input(p) != value:
			return 0, false
		}
	}
	return value, !first
}

// Consensus completes the declaration of an algorithm by which processes agree on a value. It has
// inputs that are whole numbers; its processes are consensus.Deciders.
func Consensus[M protocols.Message](a trial.Algorithm, validity Validity, build func(*trial.Instance) func(protocols.ID) consensus.Process[M]) trial.Algorithm {
	family := consensusFamily
	family.Checks = slices.Clone(family.Checks)
	family.Checks[1].Says = validity.says
	if !a.Assumes.AllInitiate {
		family.Checks[3].Says = "every live process decides, if an initiator lives"
	}
	rules := func(in *trial.Instance) trial.Rules[consensus.Decision] {
		value, bound := validity.bound(in)
		return consensusRules{bound, value, validity.commander, in.Initiators.List()}
	}
	return trial.Ruled(a, family, rules, func(in *trial.Instance) func(protocols.ID) protocols.Process[M] {
		made := build(in)
		return func(p protocols.ID) protocols.Process[M] { return made(p) }
	})
}

// consensusRules are the rules of consensus. A Byzantine process has no decision.
type consensusRules struct {
	bound     bool // processes may decide for one value alone
	value     int
	commander bool // as long as process 0 lives
	// initiators: if none of them lives, nobody need decide.
	initiators []protocols.ID
}

// State implements trial.Rules.
func (consensusRules) State(process any) consensus.Decision {
	return trial.As[consensus.Decider](process).Decision()
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
	if r.bound && now.Value != r.value && !(r.commander && seen.Down[0]) {
		broken["validity"] = fmt.Sprintf("process %d decides %d, and %d is all that it may decide for", p, now.Value, r.value)
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
func (r consensusRules) Broken(seen trial.Seen[consensus.Decision]) map[string]string {
	p, open := lacking(seen)
	lives := func(q protocols.ID) bool { return !seen.Down[q] }
	if !open || !slices.ContainsFunc(r.initiators, lives) {
		return nil
	}
	return map[string]string{"termination": fmt.Sprintf("process %d has not decided", p)}
}

// lacking is a process that lives and has not decided, if there is one.
func lacking(seen trial.Seen[consensus.Decision]) (p protocols.ID, open bool) {
	for p, d := range seen.States {
		if !d.Made && !seen.Down[p] && !seen.Lies[p] {
			return protocols.ID(p), true
		}
	}
	return 0, false
}

// Outcome implements trial.Rules.
func (consensusRules) Outcome(seen trial.Seen[consensus.Decision]) trial.Outcome {
	if _, open := lacking(seen); open {
		return Unagreed
	}
	return Agreed
}
