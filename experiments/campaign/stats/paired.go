package stats

import "math"

// Paired describes the differences of two samples of pairs, such as the trials of two
// algorithms on the same random numbers. Every field is finite.
type Paired struct {
	// N counts the pairs of finite values. With N = 0 all fields are zero.
	N int
	// Mean and SD are the mean and the standard deviation of the differences.
	Mean, SD float64
	// Lo and Hi bound the 95 % interval of Mean, by Student's t with N-1 degrees of
	// freedom. Both equal Mean for a single pair, or if all differences are equal.
	Lo, Hi float64
	// Correlation is Pearson's, between the two sides of the pairs; 0 if one of them
	// does not vary. If both vary equally, pairs need 1 - Correlation times the trials
	// of two independent samples for an interval of the same width: pairing saves
	// trials if it is positive, and costs trials if it is negative.
	Correlation float64
}

// Pair describes the differences b[i]-a[i]. The i-th trials of two cells have the same
// random numbers, so of samples of different lengths the common beginning is paired. Pairs
// with a value that Summarize would drop are left out.
func Pair(a, b []float64) Paired {
	left, right := pairs(a, b)
	p := Paired{N: len(left)}
	if p.N == 0 {
		return p
	}
	differences := make([]float64, p.N)
	for i := range differences {
		differences[i] = right[i] - left[i]
	}
	p.Mean, p.SD = moments(differences)
	half := halfWidth(p.SD, p.N)
	p.Lo, p.Hi = p.Mean-half, p.Mean+half
	p.Correlation = correlation(left, right)
	return p
}

// pairs returns the two sides of the pairs of finite values, in order.
func pairs(a, b []float64) (left, right []float64) {
	for i := range min(len(a), len(b)) {
		if isFinite(a[i]) && isFinite(b[i]) {
			left, right = append(left, a[i]), append(right, b[i])
		}
	}
	return left, right
}

// correlation returns Pearson's coefficient. It takes two roots, because the product of the
// two sums could overflow.
func correlation(x, y []float64) float64 {
	_, _, sxx, sxy, syy := products(x, y)
	if sxx == 0 || syy == 0 {
		return 0
	}
	r := sxy / math.Sqrt(sxx) / math.Sqrt(syy)
	return min(1, max(-1, r)) // rounding may leave the range by a bit
}
