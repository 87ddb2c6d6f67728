package superpeer_test

import (
	"testing"

	"bullring/protocols/superpeer"
)

// math.Hypot, which scales before it squares, makes the second of these distances
// 1.3636020060263192 on amd64, and another on arm64. A table holds every digit.
func TestEvennessIsTheSameEverywhere(t *testing.T) {
	for _, p := range []struct {
		x, y, distance float64
	}{
		{3, 4, 5},
		{2.0 / 7, 4.0 / 3, 1.3636020060263194},
		{6.0 / 7, 12, 12.030573297958457},
		{44.0 / 7, 1936.0 / 3, 645.3639448521996},
	} {
		// Two points of a field of 2: the mean at random is 1/2.
		if got := superpeer.Evenness([][2]float64{{0, 0}, {p.x, p.y}}, 2); got != 2*p.distance {
			t.Errorf("two points %v apart in a field of 2: evenness %v, not twice that", p.distance, got)
		}
	}
}
