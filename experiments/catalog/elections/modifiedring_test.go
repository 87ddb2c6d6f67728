package elections_test

import (
	"fmt"
	"slices"
	"testing"

	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
	"bullring/protocols"
)

func TestModifiedRingBoundsOverAllDeadSetsAndInitiators(t *testing.T) {
	c := newChecker(t)
	for n := 1; n <= 5; n++ {
		for dead := 0; dead < 1<<n-1; dead++ {
			for set := 1; set < 1<<n; set++ {
				if dead&set != 0 {
					continue
				}
				for _, v := range []string{"", "memory", "no-watchdog", "memory,no-watchdog,min"} {
					c.run(trial.Setting{
						Algorithm: "modifiedring", N: n, Placement: "alternating", Variant: v,
						Initiators: catalogtest.Addresses(set, n), Dead: catalogtest.Addresses(dead, n),
					})
				}
			}
		}
	}
	c.Needs("exact", "delivered", "quiet")
}

// One crash, at any instant or in the middle of any step: the bound holds, and so
// do the checks, except that nobody promises an end to an election without a
// watchdog.
func TestModifiedRingOneCrash(t *testing.T) {
	c := newChecker(t)
	for n := 2; n <= 5; n++ {
		for x := range n {
			var faults []string
			for k := range 20 * n {
				faults = append(faults, fmt.Sprintf("at %dus crash %d", 500*k+1, x))
			}
			for k := range 6 {
				faults = append(faults, fmt.Sprintf("crash %d after %d sends", x, k))
			}
			for _, fault := range faults {
				for _, v := range []string{"", "memory", "no-watchdog"} {
					s := trial.Setting{
						Algorithm: "modifiedring", N: n, Placement: "alternating", Initiators: "0", Variant: v, Fault: fault,
					}
					r := c.Play(s)
					if err := r.BrokenBound(); err != nil {
						t.Fatalf("%+v: %v", s, err)
					}
					if !slices.ContainsFunc(r.Bounds, func(b trial.BoundResult) bool { return b.Name == "crash" }) {
						t.Fatalf("%+v: only %v apply", s, r.Bounds)
					}
					promised := v != "no-watchdog" && fault != "crash 0 after 0 sends" // then nobody took part
					if r.Verdict("E1") != protocols.Holds || promised && r.Verdict("E2") != protocols.Holds {
						t.Fatalf("%+v: %v", s, r.Checks)
					}
				}
			}
		}
	}
}
