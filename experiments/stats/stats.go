// Package stats turns the trials of a cell into the numbers a table or a
// figure shows: a mean with its interval, quantiles, a box plot, the difference
// of two cells, the exponent with which a cost grows, and whether there are
// trials enough. docs/statistics.md says which is used where, and what it was
// measured to be worth.
//
// Student's t comes from gonum's distuv. The sums are taken here, in the order
// of the input and with every product rounded on its own: gonum adds in
// assembler in another order on amd64 than elsewhere, and a compiler may fuse
// x*y+z, so neither gives the same bits everywhere.
//
// Not taken: 1.96 standard errors. At ten trials the interval of Student's t is
// 15 % wider (2.262 against 1.960), and 1.96 would claim more than was measured.
package stats

import (
	"math"
	"slices"
)

// Summary describes a sample. Every field is finite, whatever the sample was.
type Summary struct {
	// N counts the finite values: the sample that the other fields describe.
	// With N = 0 they are all zero.
	N int
	// Dropped counts the values left out because they were NaN or infinite.
	Dropped int
	Mean    float64
	// SD is the standard deviation of the sample, with N-1 below the line; 0 for
	// one value.
	SD float64
	// Lo and Hi bound the 95 % interval of the mean, by Student's t with N-1
	// degrees of freedom. Both equal Mean when all values are equal, and also
	// when there is one value only, which says nothing about its spread: see
	// HasInterval.
	Lo, Hi float64
	// Quantiles are those of type 7 of Hyndman and Fan (1996), the default of R
	// and of numpy: linear between the order statistics, the p-quantile lying
	// at the fractional index (N-1)p.
	Min, Q1, Median, Q3, P95, Max float64
}

// HasInterval reports whether Lo and Hi were estimated, which takes two values.
func (s Summary) HasInterval() bool { return s.N >= 2 }

// Summarize describes xs, which it does not change. The same values in the same
// order give the same bits. The values are meant to be counts and times: beyond
// 1e145 their squares would overflow, so such values are dropped like infinite
// ones.
func Summarize(xs []float64) Summary {
	sample := finite(xs)
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

// finite returns a copy of the values that are numbers, in order.
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

// moments returns the mean and the sample standard deviation. Both passes work
// on differences, first from a value of the sample and then from the mean, so
// that large values with a small spread lose no digits and equal values give
// exactly their own mean and a deviation of 0.
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
