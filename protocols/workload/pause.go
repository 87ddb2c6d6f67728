package workload

import "time"

// Pause is a time between requests. It is constant or, if Random, exponentially
// distributed; then requests come up as a Poisson process.
type Pause struct {
	Mean   time.Duration
	Random bool
}

// grains is the number of parts of the mean in which a random pause is drawn.
const grains = 1 << 20

// Draw draws a pause. It uses whole random numbers only, so the pause is the same on
// every machine. The method is von Neumann's comparison of uniform numbers (Various
// techniques used in connection with random digits, NBS Applied Mathematics Series 12,
// 1951): the length of the run of descending numbers after the first is even with
// probability exp(-first), and each failure adds one mean.
func (p Pause) Draw(intn func(int) int) time.Duration {
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
