package stats

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"
)

func wilson(t rapid.TB, successes, n int, confidence float64) (lo, hi float64) {
	t.Helper()
	lo, hi, err := Wilson(successes, n, confidence)
	if err != nil {
		t.Fatal(err)
	}
	return lo, hi
}

// The four examples of Newcombe, Two-Sided Confidence Intervals for the Single
// Proportion (1998), Table I, row "score method without continuity correction",
// to the four decimals printed there.
func TestWilsonAgainstNewcombe(t *testing.T) {
	for _, c := range []struct {
		successes, n int
		lo, hi       float64
	}{
		{81, 263, 0.2553, 0.3662},
		{15, 148, 0.0624, 0.1605},
		{0, 20, 0, 0.1611},
		{1, 29, 0.0061, 0.1718},
	} {
		lo, hi := wilson(t, c.successes, c.n, 0.95)
		if math.Abs(lo-c.lo) > 0.00005 || math.Abs(hi-c.hi) > 0.00005 {
			t.Errorf("%d of %d: [%.5f, %.5f], want [%v, %v]", c.successes, c.n, lo, hi, c.lo, c.hi)
		}
	}
}

// With n = 1 and z² = q the ends are 0 and q/(1+q), by hand from the definition;
// q = 3.841458820694124 is the 0.95 quantile of chi-square with one degree of
// freedom, to be found in any table.
func TestWilsonOfOneTrial(t *testing.T) {
	const q = 3.841458820694124
	lo, hi := wilson(t, 0, 1, 0.95)
	if lo != 0 || !near(hi, q/(1+q), 1e-9) {
		t.Errorf("[%v, %v], want [0, %v]", lo, hi, q/(1+q))
	}
}

// For any counts, the ends are where the score test rejects, and the interval contains the
// share.
func TestWilsonInvertsTheScoreTest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 1_000_000).Draw(t, "n")
		successes := rapid.IntRange(0, n).Draw(t, "successes")
		confidence := rapid.SampledFrom([]float64{0.5, 0.8, 0.95, 0.999}).Draw(t, "confidence")
		lo, hi := wilson(t, successes, n, confidence)
		share := float64(successes) / float64(n)
		if !(0 <= lo && lo <= share && share <= hi && hi <= 1 && lo < hi) {
			t.Fatalf("%d of %d: [%v, %v]", successes, n, lo, hi)
		}
		if (lo == 0) != (successes == 0) || (hi == 1) != (successes == n) {
			t.Fatalf("%d of %d: [%v, %v] touches an end", successes, n, lo, hi)
		}
		z := distuv.UnitNormal.Quantile((1 + confidence) / 2)
		for _, p := range []float64{lo, hi} {
			if p == 0 || p == 1 {
				continue // there the test rejects nothing, and has no deviation to divide by
			}
			distance := math.Abs(share-p) / math.Sqrt(p*(1-p)/float64(n))
			if math.Abs(distance-z) > 1e-6 {
				t.Fatalf("%d of %d: the end %v lies %v deviations away, want %v", successes, n, p, distance, z)
			}
		}
		low, high := wilson(t, n-successes, n, confidence)
		if math.Abs(low-(1-hi)) > 1e-15 || high != 1-lo {
			t.Fatalf("of the failures [%v, %v], of the successes [%v, %v]", low, high, lo, hi)
		}
	})
}

// coverage returns how often the interval of n trials holds p, exactly: the
// probability of all counts whose interval does.
func coverage(t *testing.T, n int, p float64) float64 {
	t.Helper()
	binomial := distuv.Binomial{N: float64(n), P: p}
	var sum float64
	for x := range n + 1 {
		if lo, hi := wilson(t, x, n, 0.95); lo <= p && p <= hi {
			sum += binomial.Prob(float64(x))
		}
	}
	return sum
}

// At a single p the coverage swings about 0.95, as that of any interval of a
// count must. It is deepest just below the lower end for one success, where no
// count but 0 holds p: there it is (1 - lo)^n, which tends to exp(-0.1765) = 0.838.
// Between 0.05 and 0.95 and from 30 trials on it stays close. 1.96 standard errors
// of the share would hold p = 0.05 in 0.78 of the samples of 30 only.
func TestWilsonCoverage(t *testing.T) {
	for _, n := range []int{5, 10, 30, 100, 300} {
		for p := 0.001; p < 1; p += 0.001 {
			least := 0.83
			if n >= 30 && p >= 0.05 && p <= 0.95 {
				least = 0.92
			}
			if got := coverage(t, n, p); got < least {
				t.Errorf("n = %d, p = %.3f: the interval holds p in %.4f of the samples", n, p, got)
			}
		}
	}
}

// Averaged over all p alike, every count is as likely as any other, and p given
// the count is a beta variable: the mean coverage is a sum of incomplete beta
// functions. It is never below 0.95, and comes down to it.
func TestWilsonMeanCoverage(t *testing.T) {
	for _, n := range []int{1, 2, 5, 10, 30, 100, 1000} {
		var sum float64
		for x := range n + 1 {
			lo, hi := wilson(t, x, n, 0.95)
			a, b := float64(x+1), float64(n-x+1)
			sum += mathext.RegIncBeta(a, b, hi) - mathext.RegIncBeta(a, b, lo)
		}
		if mean := sum / float64(n+1); mean < 0.95 || mean > 0.95+0.05/math.Sqrt(float64(n)) {
			t.Errorf("n = %d: mean coverage %.5f", n, mean)
		}
	}
}

func TestWilsonRefuses(t *testing.T) {
	for _, c := range []struct {
		successes, n int
		confidence   float64
	}{
		{0, 0, 0.95}, {-1, 5, 0.95}, {6, 5, 0.95}, {1, -1, 0.95},
		{1, 5, 0}, {1, 5, 1}, {1, 5, 95}, {1, 5, math.NaN()},
	} {
		if lo, hi, err := Wilson(c.successes, c.n, c.confidence); err == nil {
			t.Errorf("%d of %d at %v: [%v, %v] and no error", c.successes, c.n, c.confidence, lo, hi)
		}
	}
}
