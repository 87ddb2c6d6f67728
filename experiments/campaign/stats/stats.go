// Package stats turns the trials of a cell into the numbers of a table or a figure: a mean
// with its interval, quantiles, a box plot, the difference of two cells, the exponent of a
// growing cost, and whether there are enough trials. docs/statistics.md says where each is
// used, and how well it was measured to work.
//
// The way of a sample: a function drops NaN, infinite and huge values (Growth refuses
// them), computes, and returns a value with the number of values that it used. Only
// SummarizeInPlace changes a sample, and nothing draws a random number without a seed.
//
// Equal samples give equal bits on every processor, except in Growth. Student's t comes
// from gonum's distuv, rounded to nine decimals. Sums are computed here, in the order of
// the input and with every product rounded by itself: on amd64 gonum adds in another order
// than elsewhere, and a compiler may fuse x*y+z.
//
// Not taken: 1.96 standard errors. At ten trials the interval of Student's t is 15 % wider
// (2.262 against 1.960), so 1.96 would claim more than was measured.
package stats

import (
	"math"
	"slices"
)

// Summary describes a sample. Every field is finite, whatever the sample was.
type Summary struct {
	// N counts the finite values, which the other fields describe. With N = 0 they are
	// all zero.
	N int
	// Dropped counts the other values: NaN, infinite and huge ones.
	Dropped int
	Mean    float64
	// SD is the standard deviation of the sample, with N-1 in the denominator; 0 for
	// one value.
	SD float64
	// Lo and Hi bound the 95 % interval of the mean, by Student's t with N-1 degrees of
	// freedom. Both equal Mean if all values are equal, and for a single value, which
	// says nothing about the spread: see HasInterval.
	Lo, Hi float64
	// The quantiles are of type 7 of Hyndman and Fan (1996), the default of R and of
	// numpy: linear between the order statistics, with the p-quantile at the fractional
	// index (N-1)p.
	Min, Q1, Median, Q3, P95, Max float64
}

// HasInterval reports whether Lo and Hi were estimated: that needs two values.
func (s Summary) HasInterval() bool { return s.N >= 2 }

// Summarize describes a sample. Values beyond 1e145 are dropped like infinite ones: their
// squares would overflow.
func Summarize(xs []float64) Summary { return SummarizeInPlace(slices.Clone(xs)) }

// SummarizeInPlace describes a sample as [Summarize] does, without a copy. Afterwards the
// sample begins with the N values that were used, sorted.
func SummarizeInPlace(xs []float64) Summary {
	sample := slices.DeleteFunc(xs, func(x float64) bool { return !isFinite(x) })
	s := Summary{N: len(sample), Dropped: len(xs) - len(sample)}
	if s.N == 0 {
		return s
	}
	s.Mean, s.SD = moments(sample)
	half := halfWidth(s.SD, s.N)
	s.Lo, s.Hi = s.Mean-half, s.Mean+half

	slices.Sort(sample)
	s.Min, s.Max = sample[0], sample[s.N-1]
	s.Q1 = quantile(sample, 0.25)
	s.Median = quantile(sample, 0.5)
	s.Q3 = quantile(sample, 0.75)
	s.P95 = quantile(sample, 0.95)
	return s
}

// finite returns a copy of the finite values, in order.
func finite(xs []float64) []float64 {
	sample := make([]float64, 0, len(xs))
	for _, x := range xs {
		if isFinite(x) {
			sample = append(sample, x)
		}
	}
	return sample
}

func isFinite(x float64) bool { return math.Abs(x) <= largest } // false for NaN

// largest keeps squares, and sums of squares of any slice that fits in memory,
// below the largest float64, 1.8e308.
const largest = 1e145

// moments returns the mean and the sample standard deviation. Both passes sum differences,
// first from a value of the sample and then from the mean. So large values with a small
// spread lose no digits, and equal values give their own mean and a deviation of 0.
func moments(xs []float64) (mean, sd float64) {
	n := float64(len(xs))
	mean = xs[0] + sumFrom(xs, xs[0])/n
	mean += sumFrom(xs, mean) / n
	mean = min(max(mean, slices.Min(xs)), slices.Max(xs)) // rounding may leave the range by a bit
	if len(xs) == 1 {
		return mean, 0
	}
	var squares float64
	for _, x := range xs {
		d := x - mean
		squares += float64(d * d)
	}
	return mean, math.Sqrt(squares / (n - 1))
}

// sumFrom adds the differences of the values from a centre, in order.
func sumFrom(xs []float64, centre float64) float64 {
	var sum float64
	for _, x := range xs {
		sum += x - centre
	}
	return sum
}

// halfWidth returns half the 95 % interval of the mean of n values.
func halfWidth(sd float64, n int) float64 {
	if n < 2 || sd == 0 {
		return 0
	}
	return float64(student95(n-1) * float64(sd/math.Sqrt(float64(n))))
}

// quantile returns the p-quantile, type 7, of a sorted sample.
func quantile(sorted []float64, p float64) float64 {
	h := float64(float64(len(sorted)-1) * p)
	below := int(h)
	if below+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	lo, hi := sorted[below], sorted[below+1]
	return min(hi, lo+float64((h-float64(below))*(hi-lo)))
}
