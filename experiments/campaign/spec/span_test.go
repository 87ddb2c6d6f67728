package spec

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// A range starts at from, ascends, stays within to, and is complete.
func TestRanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from := rapid.Uint64Range(1, 1000).Draw(t, "from")
		to := rapid.Uint64Range(from, 100_000).Draw(t, "to")
		step := rapid.Uint64Range(1, 5000).Draw(t, "step")
		values := arithmetic(from, to, step)
		checkRange(t, values, from, to)
		if last := values[len(values)-1]; last+step <= to {
			t.Errorf("the range ends at %d, though a step of %d leads no further than %d", last, step, to)
		}
	})
}

func TestGeometricRanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from := rapid.Uint64Range(1, 1000).Draw(t, "from")
		to := rapid.Uint64Range(from, maxN).Draw(t, "to")
		factor := big.NewRat(rapid.Int64Range(10100, 50000).Draw(t, "factor"), 10000)
		values := geometric(from, to, factor)
		checkRange(t, values, from, to)
		// The next power is at most a half more than the last, times the factor, and
		// rounding adds at most another half.
		last := new(big.Rat).Add(new(big.Rat).SetUint64(values[len(values)-1]), big.NewRat(1, 2))
		next := last.Mul(last, factor)
		if next.Add(next, big.NewRat(1, 2)).Cmp(new(big.Rat).SetUint64(to)) < 0 {
			t.Errorf("the range ends at %d, far below %d", values[len(values)-1], to)
		}
	})
}

func checkRange(t *rapid.T, values []uint64, from, to uint64) {
	if len(values) == 0 || values[0] != from || values[len(values)-1] > to {
		t.Fatalf("from %d to %d: %v", from, to, values)
	}
	for i := 1; i < len(values); i++ {
		if values[i] <= values[i-1] {
			t.Fatalf("from %d to %d: %v does not rise", from, to, values)
		}
	}
}
