package reason_test

import (
	"testing"

	"bullring/experiments/catalog"
	"bullring/experiments/show/reason"
	"bullring/experiments/trial"
	"bullring/protocols"
)

var registry = catalog.New()

// sizes are how many violated runs have a best reason of no, one, two, and more changes.
type sizes [4]int

// late is the bully with messages that take up to three times the bound.
var late = trial.Setting{Algorithm: "bully", N: 5, Initiators: "0", Dead: "last", Delay: "uniform(0,3ms)", Assume: "1ms"}

// table has settings with the sizes of the reasons of their violated runs: of the seeds up to
// few, and of those up to 120. In that many runs a single element is enough alone.
var table = []struct {
	name    string
	setting trial.Setting
	few     uint64
	short   sizes
	all     sizes
	enough  int
}{
	{"late", late, 120, sizes{0, 103, 0, 0}, sizes{0, 103, 0, 0}, 25},
	{"bully, swarm", trial.Setting{Algorithm: "bully", N: 5, Fault: "random swarm until 30ms"}, 60, sizes{0, 3, 0, 0}, sizes{0, 10, 0, 0}, 3},
	{"raft, swarm", trial.Setting{Algorithm: "raft", N: 5, Fault: "random swarm until 30ms"}, 0, sizes{}, sizes{0, 2, 0, 0}, 1},
	{"partition", trial.Setting{Algorithm: "bully", N: 4, Fault: "at 1ms partition {0 1 | 2 3} for 20ms"}, 3, sizes{0, 3, 0, 0}, sizes{0, 120, 0, 0}, 120},
	{"late and lost", trial.Setting{Algorithm: "bully", N: 5, Initiators: "0", Dead: "last", Delay: "exp(1ms)", Assume: "3ms", Link: "loss 10%"}, 30, sizes{0, 7, 0, 0}, sizes{0, 28, 0, 0}, 17},
	{"bully, loss", trial.Setting{Algorithm: "bully", N: 8, Link: "loss 20%"}, 30, sizes{0, 11, 0, 0}, sizes{0, 29, 0, 0}, 0},
	{"ringlist, loss", trial.Setting{Algorithm: "ringlist", N: 8, Link: "loss 20%"}, 20, sizes{0, 13, 0, 0}, sizes{0, 77, 0, 0}, 0},
	{"changroberts, loss", trial.Setting{Algorithm: "changroberts", N: 8, Link: "loss 20%"}, 20, sizes{0, 20, 0, 0}, sizes{0, 118, 0, 0}, 118},
	{"ghs, loss", trial.Setting{Algorithm: "ghs", N: 8, Link: "loss 5%"}, 30, sizes{0, 9, 11, 10}, sizes{0, 33, 44, 43}, 120},
	{"sequencer, loss", trial.Setting{Algorithm: "sequencer", N: 5, Link: "loss 5%"}, 30, sizes{0, 13, 6, 4}, sizes{0, 49, 26, 10}, 85},
	{"maekawa, swarm", trial.Setting{Algorithm: "maekawa", N: 9, Fault: "random swarm until 10ms"}, 30, sizes{0, 2, 4, 0}, sizes{0, 10, 8, 3}, 21},
	{"chandylamport, order", trial.Setting{Algorithm: "chandylamport", N: 5, Delay: "uniform(0,5ms)", Unordered: true}, 20, sizes{0, 17, 0, 0}, sizes{0, 105, 0, 0}, 105},
	{"ricartagrawala, twice", trial.Setting{Algorithm: "ricartagrawala", N: 4, Link: "duplicate 20%", Param: "requests=3,think=1ms"}, 10, sizes{0, 9, 0, 1}, sizes{0, 93, 17, 10}, 96},
}

func explained(t *testing.T, s trial.Setting) *reason.Explanation {
	t.Helper()
	s.OutsideModel, s.MaxEvents = true, 200_000
	in, err := registry.Instance(s)
	if err != nil {
		t.Fatal(err)
	}
	return reason.Explain(t.Context(), registry, in)
}

// In every setting but those of duplicates, a violated run has a reason of one change, or a
// single element that is enough.
func TestTable(t *testing.T) {
	for _, c := range table {
		t.Run(c.name, func(t *testing.T) {
			if testing.Short() && c.few == 0 {
				t.Skip("its runs take a minute")
			}
			t.Parallel()
			var got sizes
			enough, plans, seeds, want := 0, 0, c.few, c.short
			if !testing.Short() {
				seeds, want = 120, c.all
			}
			for seed := range seeds {
				s := c.setting
				s.Seed = seed + 1
				e := explained(t, s)
				if e.Violation == nil {
					continue
				}
				size := 0
				if len(e.Reasons) > 0 {
					size = min(3, len(e.Reasons[0].Changes))
				}
				got[size]++
				if size > 0 && e.Reasons[0].Again != nil {
					plans++
				}
				if e.Alone {
					enough++
				}
				checkReasons(t, e)
			}
			t.Logf("a plan says the best reason of %d of %d runs", plans, got[0]+got[1]+got[2]+got[3])
			if got != want || seeds == 120 && enough != c.enough {
				t.Errorf("the reasons have sizes %v, and in %d runs one element is enough; want %v and %d", got, enough, want, c.enough)
			}
		})
	}
}

// checkReasons runs the saved run of each reason again, and looks at what is listed.
func checkReasons(t *testing.T, e *reason.Explanation) {
	t.Helper()
	seed := e.Real.Result.Instance.Setting.Seed
	var worker trial.Worker
	for i, r := range e.Reasons {
		for _, in := range []*trial.Instance{r.Saved, r.Again} {
			if in == nil {
				continue
			}
			verdict := worker.Run(t.Context(), in, nil).Verdict(e.Violation.Check)
			if saves := r.Effect == reason.Holds || r.Effect == reason.Worse; saves != (verdict != protocols.Violated) {
				t.Errorf("seed %d: reason %d, %v: %v, and the check is %v", seed, i+1, r.Texts(), r.Effect, verdict)
			}
		}
		for _, event := range r.Chain.Real {
			if event.At > e.Violation.At || e.Violation.Event > 0 && event.Order > e.Violation.Event {
				t.Errorf("seed %d: reason %d lists event %d, after the violation", seed, i+1, event.Order)
			}
		}
		for _, event := range r.Chain.Saved {
			if event.At > e.Violation.At {
				t.Errorf("seed %d: reason %d lists %s, after the violation", seed, i+1, event.Text(""))
			}
		}
	}
	for i, in := range e.Real.Slice() {
		if in && e.Violation.Event > 0 && i >= e.Violation.Event {
			t.Errorf("seed %d: the past has event %d, after the violation", seed, i+1)
		}
	}
}
