package mutex

import "time"

// Pause is a time between requests: always its mean, or exponentially distributed,
// so that requests come up as a Poisson process.
type Pause struct {
	Mean   time.Duration
	Random bool
}

// grains is the number of parts of the mean in which a random pause is drawn.
const grains = 1 << 20

// draw draws a pause from whole random numbers alone, so that it is the same on
// every machine: von Neumann's comparison of uniform numbers (Various techniques
// used in connection with random digits, NBS Applied Mathematics Series 12, 1951).
// The length of the run of descending numbers behind the first is even with
// probability exp(-first); each failure adds one mean.
func (p Pause) draw(intn func(int) int) time.Duration {
	if !p.Random {
		return p.Mean
	}
	for whole := int64(0); ; whole++ {
		first := intn(grains)
		last, length := first, 0
		for next := intn(grains); next < last; next = intn(grains) {
			last = next
			length++
		}
		if length%2 == 0 {
			mean := int64(p.Mean)
			return time.Duration(whole*mean + mean/grains*int64(first) + mean%grains*int64(first)/grains)
		}
	}
}
