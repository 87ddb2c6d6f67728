package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Wilson returns the score interval of a proportion from successes in n trials, at a
// confidence such as 0.95 (Wilson, Probable Inference, the Law of Succession, and
// Statistical Inference, 1927): all p that differ from successes/n by at most z
// sqrt(p(1-p)/n), where z is the quantile of the normal distribution at (1+confidence)/2.
//
// It stays within [0, 1], has a width even if all trials agree, and needs no minimal n;
// 1.96 standard errors of the share have none of these properties. The interval of the
// failures is its mirror image.
//
// It fails for n below 1, successes outside 0 to n, and a confidence outside (0, 1).
func Wilson(successes, n int, confidence float64) (lo, hi float64, err error) {
	if n < 1 || successes < 0 || successes > n {
		return 0, 0, fmt.Errorf("stats: %d successes of %d trials; it takes at least one trial, and 0 to all trials as successes", successes, n)
	}
	if !(confidence > 0 && confidence < 1) {
		return 0, 0, fmt.Errorf("stats: confidence %v outside (0, 1)", confidence)
	}
	z := normalQuantile((1 + confidence) / 2)
	return lowerScore(successes, n, z), 1 - lowerScore(n-successes, n, z), nil
}

// lowerScore returns the lower root p of (x - np)² = z² n p(1-p). It is computed from the
// upper root and the product of the two, so that no digits cancel: for x = 0 it is 0.
func lowerScore(successes, trials int, z float64) float64 {
	x, n := float64(successes), float64(trials)
	zz := float64(z * z)
	root := math.Sqrt(float64(x*(n-x)/n) + zz/4)
	return float64(x*x/n) / (x + zz/2 + float64(z*root))
}

// normalQuantile returns the p-quantile of the normal distribution, rounded like student95
// and for the same reason.
func normalQuantile(p float64) float64 {
	return math.Round(mathext.NormalQuantile(p)*1e9) / 1e9
}
