package trial_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"bullring/experiments/trial"
	"bullring/netem/explore"
	"bullring/protocols"
)

// word is a message, and what matters of a process that has heard it.
type word string

func (word) Kind() int       { return 0 }
func (word) Kinds() []string { return []string{"WORD"} }
func (word) Bits() int       { return 8 }

// listener passes on what it hears first.
type listener struct {
	heard   word
	confuse bool // for a while it believes something else
}

func (g *listener) Start(n protocols.Node[word]) {
	if n.ID() == 0 {
		g.Receive(n, 0, "hears it")
	}
}

func (g *listener) Receive(n protocols.Node[word], _ protocols.ID, r word) {
	if g.heard != "" {
		return
	}
	g.heard = r
	if g.confuse && n.ID() == 1 {
		g.heard = "mishears it"
		n.SetTimer(0, time.Millisecond)
	}
	n.Send(n.Neighbor(0), r)
}

func (g *listener) Timeout(protocols.Node[word], protocols.Timer) { g.heard = "hears it" }

// spreading are the rules of a family: nobody mishears, and all that live hear.
type spreading struct{}

func (spreading) State(process any) word { return process.(*listener).heard }

func (spreading) Broken(seen trial.Seen[word]) map[string]string {
	broken := map[string]string{}
	for p, heard := range seen.States {
		switch {
		case heard == "mishears it":
			broken["truth"] = fmt.Sprintf("process %d %s", p, heard)
		case heard == "" && !seen.Down[p]:
			broken["reach"] = fmt.Sprintf("process %d has heard nothing", p)
		}
	}
	return broken
}

func (spreading) Outcome(trial.Seen[word]) trial.Outcome { return "heard" }

// hearsay has the algorithm of a family of three lines.
func hearsay() *trial.Registry {
	family := trial.Family{
		Name: "hearsay", Right: []trial.Outcome{"heard"}, Wrong: []trial.Outcome{"misheard", "unheard"},
		Checks: []explore.Property{
			{Name: "truth", Kind: explore.Always, Says: "no process mishears"},
			{Name: "reach", Kind: explore.Eventually, Says: "every live process hears"},
		},
	}
	registry := &trial.Registry{}
	registry.Register(trial.Ruled(trial.Algorithm{
		Name: "listener", Variants: [][]string{{"clear", "confused"}}, Assumes: trial.Assumptions{Topologies: []string{"ring"}},
	}, family, func(*trial.Instance) trial.Rules[word] { return spreading{} },
		func(in *trial.Instance) func(protocols.ID) protocols.Process[word] {
			return func(protocols.ID) protocols.Process[word] { return &listener{confuse: in.Variant.Has("confused")} }
		}))
	return registry
}

// A family of one's own, by rules. After a crash on the ring the word gets no further.
func ExampleRuled() {
	for _, plan := range []string{"", "crash 1"} {
		in, err := hearsay().Instance(trial.Setting{Algorithm: "listener", N: 3, Fault: plan})
		if err != nil {
			fmt.Println(err)
			return
		}
		result := new(trial.Worker).Run(context.Background(), in, nil)
		fmt.Println(result.Outcome)
		for _, c := range result.Checks {
			fmt.Println(" ", c.Name, c.Verdict, "-", c.Detail)
		}
	}
	// Output:
	// heard
	//   truth holds - no process mishears
	//   reach holds - every live process hears
	// unheard
	//   truth holds - no process mishears
	//   reach violated - process 2 has heard nothing
}

// What broke a check that is Always is remembered, with the step, though it is over at rest.
func TestRulesRemember(t *testing.T) {
	in, err := hearsay().Instance(trial.Setting{Algorithm: "listener", N: 3, Variant: "confused"})
	if err != nil {
		t.Fatal(err)
	}
	result := new(trial.Worker).Run(t.Context(), in, nil)
	truth, reach := result.Checks[0], result.Checks[1]
	if result.Outcome != "misheard" || result.Correct || truth.Verdict != protocols.Violated || truth.Detail != "process 1 mishears it" || reach.Verdict != protocols.Holds {
		t.Errorf("%s: %+v", result.Outcome, result.Checks)
	}
	// Process 0 was the first to change.
	if want := (protocols.Step{Process: 1, At: time.Millisecond, Change: 2}); truth.Broke == nil || *truth.Broke != want {
		t.Errorf("broken by %+v; want %+v", truth.Broke, want)
	}
	explored, err := in.Algorithm.Explore(t.Context(), []*trial.Instance{in}, explore.Network{FIFO: true}, explore.Options{})
	if err != nil || explored.Properties[1].Name != "truth" || explored.Properties[1].Verdict != protocols.Violated {
		t.Errorf("explored: %+v, %v", explored, err)
	}
}
