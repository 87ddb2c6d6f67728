package stats_test

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"bullring/experiments/stats"
)

func TestBox(t *testing.T) {
	for _, test := range []struct {
		name string
		xs   []float64
		want stats.Box
	}{
		{"nothing", nil, stats.Box{}},
		{"not finite", []float64{math.NaN(), math.Inf(1), 1e200}, stats.Box{}},
		{"one", []float64{7}, stats.Box{N: 1, LowWhisker: 7, Q1: 7, Median: 7, Q3: 7, HighWhisker: 7}},
		{"outliers", []float64{20, 1, 2, 3, 4, 5, 6, 7, math.NaN(), -4},
			stats.Box{N: 9, LowWhisker: -4, Q1: 2, Median: 4, Q3: 6, HighWhisker: 7, Outliers: []float64{20}}},
		{"at the fence", []float64{1, 2, 3, 4, 5, 6, 7, 12, -4},
			stats.Box{N: 9, LowWhisker: -4, Q1: 2, Median: 4, Q3: 6, HighWhisker: 12}},
		// Q1 lies between 0, an outlier, and 100, the least other value.
		{"whisker inside the box", []float64{0, 100, 100, 100},
			stats.Box{N: 4, LowWhisker: 75, Q1: 75, Median: 100, Q3: 100, HighWhisker: 100, Outliers: []float64{0}}},
		{"all equal but two", []float64{5, 9, 5, 5, 5, 5, 1, 5, 5},
			stats.Box{N: 9, LowWhisker: 5, Q1: 5, Median: 5, Q3: 5, HighWhisker: 5, Outliers: []float64{1, 9}}},
	} {
		if got := stats.NewBox(test.xs); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
}

// Every value is an outlier or between the whiskers, and the five numbers ascend.
func TestBoxProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		xs := rapid.SliceOfN(rapid.Float64Range(-1e6, 1e6), 1, 40).Draw(t, "xs")
		b := stats.NewBox(xs)
		if five := []float64{b.LowWhisker, b.Q1, b.Median, b.Q3, b.HighWhisker}; !slices.IsSorted(five) || b.N != len(xs) {
			t.Fatalf("%+v", b)
		}
		inside := 0
		for _, x := range xs {
			if x >= b.LowWhisker && x <= b.HighWhisker {
				inside++
			}
		}
		for _, x := range b.Outliers {
			if x >= b.LowWhisker && x <= b.HighWhisker {
				t.Fatalf("outlier %v of %+v", x, b)
			}
		}
		if inside+len(b.Outliers) != len(xs) {
			t.Fatalf("%d values between the whiskers of %+v", inside, b)
		}
	})
}
