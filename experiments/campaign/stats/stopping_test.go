package stats

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestLooks(t *testing.T) {
	for _, c := range []struct {
		least, most int
		want        []int
	}{
		{30, 1000, []int{30, 45, 68, 102, 153, 230, 345, 518, 777, 1000}},
		{1, 12, []int{1, 2, 3, 5, 8, 12}},
		{10, 11, []int{10, 11}},
		{10, 10, []int{10}},
		{0, 2, []int{0, 1, 2}},
	} {
		looks := []int{c.least}
		for n := c.least; n < c.most; {
			n = NextLook(n, c.most)
			looks = append(looks, n)
		}
		if !slices.Equal(looks, c.want) {
			t.Errorf("from %d to %d: looks at %v, want %v", c.least, c.most, looks, c.want)
		}
	}
	if got := NextLook(7, 5); got != 5 {
		t.Errorf("after 7 of at most 5: %d", got)
	}
}

func TestNextLookIsHalfAsManyMore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, math.MaxInt).Draw(t, "n")
		most := rapid.IntRange(1, math.MaxInt).Draw(t, "most")
		got := NextLook(n, most)
		switch {
		case n >= most && got != most:
			t.Errorf("after the last look: %d", got)
		case n < most && (got <= n || got > most):
			t.Errorf("%d is not in %d to %d", got, n+1, most)
		case got < most && got != n+(n+1)/2:
			t.Errorf("%d", got)
		}
	})
}

// Mean 5, half the interval 1.78748792: that of TestInterval, 35.7 % of the mean.
func TestNarrow(t *testing.T) {
	known := []float64{2, 4, 4, 4, 5, 5, 7, 9}
	for _, c := range []struct {
		name     string
		xs       []float64
		relative float64
		want     bool
	}{
		{"just wide enough", known, 1.78749 / 5, true},
		{"just too wide", known, 1.78748 / 5, false},
		{"of negative values", []float64{-2, -4, -4, -4, -5, -5, -7, -9}, 1.78749 / 5, true},
		{"nothing", nil, 1, false},
		{"one value", []float64{3}, 1, false},
		{"one value that is a number", []float64{3, math.NaN(), math.Inf(1)}, 1, false},
		{"with values that are not", append([]float64{math.NaN(), 1e300}, known...), 1.78749 / 5, true},
		{"equal values", []float64{3, 3}, 0, true},
		{"equal values of 0", []float64{0, 0}, 0, true},
		{"about 0", []float64{-1, 1}, 1e9, false},
		{"a share that is no number", known, math.NaN(), false},
	} {
		if got := Narrow(c.xs, c.relative); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestNarrowIsWhatTheSummarySays(t *testing.T) {
	values := rapid.SliceOfN(rapid.Float64Range(-1e3, 1e6), 2, 40)
	rapid.Check(t, func(t *rapid.T) {
		xs := values.Draw(t, "xs")
		s := Summarize(xs)
		half := (s.Hi - s.Lo) / 2
		if s.SD == 0 || math.Abs(s.Mean) < 1e-3 {
			t.Skip("no width, or no relative one")
		}
		if relative := half / math.Abs(s.Mean); !Narrow(xs, relative*1.000001) || Narrow(xs, relative*0.999999) {
			t.Errorf("half the interval of %+v is the share %v of the mean", s, relative)
		}
	})
}

// Half the intervals of Newcombe's examples, to his four decimals: those of
// TestWilsonAgainstNewcombe.
func TestNarrowProportion(t *testing.T) {
	for _, c := range []struct {
		successes, n int
		width        float64
		want         bool
	}{
		{81, 263, 0.0556, true}, {81, 263, 0.0553, false},
		{0, 20, 0.0806, true}, {0, 20, 0.0805, false},
		{20, 20, 0.0806, true}, {20, 20, 0.0805, false},
		{0, 0, 1, false}, {-1, 5, 1, false}, {6, 5, 1, false},
		{1, 2, math.NaN(), false},
	} {
		if got := NarrowProportion(c.successes, c.n, c.width); got != c.want {
			t.Errorf("%d of %d within %v: %v", c.successes, c.n, c.width, got)
		}
	}
}
