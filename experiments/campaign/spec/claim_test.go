package spec

import (
	"errors"
	"math"
	"testing"
)

// point is a value without an interval.
func point(v float64) Range { return Range{v, v} }

// A claim holds if it does whichever numbers of their intervals the values are.
func TestClaimHolds(t *testing.T) {
	values := map[string]Range{"a": point(2), "b": point(3), "wide": {1, 4}, "below": {-1, 1}, "none": {math.NaN(), math.NaN()}, "Chang–Roberts, one": point(7), "third": point(1.0 / 3)}
	for text, want := range map[string]bool{
		"a < b": true, "b < a": false, "a < 2": false, "a <= 2": true, "a >= 2": true, "a > 2": false, "a == 2": true, "a == b": false,
		"3 * third == 1": true, "3 * third < 1": false, "3 * third > 1": false,
		"a < b < 4": true, "a < b < 3": false, "4 < a < b": false, "4 > b > a": true,
		"a < b && b < 4": true, "a < b && b < 3": false, "b < 3 && a < b": false,
		"a < wide": false, "wide < 5": true, "wide <= 4": true, "wide == 2": false, "wide == wide": false, "wide < a": false,
		"wide - wide < 3.5": true, "wide - wide < 2": false, "-wide < -0.5": true, "-wide < -2": false,
		"wide + b > 3.9": true, "wide + b < 6.9": false, "below * wide > -4.1": true, "below * wide > -3.9": false, "b / wide > 0.7": true, "b / wide < 2": false,
		"b / below > -100": false, "none < 9": false, "none > 0": false, "none == none": false,
		"`Chang–Roberts, one` == 7": true, `"Chang–Roberts, one" < 7`: false, "(a + b) * 2 == 10": true,
	} {
		c, err := parseClaim(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got, left, right := c.Holds(func(d Drawn) Range { return values[d.Name] }); got != want {
			t.Errorf("%s is %v (%v, %v)", text, got, left, right)
		}
	}
}

// A claim names what it compares, with places and statistics, and where.
func TestClaimParts(t *testing.T) {
	c, err := parseClaim("max(`LCR, worst`(8)) < 2 * y && sd(y) > a(0.5) / x for x >= 4 && x < 16")
	if err != nil {
		t.Fatal(err)
	}
	want := []Drawn{{"LCR, worst", "max", "8"}, {"y", "", ""}, {"y", "sd", ""}, {"a", "", "0.5"}, {"x", "", ""}}
	got := c.Drawn()
	if len(got) != len(want) {
		t.Fatalf("%v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("value %d is %v, want %v", i, got[i], want[i])
		}
	}
	for x, covered := range map[float64]bool{3: false, 4: true, 15: true, 16: false} {
		if c.Covers(x) != covered {
			t.Errorf("it covers %v: %v", x, !covered)
		}
	}
}

// What is no claim is refused at its place.
func TestClaimErrors(t *testing.T) {
	for text, at := range map[string]int{
		"a + b": 0, "1 < 2": 0, "a": 0, "a != b": 0, "a < b && c": 9, "c && a < b": 0, "a < 1e": 0, "a < b %% 2": 7, "a < b % 2": 4, "a < f(b, c)": 4, "a < b(c)": 6,
		"x(3) < y": 0, "max(3) < y": 0, "max(x) < y": 0, "max(min(y)) < y": 0, "y < 3 for n > 2": 10, "y < 3 for x": 10, "y < 3 for x(2) > 1": 10, "y < 3 // 2": 6, "(y < 3) < 2": 0, "'a' < 2": 0,
	} {
		_, err := parseClaim(text)
		e, ok := errors.AsType[*FormulaError](err)
		if !ok {
			t.Errorf("%s: error %v", text, err)
			continue
		}
		if at > 0 && e.At != at {
			t.Errorf("%s: %v at %d, want %d", text, err, e.At, at)
		}
	}
}

func FuzzClaim(f *testing.F) {
	for _, seed := range []string{"a < b for x >= 2", "max(`a b`(3)) == 1 && -y < 2", "y(`150–151`) > 3", " for ", "x for x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := parseClaim(text)
		if err != nil {
			if e, ok := errors.AsType[*FormulaError](err); !ok || e.At < 0 || e.At > len(text) {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		if len(c.Drawn()) == 0 || c.String() != text {
			t.Fatalf("%q is %v", text, c.Drawn())
		}
		c.Covers(1)
		c.Holds(func(Drawn) Range { return Range{1, 2} })
	})
}
