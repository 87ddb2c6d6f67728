package plots

import (
	"math"
	"testing"
)

func TestLimits(t *testing.T) {
	for _, test := range []struct {
		name   string
		axis   Axis
		data   span
		lo, hi float64
	}{
		{"zero is near", Axis{}, span{10, 100}, 0, 103.6},
		{"zero is far", Axis{}, span{100, 200}, 96, 204},
		{"negative", Axis{}, span{-100, 0}, -104, 4},
		{"one value", Axis{}, span{7, 7}, 3.5, 10.5},
		{"only zero", Axis{}, span{0, 0}, -1, 1},
		{"bounds", Axis{Min: new(-5.0), Max: new(5.0)}, span{10, 100}, -5, 5},
		{"log, one value", Axis{Log: true}, span{8, 8}, 4, 16},
		{"log, bound", Axis{Log: true, Min: new(1.0)}, span{8, 8}, 1, 16},
	} {
		lo, hi := test.axis.limits(test.data)
		if math.Abs(lo-test.lo) > 1e-9 || math.Abs(hi-test.hi) > 1e-9 {
			t.Errorf("%s: [%v, %v]; want [%v, %v]", test.name, lo, hi, test.lo, test.hi)
		}
	}
}
