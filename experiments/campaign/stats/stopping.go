package stats

import "math"

// NextLook returns the number of trials at which the stopping rule looks again after a look
// at n: half as many more, rounded up, and at most most. From 30 these are 30, 45, 68, 102,
// 153... The schedule is fixed, so that a cell stops by its values alone, not by the pace
// of workers. It is sparse, since every look is another chance to stop on a spread that is
// small by luck.
//
// From n = most on it returns most: that was the last look.
func NextLook(n, most int) int {
	more := max(1, n/2+n%2)
	if n > most-more {
		return most
	}
	return n + more
}

// Narrow reports whether half the 95 % interval of the mean, by Student's t, is at most the
// share relative of the mean: 0.05 is 5 %. It uses the values that Summarize describes and
// needs two of them. Equal values are narrow; unequal values with the mean 0 are not.
//
// For values of 0 and 1 use NarrowProportion: the first trials of a rare event are all
// equal.
func Narrow(xs []float64, relative float64) bool {
	sample := finite(xs)
	if len(sample) < 2 {
		return false
	}
	mean, sd := moments(sample)
	return halfWidth(sd, len(sample)) <= float64(relative*math.Abs(mean))
}

// NarrowProportion reports whether half of Wilson's 95 % interval is at most width. The
// width is absolute, 0.05 for five points of a hundred: relative to a proportion of 0 no
// interval is narrow. It is false for n below 1 and successes outside 0 to n.
func NarrowProportion(successes, n int, width float64) bool {
	lo, hi, err := Wilson(successes, n, 0.95)
	return err == nil && (hi-lo)/2 <= width
}
