package elections_test

import (
	"fmt"
	"strings"
	"testing"

	"bullring/des"
	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
	"bullring/protocols"
)

// On graphs that never change vktlinks keeps its bounds, for all initiators and placements: 3V-1 messages and the
// recurrence for the time with one initiator.
func TestVKTOnGraphs(t *testing.T) {
	c := newChecker(t)
	exact := 0
	for _, topology := range []string{"line", "star", "biring", "complete", "hypercube"} {
		for _, n := range []int{2, 4} {
			if n == 2 && topology == "biring" {
				continue
			}
			for set := 1; set < 1<<n; set++ {
				catalogtest.Permutations(n, func(ids string) {
					for _, variant := range []string{"max", "min"} {
						s := trial.Setting{Algorithm: "vktlinks", Variant: variant, IDs: ids, Topology: topology, Initiators: catalogtest.Addresses(set, n)}
						if r := c.run(s); set&(set-1) == 0 && r.Counters.Messages() == uint64(3*n-1) {
							exact++
						}
						if s.Algorithm = "vkt"; set == 1 {
							c.run(s)
						}
					}
				})
			}
		}
	}
	if exact < 500 {
		t.Errorf("%d elections with one initiator are too few to say anything", exact)
	}
	for seed := range uint64(20) {
		c.run(trial.Setting{Algorithm: "vktlinks", N: 60, Placement: "random", Topology: "regular(4)", Initiators: "random:1", Seed: seed, Delay: "uniform(0,3ms)"})
		c.run(trial.Setting{Algorithm: "vktlinks", N: 60, Placement: "random", Topology: "regular(4)", Initiators: "random:7", Attr: "random:3", Seed: seed})
	}
}

// A leader that crashes, a process that comes back, links that come and go: after the time that the
// declaration gives vkt, every component has a leader. A run that ends before that says nothing.
func TestVKTSettles(t *testing.T) {
	runs := 300
	if testing.Short() {
		runs = 30
	}
	for seed := range uint64(runs) {
		d := des.NewStream(seed, "settings")
		n := 2 + d.Intn(5)
		var plan []string
		for at := 1 + d.Intn(40); at < 160; at += 1 + d.Intn(60) {
			p := d.Intn(n)
			plan = append(plan, fmt.Sprintf("at %dms %s", at, []string{
				fmt.Sprintf("down %d<->*", p), fmt.Sprintf("up %d<->*", p), fmt.Sprintf("crash %d", p), fmt.Sprintf("restart %d", p), "crash leader",
			}[d.Intn(5)]))
		}
		s := trial.Setting{
			Algorithm: "vkt", N: n, Placement: "random", Seed: seed, Fault: strings.Join(plan, "; "), Until: "600ms",
			Topology: []string{"line", "complete", "star"}[d.Intn(3)], Delay: []string{"1ms", "uniform(0,1ms)"}[d.Intn(2)],
		}
		if r := ran(t, s); r.Verdict("E2") != protocols.Holds {
			t.Fatalf("%+v: E2 %v", s, r.Verdict("E2"))
		}
	}
	s := trial.Setting{Algorithm: "vkt", N: 3, Initiators: "0", Fault: "at 20ms crash leader"}
	for until, want := range map[string]protocols.Verdict{"": protocols.Undecided, "60ms": protocols.Undecided, "400ms": protocols.Holds} {
		s.Until = until
		if v := ran(t, s).Verdict("E2"); v != want {
			t.Errorf("until %q: E2 %v, want %v", until, v, want)
		}
	}
}
