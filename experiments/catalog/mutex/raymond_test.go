package mutex_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
)

func TestRaymondBounds(t *testing.T) {
	g := newGrants(t)
	for _, topology := range []string{"line", "star", "tree", "complete", "er(0.5)"} {
		g.everybody("raymond", topology, 4)
	}
	g.everybody("raymond", "line", 5)
	g.NeedsAny("alone", "round-trip", "tours", "tours-less", "worst")
}

// On a complete graph the tree is a star with the holder in the middle: 4R(N-1), less 2
// unless the holder is served last.
func TestRaymondTours(t *testing.T) {
	g := newGrants(t)
	for n := 2; n <= 40; n++ {
		for _, rounds := range []int{1, 3} {
			s := trial.Setting{Algorithm: "raymond", Topology: "complete", N: n, Param: fmt.Sprintf("cs=1ms,requests=%d,holder=1", rounds)}
			r := g.run(s)
			last := catalogtest.Entries(r)[len(catalogtest.Entries(r))-1].Process
			want := 4 * rounds * (n - 1)
			if last != 1 {
				want -= 2
			}
			if got := int(r.Counters.Messages()); got != want || len(catalogtest.Entries(r)) != rounds*n {
				t.Errorf("n=%d, %d rounds: %d messages and %d entries, want %d", n, rounds, got, len(catalogtest.Entries(r)), want)
			}
		}
	}
}

// Raymond's figures as a sweep would measure them. Under heavy demand about 4 messages
// an entry, whatever the tree and its size.
func TestRaymondHeavyDemand(t *testing.T) {
	g := newGrants(t)
	for _, topology := range []string{"line", "star", "tree", "tree(3)", "biring", "complete"} {
		for _, n := range []int{8, 32, 128} {
			r := g.run(trial.Setting{Algorithm: "raymond", Topology: topology, N: n, Param: "cs=1ms,requests=20"})
			got, ok := r.Metric("messages_per_entry")
			exact := 4 * float64(n-1) / float64(n)
			if height := float64(n - 1); !ok || got > exact || got < exact-2*height/float64(20*n) {
				t.Errorf("%s n=%d: %v messages an entry under heavy demand, want %v", topology, n, got, exact)
			}
		}
	}
	g.NeedsAny("tours", "tours-less")
}

// Under light demand it is twice the mean distance: but for the first entry, 2(n+1)/3
// on a line, 4-4/n on a star, 4.571, 7.010 and 9.910 on binary trees of 7, 15 and 31.
func TestRaymondLightDemand(t *testing.T) {
	runs, tightest := 500, 15.0
	if testing.Short() {
		runs, tightest = 100, 6
	}
	for _, c := range []struct {
		topology string
		n        int
		first    float64 // the mean distance from the holder
		others   float64 // messages
	}{
		{"line", 5, 2, 4},
		{"line", 20, 9.5, 14},
		{"star", 12, 11.0 / 12, 4 - 4.0/12},
		{"tree", 7, 10.0 / 7, 4.571},
		{"tree", 15, 34.0 / 15, 7.010},
		{"tree", 31, 98.0 / 31, 9.910},
	} {
		s := trial.Setting{Algorithm: "raymond", Topology: c.topology, N: c.n, Param: "loop=open,think=exp(10000s)"}
		mean, tolerance, bound := meanOf(t, s, "messages", runs)
		want := 2*c.first + float64(c.n-1)*c.others
		if math.Abs(bound-want) > 0.0005*float64(c.n) || math.Abs(mean-bound) > tolerance || tolerance > bound/tightest {
			t.Errorf("%s n=%d: mean %v, bound %v, want %v within %v", c.topology, c.n, mean, bound, want, tolerance)
		}
	}
}

// 2D messages for an entry are needed where the token is at one end of the longest path
// and the only client at the other: the bound says that and no more.
func TestRaymondWorstIsAttained(t *testing.T) {
	g := newGrants(t)
	for topology, ends := range map[string][2]string{"line": {"0", "6"}, "star": {"1", "6"}, "tree": {"3", "6"}} {
		r := g.run(trial.Setting{Algorithm: "raymond", Topology: topology, N: 7, Initiators: ends[1], Param: "holder=" + ends[0]})
		i := slices.IndexFunc(r.Bounds, func(b trial.BoundResult) bool { return b.Name == "worst" })
		if b := r.Bounds[i]; b.Measured != b.Value {
			t.Errorf("%s from %s to %s: %v messages, and the bound is %v", topology, ends[1], ends[0], b.Measured, b.Value)
		}
	}
}
