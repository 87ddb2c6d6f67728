package stats

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"
)

// Set I of Anscombe, Graphs in Statistical Analysis (1973), as logarithms. The
// paper gives slope 0.5, intercept 3 and R2 0.667; the further digits were worked
// out with exact fractions outside this program, the interval with
// t(0.975, 9) = 2.262157162740992.
func TestGrowthAgainstAnscombe(t *testing.T) {
	x := []float64{10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5}
	y := []float64{8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68}
	for i := range x {
		x[i], y[i] = math.Exp(x[i]), math.Exp(y[i])
	}
	f, err := Growth(x, y)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"exponent", f.Exponent, 0.500090909090909},
		{"intercept", f.Intercept, 3.000090909090909},
		{"R2", f.R2, 0.666542459508775},
		{"lower end", f.Lo, 0.233370136391933},
		{"upper end", f.Hi, 0.766811681789885},
	} {
		if !near(c.got, c.want, 1e-9) {
			t.Errorf("%s is %v, want %v", c.name, c.got, c.want)
		}
	}
	if f.N != len(x) {
		t.Errorf("N is %d", f.N)
	}
}

// LCR on decreasing identities sends n(n+1)/2 messages, so its exponent comes
// near 2 from below.
func TestGrowthOfLCR(t *testing.T) {
	var x, y []float64
	for n := 64.0; n <= 4096; n *= 2 {
		x, y = append(x, n), append(y, n*(n+1)/2)
	}
	f, err := Growth(x, y)
	if err != nil {
		t.Fatal(err)
	}
	if f.Exponent < 1.99 || f.Exponent > 2 || f.R2 < 0.9999 {
		t.Errorf("fit is %+v", f)
	}
}

func TestGrowthOfAConstant(t *testing.T) {
	f, err := Growth([]float64{1, 2, 4}, []float64{5, 5, 5})
	if err != nil {
		t.Fatal(err)
	}
	if f.Exponent != 0 || f.Lo != 0 || f.Hi != 0 || f.R2 != 1 || !near(math.Exp(f.Intercept), 5, 1e-14) {
		t.Errorf("fit is %+v", f)
	}
}

func TestGrowthFindsPowers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		exponent := rapid.Float64Range(-3, 3).Draw(t, "exponent")
		factor := rapid.Float64Range(1e-3, 1e3).Draw(t, "factor")
		var x, y []float64
		for i := range rapid.IntRange(3, 20).Draw(t, "points") {
			x = append(x, math.Pow(2, float64(i)))
			y = append(y, factor*math.Pow(x[i], exponent))
		}
		f, err := Growth(x, y)
		if err != nil {
			t.Fatal(err)
		}
		if !near(f.Exponent, exponent, 1e-9) || !near(math.Exp(f.Intercept), factor, 1e-9) {
			t.Errorf("fit is %+v", f)
		}
		if f.Lo > f.Exponent || f.Hi < f.Exponent || f.R2 < 0 || f.R2 > 1 {
			t.Errorf("fit is %+v", f)
		}
	})
}

// gonum fits the same line by another path.
func TestLineAgreesWithGonum(t *testing.T) {
	points := rapid.SliceOfN(rapid.Float64Range(0, 20), 6, 40)
	rapid.Check(t, func(t *rapid.T) {
		values := points.Draw(t, "values")
		x, y := values[:len(values)/2], values[len(values)/2:len(values)/2*2]
		if stat.StdDev(x, nil) < 0.1 {
			t.Skip("the x are almost equal")
		}
		f, ok := line(x, y)
		if !ok {
			t.Fatal("the x are equal")
		}
		intercept, slope := stat.LinearRegression(x, y, nil, false)
		if !near(f.Exponent, slope, 1e-8) || !near(f.Intercept, intercept, 1e-7) {
			t.Errorf("%v + %v x, gonum has %v + %v x", f.Intercept, f.Exponent, intercept, slope)
		}
	})
}

// The interval is to hold the true exponent 95 times in 100; see
// TestIntervalCoversTheMean for the tolerance.
func TestIntervalCoversTheExponent(t *testing.T) {
	const samples = 4000
	r := rand.New(rand.NewPCG(2, 1))
	covered := 0
	for range samples {
		var x, y []float64
		for n := 2.0; n <= 128; n *= 2 {
			x = append(x, n)
			y = append(y, 3*math.Pow(n, 1.5)*math.Exp(0.2*r.NormFloat64()))
		}
		f, err := Growth(x, y)
		if err != nil {
			t.Fatal(err)
		}
		if f.Lo <= 1.5 && 1.5 <= f.Hi {
			covered++
		}
	}
	if share := float64(covered) / samples; math.Abs(share-0.95) > 4*0.0034 {
		t.Errorf("the interval holds the exponent in %.3f of the samples, want 0.95", share)
	}
}

func TestGrowthRefuses(t *testing.T) {
	for _, c := range []struct {
		name string
		x, y []float64
		want error
	}{
		{"two points", []float64{1, 2}, []float64{1, 2}, ErrFewPoints},
		{"nothing", nil, nil, ErrFewPoints},
		{"x of 0", []float64{0, 1, 2}, []float64{1, 2, 3}, ErrNotPositive},
		{"a negative y", []float64{1, 2, 3}, []float64{1, -2, 3}, ErrNotPositive},
		{"NaN", []float64{1, 2, 3}, []float64{1, math.NaN(), 3}, ErrNotPositive},
		{"infinity", []float64{1, 2, math.Inf(1)}, []float64{1, 2, 3}, ErrNotPositive},
		{"one x", []float64{4, 4, 4}, []float64{1, 2, 3}, ErrSameX},
	} {
		if _, err := Growth(c.x, c.y); !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, err, c.want)
		}
	}
	if _, err := Growth([]float64{1, 2, 3}, []float64{1, 2}); err == nil {
		t.Error("x and y of different lengths are accepted")
	}
}
