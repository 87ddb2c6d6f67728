package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// student95 returns the 0.975 quantile of Student's t with df degrees of freedom: the
// factor of a two-sided 95 % interval.
//
// It is rounded to nine decimals, so that tables do not differ between processors: the
// quantile is an iteration over logarithms and exponentials, whose last bits differ.
func student95(df int) float64 {
	const tails = 0.05
	nu := float64(df)
	x := mathext.InvRegIncBeta(nu/2, 0.5, tails) // nu/(nu+t^2) has a beta distribution
	t := math.Sqrt(nu * (1 - x) / x)
	return math.Round(t*1e9) / 1e9
}
