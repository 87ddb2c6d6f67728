package explore_test

import (
	"context"
	"fmt"
	"time"

	"bullring/netem"
	"bullring/netem/explore"
	"bullring/protocols"
)

// greeter greets its successor, and counts the greetings that it gets.
type greeter struct{ greeted int }

type greeting struct{}

func (greeting) Kind() int       { return 0 }
func (greeting) Kinds() []string { return []string{"HELLO"} }
func (greeting) Bits() int       { return 8 }
func (greeting) String() string  { return "HELLO" }

func (g *greeter) Start(n protocols.Node[greeting])                         { n.Send(n.Neighbor(0), greeting{}) }
func (g *greeter) Receive(protocols.Node[greeting], protocols.ID, greeting) { g.greeted++ }
func (g *greeter) Timeout(protocols.Node[greeting], protocols.Timer)        {}

// greetings judges a run: in the end every process was greeted.
type greetings struct{ Greeted [2]bool }

func (w *greetings) see(p protocols.ID, process any) { w.Greeted[p] = process.(*greeter).greeted > 0 }

func (w *greetings) Started(p protocols.ID, process any, _ time.Duration)   { w.see(p, process) }
func (w *greetings) Received(p protocols.ID, process any, _ time.Duration)  { w.see(p, process) }
func (w *greetings) Expired(p protocols.ID, process any, _ time.Duration)   { w.see(p, process) }
func (w *greetings) Restarted(p protocols.ID, process any, _ time.Duration) { w.see(p, process) }
func (w *greetings) Crashed(protocols.ID, time.Duration)                    {}

func (w *greetings) Verdicts(rest bool) []protocols.Verdict {
	switch {
	case w.Greeted == [2]bool{true, true}:
		return []protocols.Verdict{protocols.Holds}
	case rest:
		return []protocols.Verdict{protocols.Violated}
	}
	return []protocols.Verdict{protocols.Undecided}
}

// Two processes greet each other. Without faults both are greeted in every run; if one
// message may be lost, the explorer finds the shortest run that violates that, and the
// run is played on the processes themselves.
func ExampleExplore() {
	system := &explore.System[greeting]{
		Topology: netem.BiRing(2),
		Roots: []explore.Root[greeting]{{
			Boot:       func(protocols.ID) protocols.Process[greeting] { return &greeter{} },
			Initiators: []protocols.ID{0, 1},
			Watch:      &greetings{},
		}},
		Properties: []explore.Property{{Name: "greeted", Kind: explore.Eventually, Says: "every process is greeted"}},
		Network:    explore.Network{FIFO: true},
	}
	for losses := range 2 {
		system.Budget.Losses = losses
		result, err := explore.Explore(context.Background(), system, explore.Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("losses %d: %d states, complete: %v, greeted: %v\n",
			losses, result.States, result.Complete, result.Properties[1].Verdict)
		if result.Counterexample == nil {
			continue
		}
		player := explore.NewPlayer(system, result.Counterexample.Root)
		for _, step := range result.Counterexample.Steps {
			fmt.Println(" ", step)
			if err := player.Step(step); err != nil {
				fmt.Println(err)
				return
			}
		}
		fmt.Println("  at rest:", player.Rest())
	}
	// Output:
	// losses 0: 7 states, complete: true, greeted: holds
	// losses 1: 11 states, complete: true, greeted: violated
	//   start 0
	//   start 1
	//   deliver 0->1 HELLO
	//   lose 1->0 HELLO
	//   at rest: true
}
