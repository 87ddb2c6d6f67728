package foreign

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/netem/explore"
	"bullring/protocols"
	"bullring/protocols/box"
	"bullring/protocols/election"
)

// The outcomes of runs of a program that is no algorithm of the registry.
const (
	atRest         trial.Outcome = "at rest" // no process is a leader
	led            trial.Outcome = "elected"
	severalLeaders trial.Outcome = "several leaders"
	disagreed      trial.Outcome = "disagreement"
)

// plainFamily is that of a program that is no algorithm of the registry.
var plainFamily = trial.Family{
	Name: "node",
	Checks: []explore.Property{
		{Name: "one leader", Kind: explore.Always, Says: "no two live processes are leaders at the same time"},
		{Name: "agreement", Kind: explore.Eventually, Says: "at rest, live processes that have decided follow one leader"},
	},
	Ear:   families.NewElectionEar,
	Right: []trial.Outcome{atRest, led},
	Wrong: []trial.Outcome{severalLeaders, disagreed},
}

// declarationKey names a declaration whose processes are programs.
type declarationKey struct {
	of    *trial.Algorithm
	kinds string
}

// plain is the declaration of a program that is no algorithm of the registry.
var plain = sync.OnceValue(func() *trial.Algorithm {
	a := trial.Ruled(trial.Algorithm{
		Name:  trial.PlainNode,
		Title: "a program of one's own",
		Params: []trial.Param{{
			Name: kindsParam, Form: "(A,B,...)", Default: trial.Auto, Meaning: "kinds of messages: the types of their bodies; auto: as they come",
			Check: func(_ *trial.Instance, value string) error {
				_, err := kindNames(value)
				return err
			},
		}},
		Assumes: trial.Assumptions{Nothing: true, Topologies: []string{"complete", trial.Connected, trial.StronglyConnected}},
	}, plainFamily, func(*trial.Instance) trial.Rules[state] { return rules{} },
		func(*trial.Instance) func(protocols.ID) protocols.Process[message] { return nil })
	return &a
})

// Plain implements [trial.Nodes].
func (n *Nodes) Plain() *trial.Algorithm { return plain() }

// kindsParam names the kinds of messages.
const kindsParam = "kinds"

// kindNames reads a list of kinds: auto, or names in parentheses.
func kindNames(value string) ([]string, error) {
	if value == trial.Auto {
		return nil, nil
	}
	inside, found := strings.CutPrefix(value, "(")
	inside, closed := strings.CutSuffix(inside, ")")
	names := strings.Split(inside, ",")
	for i := range names {
		names[i] = strings.ToUpper(strings.TrimSpace(names[i]))
		if names[i] == "" || strings.ContainsAny(names[i], "()") || slices.Contains(names[:i], names[i]) {
			found = false
		}
	}
	if !found || !closed || len(names) > mostKinds {
		return nil, fmt.Errorf("it takes auto, or up to %d different names in parentheses, such as (PROBE,ANNOUNCE)", mostKinds)
	}
	return names, nil
}

// WithProgram implements [trial.Nodes].
func (n *Nodes) WithProgram(a *trial.Algorithm, s *trial.Setting) (*trial.Algorithm, error) {
	c, err := parseCommand(s.Node)
	if err != nil {
		return nil, err
	}
	if !a.Hears() {
		return nil, fmt.Errorf("node %q: the judge of %s looks into its processes; a program is judged by what it says", c.text, a.Name)
	}
	s.Node = c.pinned()
	names, err := givenKinds(a, s.Param)
	if err != nil {
		return nil, err
	}
	n.mutex.Lock()
	defer n.mutex.Unlock()
	key := declarationKey{a, strings.Join(names, ",")}
	if changed, known := n.declared[key]; known {
		return changed, nil
	}
	own := func(in *trial.Instance) (*kinds, bool) {
		if a.Name == trial.PlainNode {
			return newKinds(names), false
		}
		original := a.Processes(in)(0)
		_, boots := protocols.AsBooter(original)
		return likeKinds(protocols.Sample[box.Message](original)), boots
	}
	changed := trial.WithProcesses(a, func(ctx context.Context, in *trial.Instance) (trial.Programs[message], error) {
		kinds, boots := own(in)
		return n.startAll(ctx, in, kinds, boots)
	}, func(ctx context.Context, in *trial.Instance) (trial.Asked[message], error) {
		kinds, boots := own(in)
		return n.newOracle(ctx, in, kinds, boots)
	})
	if a.Name == trial.PlainNode {
		changed.Kinds = names
	}
	if n.declared == nil {
		n.declared = map[declarationKey]*trial.Algorithm{}
	}
	n.declared[key] = changed
	return changed, nil
}

// givenKinds are the kinds of messages that a setting of a plain node gives.
func givenKinds(a *trial.Algorithm, param string) ([]string, error) {
	_, value, given := strings.Cut(param, kindsParam+"=")
	if a.Name != trial.PlainNode || !given {
		return nil, nil
	}
	names, err := kindNames(value)
	if err != nil {
		return nil, fmt.Errorf("kinds %q: %w", value, err)
	}
	return names, nil
}

// state is the part of a process that is judged.
type state struct {
	election.Decision
	notes string
}

// String is the news of a process.
func (s state) String() string {
	var words []string
	switch s.Status {
	case election.Leader:
		words = append(words, fmt.Sprintf("is the leader, %d", s.Leader))
	case election.Follower:
		words = append(words, fmt.Sprintf("follows %d", s.Leader))
	}
	if s.notes != "" {
		words = append(words, "says "+s.notes)
	}
	return strings.Join(words, ", ")
}

// rules judge a program that is no algorithm of the registry, by its decisions.
type rules struct{}

// State implements [trial.Rules].
func (rules) State(of any) state {
	return state{trial.As[election.Elector](of).Decision(), of.(interface{ said() string }).said()}
}

// Broken implements [trial.Rules].
func (rules) Broken(seen trial.Seen[state]) map[string]string {
	broken := map[string]string{}
	leader, decided := -1, -1
	for p, s := range seen.States {
		if seen.Down[p] || s.Status == election.Undecided {
			continue
		}
		if s.Status == election.Leader && leader >= 0 {
			broken["one leader"] = fmt.Sprintf("processes %d and %d are leaders at the same time", leader, p)
		}
		if s.Status == election.Leader {
			leader = p
		}
		if decided >= 0 && s.Leader != seen.States[decided].Leader {
			broken["agreement"] = fmt.Sprintf("process %d follows %d, and process %d follows %d", decided, seen.States[decided].Leader, p, s.Leader)
		}
		decided = p
	}
	return broken
}

// Outcome implements [trial.Rules].
func (rules) Outcome(seen trial.Seen[state]) trial.Outcome {
	for p, s := range seen.States {
		if !seen.Down[p] && s.Status == election.Leader {
			return led
		}
	}
	return atRest
}
