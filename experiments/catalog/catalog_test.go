package catalog_test

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"bullring/des"
	"bullring/experiments"
	"bullring/experiments/catalog"
	"bullring/protocols"
)

// permutations calls f with every order of 1..n.
func permutations(n int, f func(ids string)) {
	ids := make([]int, n)
	for i := range ids {
		ids[i] = i + 1
	}
	var rec func(k int)
	rec = func(k int) {
		if k == n {
			words := make([]string, n)
			for i, id := range ids {
				words[i] = strconv.Itoa(id)
			}
			f(strings.Join(words, ","))
			return
		}
		for i := k; i < n; i++ {
			ids[k], ids[i] = ids[i], ids[k]
			rec(k + 1)
			ids[k], ids[i] = ids[i], ids[k]
		}
	}
	rec(0)
}

func addresses(set, n int) string {
	var words []string
	for p := range n {
		if set>>p&1 == 1 {
			words = append(words, strconv.Itoa(p))
		}
	}
	return strings.Join(words, ",")
}

// checker runs settings and holds them to bounds and checks.
type checker struct {
	t        *testing.T
	registry *experiments.Registry
	worker   experiments.Worker
	runs     int
	exact    map[string]int // how often an exact bound was met
}

func newChecker(t *testing.T) *checker {
	return &checker{t: t, registry: catalog.New(), exact: map[string]int{}}
}

func (c *checker) run(s experiments.Setting) *experiments.Result {
	c.t.Helper()
	in, err := c.registry.Instance(s)
	if err != nil {
		c.t.Fatalf("%+v: %v", s, err)
	}
	r := c.worker.Run(context.Background(), in, nil)
	c.runs++
	if err := r.BrokenBound(); err != nil {
		c.t.Fatalf("%+v: %v", s, err)
	}
	for _, check := range r.Checks {
		if check.Verdict != protocols.Holds {
			c.t.Fatalf("%+v: %s %v: %s", s, check.Name, check.Verdict, check.Detail)
		}
	}
	if r.Outcome != experiments.Elected {
		c.t.Fatalf("%+v: %v", s, r.Outcome)
	}
	for _, b := range r.Bounds {
		if b.Relation == experiments.Exactly {
			c.exact[b.Name]++
		}
	}
	return r
}

// needs fails unless every one of these exact bounds was met by some run.
func (c *checker) needs(bounds ...string) {
	c.t.Helper()
	for _, b := range bounds {
		if c.exact[b] == 0 {
			c.t.Errorf("in %d runs the bound %q never applied", c.runs, b)
		}
	}
}

func TestLCRBoundsOverAllPlacements(t *testing.T) {
	c := newChecker(t)
	for n := 1; n <= 6; n++ {
		permutations(n, func(ids string) {
			for _, v := range []string{"", "all-terminate", "min", "all-terminate,min"} {
				c.run(experiments.Setting{Algorithm: "lcr", IDs: ids, Variant: v})
			}
		})
	}
	c.needs("exact", "elected", "quiet")
}

func TestChangRobertsBoundsOverAllPlacementsAndInitiators(t *testing.T) {
	c := newChecker(t)
	for n := 1; n <= 5; n++ {
		permutations(n, func(ids string) {
			for set := 1; set < 1<<n; set++ {
				c.run(experiments.Setting{Algorithm: "changroberts", IDs: ids, Initiators: addresses(set, n)})
			}
			c.run(experiments.Setting{Algorithm: "changroberts", IDs: ids, Variant: "min", Delay: "uniform(0,3ms)"})
		})
	}
	c.needs("exact", "quiet")
}

func TestPetersonBoundsOverAllPlacementsAndInitiators(t *testing.T) {
	c := newChecker(t)
	for n := 1; n <= 6; n++ {
		permutations(n, func(ids string) {
			for _, s := range []experiments.Setting{{}, {Variant: "min"}, {Delay: "exp(1ms)", Initiators: "random:1"}} {
				s.Algorithm, s.IDs = "peterson", ids
				r := c.run(s)
				if n > 1 && s.Delay == "" && r.Elected <= r.Time-des.Time(n)*des.Time(time.Millisecond) {
					t.Errorf("%+v: the owner is the holder: it knows at %v, quiet at %v", s, r.Elected, r.Time)
				}
			}
		})
	}
	c.needs("exact", "quiet")
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
					s := experiments.Setting{Algorithm: "ringlist", N: n, Placement: "alternating", Initiators: addresses(set, n), Dead: addresses(dead, n), Variant: v}
					c.run(s)
				}
			}
		}
	}
	c.needs("exact", "delivered", "quiet")
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
						s := experiments.Setting{Algorithm: "bully", N: n, Initiators: addresses(set, n), Dead: addresses(dead, n), Variant: v, Processing: processing}
						if n%2 == 0 {
							s.Placement = "alternating"
						}
						c.run(s)
					}
				}
			}
		}
	}
	c.needs("exact", "turnaround")
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
			r := c.run(experiments.Setting{Algorithm: "bully", N: 8, Dead: "last", Initiators: strconv.Itoa(d), Variant: variant})
			if got := r.Counters.Messages(); got != messages {
				t.Errorf("convention %s, detector %d: %d messages; want %d", variant, d+1, got, messages)
			}
		}
	}
}

// TestLCRDistribution holds the recurrence to the number of the 5040 rings of
// n = 8 for each count from 15 to 36, which enumeration gives (THEORY 2.1).
func TestLCRDistribution(t *testing.T) {
	registry := catalog.New()
	in, err := registry.Instance(experiments.Setting{Algorithm: "lcr", N: 8, Placement: "random"})
	if err != nil {
		t.Fatal(err)
	}
	p, ok := in.Algorithm.Distribution(in)
	if !ok {
		t.Fatal("no distribution for 8 processes")
	}
	want := []float64{1, 21, 140, 385, 616, 784, 694, 687, 478, 411, 255, 222, 127, 91, 50, 39, 17, 12, 5, 3, 1, 1}
	for k, x := range p {
		w := 0.0
		if k >= 15 && k <= 36 {
			w = want[k-15]
		}
		if math.Abs(x*5040-w) > 1e-9 {
			t.Errorf("%v of 5040 rings make %d hops; want %v", x*5040, k, w)
		}
	}
}

// Over a reliable link what links do does not reach the algorithm, and a network
// that is synchronous from the beginning has a bound.
func TestInsideTheModel(t *testing.T) {
	for _, s := range []experiments.Setting{
		{Algorithm: "lcr", N: 4, Link: "loss 10% duplicate 10%", Transport: "reliable(10ms,0)"},
		{Algorithm: "lcr", N: 8, Fault: "at 1ms partition {0..3 | 4..7} for 20ms", Transport: "reliable(10ms,0)"},
		{Algorithm: "changroberts", N: 4, Link: "delay 1ms reorder 5%", Transport: "reliable", Unordered: true},
		{Algorithm: "lcr", N: 5, Transport: "reliable"},
		{Algorithm: "changroberts", N: 5, Transport: "reliable", Initiators: "1"},
		{Algorithm: "peterson", N: 5, Transport: "reliable", Initiators: "1"},
		{Algorithm: "peterson", N: 6, Link: "delay 1ms loss 10% duplicate 10% reorder 5%", Transport: "reliable(10ms,0)"},
		{Algorithm: "lelann", N: 5, Transport: "reliable", Initiators: "1,3"},
		{Algorithm: "hirschbergsinclair", N: 5, Link: "delay 1ms reorder 5%", Variant: "original"},
		{Algorithm: "hirschbergsinclair", N: 6, Link: "delay 1ms loss 10%", Transport: "reliable(10ms,0)", Initiators: "1"},
		{Algorithm: "franklin", N: 5, Transport: "reliable", Initiators: "1"},
		{Algorithm: "ringlist", N: 5, Transport: "reliable", Dead: "2"},
		{Algorithm: "bully", N: 5, Transport: "reliable", Dead: "4", Initiators: "0"},
		{Algorithm: "lcr", N: 5, Detector: "heartbeat(1ms,5ms)", Until: "50ms"},
		{Algorithm: "bully", N: 4, Delay: "exp(1ms)", Delta: "3ms"},
		{Algorithm: "bully", N: 4, Fault: "at 1ms crash 3 for 2ms; crash 2 after 1 send of COORDINATOR"},
		{Algorithm: "modifiedring", N: 4, Fault: "at 1ms crash 3"},
		{Algorithm: "lcr", N: 4, Fault: "delay 1st message by 1ms; at 1ms pause 2 for 5ms; clock 2 drift 100ppm"},
	} {
		if in, err := catalog.New().Instance(s); err != nil {
			t.Errorf("%+v: %v", s, err)
		} else if r := new(experiments.Worker).Run(t.Context(), in, nil); r.BrokenBound() != nil || r.Verdict("E1") != protocols.Holds || r.Verdict("E2") == protocols.Violated {
			t.Errorf("%+v: %v, %v, %v", s, r.Outcome, r.Checks, r.BrokenBound())
		}
	}
}

func TestOutsideTheModel(t *testing.T) {
	registry := catalog.New()
	for _, c := range []struct {
		setting experiments.Setting
		says    string
	}{
		{experiments.Setting{Algorithm: "lcr", N: 4, Initiators: "0"}, "not every process initiates"},
		{experiments.Setting{Algorithm: "lcr", N: 4, Dead: "0"}, "a process crashes"},
		{experiments.Setting{Algorithm: "changroberts", N: 4, Unordered: true}, "links are not FIFO"},
		{experiments.Setting{Algorithm: "peterson", N: 4, Unordered: true}, "links are not FIFO"},
		{experiments.Setting{Algorithm: "lelann", N: 4, Unordered: true}, "links are not FIFO"},
		{experiments.Setting{Algorithm: "franklin", N: 4, Unordered: true}, "links are not FIFO"},
		{experiments.Setting{Algorithm: "hirschbergsinclair", N: 4, Dead: "0"}, "a process crashes"},
		{experiments.Setting{Algorithm: "peterson", N: 4, Dead: "0"}, "a process crashes"},
		{experiments.Setting{Algorithm: "bully", N: 4, Delay: "exp(1ms)"}, "has no bound"},
		{experiments.Setting{Algorithm: "bully", N: 4, Delay: "2ms", Assume: "1ms"}, "exceeds the assumed bound"},
		{experiments.Setting{Algorithm: "ringlist", N: 4, Initiators: "1", Fault: "at 0s crash 0; at 2ms restart 0"}, "a process restarts"},
		{experiments.Setting{Algorithm: "ringlist", N: 4, Fault: "at 1ms crash 0"}, "a process crashes after the start"},
		{experiments.Setting{Algorithm: "lcr", N: 4, Link: "loss 1%"}, "links lose messages"},
		{experiments.Setting{Algorithm: "lcr", N: 4, Link: "0->1: corrupt 1%"}, "links lose messages"},
		{experiments.Setting{Algorithm: "lcr", N: 4, Link: "duplicate 1%"}, "links duplicate messages"},
		{experiments.Setting{Algorithm: "lcr", N: 4, Link: "corrupt 1% altered"}, "links alter messages"},
		{experiments.Setting{Algorithm: "changroberts", N: 4, Link: "delay 1ms reorder 5%"}, "links are not FIFO"},
		{experiments.Setting{Algorithm: "lcr", N: 4, Fault: "drop 1st message"}, "a fault has messages lost"},
		{experiments.Setting{Algorithm: "lcr", N: 4, Fault: "at 1ms partition {0 1 | 2 3} for 1ms"}, "a fault has messages lost"},
		{experiments.Setting{Algorithm: "lcr", N: 4, Fault: "duplicate 1st message"}, "a fault duplicates messages"},
		{experiments.Setting{Algorithm: "lcr", N: 4, Fault: "lie 1 as 9"}, "a process lies"},
		{experiments.Setting{Algorithm: "bully", N: 4, Fault: "delay 1st message by 1ms"}, "a fault delays messages or processes"},
		{experiments.Setting{Algorithm: "bully", N: 4, Fault: "at 1ms pause 2 for 5ms"}, "a fault delays messages or processes"},
		{experiments.Setting{Algorithm: "bully", N: 4, Fault: "clock 2 drift 100ppm"}, "clocks are wrong"},
		{experiments.Setting{Algorithm: "bully", N: 4, Fault: "at 1ms link 0->1 delay 1ms"}, "a fault changes what links do"},
		{experiments.Setting{Algorithm: "bully", N: 4, Delta: "1ms", GST: "5ms"}, "delays are bounded from 5ms on only"},
		{experiments.Setting{Algorithm: "bully", N: 4, Link: "delay 3ms", Assume: "1ms"}, "exceeds the assumed bound"},
		{experiments.Setting{Algorithm: "bully", N: 4, Link: "loss 1%", Transport: "reliable(10ms,0)"}, "arrives at any time"},
		{experiments.Setting{Algorithm: "lcr", N: 4, Link: "loss 1%", Transport: "reliable(10ms,3)"}, "gives messages up"},
		{experiments.Setting{Algorithm: "bully", N: 4, Detector: "none"}, "there is no failure detector"},
		{experiments.Setting{Algorithm: "bully", N: 4, Detector: "heartbeat(5ms,15ms)"}, "the failure detector can be mistaken"},
	} {
		if _, err := registry.Instance(c.setting); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v; want %q", c.setting, err, c.says)
		}
		c.setting.OutsideModel = true
		in, err := registry.Instance(c.setting)
		if err != nil {
			t.Errorf("%+v: %v", c.setting, err)
		} else if len(in.Outside) != 1 {
			t.Errorf("%+v is outside in the respects %q; want one", c.setting, in.Outside)
		}
	}
}

func ExampleNew() {
	registry := catalog.New()
	in, err := registry.Instance(experiments.Setting{Algorithm: "lcr", N: 8, Placement: "decreasing"})
	if err != nil {
		fmt.Println(err)
		return
	}
	var w experiments.Worker
	r := w.Run(context.Background(), in, nil)
	fmt.Println(r.Outcome, r.Leader, r.Counters.Messages())
	// Output: elected 8 36
}

// Who starts an election anew, when the first is over, pays for it: the bounds speak
// of runs in which the initiators start together, unless they say otherwise.
func TestBoundsAreOfOneStart(t *testing.T) {
	for _, a := range catalog.New().All() {
		in, err := catalog.New().Instance(experiments.Setting{Algorithm: a.Name, N: 4, Fault: "at 20ms start 0"})
		if err != nil {
			t.Fatal(err)
		}
		if r := new(experiments.Worker).Run(context.Background(), in, nil); r.BrokenBound() != nil || len(r.Bounds) > 0 && r.Bounds[0].Name != "again" {
			t.Errorf("%s: %v, compared with %v", a.Name, r.BrokenBound(), r.Bounds)
		}
	}
}

// A second election of Chang and Roberts costs what the first of a single initiator
// does; the modified ring repeats an election whose winner dies.
func TestElectionsThatAreRepeated(t *testing.T) {
	compared := map[string]int{}
	for n := 2; n <= 6; n++ {
		for p := range n {
			for _, s := range []experiments.Setting{
				{Algorithm: "changroberts", N: n, Placement: "alternating", Fault: fmt.Sprintf("at 30ms start %d", p)},
				{Algorithm: "changroberts", N: n, Placement: "alternating", Initiators: "first", Fault: fmt.Sprintf("at 30ms start %d", p)},
			} {
				repeated(t, s, compared)
			}
			for half := 1; half < 4*n; half++ {
				for _, variant := range []string{"", "memory", "no-watchdog", "memory,no-watchdog"} {
					repeated(t, experiments.Setting{
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

func repeated(t *testing.T, s experiments.Setting, compared map[string]int) {
	t.Helper()
	in, err := catalog.New().Instance(s)
	if err != nil {
		t.Fatal(err)
	}
	r := new(experiments.Worker).Run(context.Background(), in, nil)
	if err := r.BrokenBound(); err != nil {
		t.Errorf("%+v: %v", s, err)
	}
	for _, b := range r.Bounds {
		compared[b.Name]++
	}
}
