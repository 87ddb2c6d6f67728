package tables

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// The half of an interval decides the digits of its value; a number without one is exact.
func TestDigits(t *testing.T) {
	const nothing, value, even, share = 0, 1, 2, 3
	for _, tc := range []struct {
		kind       int
		v, lo, hi  float64
		mark       bool
		want, plus string
	}{
		{nothing, 0, 0, 0, true, "--", ""},
		{value, 54, 0, 0, false, "54", ""},
		{value, 128.1, 0, 0, true, "128.1†", ""},
		{value, 1234567, 0, 0, false, "1234567", ""},
		{value, 1234.56, 0, 0, false, "1234.6", ""},
		{value, -2.0 / 3, 0, 0, false, "−0.6667", ""},
		{value, 0.00012344, 0, 0, false, "0.0001234", ""},
		{value, 0, 0, 0, false, "0", ""},
		{even, 12.3456, 11.785, 12.9062, false, "12.35 ± 0.56", ""},
		{even, 12.3456, 11.3496, 13.3416, false, "12.3 ± 1.0", "0.996 becomes 1.0, and not 1.00"},
		{even, 1234.5, 1114.5, 1354.5, false, "1230 ± 120", "two digits, though three stand there"},
		{even, -0.01, -0.51, 0.49, true, "−0.01 ± 0.50†", ""},
		{even, -0.001, -5, 5, false, "0.0 ± 5.0", "no minus zero"},
		{share, 1, 0.8388, 1, false, "1.000 [0.839, 1.000]", ""},
		{share, 97, 94.13, 98.71, true, "97.0 [94.1, 98.7]†", ""},
	} {
		n := number{tc.v, tc.lo, tc.hi, tc.kind != nothing, tc.kind >= even, tc.kind == share}
		c := cellOf(n, tc.mark)
		if got := c.text("--"); got != tc.want {
			t.Errorf("%+v is %q, want %q %s", n, got, tc.want, tc.plus)
		}
	}
}

// Whatever the interval, its half has two significant digits, and is off by less than half of the
// last one.
func TestHalvesHaveTwoDigits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		half := math.Pow(10, rapid.Float64Range(-9, 9).Draw(t, "exponent"))
		d := decimalsOf(half)
		unit := math.Pow(10, float64(-d))
		if digits := math.Round(half / unit); digits < 10 || digits > 99 {
			t.Fatalf("%v has the digits %v with %d decimals", half, digits, d)
		}
	})
}
