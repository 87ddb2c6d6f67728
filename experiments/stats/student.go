package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// student95 returns the 0.975 quantile of Student's t with df degrees of freedom: the
// factor of a two-sided 95 % interval.
//
// It is rounded to nine decimals, so that tables do not differ between processors: the
// quantile is an iteration over logarithms and exponentials, whose last bits differ.
func student95(df int) float64 {
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(df)}.Quantile(0.975)
	return math.Round(t*1e9) / 1e9
}
