package mutex_test

import (
	"context"
	"testing"

	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/protocols"
)

func TestRicartAgrawalaBounds(t *testing.T) {
	c := newChecker(t)
	everyClient(t, c, "ricartagrawala", "", 5)
	c.Needs("exact", "last", "handover")
}

// The program of the paper does not keep ME3, and the declaration does not say so: a REPLY
// tells of a request, and not of its number. With clocks the order is kept.
func TestRicartAgrawalaOrder(t *testing.T) {
	var worker trial.Worker
	verdicts := map[string]map[protocols.Verdict]int{"bare": {}, "clock": {}}
	for reply, count := range verdicts {
		for seed := range uint64(500) {
			r := worker.Run(context.Background(), inModel(t, trial.Setting{
				Algorithm: "ricartagrawala", N: 3, Seed: seed, Delay: "uniform(0,10ms)", Param: "requests=3,think=exp(500us),reply=" + reply,
			}), nil)
			count[r.Verdict("ME3")]++
			if r.Outcome != families.Served {
				t.Errorf("%s, seed %d: %s", reply, seed, r.Outcome)
			}
		}
	}
	if verdicts["bare"][protocols.NotPromised] == 0 || verdicts["bare"][protocols.Violated] > 0 || verdicts["clock"][protocols.Holds] != 500 {
		t.Errorf("ME3: %v", verdicts)
	}
}
