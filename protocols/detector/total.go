package detector

import (
	"math/bits"
	"time"
)

// total is an exact sum of non-negative durations, in 128 bits: a year of a million pairs
// is more nanoseconds than 64 bits hold.
type total struct{ hi, lo uint64 }

func (t *total) add(d time.Duration) {
	var carry uint64
	t.lo, carry = bits.Add64(t.lo, uint64(d), 0)
	t.hi += carry
}

// mean is the sum over n, rounded down; 0 if n is 0.
func (t total) mean(n int) time.Duration {
	if n == 0 {
		return 0
	}
	q, _ := bits.Div64(t.hi, t.lo, uint64(n))
	return time.Duration(q)
}

func (t total) seconds() float64 {
	return (float64(float64(t.hi)*0x1p64) + float64(t.lo)) / float64(time.Second)
}
