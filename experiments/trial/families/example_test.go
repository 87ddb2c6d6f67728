package families_test

import (
	"context"
	"fmt"

	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/protocols"
	"bullring/protocols/election"
)

// exchangeKinds names the messages of the election.
type exchangeKinds struct{}

func (exchangeKinds) Names() []string { return []string{"RANK"} }

type exchangeMessage = election.Ranked[exchangeKinds]

// exchanger tells its rank to all others, and decides when it knows all ranks.
type exchanger struct {
	protocols.NoTimers[exchangeMessage]
	rank, best election.Rank
	heard      int
	decision   election.Decision
}

func (e *exchanger) Decision() election.Decision { return e.decision }

func (e *exchanger) Start(n protocols.Node[exchangeMessage]) {
	for port := range n.Degree() {
		n.Send(n.Neighbor(port), exchangeMessage{Rank: e.rank})
	}
}

func (e *exchanger) Receive(n protocols.Node[exchangeMessage], _ protocols.ID, m exchangeMessage) {
	if election.Max.Better(m.Rank, e.best) {
		e.best = m.Rank
	}
	if e.heard++; e.heard == n.Degree() {
		e.decision = election.Decide(e.rank.ID, e.best.ID)
	}
}

// An election of one's own: every process tells its rank to every other.
func ExampleElection() {
	registry := &trial.Registry{}
	registry.Register(families.Election(trial.Algorithm{
		Name: "exchange", Title: "every process tells its rank to every other", Source: "folklore",
		Assumes: trial.Assumptions{Topologies: []string{"complete"}, AllInitiate: true, NoCrash: true},
		Bounds: []trial.Bound{{
			Name: "exact", Metric: "messages", Relation: trial.Exactly, Formula: "n(n-1)", Convention: "all initiate",
			Value: func(in *trial.Instance) (float64, bool) { return float64(in.N * (in.N - 1)), true },
		}},
	}, func(*trial.Instance) election.Promise { return election.Promise{} },
		func(in *trial.Instance) func(protocols.ID) election.Process[exchangeMessage] {
			return func(p protocols.ID) election.Process[exchangeMessage] {
				return &exchanger{rank: in.Ranks.At(p), best: in.Ranks.At(p)}
			}
		}))
	instance, err := registry.Instance(trial.Setting{Algorithm: "exchange", IDs: "3,9,4,7", Delay: "exp(1ms)", Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	result := new(trial.Worker).Run(context.Background(), instance, nil)
	fmt.Println(result.Outcome, families.ElectionOf(result).Leader)
	for _, b := range result.Bounds {
		fmt.Println(b.Metric, b.Measured, "theory:", b.Relation, b.Formula, "=", b.Value)
	}
	for _, c := range result.Checks {
		fmt.Println(c.Name, c.Verdict)
	}
	// Output:
	// elected 9
	// messages 12 theory: = n(n-1) = 12
	// E1 holds
	// E2 holds
}
