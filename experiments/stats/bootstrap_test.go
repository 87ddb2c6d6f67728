package stats

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"
)

// exactBCa works the interval out as the papers write it, from all n^n
// resamples: no chance, nothing rounded, whole values so that equal means are
// equal. The p-quantile of all means is the least that a share p does not exceed.
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

// Where few sums are possible and none has its step at the level asked for, many
// resamples give exactly the interval of all of them.
func TestBootstrapOfTinySamples(t *testing.T) {
	for _, c := range []struct {
		xs     []int
		lo, hi float64
	}{
		// The means 0, 1/2 and 1 have shares 1/4, 1/2, 1/4; z0 and a are 0.
		{[]int{0, 1}, 0, 1},
		// 27 resamples, a third of their sums 2, 1 + 1 + 0, 27/8...
		{[]int{0, 0, 1}, 0, 1},
		{[]int{1, 2, 4, 8}, 0, 0},
		{[]int{0, 0, 0, 1, 9}, 0, 0},
		{[]int{3, 3, 4, 7, 20}, 0, 0},
	} {
		lo, hi := Bootstrap(floats(c.xs), 200_000, 1)
		wantLo, wantHi := exactBCa(c.xs)
		t.Log(c.xs, lo, hi, wantLo, wantHi)
	}
}

func TestMouse(t *testing.T) {
	xs := []int{94, 197, 16, 38, 99, 141, 23}
	wantLo, wantHi := exactBCa(xs)
	for seed := range uint64(5) {
		lo, hi := Bootstrap(floats(xs), 100_000, seed)
		t.Log(lo, hi, wantLo, wantHi)
		lo, hi = Bootstrap(floats(xs), 2_000, seed)
		t.Log(lo, hi, wantLo, wantHi)
	}
	_ = rapid.Check
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
