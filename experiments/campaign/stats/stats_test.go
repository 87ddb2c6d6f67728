package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"
)

// near reports whether two numbers agree in about the given number of digits.
func near(got, want, relative float64) bool {
	return math.Abs(got-want) <= relative*math.Max(1, math.Abs(want))
}

// Quantiles of Student's t from the table in any textbook, to three decimals
// (for instance NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2,
// column 0.975).
func TestStudentAgainstTheTable(t *testing.T) {
	for df, want := range map[int]float64{
		1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 9: 2.262, 10: 2.228,
		19: 2.093, 29: 2.045, 60: 2.000, 100: 1.984,
	} {
		if got := student95(df); math.Abs(got-want) > 0.0005 {
			t.Errorf("t(0.975, %d) is %v, want %v", df, got, want)
		}
	}
}

// The data sets NumAcc1 to NumAcc4 of NIST's Statistical Reference Datasets
// (univariate summary statistics), whose certified values are exact: they are
// made to show what cancellation does to a naive sum of squares.
func TestMomentsAgainstNIST(t *testing.T) {
	alternating := func(first, low, high float64) []float64 {
		xs := []float64{first}
		for range 500 {
			xs = append(xs, low, high)
		}
		return xs
	}
	for _, c := range []struct {
		name     string
		xs       []float64
		mean, sd float64
		relative float64 // what is left of 16 digits when the data use up some for their size
	}{
		{"NumAcc1", []float64{10000001, 10000003, 10000002}, 10000002, 1, 1e-15},
		{"NumAcc2", alternating(1.2, 1.1, 1.3), 1.2, 0.1, 1e-14},
		{"NumAcc3", alternating(1000000.2, 1000000.1, 1000000.3), 1000000.2, 0.1, 1e-9},
		{"NumAcc4", alternating(10000000.2, 10000000.1, 10000000.3), 10000000.2, 0.1, 1e-8},
	} {
		s := Summarize(c.xs)
		if !near(s.Mean, c.mean, 1e-15) || !near(s.SD, c.sd, c.relative) {
			t.Errorf("%s: mean %v and deviation %v, want %v and %v", c.name, s.Mean, s.SD, c.mean, c.sd)
		}
	}
}

// Mean 5 and sum of squares 32 are whole; the interval is
// 5 -+ t(0.975, 7) * sqrt(32/7/8) = 5 -+ 2.364624251592785 * 0.755928946018454,
// worked out with exact fractions and 40 decimal digits outside this program.
func TestInterval(t *testing.T) {
	s := Summarize([]float64{2, 4, 4, 4, 5, 5, 7, 9})
	if s.Mean != 5 || !near(s.SD, 2.13808993529939, 1e-14) {
		t.Errorf("mean %v, deviation %v", s.Mean, s.SD)
	}
	if !near(s.Lo, 3.21251208, 1e-8) || !near(s.Hi, 6.78748792, 1e-8) {
		t.Errorf("interval [%v, %v]", s.Lo, s.Hi)
	}
}

// R prints 1.00 1.75 2.50 3.25 4.00 for quantile(1:4), of type 7 by default; the
// others follow from the definition by hand: index (N-1)p, linear between.
func TestQuantilesAreOfType7(t *testing.T) {
	for _, c := range []struct {
		xs                            []float64
		min, q1, median, q3, p95, max float64
	}{
		{[]float64{3, 1, 4, 2}, 1, 1.75, 2.5, 3.25, 3.85, 4},
		{[]float64{7}, 7, 7, 7, 7, 7, 7},
		{[]float64{0, 10}, 0, 2.5, 5, 7.5, 9.5, 10},
		{[]float64{5, 4, 3, 2, 1}, 1, 2, 3, 4, 4.8, 5},
	} {
		s := Summarize(c.xs)
		got := []float64{s.Min, s.Q1, s.Median, s.Q3, s.P95, s.Max}
		want := []float64{c.min, c.q1, c.median, c.q3, c.p95, c.max}
		for i := range got {
			if !near(got[i], want[i], 1e-15) {
				t.Errorf("%v: quantiles %v, want %v", c.xs, got, want)
				break
			}
		}
	}
}

func TestSmallAndOddSamples(t *testing.T) {
	if got := Summarize(nil); got != (Summary{}) || got.HasInterval() {
		t.Errorf("of nothing: %+v", got)
	}
	one := Summarize([]float64{3})
	if one != (Summary{N: 1, Mean: 3, Lo: 3, Hi: 3, Min: 3, Q1: 3, Median: 3, Q3: 3, P95: 3, Max: 3}) || one.HasInterval() {
		t.Errorf("of one value: %+v", one)
	}
	odd := Summarize([]float64{math.NaN(), 1, math.Inf(1), 3, math.Inf(-1), 1e300})
	if odd.N != 2 || odd.Dropped != 4 || odd.Mean != 2 || odd.Max != 3 || !odd.HasInterval() {
		t.Errorf("with values that are no numbers: %+v", odd)
	}
}

func TestSummarizeLeavesItsInputAlone(t *testing.T) {
	xs := []float64{3, 1, 2}
	Summarize(xs)
	if !slices.Equal(xs, []float64{3, 1, 2}) {
		t.Errorf("the input became %v", xs)
	}
}

func TestEqualValuesHaveNoSpread(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(-1e145, 1e145).Draw(t, "x")
		s := Summarize(slices.Repeat([]float64{x}, rapid.IntRange(1, 50).Draw(t, "n")))
		if s.Mean != x || s.SD != 0 || s.Lo != x || s.Hi != x || s.Q1 != x || s.P95 != x {
			t.Errorf("%+v", s)
		}
	})
}

func TestSummaryIsOrderedAndFinite(t *testing.T) {
	values := rapid.SliceOfN(rapid.OneOf(rapid.Float64(), rapid.Float64Range(-1e6, 1e6)), 1, 40)
	rapid.Check(t, func(t *rapid.T) {
		xs := values.Draw(t, "xs")
		s := Summarize(xs)
		for _, v := range []float64{s.Mean, s.SD, s.Lo, s.Hi, s.Min, s.Q1, s.Median, s.Q3, s.P95, s.Max} {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("%+v", s)
			}
		}
		if s.N+s.Dropped != len(xs) {
			t.Fatalf("%d and %d of %d values", s.N, s.Dropped, len(xs))
		}
		if !slices.IsSorted([]float64{s.Min, s.Q1, s.Median, s.Q3, s.P95, s.Max}) {
			t.Fatalf("quantiles out of order: %+v", s)
		}
		if s.Mean < s.Min || s.Mean > s.Max || s.Lo > s.Mean || s.Hi < s.Mean {
			t.Fatalf("mean out of place: %+v", s)
		}
	})
}

// gonum computes the same moments by another path.
func TestMomentsAgreeWithGonum(t *testing.T) {
	values := rapid.SliceOfN(rapid.Float64Range(-1e6, 1e6), 2, 40)
	rapid.Check(t, func(t *rapid.T) {
		xs := values.Draw(t, "xs")
		s := Summarize(xs)
		mean, sd := stat.MeanStdDev(xs, nil)
		if !near(s.Mean, mean, 1e-9) || !near(s.SD, sd, 1e-8) {
			t.Errorf("mean %v and deviation %v, gonum has %v and %v", s.Mean, s.SD, mean, sd)
		}
	})
}

// The interval is to hold the true mean 95 times in 100. Over 4000 samples the
// share that does scatters by sqrt(0.95*0.05/4000) = 0.0034; four of these are
// allowed for. At five values 1.96 standard errors would hold it 88 times only.
func TestIntervalCoversTheMean(t *testing.T) {
	const samples = 4000
	for _, n := range []int{3, 5, 10, 30} {
		r := rand.New(rand.NewPCG(1, uint64(n)))
		covered := 0
		for range samples {
			xs := make([]float64, n)
			for i := range xs {
				xs[i] = 7 + 3*r.NormFloat64()
			}
			if s := Summarize(xs); s.Lo <= 7 && 7 <= s.Hi {
				covered++
			}
		}
		if share := float64(covered) / samples; math.Abs(share-0.95) > 4*0.0034 {
			t.Errorf("samples of %d: the interval holds the mean in %.3f of them, want 0.95", n, share)
		}
	}
}
