package search_test

import (
	"context"
	"fmt"

	"bullring/experiments/catalog"
	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
)

// Every run of a small system: four processes in every placement of their identities.
func ExampleExplore() {
	e, err := search.Explore(context.Background(), catalog.New(), search.Search{
		Setting: trial.Setting{Algorithm: "lcr", N: 4, Placement: search.Every},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(e.Instances), "placements,", e.States, "states; complete:", e.Complete)
	for _, p := range e.Properties {
		fmt.Println(p.Name, p.Verdict)
	}
	// Output:
	// 24 placements, 275 states; complete: true
	// no-panic holds
	// E1 holds
	// E2 holds
	// rest holds
	// elected holds
}

// The smallest run in which Chang and Roberts' election fails because links lose messages.
func ExampleShrink() {
	shrunk, err := search.Shrink(context.Background(), catalog.New(), trial.Setting{
		Algorithm: "changroberts", N: 12, Link: "loss 20%", Seed: 3, OutsideModel: true,
	}, "", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: n = %d, initiators %s, fault %q\n", shrunk.Failure, shrunk.Setting.N, shrunk.Setting.Initiators, shrunk.Setting.Fault)
	// Output:
	// E2: n = 1, initiators 0, fault "drop 1st message"
}

// The run of Le Lann's election that costs most messages, over all placements of the
// identities and all sets of initiators.
func ExampleFindWorst() {
	worst, err := search.FindWorst(context.Background(), catalog.New(), search.Hunt{
		Setting: trial.Setting{Algorithm: "lelann", N: 5}, Metric: "messages",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(worst.Value, "messages; proven:", worst.Proven, "after", worst.Looked, "of", worst.Cases, "cases")
	for _, b := range worst.Limits() {
		fmt.Println("theory:", b.Relation, b.Formula, "=", b.Value)
	}
	// Output:
	// 25 messages; proven: true after 744 of 744 cases
	// theory: = kn with k initiators = 25
	// theory: <= n^2 = 25
}
