package mutex_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"testing"

	"bullring/experiments/campaign/stats"
	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/netem"
	"bullring/protocols"
)

// grants runs settings of mutual exclusion in which everybody is served, and holds
// them to bounds and checks.
type grants struct{ *catalogtest.Checker }

func newGrants(t *testing.T) grants { return grants{newChecker(t)} }

func (g grants) run(s trial.Setting) *trial.Result { return g.Run(s, families.Served) }

// everybody runs an algorithm with the token at every place and every set of clients,
// in a few workloads and under constant and random delays.
func (g grants) everybody(algorithm, topology string, most int) {
	for n := 1; n <= most; n++ {
		for holder := range n {
			for set := 1; set < 1<<n; set++ {
				for _, work := range []string{"", "cs=1ms", "requests=3,cs=2ms", "requests=2,think=exp(5ms)", "requests=2,think=3ms,loop=open,cs=500us"} {
					param := "holder=" + strconv.Itoa(holder)
					if work != "" {
						param += "," + work
					}
					for _, delay := range []string{"1ms", "uniform(0,1ms)"} {
						g.run(trial.Setting{
							Algorithm: algorithm, Topology: topology, N: n, Initiators: catalogtest.Addresses(set, n), Param: param, Delay: delay,
							Unordered: delay != "1ms", Seed: uint64(set),
						})
					}
				}
			}
		}
	}
}

// meanOf is the mean of a metric over runs with seeds of their own, four standard
// errors of it, and the bound of relation mean.
func meanOf(t *testing.T, s trial.Setting, metric string, runs int) (mean, tolerance, bound float64) {
	t.Helper()
	var worker trial.Worker
	var sample []float64
	for seed := range uint64(runs) {
		s.Seed = seed + 1
		in, err := registry.Instance(s)
		if err != nil {
			t.Fatal(err)
		}
		r := worker.Run(context.Background(), in, nil)
		v, ok := r.Metric(metric)
		if !ok {
			t.Fatalf("%+v: no %s", s, metric)
		}
		sample = append(sample, v)
		for _, b := range r.Bounds {
			if b.Relation == trial.Mean && b.Metric == metric {
				bound = b.Value
			}
		}
	}
	summary := stats.Summarize(sample)
	return summary.Mean, 4 * summary.SD / math.Sqrt(float64(runs)), bound
}

// wantMean fails unless the mean is within four standard errors of the bound.
func wantMean(t *testing.T, s trial.Setting, metric string, runs int, want float64) {
	t.Helper()
	mean, tolerance, bound := meanOf(t, s, metric, runs)
	if math.Abs(bound-want) > 1e-9 || math.Abs(mean-bound) > tolerance {
		t.Errorf("%+v: mean %v, bound %v, want %v within %v", s, mean, bound, want, tolerance)
	}
}

// The row of the table of outcomes under faults for algorithms with a token: if it is
// lost, or dies with its holder, nobody enters again; if it is duplicated, two are
// inside.
func TestTokenLost(t *testing.T) {
	for _, a := range []struct{ name, kind string }{
		{"tokenring", "TOKEN"}, {"suzukikasami", "TOKEN"}, {"raymond", "PRIVILEGE"},
	} {
		for n := 3; n <= 6; n++ {
			s := trial.Setting{Algorithm: a.name, N: n, Param: "cs=2ms,requests=3", Fault: "drop 2nd " + a.kind}
			r := under(t, s)
			if entries(t, r) != 2 || r.Outcome != families.Deadlock || r.End != netem.Quiescent || r.Verdict("ME1") != protocols.Holds || r.Verdict("ME2") != protocols.Violated {
				t.Errorf("%s n=%d, lost: %v entries, %v, %v, %v", a.name, n, entries(t, r), r.Outcome, r.End, r.Checks)
			}
			s.Fault = "at 1ms crash 0"
			r = under(t, s)
			if entries(t, r) != 1 || r.Outcome != families.Deadlock || r.End != netem.Quiescent || r.Verdict("ME1") != protocols.Holds || r.Verdict("ME2") != protocols.Undecided {
				t.Errorf("%s n=%d, the holder dies: %v entries, %v, %v, %v", a.name, n, entries(t, r), r.Outcome, r.End, r.Checks)
			}
		}
	}
}

func TestTokenDuplicated(t *testing.T) {
	for _, a := range []struct{ name, kind string }{
		{"tokenring", "TOKEN"}, {"regeneratingring", "TOKEN"}, {"suzukikasami", "TOKEN"}, {"raymond", "PRIVILEGE"},
	} {
		twice := 0
		for n := 3; n <= 6; n++ {
			for k := 1; k <= n; k++ {
				for seed := range uint64(10) {
					s := trial.Setting{
						Algorithm: a.name, N: n, Param: "cs=1ms,requests=5,think=exp(3ms)", Delay: "exp(2ms)", Seed: seed,
						Fault: fmt.Sprintf("duplicate %s %s", ordinal(k), a.kind), MaxEvents: 100_000,
					}
					if r := under(t, s); r.Verdict("ME1") == protocols.Violated {
						twice++
						if r.Outcome != families.TwoInside && r.Outcome != trial.Unfinished {
							t.Errorf("%+v: %v", s, r.Outcome)
						}
					}
				}
			}
		}
		if twice < 20 {
			t.Errorf("%s: two inside in %d runs", a.name, twice)
		}
	}
}

// ordinal is 1st, 2nd, 3rd, 4th up to 20th.
func ordinal(k int) string {
	return strconv.Itoa(k) + append([]string{"th", "st", "nd", "rd"}, slices.Repeat([]string{"th"}, 17)...)[k]
}

func entries(t *testing.T, r *trial.Result) float64 {
	t.Helper()
	v, ok := r.Metric("entries")
	if !ok {
		t.Fatal("entries are not measured")
	}
	return v
}
