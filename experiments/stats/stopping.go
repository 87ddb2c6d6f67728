package stats

import "math"

// NextLook returns the number of trials at which the stopping rule looks again
// after it has looked at n: half as many more, rounded up, but no more than
// most. From 30 on these are 30, 45, 68, 102, 153... The schedule is fixed, so
// that where a cell stops depends on its values alone and not on how many
// workers were ahead; and it is sparse, since every look is another chance to
// stop on a spread that is small by luck.
//
// From n = most on it stays at most: that was the last look.
func NextLook(n, most int) int {
	more := max(1, n/2+n%2)
	if n > most-more {
		return most
	}
	return n + more
}

// Narrow reports whether half the 95 % interval of the mean, by Student's t, is
// at most the share relative of the mean: 0.05 is 5 %. The values are those that
// Summarize describes. It takes two of them; equal ones are always narrow, and
// unequal ones whose mean is 0 never are.
//
// It is no rule for values of 0 and 1: the first trials of a rare event are all
// equal. NarrowProportion is.
func Narrow(xs []float64, relative float64) bool {
	sample := finite(xs)
	if len(sample) < 2 {
		return false
	}
	mean, sd := moments(sample)
	return halfWidth(sd, len(sample)) <= float64(relative*math.Abs(mean))
}

// NarrowProportion reports whether half of Wilson's 95 % interval is at most
// width. That is an absolute width, 0.05 for five points of a hundred: relative
// to a proportion of 0 no interval is narrow. False if there is no such
// proportion: n below 1, or successes outside 0 to n.
func NarrowProportion(successes, n int, width float64) bool {
	lo, hi, err := Wilson(successes, n, 0.95)
	return err == nil && (hi-lo)/2 <= width
}
