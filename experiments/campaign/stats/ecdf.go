package stats

import (
	"fmt"
	"math"
	"slices"
)

// ECDF is the empirical distribution function of a sample: over each x, the share of the
// sample that is x or less.
type ECDF struct {
	N     int // the finite values
	Steps []Step
	// HalfWidth is that of the band around the whole function.
	HalfWidth float64
}

// Step is the value of a distribution function from X up to the next step, with the ends of
// the band, which lie within [0, 1].
type Step struct{ X, P, Low, High float64 }

// ECDFOf returns the distribution function of a sample. At a confidence such as 0.95, the
// band has the half width sqrt(ln(2/alpha)/(2N)), alpha = 1 - confidence (Dvoretzky, Kiefer
// & Wolfowitz, Annals of Mathematical Statistics 27(3), 1956, with the constant of Massart,
// Annals of Probability 18(3), 1990). It contains the whole distribution function from
// which the values were drawn with that probability at least, whatever the function is.
//
// It fails for a sample without finite values, and a confidence outside (0, 1).
func ECDFOf(xs []float64, confidence float64) (ECDF, error) {
	sample := slices.DeleteFunc(slices.Clone(xs), func(x float64) bool { return !isFinite(x) })
	if len(sample) == 0 {
		return ECDF{}, fmt.Errorf("stats: none of %d values is finite", len(xs))
	}
	if !(confidence > 0 && confidence < 1) {
		return ECDF{}, fmt.Errorf("stats: confidence %v outside (0, 1)", confidence)
	}
	slices.Sort(sample)
	n := len(sample)
	e := ECDF{N: n, HalfWidth: bandWidth(n, confidence)}
	for i, x := range sample {
		if i+1 < n && sample[i+1] == x {
			continue
		}
		p := float64(i+1) / float64(n)
		e.Steps = append(e.Steps, Step{x, p, max(0, p-e.HalfWidth), min(1, p+e.HalfWidth)})
	}
	return e, nil
}

// bandWidth is half the width of the band, rounded like student95 and for the same reason, upwards: the band is not too
// narrow.
func bandWidth(n int, confidence float64) float64 {
	w := math.Sqrt(math.Log(2/(1-confidence)) / float64(2*n))
	return math.Ceil(w*1e9) / 1e9
}
