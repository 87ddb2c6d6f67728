package results_test

import (
	"context"
	"testing"

	"bullring/experiments/campaign/results"
	"bullring/experiments/catalog"
	"bullring/experiments/trial"
)

// TestRowsAllocateNothing: a row is printed into the memory of the rows before it.
func TestRowsAllocateNothing(t *testing.T) {
	registry := catalog.New()
	s, err := results.ParseSpec(registry, "x.yaml", []byte("name: x\nalgorithms: [lcr, bully]\naxes: {n: 8}\n"))
	if err != nil {
		t.Fatal(err)
	}
	layout, err := results.LayoutOf(registry, s)
	if err != nil {
		t.Fatal(err)
	}
	rows, instances := results.NewRowWriter(layout), registry.Replicates(trial.Setting{Algorithm: "lcr", N: 8, Placement: "random", Delay: "exp(1ms)"})
	var worker trial.Worker
	var trials []*results.Trial
	for seed := range uint64(5) {
		in, err := instances.Instance(seed)
		if err != nil {
			t.Fatal(err)
		}
		trials = append(trials, &results.Trial{Label: "lcr", Replicate: int(seed), Result: worker.Run(context.Background(), in, nil)})
	}
	text := make([]byte, 0, 1<<16)
	if allocations := testing.AllocsPerRun(100, func() {
		text = text[:0]
		for _, tried := range trials {
			text = rows.Append(text, tried)
		}
	}); allocations > 0 {
		t.Errorf("%d rows take %v allocations", len(trials), allocations)
	}
}
