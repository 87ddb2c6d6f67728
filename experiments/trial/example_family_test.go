package trial_test

import (
	"context"
	"fmt"
	"slices"
	"time"

	"bullring/experiments/trial"
	"bullring/netem/explore"
	"bullring/protocols"
)

// rumour is the only message of the algorithm.
type rumour struct{}

func (rumour) Kind() int       { return 0 }
func (rumour) Kinds() []string { return []string{"RUMOUR"} }
func (rumour) Bits() int       { return 8 }

// flooder passes the rumour on to all neighbours when it first hears it.
type flooder struct {
	protocols.NoTimers[rumour]
	knows bool
}

func (f *flooder) Start(n protocols.Node[rumour])                             { f.hear(n) }
func (f *flooder) Receive(n protocols.Node[rumour], _ protocols.ID, _ rumour) { f.hear(n) }

func (f *flooder) hear(n protocols.Node[rumour]) {
	if f.knows {
		return
	}
	f.knows = true
	for port := range n.Degree() {
		n.Send(n.Neighbor(port), rumour{})
	}
}

// broadcast is the problem: every live process must hear the rumour.
var broadcast = trial.Family{
	Name:   "broadcast",
	Checks: []explore.Property{{Name: "informed", Kind: explore.Eventually, Says: "every live process hears the rumour"}},
	Right:  []trial.Outcome{"all informed"},
	Wrong:  []trial.Outcome{"some ignorant"},
	Metrics: []trial.Metric{
		{Name: "ignorant", Unit: "processes", Meaning: "live processes that never heard the rumour", Axis: "ignorant processes",
			Measure: trial.JudgedBy(func(h *hearing) (float64, bool) { return float64(len(h.ignorant)), true })},
	},
}

// hearing is the Judge of broadcast.
type hearing struct{ ignorant []protocols.ID }

func (h *hearing) Received(p protocols.ID, process any, _ time.Duration) {
	if process.(*flooder).knows {
		h.forget(p)
	}
}

func (h *hearing) Started(p protocols.ID, process any, at time.Duration) { h.Received(p, process, at) }
func (h *hearing) Expired(p protocols.ID, process any, at time.Duration) { h.Received(p, process, at) }
func (h *hearing) Crashed(p protocols.ID, _ time.Duration)               { h.forget(p) }
func (h *hearing) Restarted(p protocols.ID, _ any, _ time.Duration) {
	h.ignorant = append(h.ignorant, p)
}

func (h *hearing) forget(p protocols.ID) {
	h.ignorant = slices.DeleteFunc(h.ignorant, func(q protocols.ID) bool { return q == p })
}

func (h *hearing) Checks(rest bool) []protocols.Check {
	check := protocols.Check{Name: "informed", Detail: broadcast.Checks[0].Says}
	switch {
	case len(h.ignorant) == 0:
		check.Verdict = protocols.Holds
	case rest:
		check.Verdict, check.Detail = protocols.Violated, fmt.Sprint("ignorant are ", h.ignorant)
	}
	return []protocols.Check{check}
}

func (h *hearing) Verdicts(rest bool) []protocols.Verdict {
	return trial.VerdictsOf(h.Checks(rest), len(h.ignorant) == 0)
}

func (h *hearing) Outcome() trial.Outcome {
	if len(h.ignorant) > 0 {
		return broadcast.Wrong[0]
	}
	return broadcast.Right[0]
}

func (h *hearing) News(p protocols.ID, process any) string {
	if process.(*flooder).knows && slices.Contains(h.ignorant, p) {
		return "hears the rumour"
	}
	return ""
}

// A family of one's own: the algorithm, the problem, the judge, and the declaration that
// puts them together. In the second run a process is dead, and the line is cut.
func ExampleJudged() {
	flooding := trial.Judged(trial.Algorithm{
		Name: "flooding", Title: "flooding", Source: "folklore",
		Assumes: trial.Assumptions{Topologies: []string{"line", trial.Connected}},
		Bounds: []trial.Bound{{
			Name: "exact", Metric: "messages", Relation: trial.Exactly, Formula: "2(n-1)", Convention: "on a line; all live",
			Value: func(in *trial.Instance) (float64, bool) {
				return float64(2 * (in.N - 1)), in.Setting.Topology == "line" && len(in.Dead) == 0 && in.Calm()
			},
		}},
	}, broadcast, func(in *trial.Instance, _ bool) trial.Judge {
		judge := &hearing{}
		for p := range protocols.ID(in.N) {
			judge.ignorant = append(judge.ignorant, p)
		}
		return judge
	}, func(*trial.Instance) func(protocols.ID) protocols.Process[rumour] {
		return func(protocols.ID) protocols.Process[rumour] { return &flooder{} }
	})

	registry := &trial.Registry{}
	registry.Register(flooding)
	for _, dead := range []string{"none", "3"} {
		instance, err := registry.Instance(trial.Setting{Algorithm: "flooding", N: 6, Initiators: "0", Dead: dead})
		if err != nil {
			fmt.Println(err)
			return
		}
		result := new(trial.Worker).Run(context.Background(), instance, nil)
		messages, _ := result.Metric("messages")
		ignorant, _ := result.Metric("ignorant")
		fmt.Println(result.Outcome, "with", messages, "messages,", ignorant, "ignorant; informed:", result.Verdict("informed"))
		for _, b := range result.Bounds {
			fmt.Println("theory:", b.Metric, b.Relation, b.Formula, "=", b.Value)
		}
	}
	// Output:
	// all informed with 10 messages, 0 ignorant; informed: holds
	// theory: messages = 2(n-1) = 10
	// some ignorant with 5 messages, 2 ignorant; informed: violated
}
