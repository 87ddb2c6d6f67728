package catalog_test

import (
	"context"
	"fmt"

	"bullring/experiments"
	"bullring/experiments/catalog"
	"bullring/experiments/families"
)

func ExampleNew() {
	registry := catalog.New()
	in, err := registry.Instance(experiments.Setting{Algorithm: "lcr", N: 8, Placement: "decreasing"})
	if err != nil {
		fmt.Println(err)
		return
	}
	var w experiments.Worker
	r := w.Run(context.Background(), in, nil)
	fmt.Println(r.Outcome, families.ElectionOf(r).Leader, r.Counters.Messages())
	// Output: elected 8 36
}
