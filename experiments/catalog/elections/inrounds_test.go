package elections_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/netem"
)

func TestFloodMaxBoundsOverAllPlacements(t *testing.T) {
	c := newChecker(t)
	for n := 1; n <= 5; n++ {
		catalogtest.Permutations(n, func(ids string) {
			for _, topology := range []string{"ring", "biring", "complete"} {
				for _, v := range []string{"plain", "opt", "opt,min"} {
					s := trial.Setting{Algorithm: "floodmax", IDs: ids, Topology: topology}
					s.Variant = v
					lockstep := c.run(s)
					s.Delay, s.Seed = "uniform(0,1ms)", uint64(c.Runs)
					short := c.run(s)
					if short.Counters.Messages() != lockstep.Counters.Messages() {
						t.Fatalf("%+v: %d messages, with shorter delays %d", s, lockstep.Counters.Messages(), short.Counters.Messages())
					}
					if topology == "ring" {
						continue
					}
					s.Variant, s.Delay = "alpha,"+v, ""
					c.run(s)
					s.Delay, s.Initiators = "exp(1ms)", "random:1"
					alpha := c.run(s)
					if families.ElectionOf(alpha).Leader != families.ElectionOf(lockstep).Leader || alpha.Counters.Messages()-alpha.Overhead != lockstep.Counters.Messages() {
						t.Fatalf("%+v: %d is elected with %d messages, in lock-step %d with %d", s, families.ElectionOf(alpha).Leader,
							alpha.Counters.Messages()-alpha.Overhead, families.ElectionOf(lockstep).Leader, lockstep.Counters.Messages())
					}
				}
			}
		})
	}
	c.Needs("exact", "decided", "synchronizer")
}

// Any strongly connected graph will do, directed or not; behind the synchronizer any
// that is not directed.
func TestFloodMaxOnRandomGraphs(t *testing.T) {
	c, directed := newChecker(t), 0
	for seed := range uint64(40) {
		for _, topology := range []string{"digraph(30%)", "er(40%)", "tree", "grid", "hypercube"} {
			for _, v := range []string{"lockstep", "opt", "alpha", "alpha,opt"} {
				s := trial.Setting{Algorithm: "floodmax", Variant: v, N: 8, Placement: "random", Topology: topology, Seed: seed}
				in, err := registry.Instance(s)
				if err != nil {
					continue // it is not strongly connected, or directed behind the synchronizer
				}
				if !in.Graph().Symmetric() {
					directed++
				}
				c.run(s)
			}
		}
	}
	if directed < 20 || c.Runs < 500 {
		t.Errorf("%d runs, %d of them on directed graphs, are too few to say anything", c.Runs, directed)
	}
}

func TestTimeSliceBoundsOverAllPlacements(t *testing.T) {
	c := newChecker(t)
	for n := 1; n <= 6; n++ {
		catalogtest.Permutations(n, func(ids string) {
			c.run(trial.Setting{Algorithm: "timeslice", IDs: ids})
		})
	}
	for _, ids := range []string{"7", "12,5,9", "1000000,999999"} {
		c.run(trial.Setting{Algorithm: "timeslice", IDs: ids})
		c.run(trial.Setting{Algorithm: "timeslice", IDs: ids, Delay: "uniform(0,1ms)"})
	}
	c.Needs("exact", "elected")
}

func TestVariableSpeedsBoundsOverAllPlacements(t *testing.T) {
	c := newChecker(t)
	for n := 1; n <= 6; n++ {
		catalogtest.Permutations(n, func(ids string) {
			c.run(trial.Setting{Algorithm: "variablespeeds", IDs: ids})
		})
	}
	for _, ids := range []string{"7", "12,5,9", "40,20,30", "3,1000000,999999"} {
		c.run(trial.Setting{Algorithm: "variablespeeds", IDs: ids})
		c.run(trial.Setting{Algorithm: "variablespeeds", IDs: ids, Delay: "uniform(0,1ms)"})
	}
	c.Needs("exact", "elected")
}

// The means of THEORY's table: messages and rounds of Itai and Rodeh's algorithm for
// K = n, and phases of the synchronous one.
func TestItaiRodehMeans(t *testing.T) {
	for n, want := range map[int][3]float64{
		1: {1, 1, 1}, 2: {7, 2, 2}, 3: {163. / 16, 27. / 16, 13. / 6}, 4: {4436. / 315, 1.6, 2.24138},
		8: {32.1976, 1.49792, 2.34542}, 16: {74.2358, 1.45582, 2.39442}, 32: {169.4991, 1.43644, 2.41827},
	} {
		for variant, want := range map[string][2]float64{"async": {want[0], want[1]}, "sync": {float64(n) * want[2], want[2]}} {
			in, err := registry.Instance(trial.Setting{Algorithm: "itairodeh", Variant: variant, N: n})
			if err != nil {
				t.Fatal(err)
			}
			for i, b := range in.Algorithm.Bounds {
				v, ok := b.Value(in)
				if i == 1 {
					v /= float64(n) // a round takes n delays
				}
				if !ok || math.Abs(v/want[i]-1) > 5e-6 {
					t.Errorf("%s, n=%d: %s is %v, %v; want %v", variant, n, b.Name, v, ok, want[i])
				}
			}
		}
	}
}

// Lavault and Louchard 2006: M(n) goes to 2.441715879; and rounds go to 2 - 1/(e-1).
func TestItaiRodehLimits(t *testing.T) {
	limit := func(variant string, n int) float64 {
		in, err := registry.Instance(trial.Setting{Algorithm: "itairodeh", Variant: variant, N: n})
		if err != nil {
			t.Fatal(err)
		}
		v, _ := in.Algorithm.Bounds[1].Value(in)
		return v / float64(n)
	}
	for variant, want := range map[string]float64{"async": 2 - 1/(math.E-1), "sync": 2.441715879} {
		// The error falls as 1/n: two values give the limit.
		a, b := limit(variant, 2000), limit(variant, 4000)
		if got := 2*b - a; math.Abs(got-want) > 1e-6 {
			t.Errorf("%s: %.9f, want %.9f", variant, got, want)
		}
	}
}

// What runs draw has the mean that the bounds say, within four standard errors.
func TestItaiRodehRunsHaveTheMeans(t *testing.T) {
	runs := 1500.0
	if testing.Short() {
		runs = 300
	}
	for _, s := range []trial.Setting{
		{Variant: "async", N: 8}, {Variant: "async", N: 8, Initiators: "0,3,4"}, {Variant: "async", N: 50, Delay: "exp(1ms)"},
		{Variant: "sync", N: 8}, {Variant: "sync", N: 30},
	} {
		s.Algorithm = "itairodeh"
		c := newChecker(t)
		sum, squares, means := [2]float64{}, [2]float64{}, [2]float64{}
		count := 0
		for seed := range uint64(runs) {
			s.Seed = seed
			r := c.run(s)
			count = len(r.Bounds)
			for i, b := range r.Bounds {
				sum[i] += b.Measured
				squares[i] += float64(b.Measured * b.Measured)
				means[i] = b.Value
			}
		}
		if want := map[bool]int{true: 2, false: 1}[s.Delay == ""]; count != want {
			t.Errorf("%+v: %d bounds apply, want %d", s, count, want)
		}
		for i := range count {
			mean := sum[i] / runs
			deviation := math.Sqrt((squares[i]/runs - mean*mean) / (runs - 1))
			if math.Abs(mean-means[i]) > 4*deviation {
				t.Errorf("%+v: bound %d: the mean of %v runs is %v, the bound %v, the standard error %v", s, i, runs, mean, means[i], deviation)
			}
		}
	}
}

// FloodMax with a diameter that is too small elects several leaders, and so does it
// when messages are lost (THEORY, section 6). It says of the former that it is outside
// its model.
func TestFloodMaxSplits(t *testing.T) {
	r := under(t, trial.Setting{Algorithm: "floodmax", N: 8, Placement: "alternating", Param: "diameter=1"})
	if r.Outcome != families.SeveralLeaders || !slices.Equal(r.Instance.Outside, []string{"the diameter is larger than the processes believe"}) {
		t.Errorf("diameter 1: %v, outside %q", r.Outcome, r.Instance.Outside)
	}
	split := 0
	for _, k := range []string{"1st", "2nd", "3rd"} { // those that the best process sends, one a round
		r := under(t, trial.Setting{Algorithm: "floodmax", N: 4, Fault: fmt.Sprintf("drop %s MAX from 3", k)})
		if r.Outcome == families.SeveralLeaders {
			split++
		}
	}
	all := under(t, trial.Setting{Algorithm: "floodmax", N: 4, Fault: "drop every MAX from 3"})
	if split != 1 || all.Outcome != families.SeveralLeaders {
		t.Errorf("of the messages of the best process the loss of %d splits the election, want 1; of all: %v", split, all.Outcome)
	}
	if r := under(t, trial.Setting{Algorithm: "floodmax", N: 8, Placement: "alternating", Param: "diameter=9"}); r.Outcome != families.Elected || len(r.Instance.Outside) > 0 {
		t.Errorf("diameter 9: %v, outside %q", r.Outcome, r.Instance.Outside)
	}
}

// In a large random graph a few searches leave the diameter open. The processes then assume the
// upper end of its interval, which all bounds say. A smaller number of rounds may be too small, and
// one below the lower end is.
func TestFloodMaxWithinAnInterval(t *testing.T) {
	large := trial.Setting{Algorithm: "floodmax", N: 10_002, Topology: "regular(3)"}
	in, err := registry.Instance(large)
	if err != nil {
		t.Fatal(err)
	}
	least, most := in.Graph().DiameterBounds()
	if least >= most || len(in.Outside) > 0 {
		t.Fatalf("the diameter is from %d to %d; outside %q", least, most, in.Outside)
	}
	says := fmt.Sprintf("D is %d, the upper end: the diameter is from %d to %d", most, least, most)
	for _, b := range in.Algorithm.Bounds {
		if got := b.Note(in); got != says {
			t.Errorf("%s says %q; want %q", b.Name, got, says)
		}
		if v, ok := b.Value(in); b.Metric == "messages" && (!ok || v != float64(most*in.Graph().Links())) {
			t.Errorf("%s is %v", b.Name, v)
		}
	}
	for d, want := range map[int]string{
		least - 1: "the diameter is larger than the processes believe",
		most - 1:  fmt.Sprintf("the diameter may be larger than the processes believe: it is from %d to %d", least, most),
		most:      "",
	} {
		large.Param, large.OutsideModel = fmt.Sprintf("diameter=%d", d), true
		in, err := registry.Instance(large)
		if err != nil || strings.Join(in.Outside, "; ") != want {
			t.Errorf("with %d rounds: outside %q, %v; want %q", d, in.Outside, err, want)
		}
	}
	// Of a small graph the diameter is known.
	large.N, large.Param = 1000, ""
	if in, err = registry.Instance(large); err != nil || in.Algorithm.Bounds[0].Note(in) != "" {
		t.Errorf("of 1,000 processes: %q, %v", in.Algorithm.Bounds[0].Note(in), err)
	}
	if v, _ := in.Algorithm.Bounds[0].Value(in); v != float64(in.Graph().Diameter()*in.Graph().Links()) {
		t.Errorf("of 1,000 processes: %v messages", v)
	}
}

// What identities say in rounds they say as numbers from 1 on.
func TestIdentitiesAreTimes(t *testing.T) {
	for _, name := range []string{"timeslice", "variablespeeds"} {
		for _, s := range []trial.Setting{{IDs: "0,1,2"}, {IDs: "-5,7"}, {N: 3, Attr: "3,2,1"}} {
			s.Algorithm = name
			if in, err := registry.Instance(s); err == nil {
				t.Errorf("%+v is accepted: %q", s, in.Outside)
			}
			if r := under(t, s); r.End != netem.Quiescent {
				t.Errorf("%+v: %v", s, r.End)
			}
		}
	}
}
