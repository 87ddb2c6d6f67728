package catalogtest

import (
	"context"
	"flag"
	"fmt"
	"runtime"
	"sync"
	"testing"

	"bullring/des"
	"bullring/experiments/trial"
	"bullring/protocols"
)

var plans = flag.Int("plans", 4_000, "how many random fault plans TestRandomPlans runs for each fault-tolerant algorithm, ten times as many as with -short")

// Plans is how many random fault plans a test runs.
func Plans() int { return *plans }

// The classes of faults that the models of crash and restart, and of crash-stop,
// allow.
const (
	CrashAndRestart = "crashes, restarts, partial-broadcasts, leader-crashes"
	CrashStop       = "crashes, partial-broadcasts, leader-crashes"
)

// Tolerant is a variant of an algorithm that promises something whatever crashes, and the
// faults that its model allows.
type Tolerant struct{ Algorithm, Variant, Faults string }

// randomPlan is a setting inside the model, as the number of the plan decides:
// any number of processes, initiators and dead, delays within the bound, and
// faults that strike while the election runs; every second one ends with a phase
// in which nothing fails and, if it lives, a process starts an election.
func randomPlan(k int, algorithm, variant, kinds string) trial.Setting {
	draw := des.NewStream(uint64(k), "plan")
	s := trial.Setting{
		Algorithm: algorithm, Variant: variant, N: 2 + draw.Intn(15), Placement: "random", Seed: draw.Uint64(),
		Delay: []string{"1ms", "uniform(0,1ms)", "uniform(500us,1ms)"}[draw.Intn(3)], Assume: "1ms",
		Unordered: draw.Intn(4) == 0, MaxEvents: 1_000_000,
	}
	s.Initiators = fmt.Sprintf("random:%d", 1+draw.Intn(min(3, s.N)))
	until := []string{"3ms", "8ms", "20ms", "60ms"}[draw.Intn(4)]
	s.Fault = fmt.Sprintf("random swarm of %s until %s", kinds, until)
	if kinds == CrashAndRestart && draw.Intn(2) == 0 {
		s.Fault += " then heal"
	}
	if draw.Intn(2) == 0 {
		s.Fault += fmt.Sprintf("; at 200ms start %d", draw.Intn(s.N))
	}
	return s
}

// RandomPlans runs random fault plans, all inside the model: no check is violated. A
// million of these were run before this was landed: see docs/faults.md.
func RandomPlans(t *testing.T, registry *trial.Registry, short bool, tolerant []Tolerant) {
	count := *plans
	if short {
		count /= 10
	}
	for _, a := range tolerant {
		t.Run(a.Algorithm+" "+a.Variant, func(t *testing.T) {
			t.Parallel()
			var group sync.WaitGroup
			for w := range runtime.GOMAXPROCS(0) {
				group.Go(func() {
					var worker trial.Worker
					for k := w; k < count && !t.Failed(); k += runtime.GOMAXPROCS(0) {
						runPlan(t, registry, &worker, randomPlan(k, a.Algorithm, a.Variant, a.Faults))
					}
				})
			}
			group.Wait()
		})
	}
}

func runPlan(t *testing.T, registry *trial.Registry, worker *trial.Worker, s trial.Setting) {
	in, err := registry.Instance(s)
	if err != nil {
		t.Errorf("%+v: %v", s, err)
		return
	}
	r := worker.Run(context.Background(), in, nil)
	for _, c := range r.Checks {
		if c.Verdict == protocols.Violated {
			t.Errorf("%s %s: %s is violated inside the model: %s\n%+v\nfaults: %v", s.Algorithm, s.Variant, c.Name, c.Detail, in.Setting, in.Drawn)
		}
	}
}
