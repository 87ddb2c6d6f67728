package trial_test

import (
	"testing"
	"time"

	"bullring/experiments/catalog"
	"bullring/experiments/trial"
)

// The bound on delay that an algorithm assumes is that of the links. Partial
// synchrony bounds all of it but for slots.
func TestAssumedBound(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		link, delta string
		want        time.Duration
	}{
		{"", "", ms}, {"delay 7ms", "", 7 * ms}, {"delay 7ms", "3ms", 3 * ms},
		{"slot 20ms", "", 21 * ms}, {"slot 20ms", "3ms", 21 * ms}, {"0->1: slot 20ms", "3ms", 21 * ms},
	} {
		in, err := catalog.New().Instance(trial.Setting{Algorithm: "bully", N: 3, Link: c.link, Delta: c.delta})
		if err != nil {
			t.Fatal(err)
		}
		if in.Assumed != c.want || len(in.Outside) > 0 {
			t.Errorf("link %q, delta %q: assumed are %v, outside %q; want %v", c.link, c.delta, in.Assumed, in.Outside, c.want)
		}
	}
}
