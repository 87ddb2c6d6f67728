package stats

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestBoxes(t *testing.T) {
	for _, c := range []struct {
		name string
		xs   []float64
		want Box
	}{
		{"nothing", nil, Box{}},
		{"no number", []float64{math.NaN(), math.Inf(-1)}, Box{}},
		{"one value", []float64{4}, Box{1, 4, 4, 4, 4, 4, nil}},
		{"equal values", []float64{4, 4, 4}, Box{3, 4, 4, 4, 4, 4, nil}},
		{"without outliers", []float64{5, 1, 3, 2, 4}, Box{5, 1, 2, 3, 4, 5, nil}},
		// The quartiles of 1 to 9 are 3 and 7, their fences -3 and 13.
		{"on the fence", []float64{1, 2, 3, 4, 5, 6, 7, 8, 13}, Box{9, 1, 3, 5, 7, 13, nil}},
		{"beyond it", []float64{1, 2, 3, 4, 5, 6, 7, 8, 13.5}, Box{9, 1, 3, 5, 7, 8, []float64{13.5}}},
		{"twice the same", []float64{-9, -9, 2, 3, 4, 5, 6, 7, 8, 9, 30}, Box{11, 2, 2.5, 5, 7.5, 9, []float64{-9, -9, 30}}},
		{"no numbers left out", []float64{math.NaN(), 1, 2, 3, 1e300}, Box{3, 1, 1.5, 2, 2.5, 3, nil}},
		// Quartiles 7.5 and 10, fences 3.75 and 13.75: 0 is beyond, and the next
		// value, 10, lies above the first quartile.
		{"a whisker of no length", []float64{0, 10, 10, 10}, Box{4, 7.5, 7.5, 10, 10, 10, []float64{0}}},
	} {
		if got := BoxOf(c.xs); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// The first twenty of Michelson's measurements of the speed of light in 1879, in
// km/s above 299,000 (R's data set morley, Expt 1). Quartiles 850 and 980, fences
// 655 and 1175; R's boxplot shows the same lone outlier.
func TestBoxOfMichelson(t *testing.T) {
	xs := []float64{
		850, 740, 900, 1070, 930, 850, 950, 980, 980, 880,
		1000, 980, 930, 650, 760, 810, 1000, 1000, 960, 960,
	}
	want := Box{20, 740, 850, 940, 980, 1070, []float64{650}}
	if got := BoxOf(xs); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestBoxKeepsEveryValue(t *testing.T) {
	values := rapid.SliceOfN(rapid.OneOf(rapid.Float64(), rapid.Float64Range(-10, 10), rapid.Map(rapid.IntRange(-5, 5), func(i int) float64 { return float64(i) })), 1, 40)
	rapid.Check(t, func(t *rapid.T) {
		xs := values.Draw(t, "xs")
		before := slices.Clone(xs)
		b, s := BoxOf(xs), Summarize(xs)
		if !slices.Equal(xs, before) {
			t.Fatalf("the input became %v", xs)
		}
		if b.N != s.N || b.Q1 != s.Q1 || b.Median != s.Median || b.Q3 != s.Q3 {
			t.Fatalf("%+v, but the summary is %+v", b, s)
		}
		if !slices.IsSorted([]float64{s.Min, b.LowWhisker, b.Q1, b.Median, b.Q3, b.HighWhisker, s.Max}) || !slices.IsSorted(b.Outliers) {
			t.Fatalf("out of order: %+v", b)
		}
		var beyond []float64
		reach := float64(1.5 * (b.Q3 - b.Q1))
		for _, x := range finite(xs) {
			if x < b.Q1-reach || x > b.Q3+reach {
				beyond = append(beyond, x)
			} else if x < b.LowWhisker || x > b.HighWhisker {
				t.Fatalf("%v lies beyond a whisker of %+v", x, b)
			}
		}
		slices.Sort(beyond)
		if !slices.Equal(beyond, b.Outliers) {
			t.Fatalf("outliers are %v, want %v", b.Outliers, beyond)
		}
	})
}
