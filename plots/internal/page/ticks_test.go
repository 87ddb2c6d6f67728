package page

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
)

// atMost returns a measure of fit that allows n labels.
func atMost(n int) func([]Tick) bool {
	return func(ticks []Tick) bool { return countLabels(ticks) <= n }
}

func labels(ticks []Tick) string {
	var out []string
	for _, t := range ticks {
		if t.Label != "" {
			out = append(out, t.Label)
		}
	}
	return strings.Join(out, " | ")
}

func TestLinearTicks(t *testing.T) {
	for _, test := range []struct {
		lo, hi float64
		most   int
		want   string
	}{
		{0, 10, 6, "0 | 2 | 4 | 6 | 8 | 10"},
		{0, 10, 11, "0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10"},
		{0, 10, 3, "0 | 5 | 10"},
		{0, 0.7, 8, "0.0 | 0.1 | 0.2 | 0.3 | 0.4 | 0.5 | 0.6 | 0.7"},
		{-1, 1, 5, "−1.0 | −0.5 | 0.0 | 0.5 | 1.0"},
		{3.2, 8.8, 4, "4 | 6 | 8"},
		{0, 2100, 5, "0 | 500 | 1000 | 1500 | 2000"},
		{0, 545000, 6, "0 | 100\u2009000 | 200\u2009000 | 300\u2009000 | 400\u2009000 | 500\u2009000"},
		{0, 3e6, 4, "0 | 1\u2009000\u2009000 | 2\u2009000\u2009000 | 3\u2009000\u2009000"},
		{0, 3e8, 4, "0 | 10^{8} | 2\u2009×\u200910^{8} | 3\u2009×\u200910^{8}"},
		{-1e9, 1.5e9, 6, "−10^{9} | −5\u2009×\u200910^{8} | 0 | 5\u2009×\u200910^{8} | 10^{9} | 1.5\u2009×\u200910^{9}"},
		{0, 4e-5, 3, "0 | 2\u2009×\u200910^{−5} | 4\u2009×\u200910^{−5}"},
	} {
		ticks := linearTicks(test.lo, test.hi, atMost(test.most))
		if got := labels(ticks); got != test.want {
			t.Errorf("linearTicks(%v, %v), %d fit:\n got %s\nwant %s", test.lo, test.hi, test.most, got, test.want)
		}
	}
}

func TestLogTicks(t *testing.T) {
	for _, test := range []struct {
		name   string
		lo, hi float64
		most   int
		want   string
	}{
		{"short", 4, 1100, 8, "5 | 10 | 20 | 50 | 100 | 200 | 500 | 1000"},
		{"short and crowded", 4, 1100, 7, "10 | 100 | 1000"},
		{"fractions", 0.02, 1, 6, "0.02 | 0.05 | 0.1 | 0.2 | 0.5 | 1"},
		{"large", 9e5, 2.2e6, 6, "1\u2009000\u2009000 | 1\u2009500\u2009000 | 2\u2009000\u2009000"},
		{"less than a decade", 20, 90, 8, "20 | 30 | 40 | 50 | 60 | 70 | 80 | 90"},
		{"long", 3, 2e5, 8, "10^{1} | 10^{2} | 10^{3} | 10^{4} | 10^{5}"},
		{"long and crowded", 3, 2e5, 3, "10^{2} | 10^{4}"},
		{"very long", 1e-9, 1e21, 5, "10^{−6} | 10^{0} | 10^{6} | 10^{12} | 10^{18}"},
	} {
		ticks := logTicks(test.lo, test.hi, atMost(test.most))
		if got := labels(ticks); got != test.want {
			t.Errorf("%s: logTicks(%v, %v), %d fit:\n got %s\nwant %s", test.name, test.lo, test.hi, test.most, got, test.want)
		}
	}
}

func TestLogTicksHaveMinors(t *testing.T) {
	var minors []float64
	for _, tick := range logTicks(10, 1e5, atMost(9)) {
		if tick.Label == "" && tick.Value < 100 {
			minors = append(minors, tick.Value)
		}
	}
	if len(minors) != 8 || minors[0] != 20 || minors[7] != 90 {
		t.Errorf("minor ticks between 10 and 100: %v", minors)
	}
}

// For any range, ticks lie on the axis and ascend.
func TestTicksInRange(t *testing.T) {
	for exponent := -90; exponent <= 90; exponent += 9 {
		for _, ratio := range []float64{1.001, 1.5, 7, 300, 1e9} {
			lo := 3.7 * math.Pow10(exponent)
			hi := lo * ratio
			for kind, ticks := range map[string][]Tick{
				"linear": linearTicks(lo, hi, atMost(7)),
				"log":    logTicks(lo, hi, atMost(7)),
			} {
				previous := 0.0
				for _, tick := range ticks {
					if tick.Value < lo*(1-1e-6) || tick.Value > hi*(1+1e-6) || tick.Value <= previous {
						t.Errorf("%s ticks of [%v, %v]: %v after %v", kind, lo, hi, tick.Value, previous)
					}
					previous = tick.Value
				}
				if n := countLabels(ticks); n == 0 || n > 7 {
					t.Errorf("%s ticks of [%v, %v]: %d labels", kind, lo, hi, n)
				}
			}
		}
	}
}

// An axis of whole numbers has no tick between two of them, even if there is room.
func TestWholeTicks(t *testing.T) {
	for _, test := range []struct {
		name   string
		log    bool
		lo, hi float64
		want   string
	}{
		{"two", false, 3.96, 5.04, "4 | 5"},
		{"few", false, 1.8, 4.2, "2 | 3 | 4"},
		{"many", false, 0, 10, "0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10"},
		{"logarithmic", true, 1.9, 4.2, "2 | 3 | 4"},
		{"logarithmic, from below 1", true, 0.9, 60, "1 | 2 | 5 | 10 | 20 | 50"},
		{"none fits", false, 2.2, 2.8, "2.5"},
	} {
		for _, whole := range []bool{true, false} {
			s := Scale{Log: test.log, Whole: whole, Lo: test.lo, Hi: test.hi, To: 1000}
			s.SetTicks(func(string) vg.Length { return 10 }, 1)
			got := labels(s.Ticks)
			fraction := strings.Contains(got, ".")
			if whole && got != test.want || !whole && !fraction && len(test.want) < 10 {
				t.Errorf("%s: whole %v: %s, want %s", test.name, whole, got, test.want)
			}
		}
	}
}
