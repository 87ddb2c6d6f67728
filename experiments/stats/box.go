package stats

import "slices"

// Box describes a sample as the box plots of Tukey (Exploratory Data Analysis, 1977)
// draw it.
type Box struct {
	N              int     // finite values, as in Summary
	LowWhisker     float64 // the least value that is no outlier; never above Q1
	Q1, Median, Q3 float64 // of type 7, as in Summary
	HighWhisker    float64 // the largest value that is no outlier; never below Q3
	// Outliers are the values more than 1.5 times Q3 - Q1 away from the box, in
	// ascending order.
	Outliers []float64
}

// NewBox describes xs, which it does not change. Like Summarize it drops values that
// are not finite or beyond 1e145.
func NewBox(xs []float64) Box {
	s := Summarize(xs)
	b := Box{N: s.N, LowWhisker: s.Q1, Q1: s.Q1, Median: s.Median, Q3: s.Q3, HighWhisker: s.Q3}
	reach := float64(1.5 * (s.Q3 - s.Q1))
	for _, x := range xs {
		switch {
		case !(x >= s.Min && x <= s.Max): // dropped
		case x < s.Q1-reach || x > s.Q3+reach:
			b.Outliers = append(b.Outliers, x)
		default:
			b.LowWhisker, b.HighWhisker = min(b.LowWhisker, x), max(b.HighWhisker, x)
		}
	}
	slices.Sort(b.Outliers)
	return b
}
