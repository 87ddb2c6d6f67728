package elections_test

import (
	"context"
	"fmt"
	"strconv"
	"testing"
	"time"

	"bullring/des"
	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
)

func TestLCRBoundsOverAllPlacements(t *testing.T) {
	c := newChecker(t)
	for n := 1; n <= 6; n++ {
		catalogtest.Permutations(n, func(ids string) {
			for _, v := range []string{"", "all-terminate", "min", "all-terminate,min"} {
				c.run(trial.Setting{Algorithm: "lcr", IDs: ids, Variant: v})
			}
		})
	}
	c.Needs("exact", "elected", "quiet")
}

func TestChangRobertsBoundsOverAllPlacementsAndInitiators(t *testing.T) {
	c := newChecker(t)
	for n := 1; n <= 5; n++ {
		catalogtest.Permutations(n, func(ids string) {
			for set := 1; set < 1<<n; set++ {
				c.run(trial.Setting{Algorithm: "changroberts", IDs: ids, Initiators: catalogtest.Addresses(set, n)})
			}
			c.run(trial.Setting{Algorithm: "changroberts", IDs: ids, Variant: "min", Delay: "uniform(0,3ms)"})
		})
	}
	c.Needs("exact", "quiet")
}

func TestPetersonBoundsOverAllPlacementsAndInitiators(t *testing.T) {
	c := newChecker(t)
	for n := 1; n <= 6; n++ {
		catalogtest.Permutations(n, func(ids string) {
			for _, s := range []trial.Setting{{}, {Variant: "min"}, {Delay: "exp(1ms)", Initiators: "random:1"}} {
				s.Algorithm, s.IDs = "peterson", ids
				r := c.run(s)
				if n > 1 && s.Delay == "" && families.ElectionOf(r).Elected <= r.Time-des.Time(n)*des.Time(time.Millisecond) {
					t.Errorf("%+v: the owner is the holder: it knows at %v, quiet at %v", s, families.ElectionOf(r).Elected, r.Time)
				}
			}
		})
	}
	c.Needs("exact", "quiet")
}

func TestRingListBoundsOverAllDeadSetsAndInitiators(t *testing.T) {
	c := newChecker(t)
	for n := 1; n <= 5; n++ {
		for dead := 0; dead < 1<<n-1; dead++ {
			for set := 1; set < 1<<n; set++ {
				if dead&set != 0 {
					continue
				}
				for _, v := range []string{"forget", "remember", "min"} {
					s := trial.Setting{Algorithm: "ringlist", N: n, Placement: "alternating", Initiators: catalogtest.Addresses(set, n), Dead: catalogtest.Addresses(dead, n), Variant: v}
					c.run(s)
				}
			}
		}
	}
	c.Needs("exact", "delivered", "quiet")
}

func TestBullyBoundsOverAllDeadSetsAndDetectors(t *testing.T) {
	c := newChecker(t)
	for n := 1; n <= 6; n++ {
		for dead := 0; dead < 1<<n-1; dead++ {
			for set := 1; set < 1<<n; set++ {
				if dead&set != 0 {
					continue
				}
				for _, v := range []string{"A", "B", "C", "A,start-after-answer", "B,start-after-answer", "C,start-after-answer", "min"} {
					for _, processing := range []string{"", "500us"} {
						s := trial.Setting{Algorithm: "bully", N: n, Initiators: catalogtest.Addresses(set, n), Dead: catalogtest.Addresses(dead, n), Variant: v, Processing: processing}
						if n%2 == 0 {
							s.Placement = "alternating"
						}
						c.run(s)
					}
				}
			}
		}
	}
	c.Needs("exact", "turnaround")
}

// TestBullyTable holds the three conventions to THEORY's table for N = 8 and
// every detector, with only the coordinator dead.
func TestBullyTable(t *testing.T) {
	c := newChecker(t)
	for variant, want := range map[string][]uint64{
		"A": {55, 42, 31, 22, 15, 10, 7},
		"B": {54, 41, 30, 21, 14, 9, 6},
		"C": {48, 36, 26, 18, 12, 8, 6},
	} {
		for d, messages := range want {
			r := c.run(trial.Setting{Algorithm: "bully", N: 8, Dead: "last", Initiators: strconv.Itoa(d), Variant: variant})
			if got := r.Counters.Messages(); got != messages {
				t.Errorf("convention %s, detector %d: %d messages; want %d", variant, d+1, got, messages)
			}
		}
	}
}

// A second election of Chang and Roberts costs what the first of a single initiator
// does; the modified ring repeats an election whose winner dies.
func TestElectionsThatAreRepeated(t *testing.T) {
	compared := map[string]int{}
	for n := 2; n <= 6; n++ {
		for p := range n {
			for _, s := range []trial.Setting{
				{Algorithm: "changroberts", N: n, Placement: "alternating", Fault: fmt.Sprintf("at 30ms start %d", p)},
				{Algorithm: "changroberts", N: n, Placement: "alternating", Initiators: "first", Fault: fmt.Sprintf("at 30ms start %d", p)},
			} {
				repeated(t, s, compared)
			}
			for half := 1; half < 4*n; half++ {
				repeated(t, trial.Setting{
					Algorithm: "modifiedring", N: n, Initiators: strconv.Itoa(p), Seed: uint64(half), Fault: fmt.Sprintf("at %dus crash %d with 50%%", 500*half+1, n-1),
				}, compared)
				for _, variant := range []string{"", "memory", "no-watchdog", "memory,no-watchdog"} {
					repeated(t, trial.Setting{
						Algorithm: "modifiedring", Variant: variant, N: n, Initiators: strconv.Itoa(p), Fault: fmt.Sprintf("at %dus crash %d", 500*half+1, n-1),
					}, compared)
				}
			}
		}
	}
	if compared["again"] != 40 || compared["winner-dies"] < 100 {
		t.Errorf("compared were %v", compared)
	}
}

func repeated(t *testing.T, s trial.Setting, compared map[string]int) {
	t.Helper()
	in, err := registry.Instance(s)
	if err != nil {
		t.Fatal(err)
	}
	r := new(trial.Worker).Run(context.Background(), in, nil)
	if err := r.BrokenBound(); err != nil {
		t.Errorf("%+v: %v", s, err)
	}
	for _, b := range r.Bounds {
		compared[b.Name]++
	}
}
