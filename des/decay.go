package des

import (
	"time"

	"bullring/des/internal/portable"
)

// Decay is e^(-elapsed/scale): how probable it is that nothing has happened yet
// of what happens once in scale on average. It is 1 for what has not elapsed at
// all, and panics unless scale > 0.
func Decay(elapsed, scale time.Duration) Probability {
	if scale <= 0 {
		panic("des: a decay on a scale of " + scale.String())
	}
	if elapsed <= 0 {
		return Always
	}
	left := portable.Exp(-(float64(elapsed) / float64(scale)))
	return Probability(left * float64(Always)) // exact but for the last bits that are cut off
}
