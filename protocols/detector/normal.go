package detector

import "math"

// This file computes the normal distribution by +, -, *, / and the square root alone,
// each rounded by itself. The functions of package math differ from processor to
// processor, and these results decide the order of events.

// quantile is the z at which phi reaches the threshold: a standard normal variable
// exceeds z with the probability 10^-threshold. The threshold is above 0 and at most
// MaxThreshold.
func quantile(threshold float64) float64 {
	const ln10 = 2.302585092994046
	p := exp(float64(threshold * ln10))
	// tail(z) <= exp(-z*z/2) for z >= 0, so the search begins at the quantile or above
	// it. The logarithm of tail is concave, and 2(r-1)/(r+1) is no farther from 0 than
	// the logarithm of r. So the steps of Newton's rule go downwards and not beyond the
	// quantile, until rounding ends the search.
	z := math.Sqrt(2 * float64(threshold*ln10))
	for {
		q := tail(z)
		r := q / p
		next := z - float64(2*(1-r)/(1+r)*(q/density(z)))
		if next >= z {
			return z
		}
		z = next
	}
}

// tail is the probability that a standard normal variable exceeds z, for z above -9. It
// is computed by its series (Abramowitz and Stegun 26.2.11), or by the continued fraction
// (26.2.14) where the series would cancel.
func tail(z float64) float64 {
	if z > 3 {
		f := z
		for k := 60.0; k > 0; k-- {
			f = z + k/f
		}
		return density(z) / f
	}
	term, sum := z, z
	for k := 3.0; math.Abs(term) > math.Abs(sum)*0x1p-60; k += 2 {
		term = float64(term * (z * z / k))
		sum += term
	}
	return 0.5 - float64(density(z)*sum)
}

func density(z float64) float64 {
	const sqrt2Pi = 2.5066282746310002
	return exp(float64(z*z/2)) / sqrt2Pi
}

// exp is e^-x for x >= 0, by squares of 1/e and the series for the fraction.
func exp(x float64) float64 {
	const oneOverE = 0.36787944117144233
	n := int(x)
	x -= float64(n)
	e := 1.0
	for k := 20.0; k > 0; k-- {
		e = 1 - x*e/k
	}
	for b := oneOverE; n > 0; n, b = n>>1, b*b {
		if n&1 == 1 {
			e *= b
		}
	}
	return e
}
