package catalog_test

import (
	"context"
	"fmt"

	"bullring/experiments/catalog"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
)

func ExampleNew() {
	registry := catalog.New()
	in, err := registry.Instance(trial.Setting{Algorithm: "lcr", N: 8, Placement: "decreasing"})
	if err != nil {
		fmt.Println(err)
		return
	}
	var w trial.Worker
	r := w.Run(context.Background(), in, nil)
	fmt.Println(r.Outcome, families.ElectionOf(r).Leader, r.Counters.Messages())
	// Output: elected 8 36
}
