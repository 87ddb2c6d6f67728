package huang_test

import (
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"bullring/protocols/termination/huang"
)

// value is the weight as a fraction.
func value(w huang.Weight) *big.Rat {
	sum := new(big.Rat)
	for _, e := range w {
		sum.Add(sum, new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), uint(e))))
	}
	return sum
}

// However often weights are split and added, they add up to 1, and the whole is known when it is back.
func TestWeights(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		left, given := huang.Weight{0}, []int{}
		for range rapid.IntRange(0, 200).Draw(t, "steps") {
			if len(given) > 0 && rapid.Bool().Draw(t, "add") {
				i := rapid.IntRange(0, len(given)-1).Draw(t, "which")
				left, given = left.Add(given[i]), slices.Delete(given, i, i+1)
			} else {
				var half int
				left, half = left.Split()
				given = append(given, half)
			}
			if !slices.IsSorted(left) || len(slices.Compact(slices.Clone(left))) != len(left) {
				t.Fatalf("exponents %v", left)
			}
			sum := value(left)
			for _, e := range given {
				sum.Add(sum, value(huang.Weight{e}))
			}
			if sum.Cmp(big.NewRat(1, 1)) != 0 || left.Whole() != (value(left).Cmp(big.NewRat(1, 1)) == 0) {
				t.Fatalf("%v and %v are %v", left, given, sum)
			}
		}
	})
}
