package elections_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"bullring/des"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/netem"
	"bullring/protocols"
)

// ran is the result of a run inside the model.
func ran(t *testing.T, s trial.Setting) *trial.Result {
	t.Helper()
	return new(trial.Worker).Run(t.Context(), inModel(t, s), nil)
}

// A line of four with a delay of 1 ms. All follow process 0 from 3 ms on. Its link goes down at 5 ms; the
// others agree at 12 ms. The link between 1 and 2 goes down at 20 ms; 2 and 3 agree at 23 ms, and the last
// message arrives at 24 ms.
func TestAgreementIsMeasured(t *testing.T) {
	s := trial.Setting{Algorithm: "ingram", N: 4, Topology: "line", Fault: "at 5ms down 0<->1; at 20ms down 1<->2"}
	r := ran(t, s)
	for name, want := range map[string]float64{
		"with_leader": 1, "agreed": 12. / 24, "components": (5*1 + 15*2 + 4*3) / 24., "elections": 6, "changes": 2, "agreement_time": 4.5, "leader_here": 19. / 24,
	} {
		if v, ok := r.Metric(name); !ok || math.Abs(v-want) > 1e-12 {
			t.Errorf("%s is %v %v, want %v", name, v, ok, want)
		}
	}
	if _, ok := ran(t, trial.Setting{Algorithm: "echo", N: 4}).Metric("agreed"); ok {
		t.Error("an election on a graph that never changes measures agreement of components")
	}
	s.MaxTime = "36ms"
	s.Fault += "; at 90ms up 0<->1"
	if r := ran(t, s); r.End != netem.OutOfTime || r.Verdict("E2") != protocols.Undecided {
		t.Errorf("%v, E2 %v", r.End, r.Verdict("E2"))
	} else if v, _ := r.Metric("agreed"); math.Abs(v-24./36) > 1e-12 {
		t.Errorf("agreed is %v until 36 ms, want 24/36", v)
	}
	s.MaxTime = "38ms" // process 0 alone has not changed for longer than 32 ms, 8 delays a process
	if r := ran(t, s); r.Verdict("E2") != protocols.Holds {
		t.Errorf("E2 %v", r.Verdict("E2"))
	}
}

// No run needs half of the time that E2 gives an election after the last change.
func TestIngramRest(t *testing.T) {
	settings := uint64(2_000)
	if testing.Short() {
		settings = 200
	}
	longest := longestRest(t, settings, 4*time.Millisecond, func(n int) time.Duration { return time.Duration(8*n) * time.Millisecond }, func(*des.Stream) trial.Setting {
		return trial.Setting{Algorithm: "ingram"}
	})
	if longest > 0.5 || longest < 0.1 {
		t.Errorf("the longest took %.2f of the time that it had", longest)
	}
}

// longestRest runs an election in so many random settings, with changes of links that are up to so long apart. It returns
// the largest part that a run took of the time that E2 gives one of n processes after the last change.
func longestRest(t *testing.T, settings uint64, apart time.Duration, has func(n int) time.Duration, of func(*des.Stream) trial.Setting) (longest float64) {
	for seed := range settings {
		d := des.NewStream(seed, "settings")
		n := 2 + d.Intn(7)
		topology := []string{"line", "complete", "star"}[d.Intn(3)]
		var plan []string
		last := 0
		for range 1 + d.Intn(12) {
			last += 1 + d.Intn(int(apart/time.Microsecond))
			p := d.Intn(n - 1)
			q := p + 1
			switch topology {
			case "star":
				p = 0
			case "complete":
				q += d.Intn(n - q)
			}
			plan = append(plan, fmt.Sprintf("at %dus %s %d<->%d", last, []string{"down", "up"}[d.Intn(2)], p, q))
		}
		s := of(&d)
		s.N, s.Placement, s.Seed, s.Fault = n, "random", seed, strings.Join(plan, "; ")
		s.Topology, s.Delay = topology, []string{"1ms", "uniform(0,1ms)"}[d.Intn(2)]
		r := ran(t, s)
		if !r.Correct {
			t.Fatalf("%+v: %v", s, r.Outcome)
		}
		took := time.Duration(families.ElectionOf(r).Decided) - time.Duration(last)*time.Microsecond
		longest = max(longest, float64(took)/float64(has(n)))
	}
	t.Logf("the longest took %.2f of the time that it had", longest)
	return longest
}
