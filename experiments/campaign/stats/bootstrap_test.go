package stats

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"
)

// exactBCa computes the interval as the papers define it, from all n^n resamples, without
// chance and rounding; values are whole, so that equal means are equal. The p-quantile of
// all means is the least that a share p does not exceed.
func exactBCa(xs []int) (lo, hi float64) {
	n, total := len(xs), 0
	for _, x := range xs {
		total += x
	}
	sums := []int{0}
	for range xs {
		next := make([]int, 0, n*len(sums))
		for _, s := range sums {
			for _, x := range xs {
				next = append(next, s+x)
			}
		}
		sums = next
	}
	slices.Sort(sums)

	below, equal := 0.0, 0.0
	for _, s := range sums {
		if s < total {
			below++
		} else if s == total {
			equal++
		}
	}
	z0 := distuv.UnitNormal.Quantile((below + equal/2) / float64(len(sums)))

	var squares, cubes float64
	for _, x := range xs {
		u := float64(total)/float64(n) - float64(total-x)/float64(n-1) // of the mean without x
		squares += u * u
		cubes += u * u * u
	}
	a := cubes / (6 * math.Pow(squares, 1.5))

	end := func(z float64) float64 {
		p := distuv.UnitNormal.CDF(z0 + (z0+z)/(1-a*(z0+z)))
		k := min(int(p*float64(len(sums))), len(sums)-1)
		return float64(sums[k]) / float64(n)
	}
	return end(distuv.UnitNormal.Quantile(0.025)), end(distuv.UnitNormal.Quantile(0.975))
}

func floats(xs []int) []float64 {
	out := make([]float64, len(xs))
	for i, x := range xs {
		out[i] = float64(x)
	}
	return out
}

// If few sums are possible and none has its step at the level, many resamples give the
// interval of all of them.
func TestBootstrapOfTinySamples(t *testing.T) {
	for _, c := range []struct {
		xs     []int
		lo, hi float64
	}{
		// Half the resamples have the mean 1/2, a quarter each 0 and 1.
		{[]int{0, 1}, 0, 1},
		// 8 of 27 are all 0, 1 is all 1: beyond 2.5 % both, wherever the levels move.
		{[]int{0, 0, 1}, 0, 1},
		// Of four, five and five values, by enumeration.
		{[]int{1, 2, 4, 8}, 7.0 / 4, 28.0 / 4},
		{[]int{0, 0, 0, 1, 9}, 0, 36.0 / 5},
		{[]int{3, 3, 4, 7, 20}, 19.0 / 5, 84.0 / 5},
	} {
		if lo, hi := exactBCa(c.xs); lo != c.lo || hi != c.hi {
			t.Errorf("%v: all resamples give [%v, %v], want [%v, %v]", c.xs, lo, hi, c.lo, c.hi)
		}
		if lo, hi := Bootstrap(floats(c.xs), 200_000, 1); !near(lo, c.lo, 1e-12) || !near(hi, c.hi, 1e-12) {
			t.Errorf("%v: [%v, %v], want [%v, %v]", c.xs, lo, hi, c.lo, c.hi)
		}
	}
}

// Survival in days of the seven mice that were treated, of Efron and Tibshirani,
// An Introduction to the Bootstrap (1993), table 2.1, against all 823,543
// resamples of them. The sevenths between which the levels fall leave 0.3.
func TestBootstrapOfTheMice(t *testing.T) {
	mice := []int{94, 197, 16, 38, 99, 141, 23}
	wantLo, wantHi := exactBCa(mice)
	lo, hi := Bootstrap(floats(mice), 500_000, 1)
	if math.Abs(lo-wantLo) > 0.3 || math.Abs(hi-wantHi) > 0.3 {
		t.Errorf("[%v, %v], all resamples give [%v, %v]", lo, hi, wantLo, wantHi)
	}
}

// Deviations -1/4 three times and 3/4: squares 3/4, cubes 3/8, and 3/8 / (6 *
// (3/4)^1.5) = 1 / (6 sqrt 3).
func TestAcceleration(t *testing.T) {
	if got := acceleration([]float64{-0.25, -0.25, -0.25, 0.75}); !near(got, 1/(6*math.Sqrt(3)), 1e-15) {
		t.Errorf("%v", got)
	}
	if got := acceleration([]float64{-1, 1}); got != 0 {
		t.Errorf("of an even sample: %v", got)
	}
}

// Without bias and skewness the levels are those of the percentile method.
func TestLevels(t *testing.T) {
	z := normalQuantile(0.975)
	if lo, hi := level(0, 0, -z), level(0, 0, z); lo != 0.025 || hi != 0.975 {
		t.Errorf("%v and %v", lo, hi)
	}
}

func TestBootstrapOfDegenerateSamples(t *testing.T) {
	for _, c := range []struct {
		name string
		xs   []float64
		want float64
	}{
		{"nothing", nil, 0},
		{"no number", []float64{math.NaN(), math.Inf(1)}, 0},
		{"one value", []float64{0.1}, 0.1},
		{"equal values", []float64{0.1, 0.1, 0.1}, 0.1},
		{"one number", []float64{7, math.NaN()}, 7},
	} {
		if lo, hi := Bootstrap(c.xs, 100, 1); lo != c.want || hi != c.want {
			t.Errorf("%s: [%v, %v], want %v twice", c.name, lo, hi, c.want)
		}
	}
	lo, hi := Bootstrap([]float64{1, 2, 4}, 100, 1)
	if l, h := Bootstrap([]float64{math.NaN(), 1, 2, 1e300, 4}, 100, 1); l != lo || h != hi {
		t.Errorf("what is no number changes [%v, %v] into [%v, %v]", lo, hi, l, h)
	}
}

func TestBootstrapTakesAResample(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no resample and no panic")
		}
	}()
	Bootstrap([]float64{1, 2}, 0, 1)
}

// Counts are few distinct values, and many resampled means are equal to the mean:
// another unit or origin, in which rounding would tell them apart, must not move
// the interval.
func TestBootstrapIsEquivariant(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		xs := floats(rapid.SliceOfN(rapid.IntRange(0, 3), 2, 20).Draw(t, "xs"))
		seed := rapid.Uint64().Draw(t, "seed")
		lo, hi := Bootstrap(xs, 200, seed)
		if lo > hi || lo < slices.Min(xs) || hi > slices.Max(xs) {
			t.Fatalf("[%v, %v]", lo, hi)
		}
		for _, c := range []struct{ factor, shift float64 }{{0.1, 0}, {1e-9, 0}, {1, 0.7}, {1e6 / 3, 1e9}, {-1, 0}} {
			other := make([]float64, len(xs))
			for i, x := range xs {
				other[i] = c.shift + c.factor*x
			}
			l, h := Bootstrap(other, 200, seed)
			l, h = (l-c.shift)/c.factor, (h-c.shift)/c.factor
			if c.factor < 0 {
				l, h = h, l
			}
			if !near(l, lo, 1e-6) || !near(h, hi, 1e-6) {
				t.Fatalf("[%v, %v], but [%v, %v] of values %v times as large, %v more", lo, hi, l, h, c.factor, c.shift)
			}
		}
	})
}

func TestBootstrapIsFinite(t *testing.T) {
	values := rapid.SliceOfN(rapid.OneOf(rapid.Float64(), rapid.Float64Range(-1e6, 1e6)), 1, 20)
	rapid.Check(t, func(t *rapid.T) {
		xs := values.Draw(t, "xs")
		lo, hi := Bootstrap(xs, rapid.IntRange(1, 50).Draw(t, "resamples"), rapid.Uint64().Draw(t, "seed"))
		if sample := finite(xs); len(sample) > 0 && !(slices.Min(sample) <= lo && lo <= hi && hi <= slices.Max(sample)) {
			t.Fatalf("[%v, %v]", lo, hi)
		}
	})
}

// These bits, on every processor.
func TestBootstrapIsFrozen(t *testing.T) {
	xs := []float64{0.3, 1.7, 2.2, 0.9, 14.1, 3.3, 0.1, 5.8}
	lo, hi := Bootstrap(xs, 2000, 1)
	if lo != 1.5374999999999996 || hi != 8.270488419512493 {
		t.Errorf("[%v, %v]", lo, hi)
	}
	if l, h := Bootstrap(xs, 2000, 2); l == lo && h == hi {
		t.Error("another seed draws the same")
	}
}

// Student's interval of skewed values is far more often too low than too high; the
// bootstrap's is so less often. See docs/statistics.md.
func TestBootstrapFollowsSkewness(t *testing.T) {
	const samples, n = 1000, 50
	s := fixed(lognormal, student, n, samples)
	b := fixed(lognormal, bootstrapped(1000), n, samples)
	if s.below < 80 || s.above > 10 {
		t.Errorf("Student's interval is too low in %d of %d samples and too high in %d", s.below, samples, s.above)
	}
	if b.below >= s.below || b.above <= s.above || b.coverage() < 0.88 {
		t.Errorf("the bootstrap's is too low in %d of %d samples and too high in %d", b.below, samples, b.above)
	}
}

func BenchmarkBootstrap(b *testing.B) {
	xs := make([]float64, 100)
	for i := range xs {
		xs[i] = math.Exp(float64(i) / 30)
	}
	for b.Loop() {
		Bootstrap(xs, 2000, 1)
	}
}
