package view

import (
	"math"
	"testing"
)

func TestEnumerated(t *testing.T) {
	for want, words := range map[string][]string{"": nil, "a": {"a"}, "a and b": {"a", "b"}, "a, b and c": {"a", "b", "c"}} {
		if got := enumerated(words); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestDecimal(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 36: "36", 1000: "1,000", 1234567: "1,234,567", 2.4: "2.400", 1234.5: "1,234.500", 0.9999: "1.000",
		-1500: "-1,500", -0.5: "-0.500", 0.0002: "0.0002", 1e18: "1e+18", math.Inf(1): "+Inf",
	} {
		if got := decimal(v); got != want {
			t.Errorf("%v prints as %q, want %q", v, got, want)
		}
	}
}
