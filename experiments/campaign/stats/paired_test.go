package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"
)

// The extra hours of sleep of ten patients under two drugs, of which Student,
// The Probable Error of a Mean (1908), made his example. R's t.test of the pairs
// (its data set sleep) prints mean 1.58 and interval 0.7001142 to 2.4598858, and
// cor 0.7951702.
func TestPairAgainstStudent(t *testing.T) {
	a := []float64{0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2}
	b := []float64{1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4}
	p := Pair(a, b)
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"mean", p.Mean, 1.58},
		{"lower end", p.Lo, 0.7001142},
		{"upper end", p.Hi, 2.4598858},
		{"correlation", p.Correlation, 0.7951702},
	} {
		if !near(c.got, c.want, 1e-7) {
			t.Errorf("%s is %v, want %v", c.name, c.got, c.want)
		}
	}
	if p.N != 10 {
		t.Errorf("%d pairs", p.N)
	}
}

func TestOddPairs(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name string
		a, b []float64
		want Paired
	}{
		{"nothing", nil, nil, Paired{}},
		{"one side only", []float64{1, 2}, nil, Paired{}},
		{"one pair", []float64{1}, []float64{4}, Paired{N: 1, Mean: 3, Lo: 3, Hi: 3}},
		{"one longer", []float64{1, 2, 9}, []float64{4, 5}, Paired{N: 2, Mean: 3, Lo: 3, Hi: 3, Correlation: 1}},
		{"pairs with no number", []float64{nan, 1, 7, 2, 1e300}, []float64{3, 4, inf, 5, 3}, Paired{N: 2, Mean: 3, Lo: 3, Hi: 3, Correlation: 1}},
		{"sides that do not vary", []float64{2, 2}, []float64{2, 2}, Paired{N: 2}},
		{"a side that does not vary", []float64{1, 3}, []float64{2, 2}, Paired{
			N: 2, SD: math.Sqrt(2), Lo: -student95(1), Hi: student95(1),
		}},
		{"the largest values", []float64{1e145, 0}, []float64{1e145, 0}, Paired{N: 2, Correlation: 1}},
		{"opposite sides", []float64{1, 3}, []float64{3, 1}, Paired{
			N: 2, SD: math.Sqrt(8), Lo: -student95(1) * 2, Hi: student95(1) * 2, Correlation: -1,
		}},
	} {
		got := Pair(c.a, c.b)
		same := got.N == c.want.N
		for _, v := range [][2]float64{
			{got.Mean, c.want.Mean}, {got.SD, c.want.SD}, {got.Lo, c.want.Lo},
			{got.Hi, c.want.Hi}, {got.Correlation, c.want.Correlation},
		} {
			same = same && near(v[0], v[1], 1e-15)
		}
		if !same {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestPairIsTheSummaryOfTheDifferences(t *testing.T) {
	value := rapid.OneOf(rapid.Float64(), rapid.Float64Range(-100, 100))
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "n")
		a := rapid.SliceOfN(value, n, n).Draw(t, "a")
		b := rapid.SliceOfN(value, n, n).Draw(t, "b")
		p := Pair(a, b)
		for _, v := range []float64{p.Mean, p.SD, p.Lo, p.Hi, p.Correlation} {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("%+v", p)
			}
		}
		left, right := pairs(a, b)
		if p.N != len(left) || p.N != len(right) {
			t.Fatalf("%d pairs", p.N)
		}
		if s := Summarize(minus(right, left)); s.N == p.N && (s.Mean != p.Mean || s.SD != p.SD || s.Lo != p.Lo || s.Hi != p.Hi) {
			t.Fatalf("%+v, but the differences are %+v", p, s)
		}
		if q := Pair(b, a); !near(q.Mean, -p.Mean, 1e-12) || !near(q.Correlation, p.Correlation, 1e-12) {
			t.Fatalf("%+v, and the other way round %+v", p, q)
		}
	})
}

func minus(a, b []float64) []float64 {
	d := slices.Clone(a)
	for i := range d {
		d[i] -= b[i]
	}
	return d
}

func TestALineIsCorrelatedFully(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.SliceOfN(rapid.Float64Range(-100, 100), 2, 20).Draw(t, "a")
		if _, sd := moments(a); sd < 1 {
			t.Skip("a side that hardly varies")
		}
		factor := rapid.Float64Range(0.1, 10).Draw(t, "factor")
		b := slices.Clone(a)
		for i := range b {
			b[i] *= factor
		}
		if r := Pair(a, b).Correlation; r > 1 || !near(r, 1, 1e-12) {
			t.Errorf("%v", r)
		}
	})
}

// gonum computes the same coefficient by another path.
func TestCorrelationAgreesWithGonum(t *testing.T) {
	values := rapid.SliceOfN(rapid.Float64Range(-1e6, 1e6), 6, 40)
	rapid.Check(t, func(t *rapid.T) {
		xs := values.Draw(t, "values")
		a, b := xs[:len(xs)/2], xs[len(xs)/2:len(xs)/2*2]
		if stat.StdDev(a, nil) < 1 || stat.StdDev(b, nil) < 1 {
			t.Skip("a side that hardly varies")
		}
		if got, want := Pair(a, b).Correlation, stat.Correlation(a, b, nil); !near(got, want, 1e-9) {
			t.Errorf("%v, gonum has %v", got, want)
		}
	})
}

// Two algorithms whose costs are a part that the conditions decide, of variance
// 9, and one of their own, of variance 1: the correlation is 9/10, and the
// difference has variance 2 where independent samples would have 20. A tenth of
// the trials does, and 1 - Correlation says so.
func TestPairingSavesTrials(t *testing.T) {
	const n = 20_000
	r := rand.New(rand.NewPCG(3, 1))
	a, b := make([]float64, n), make([]float64, n)
	for i := range n {
		common := 3 * r.NormFloat64()
		a[i], b[i] = 50+common+r.NormFloat64(), 51+common+r.NormFloat64()
	}
	p := Pair(a, b)
	_, sdA := moments(a)
	_, sdB := moments(b)
	share := p.SD * p.SD / (sdA*sdA + sdB*sdB)
	if math.Abs(share-0.1) > 0.005 || math.Abs(share-(1-p.Correlation)) > 0.001 {
		t.Errorf("the paired difference takes %.4f of the trials; the correlation is %.4f", share, p.Correlation)
	}
	if p.Lo > 1 || p.Hi < 1 {
		t.Errorf("the difference of 1 lies outside [%v, %v]", p.Lo, p.Hi)
	}
}
