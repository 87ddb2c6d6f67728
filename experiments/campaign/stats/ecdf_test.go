package stats

import (
	"math"
	"slices"
	"testing"
)

// By hand: two of five values are 1 or less, four are 2 or less. ln(2/0.05) is 3.688879454,
// so that the half width is the root of 0.3688879454.
func TestECDFByHand(t *testing.T) {
	e, err := ECDFOf([]float64{2, 1, math.NaN(), 2, 7, 1, math.Inf(1)}, 0.95)
	if err != nil || e.N != 5 || !near(e.HalfWidth, 0.607361, 1e-6) {
		t.Fatalf("%+v, %v", e, err)
	}
	want := []Step{{1, 0.4, 0, 1}, {2, 0.8, 0.8 - e.HalfWidth, 1}, {7, 1, 1 - e.HalfWidth, 1}}
	if !slices.Equal(e.Steps, want) {
		t.Errorf("%v, want %v", e.Steps, want)
	}
}

func TestECDFErrors(t *testing.T) {
	for _, c := range []struct {
		sample     []float64
		confidence float64
	}{{nil, 0.95}, {[]float64{math.NaN()}, 0.95}, {[]float64{1}, 0}, {[]float64{1}, 1}} {
		if e, err := ECDFOf(c.sample, c.confidence); err == nil {
			t.Errorf("no error for %v at %v: %v", c.sample, c.confidence, e)
		}
	}
}

// The band contains the distribution function with the given probability at least, and
// hardly more: computed exactly from the distribution of Kolmogorov's statistic, for a
// continuous distribution, the worst.
func TestECDFBandCovers(t *testing.T) {
	if got := kolmogorov(10, 0.274); !near(got, 0.6284796154, 1e-9) { // the example of that paper
		t.Fatalf("the distribution of Kolmogorov's statistic is %v at 0.274", got)
	}
	for _, confidence := range []float64{0.5, 0.8, 0.95, 0.99} {
		for n := 1; n <= 60; n++ {
			covered := kolmogorov(n, bandWidth(n, confidence))
			if covered < confidence {
				t.Errorf("the band of %d values at %v covers %v", n, confidence, covered)
			}
			if n == 60 && 1-covered < 0.8*(1-confidence) {
				t.Errorf("the band of %d values at %v misses %v: it is too wide", n, confidence, 1-covered)
			}
		}
	}
}

// kolmogorov returns the probability that the empirical distribution function of n values
// of a continuous distribution lies within d of it everywhere, by the matrix of Marsaglia,
// Tsang and Wang (Evaluating Kolmogorov's Distribution, 2003).
func kolmogorov(n int, d float64) float64 {
	if d >= 1 {
		return 1
	}
	k := int(float64(n)*d) + 1
	m, h := 2*k-1, float64(k)-float64(n)*d
	step := make([][]float64, m)
	for i := range step {
		step[i] = make([]float64, m)
		for j := range min(i+2, m) {
			v := 1.0
			if j == 0 {
				v -= math.Pow(h, float64(i+1))
			}
			if i == m-1 {
				v -= math.Pow(h, float64(m-j))
			}
			if i == m-1 && j == 0 && h > 0.5 {
				v += math.Pow(2*h-1, float64(m))
			}
			step[i][j] = v / math.Gamma(float64(i-j+2))
		}
	}
	row := make([]float64, m) // row k-1 of the power, times n!/n^n
	row[k-1] = 1
	for r := 1; r <= n; r++ {
		next := make([]float64, m)
		for i, v := range row {
			for j := range next {
				next[j] += v * step[i][j] * float64(r) / float64(n)
			}
		}
		row = next
	}
	return row[k-1]
}
