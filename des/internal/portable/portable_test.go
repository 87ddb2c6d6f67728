package portable_test

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"strings"
	"testing"

	"bullring/des/internal/portable"
	"bullring/internal/golden"
)

// grid calls f with numbers from lo to hi, on a logarithmic scale.
func grid(lo, hi float64, n int, f func(x float64)) {
	for i := range n {
		f(lo * math.Pow(hi/lo, float64(i)/float64(n-1)))
	}
}

// closeTo reports a value that is further from the wanted one than a relative
// tolerance.
func closeTo(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if math.Abs(got-want) > tolerance*math.Max(math.Abs(want), 1e-300) {
		t.Errorf("%s is %v; want %v, off by %.2g", what, got, want, got/want-1)
	}
}

func TestAgainstTheStandardLibrary(t *testing.T) {
	for i := range 20_001 {
		x := -700 + 1400*float64(i)/20_000
		closeTo(t, fmt.Sprintf("Exp(%v)", x), portable.Exp(x), math.Exp(x), 1e-15*(1+math.Abs(x)/8))
	}
	grid(1e-300, 1e300, 20_000, func(x float64) {
		// Near 1 the logarithm is small, and the last bit of x counts.
		closeTo(t, fmt.Sprintf("Log(%v)", x), portable.Log(x), math.Log(x), 1e-15)
	})
	grid(1e-18, 1e6, 20_000, func(x float64) {
		closeTo(t, fmt.Sprintf("Log1p(%v)", x), portable.Log1p(x), math.Log1p(x), 2e-15)
		if x < 0.9 {
			closeTo(t, fmt.Sprintf("Log1p(%v)", -x), portable.Log1p(-x), math.Log1p(-x), 2e-15)
		}
	})
	grid(1e-3, 1e5, 20_000, func(x float64) {
		want, _ := math.Lgamma(x)
		if got := portable.LogGamma(x); math.Abs(got-want) > 2e-14*math.Max(1, math.Abs(want)) {
			t.Errorf("LogGamma(%v) is %v; want %v", x, got, want)
		}
	})
	closeTo(t, "Exp(2.5 Log(3))", portable.Exp(2.5*portable.Log(3)), math.Sqrt(243), 1e-15)
}

func TestExpEnds(t *testing.T) {
	if portable.Exp(0) != 1 || portable.Exp(-701) != 0 || portable.Exp(math.Inf(-1)) != 0 || portable.Exp(1e9) != portable.Exp(700) {
		t.Errorf("%v %v %v %v", portable.Exp(0), portable.Exp(-701), portable.Exp(math.Inf(-1)), portable.Exp(1e9))
	}
}

// For whole shapes the tail above is Poisson's sum, e^-x (1 + x + ... +
// x^(a-1)/(a-1)!), and for shape 1/2 it is the complement of the error function.
func TestGammaTails(t *testing.T) {
	for _, a := range []int{1, 2, 5, 17, 60} {
		grid(0.01, 200, 400, func(x float64) {
			_, above, _ := portable.GammaTails(float64(a), x)
			sum, term := 0.0, math.Exp(-x)
			for k := range a {
				sum += term
				term *= x / float64(k+1)
			}
			closeTo(t, fmt.Sprintf("the tail of %d above %v", a, x), above, sum, 1e-12)
		})
	}
	grid(1e-4, 100, 400, func(x float64) {
		below, above, _ := portable.GammaTails(0.5, x)
		closeTo(t, fmt.Sprintf("the tail of 1/2 above %v", x), above, math.Erfc(math.Sqrt(x)), 1e-12)
		closeTo(t, fmt.Sprintf("the tail of 1/2 below %v", x), below, math.Erf(math.Sqrt(x)), 1e-12)
	})
	for _, a := range []float64{0.1, 3.7, 1000, 10_000} {
		below, above, _ := portable.GammaTails(a, a)
		if math.Abs(below+above-1) > 1e-12 || below < 0.5 {
			t.Errorf("shape %v: %v below the mean and %v above", a, below, above)
		}
	}
}

// The bits are the same on every machine. testdata/bits.txt has a value of each function, and a
// hash of 2000.
func TestBits(t *testing.T) {
	tails := func(a float64) func(float64) []float64 {
		return func(x float64) []float64 {
			below, above, density := portable.GammaTails(a, x)
			return []float64{below, above, density}
		}
	}
	var all strings.Builder
	for _, f := range []struct {
		name string
		of   func(x float64) []float64
	}{
		{"Exp(-x)", func(x float64) []float64 { return []float64{portable.Exp(-x)} }},
		{"Exp(x)", func(x float64) []float64 { return []float64{portable.Exp(x)} }},
		{"Log(x)", func(x float64) []float64 { return []float64{portable.Log(x)} }},
		{"Log1p(-1/(2+x))", func(x float64) []float64 { return []float64{portable.Log1p(-1 / (2 + x))} }},
		{"LogGamma(x)", func(x float64) []float64 { return []float64{portable.LogGamma(x)} }},
		{"Exp(0.37 Log(x))", func(x float64) []float64 { return []float64{portable.Exp(float64(0.37 * portable.Log(x)))} }},
		{"GammaTails(0.3, x)", tails(0.3)}, {"GammaTails(4, x)", tails(4)}, {"GammaTails(61.5, x)", tails(61.5)},
	} {
		h := fnv.New64a()
		for i := range 2000 {
			x := 0.001 + float64(i)*0.03125 // exact sums
			for _, y := range f.of(x) {
				binary.Write(h, binary.LittleEndian, math.Float64bits(y))
			}
		}
		fmt.Fprintf(&all, "%s: at 3.126 %v; all values hash to %016x\n", f.name, f.of(3.126), h.Sum64())
	}
	golden.Check(t, "bits.txt", []byte(all.String()))
}
