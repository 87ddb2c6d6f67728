// Command example is bullring with an algorithm of one's own beside the built-in
// ones: Le Lann's election, in which every identity goes all the way round.
package main

import (
	"os"

	"bullring/experiments/catalog"
	"bullring/experiments/cli"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/protocols"
	"bullring/protocols/election"
)

// Message is a rank on its way round the ring: TOKEN.
type Message = election.Ranked[kinds]

// kinds names the messages.
type kinds struct{}

func (kinds) Names() []string { return names }

var names = []string{"TOKEN"}

// Process forwards every rank that is not its own, and remembers the best: Le
// Lann's election, k n messages with k initiators.
type Process struct {
	protocols.NoTimers[Message]
	rank, best election.Rank
	order      election.Order
	decision   election.Decision
}

func (p *Process) Decision() election.Decision { return p.decision }

func (p *Process) Start(n protocols.Node[Message]) {
	n.Send(n.Neighbor(0), Message{Rank: p.rank})
}

func (p *Process) Receive(n protocols.Node[Message], _ protocols.ID, m Message) {
	if m.Rank.ID == p.rank.ID {
		p.decision = election.Decide(p.rank.ID, p.best.ID)
		return
	}
	if p.order.Better(m.Rank, p.best) {
		p.best = m.Rank
	}
	n.Send(n.Neighbor(0), m)
}

// allround declares the algorithm.
func allround() trial.Algorithm {
	return families.Election(trial.Algorithm{
		Name: "allround", Title: "Le Lann: every identity goes all the way round",
		Source: "G. Le Lann, IFIP 1977", Cost: "n^2",
		Variants: [][]string{{"max", "min"}},
		Assumes: trial.Assumptions{
			Topologies: []string{"ring"}, AllInitiate: true, FIFO: true, NoCrash: true, NoRestart: true,
		},
		Bounds: []trial.Bound{{
			Name: "exact", Metric: "messages", Relation: trial.Exactly,
			Formula: "n^2", Convention: "all initiate",
			Value: func(in *trial.Instance) (float64, bool) { return float64(in.N * in.N), true },
		}},
	},
		func(*trial.Instance) election.Promise { return election.Promise{} },
		func(in *trial.Instance) func(protocols.ID) election.Process[Message] {
			return func(p protocols.ID) election.Process[Message] {
				return &Process{rank: in.Ranks.At(p), best: in.Ranks.At(p), order: in.Order}
			}
		})
}

func main() {
	registry := catalog.New() // or &trial.Registry{} for an empty one
	registry.Register(allround())
	os.Exit(cli.Main(registry))
}
