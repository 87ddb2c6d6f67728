package stats

import "math"

// Paired describes the differences between two samples whose values belong
// together two by two, as the trials of two algorithms on the same random
// numbers do. Every field is finite.
type Paired struct {
	// N counts the pairs of which both values are finite. With N = 0 all is zero.
	N int
	// Mean and SD are the mean and the standard deviation of the differences.
	Mean, SD float64
	// Lo and Hi bound the 95 % interval of Mean, by Student's t with N-1 degrees
	// of freedom; both equal Mean if there is one pair only, or if all differences
	// are equal.
	Lo, Hi float64
	// Correlation is Pearson's, between the two sides of the pairs; 0 where one
	// of them does not vary. Where both vary alike, the differences take 1 -
	// Correlation times the trials of two independent samples to an interval of
	// the same width: pairing saves where it is positive, and costs where it is
	// negative.
	Correlation float64
}

// Pair describes the differences b[i]-a[i]. If one sample is longer, the
// beginning that both have is paired, since the i-th trials of two cells have
// the same random numbers whatever number of trials each took; the rest is left
// out, and so are pairs with a value that Summarize would drop.
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

// pairs returns the two sides of the pairs that are numbers, in order.
func pairs(a, b []float64) (left, right []float64) {
	for i := range min(len(a), len(b)) {
		if isFinite(a[i]) && isFinite(b[i]) {
			left, right = append(left, a[i]), append(right, b[i])
		}
	}
	return left, right
}

// correlation returns Pearson's coefficient. The roots are taken one by one:
// the product of the two sums could overflow.
func correlation(x, y []float64) float64 {
	meanX, _ := moments(x)
	meanY, _ := moments(y)
	var sxx, sxy, syy float64
	for i := range x {
		dx, dy := x[i]-meanX, y[i]-meanY
		sxx += float64(dx * dx)
		sxy += float64(dx * dy)
		syy += float64(dy * dy)
	}
	if sxx == 0 || syy == 0 {
		return 0
	}
	r := sxy / math.Sqrt(sxx) / math.Sqrt(syy)
	return min(1, max(-1, r)) // rounding may leave the range by a bit
}
