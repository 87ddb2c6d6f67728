package stats

import "slices"

// Box has the numbers of a box plot (Tukey, Exploratory Data Analysis, 1977, section 2D).
// With N = 0 all are zero.
type Box struct {
	// N counts the finite values, outliers included.
	N int
	// LowWhisker and HighWhisker are the most extreme values within 1.5 times Q3-Q1 of
	// the box. If there is none, since a quartile may lie between two values, the
	// whisker ends at its quartile.
	LowWhisker, Q1, Median, Q3, HighWhisker float64
	// Outliers are the values beyond the whiskers, in ascending order. All other
	// numbers of this package include them.
	Outliers []float64
}

// BoxOf returns the box of xs. Values that Summarize drops are left out. Tukey's box ends
// at the hinges; this one ends at the quartiles of Summary, so that a figure and its table
// agree.
func BoxOf(xs []float64) Box {
	sample := finite(xs)
	if len(sample) == 0 {
		return Box{}
	}
	slices.Sort(sample)
	b := Box{N: len(sample), Q1: quantile(sample, 0.25), Median: quantile(sample, 0.5), Q3: quantile(sample, 0.75)}
	reach := float64(1.5 * (b.Q3 - b.Q1))
	inside := within(sample, b.Q1-reach, b.Q3+reach)
	b.LowWhisker = min(b.Q1, inside[0])
	b.HighWhisker = max(b.Q3, inside[len(inside)-1])
	for _, x := range sample {
		if x < b.LowWhisker || x > b.HighWhisker {
			b.Outliers = append(b.Outliers, x)
		}
	}
	return b
}

// within returns the part of a sorted sample from lo to hi, both included.
func within(sorted []float64, lo, hi float64) []float64 {
	first, _ := slices.BinarySearch(sorted, lo)
	last := first
	for last < len(sorted) && sorted[last] <= hi {
		last++
	}
	return sorted[first:last]
}
