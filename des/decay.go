package des

import (
	"fmt"
	"time"

	"bullring/des/internal/portable"
)

// Decay is e^(-elapsed/scale): the probability that an event that happens once in scale
// on average has not happened yet. It is 1 if elapsed <= 0. It panics unless scale > 0.
func Decay(elapsed, scale time.Duration) Probability {
	if scale <= 0 {
		panic(fmt.Sprintf("des: Decay on a scale of %v; it must be positive", scale))
	}
	if elapsed <= 0 {
		return Always
	}
	left := portable.Exp(-(float64(elapsed) / float64(scale)))
	return Probability(left * float64(Always)) // exact except for the last bits, which are cut off
}
