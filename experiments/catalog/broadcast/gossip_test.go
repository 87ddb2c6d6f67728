package broadcast_test

import (
	"fmt"
	"math"
	"testing"

	"bullring/experiments/trial"
)

// sample is the mean of a metric in some runs, and its standard error.
type sample struct{ mean, err float64 }

// gossips measures runs of gossip with an item of process 0.
func gossips(t *testing.T, n int, variant, param string, runs uint64) map[string]sample {
	t.Helper()
	var worker trial.Worker
	sums, squares := map[string]float64{}, map[string]float64{}
	for seed := range runs {
		in, err := registry.Instance(trial.Setting{Algorithm: "gossip", Variant: variant, N: n, Param: param, Initiators: "0", Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		r := worker.Run(t.Context(), in, nil)
		for _, name := range []string{"residue", "traffic", "cycles_mean", "cycles_last"} {
			v, ok := r.Metric(name)
			if !ok || !r.Correct {
				t.Fatalf("%s %s, seed %d: no %s", variant, param, seed, name)
			}
			sums[name] += v
			squares[name] += v * v
		}
	}
	all := map[string]sample{}
	for name, sum := range sums {
		mean := sum / float64(runs)
		all[name] = sample{mean, math.Sqrt(max(0, squares[name]/float64(runs)-mean*mean) / float64(runs-1))}
	}
	return all
}

// near reports whether a mean is near the wanted one: their distance is at most four standard errors, and a part
// of the wanted one.
func (s sample) near(want, part float64) bool {
	return math.Abs(s.mean-want) <= 4*s.err+part*want
}

// Tables 1 and 2 of Demers et al., 1987: residue, traffic and the cycles to the last delivery among
// 1,000 processes, push with feedback and a counter, and push blind with a coin. They are printed with
// two digits.
func TestDemers(t *testing.T) {
	runs := uint64(100)
	if testing.Short() {
		runs = 10
	}
	for _, table := range []struct {
		variant string
		rows    [][3]float64 // s, m, t_last; by k
	}{
		{"counter", [][3]float64{{0.18, 1.7, 16.8}, {0.037, 3.3, 16.9}, {0.011, 4.5, 17.4}, {0.0036, 5.6, 17.5}, {0.0012, 6.7, 17.7}}},
		{"blind,coin", [][3]float64{{0.96, 0.04, 38}, {0.20, 1.6, 33}, {0.060, 2.8, 32}, {0.021, 3.9, 32}, {0.008, 4.9, 32}}},
	} {
		for i, row := range table.rows {
			got := gossips(t, 1000, table.variant, fmt.Sprintf("k=%d", i+1), runs)
			for j, name := range []string{"residue", "traffic", "cycles_last"} {
				if !got[name].near(row[j], 0.05) {
					t.Errorf("%s, k = %d: %s %+v, published %v", table.variant, i+1, name, got[name], row[j])
				}
			}
		}
	}
}

// With push each message is to a process at random, so a process is without the item with probability
// e^-m, if there are m messages for each process (Demers et al., 1987).
func TestResidueOfTraffic(t *testing.T) {
	for _, variant := range []string{"counter", "coin", "blind,coin", "blind"} {
		got := gossips(t, 1000, variant, "k=2", 15)
		if want := math.Exp(-got["traffic"].mean); !got["residue"].near(want, 0.1) {
			t.Errorf("%s: residue %+v, e^-m %v", variant, got["residue"], want)
		}
	}
}

// meanResidue is the bound on the residue, and its curve.
func meanResidue(t *testing.T, n int, variant, param string) (mean, curve float64) {
	t.Helper()
	in, err := registry.Instance(trial.Setting{Algorithm: "gossip", Variant: variant, N: n, Param: param, Initiators: "0"})
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range in.Algorithm.Bounds {
		if b.Name == "mean" {
			mean, _ = b.Value(in)
			curve, _ = b.Curve(in)
		}
	}
	return mean, curve
}

// The mean residue of push blind by hand for three processes, and for many by the equation of the paper,
// s = e^(-k(1-s)). Process 1, which process 0 tells first, has to tell process 2 if process 0 does not.
func TestMeanResidue(t *testing.T) {
	for _, c := range []struct {
		n              int
		variant, param string
		want, within   float64
	}{
		{2, "blind", "k=1", 0, 0},
		{3, "blind", "k=1", 1. / 2 / 3, 1e-15},
		{3, "blind", "k=2", 1. / 2 * 1. / 4 / 3, 1e-15},
		{3, "blind,coin", "k=1", 1. / 2 / 3, 1e-15},
		// A process tells the same one to the end with probability 1/2 sum (1/4)^i = 2/3, or 1/3 if it first has to be told.
		{3, "blind,coin", "k=2", 2. / 3 * 1. / 3 / 3, 1e-15},
		{2000, "blind", "k=3", 0.05952, 0.0002},
		{2000, "blind,coin", "k=3", 0.05952, 0.0002},
	} {
		mean, curve := meanResidue(t, c.n, c.variant, c.param)
		if math.Abs(mean-c.want) > c.within || curve != mean {
			t.Errorf("n = %d, %s, %s: mean %v, curve %v, want %v", c.n, c.variant, c.param, mean, curve, c.want)
		}
	}
	for _, n := range []int{4, 7, 20} {
		for _, variant := range []string{"blind", "blind,coin"} {
			for _, param := range []string{"k=1", "k=2", "k=3"} {
				want, _ := meanResidue(t, n, variant, param)
				got := gossips(t, n, variant, param, 500)
				if !got["residue"].near(want, 0) {
					t.Errorf("n = %d, %s, %s: residue %+v, mean %v", n, variant, param, got["residue"], want)
				}
				if traffic := got["traffic"]; variant == "blind,coin" && !traffic.near(float64(param[2]-'0')*(1-want), 0) {
					t.Errorf("n = %d, %s: traffic %+v, residue %v on average", n, param, traffic, want)
				}
			}
		}
	}
}

// With feedback and a coin the residue is below that of the equation of the paper: two processes that
// tell a third one in the same cycle both take that for necessary.
func TestEquation(t *testing.T) {
	mean, curve := meanResidue(t, 1000, "coin", "k=2")
	if mean != 0 || math.Abs(curve-0.05952) > 0.00001 {
		t.Errorf("mean %v, curve %v", mean, curve)
	}
	if got := gossips(t, 1000, "coin", "k=2", 20)["residue"]; got.mean+4*got.err > curve || got.mean < 0.7*curve {
		t.Errorf("residue %+v, by the equation %v", got, curve)
	}
}
