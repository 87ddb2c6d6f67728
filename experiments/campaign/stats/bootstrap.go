package stats

import (
	"fmt"
	"math"
	"slices"

	"bullring/des"
)

// Bootstrap returns the 95 % BCa interval of the mean of xs, bias-corrected and accelerated
// (Efron, Better Bootstrap Confidence Intervals, 1987; DiCiccio & Efron, Bootstrap
// Confidence Intervals, 1996). It draws that many samples of the same size from xs with
// replacement, and takes quantiles of their means at levels that are corrected for the
// skewness of xs. Unlike Student's interval it need not be symmetric about the mean.
//
// The same values in the same order and the same seed give the same bits on every
// processor. A thousand resamples are few, two thousand usual.
//
// Values that Summarize drops are left out. Both ends equal the mean if all values are
// equal, and 0 if there is none. It panics unless resamples > 0.
func Bootstrap(xs []float64, resamples int, seed uint64) (lo, hi float64) {
	if resamples < 1 {
		panic(fmt.Sprintf("stats: a bootstrap of %d resamples; it takes one at least", resamples))
	}
	sample := finite(xs)
	if len(sample) == 0 {
		return 0, 0
	}
	mean, sd := moments(sample)
	if sd == 0 {
		return mean, mean
	}
	deviations := centred(sample, mean)
	sums := resample(deviations, resamples, seed)
	z0 := bias(sums, deviations)
	a := acceleration(deviations)
	end := func(z float64) float64 {
		m := mean + quantile(sums, level(z0, a, z))/float64(len(sample))
		return min(max(m, slices.Min(sample)), slices.Max(sample)) // rounding may leave the range by a bit
	}
	z := normalQuantile(0.975)
	return end(-z), end(z)
}

// centred returns the differences of the values from their mean, and subtracts the mean of
// these differences: the mean of large values with a small spread is rounded to few digits
// of the spread.
func centred(xs []float64, mean float64) []float64 {
	deviations := make([]float64, len(xs))
	for i, x := range xs {
		deviations[i] = x - mean
	}
	rest, _ := moments(deviations)
	for i := range deviations {
		deviations[i] -= rest
	}
	return deviations
}

// resample returns the sums of that many samples of the values, drawn with replacement, in
// ascending order.
func resample(values []float64, resamples int, seed uint64) []float64 {
	stream := des.NewStream(seed, "bootstrap")
	sums := make([]float64, resamples)
	for k := range sums {
		for range values {
			sums[k] += values[stream.Intn(len(values))]
		}
	}
	slices.Sort(sums)
	return sums
}

// bias returns z0, the distance of the median of the resampled means from the mean, in
// standard deviations of the normal distribution. A mean equal to it counts half, also if
// rounding makes a small difference, as it often does among few distinct values such as
// 0.1 and 0.2. The share stays half a resample away from 0 and 1, where z0 is infinite.
func bias(sums, deviations []float64) float64 {
	var scale float64
	for _, d := range deviations {
		scale += math.Abs(d)
	}
	halves := 0 // a sum below 0 counts two
	for _, s := range sums {
		switch {
		case math.Abs(s) <= float64(1e-12*scale):
			halves++
		case s < 0:
			halves += 2
		}
	}
	all := 2 * len(sums)
	return normalQuantile(float64(min(max(halves, 1), all-1)) / float64(all))
}

// acceleration returns a, a sixth of the skewness of the jackknife, between -1/6 and 1/6.
// Without x the mean moves by (x - mean)/(n-1): the factors cancel, so the deviations
// suffice.
func acceleration(deviations []float64) float64 {
	var squares, cubes float64
	for _, d := range deviations {
		squares += float64(d * d)
	}
	root := math.Sqrt(squares)
	for _, d := range deviations {
		u := d / root // cubes of the deviations could overflow
		cubes += float64(float64(u*u) * u)
	}
	return cubes / 6
}

// level returns the corrected level of the quantile at z, rounded like normalQuantile and
// for the same reason. Since a lies between -1/6 and 1/6, the denominator comes near 0 only
// for a z0 of 4, where next to no resample is on one side of the mean.
func level(z0, a, z float64) float64 {
	w := z0 + z
	p := 0.5 * math.Erfc(-(z0+w/(1-float64(a*w)))/math.Sqrt2)
	return math.Round(p*1e9) / 1e9
}
