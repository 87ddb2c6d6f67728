package catalog_test

import (
	"fmt"
	"strings"
	"testing"

	"bullring/des"
	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
)

const failover = "centralized-failover"

func electors() []string { return families.Electors(registry, "bully") }

// As long as the coordinator lives it is the centralized algorithm.
func TestFailoverBounds(t *testing.T) {
	c := newChecker(t)
	for n := 1; n <= 4; n++ {
		for set := 1; set < 1<<n; set++ {
			for _, param := range []string{"", "cs=1ms,requests=3", "cs=2500us,requests=2,think=4ms", "requests=3,think=exp(5ms),loop=open,coordinator=0"} {
				for _, delay := range []string{"", "uniform(0,3ms)"} {
					s := trial.Setting{Algorithm: failover, N: n, Initiators: catalogtest.Addresses(set, n), Delay: delay, Param: param, Seed: uint64(set)}
					r := c.Run(s, families.Served)
					if want := r.Instance.Initiators.Len() * r.Instance.Count("requests"); len(catalogtest.Entries(r)) != want {
						t.Fatalf("%+v: %d entries, want %d", s, len(catalogtest.Entries(r)), want)
					}
				}
			}
		}
	}
	c.Needs("exact", "elections")
}

// happens runs a setting in which things fail, and holds it to its checks.
func happens(t *testing.T, c *catalogtest.Checker, s trial.Setting) *trial.Result {
	t.Helper()
	r := c.Survives(s)
	if !r.Correct {
		t.Fatalf("%+v: %s", r.Instance.Setting, r.Outcome)
	}
	return r
}

// With every election the coordinator crashes while it is inside and the others wait,
// while another is inside, while nobody wants anything, from the start, and together with
// one who waits or is inside; and so does its successor. Whoever lives is served.
func TestFailoverOfEveryElection(t *testing.T) {
	c := newChecker(t)
	for _, elector := range electors() {
		for n := 2; n <= 6; n++ {
			last := n - 1
			for _, row := range []struct {
				param, initiators, fault, dead string
				successors                     int
			}{
				{"cs=5ms", "", fmt.Sprintf("at 3500us crash %d", last), "", 1},
				{"cs=5ms", "", fmt.Sprintf("at 9500us crash %d", last), "", -1},
				{"cs=1ms,requests=2,think=200ms", "", fmt.Sprintf("at 100ms crash %d", last), "", 1},
				{"cs=1ms", "first", "", fmt.Sprint(last), 1},
				{"cs=5ms", "", fmt.Sprintf("at 9500us crash %d; at 9500us crash 0", last), "", -1},
				{"cs=5ms,requests=2", "", fmt.Sprintf("at 9500us crash %d; at 14500us crash %d", last, last-1), "", -1},
			} {
				if n == 2 && strings.Count(row.fault, "crash") > 1 {
					continue
				}
				r := happens(t, c, trial.Setting{
					Algorithm: failover, N: n, Initiators: row.initiators, Dead: row.dead, Fault: row.fault,
					Param: row.param + ",election=" + elector,
				})
				if got, _ := r.Metric("successors"); row.successors >= 0 && int(got) != row.successors {
					t.Errorf("%s, n=%d, %s, %s: %v successors, want %d", elector, n, row.param, row.fault, got, row.successors)
				}
			}
		}
	}
}

// The gap is the time until somebody looks, the election among those who live, the
// COORDINATOR, and the answers of the others; the new coordinator is the first in line,
// and the first to number an item of its own. Elections that draw lots draw others than by
// themselves, and GHS finds other weights.
func TestGapIsThatOfTheElection(t *testing.T) {
	c := newChecker(t)
	compared := 0
	for _, elector := range electors() {
		if elector == "itairodeh" || elector == "raft" || elector == "ghs" {
			continue
		}
		for n := 2; n <= 7; n++ {
			for _, placement := range []string{"increasing", "decreasing", "random"} {
				for _, look := range []int{4, 7} { // every 4 ms: at 4 and 8; every 7 ms: at 7
					s := trial.Setting{
						Algorithm: failover, N: n, Placement: placement, Fault: fmt.Sprintf("at 3500us crash %d", n-1),
						Param: fmt.Sprintf("cs=50ms,period=%dms,election=%s", look, elector), Seed: 3,
					}
					r := happens(t, c, s)
					want := 0.0
					if n > 2 {
						want = alone(t, c, elector, r.Instance) + 2
					}
					// The sequencer multicasts nothing, and dies before it has ordered anything.
					m := s
					m.Algorithm, m.Fault = sequencerFailover, fmt.Sprintf("at 500us crash %d", n-1)
					m.Initiators = catalogtest.Addresses(1<<(n-1)-1, n)
					m.Param = fmt.Sprintf("period=%dms,election=%s", look, elector)
					for died, r := range map[float64]*trial.Result{3.5: r, 0.5: happens(t, c, m)} {
						if got, ok := r.Metric("gap"); !ok || got != want+float64(look)-died {
							t.Errorf("%s, %s, n=%d, %s, looking every %dms: gap %v, %v; want %v", r.Instance.Algorithm.Name, elector, n, placement, look, got, ok, want+float64(look)-died)
						}
						compared++
					}
				}
			}
		}
	}
	if compared < 600 {
		t.Errorf("%d gaps were compared", compared)
	}
}

// alone is how long the election takes by itself, among all but the last.
func alone(t *testing.T, c *catalogtest.Checker, elector string, in *trial.Instance) float64 {
	t.Helper()
	name, variant, _ := strings.Cut(strings.TrimSuffix(elector, ")"), "(")
	var ids []string
	for _, r := range in.Ranks.List()[:in.N-1] {
		ids = append(ids, fmt.Sprint(int64(r.ID)))
	}
	s := trial.Setting{Algorithm: name, Variant: variant, IDs: strings.Join(ids, ",")}
	a, err := registry.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	if first := a.Assumes.Topologies[0]; first != "ring" && first != "biring" {
		s.Topology = "complete"
	}
	if variant == "alpha" {
		s.Topology = "biring"
	}
	v, ok := c.Play(s).Metric("elected_time")
	if !ok {
		t.Fatalf("%+v: nobody is elected", s)
	}
	return v
}

// Random plans inside the model: any processes crash at any time, also between two
// sends, with every election.
func TestFailoverRandomPlans(t *testing.T) {
	const plans = 120 // of each election
	c := newChecker(t)
	gaps := 0
	for _, elector := range electors() {
		for k := range plans {
			draw := des.NewStream(uint64(k), "failover "+elector)
			pick := func(words ...string) string { return words[draw.Intn(len(words))] }
			s := trial.Setting{
				Algorithm: failover, N: 2 + draw.Intn(8), Placement: "random", Seed: draw.Uint64(),
				Delay: pick("1ms", "uniform(0,1ms)", "uniform(500us,1ms)"), Assume: "1ms", MaxEvents: 1_000_000,
				Param: fmt.Sprintf("election=%s,cs=%s,requests=%d,think=%s,coordinator=%s", elector, pick("0s", "1ms", "3ms"), 1+draw.Intn(3), pick("0s", "5ms", "exp(5ms)"), pick("last", "first")),
				Fault: fmt.Sprintf("random swarm of %s until %s", pick("crashes", "partial-broadcasts", "crashes, partial-broadcasts"), pick("3ms", "8ms", "20ms", "60ms")),
			}
			r := happens(t, c, s)
			if _, some := r.Metric("gap"); some {
				gaps++
			}
		}
	}
	if gaps < len(electors())*plans/10 {
		t.Errorf("%d gaps in all plans", gaps)
	}
}
