package mutex_test

import (
	"context"
	"slices"
	"testing"

	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/protocols"
	"bullring/protocols/mutex"
	"bullring/protocols/mutex/carvalhoroucairol"
)

func TestCarvalhoRoucairolBounds(t *testing.T) {
	c := newChecker(t)
	everyClient(t, c, "carvalhoroucairol", "", 5)
	c.Needs("exact", "last", "handover")
}

// What the algorithm does not promise, it does not keep: held to ME3 it is found to
// grant requests in another order than that in which they happened.
func TestKeptPermissionsAreUnordered(t *testing.T) {
	promised := families.Mutex(trial.Algorithm{
		Name: "promised", Assumes: trial.Assumptions{Topologies: []string{"complete"}},
	}, families.MutexPromise{Orders: func(*trial.Instance) bool { return true }}, func(in *trial.Instance) func(protocols.ID) mutex.Lock[carvalhoroucairol.Message] {
		return func(p protocols.ID) mutex.Lock[carvalhoroucairol.Message] { return carvalhoroucairol.New(p, in.N) }
	})
	registry.Register(promised)
	var worker trial.Worker
	var verdicts []protocols.Verdict
	for seed := range uint64(200) {
		in, err := registry.Instance(trial.Setting{
			Algorithm: "promised", N: 4, Delay: "exp(1ms)", Seed: seed, Param: "requests=6,think=exp(1ms)",
		})
		if err != nil {
			t.Fatal(err)
		}
		r := worker.Run(context.Background(), in, nil)
		if r.Verdict("ME1") != protocols.Holds || r.Verdict("ME2") != protocols.Holds {
			t.Fatalf("seed %d: %v", seed, r.Checks)
		}
		verdicts = append(verdicts, r.Verdict("ME3"))
	}
	if !slices.Contains(verdicts, protocols.Violated) || !slices.Contains(verdicts, protocols.Holds) {
		t.Errorf("ME3 in %d runs: %v", len(verdicts), verdicts)
	}
}
