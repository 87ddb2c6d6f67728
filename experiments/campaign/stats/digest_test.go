package stats

import (
	"bytes"
	"encoding/json"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// samplesForDigests are samples of many kinds: whole numbers, times, a few values, a wide range, both signs,
// large values with a small spread, and values that are dropped.
func samplesForDigests() map[string][]float64 {
	chance := rand.New(rand.NewPCG(26, 5))
	draw := func(n int, f func() float64) []float64 {
		var xs []float64
		for range n {
			xs = append(xs, f())
		}
		return xs
	}
	return map[string][]float64{
		"none":    nil,
		"one":     {math.Copysign(0, -1)},
		"whole":   draw(999, func() float64 { return float64(chance.IntN(513)) }),
		"times":   draw(1000, func() float64 { return chance.ExpFloat64() * 1e-3 }),
		"equal":   draw(17, func() float64 { return 0.1 }),
		"wide":    draw(2000, func() float64 { return math.Exp(chance.NormFloat64() * 60) }),
		"signs":   draw(501, func() float64 { return chance.NormFloat64() }),
		"far":     draw(300, func() float64 { return 1e15 + float64(chance.IntN(5)) }),
		"dropped": {1, math.NaN(), 2, math.Inf(-1), 1e200, 5e-324, -5e-324},
	}
}

// A digest has the number, extremes and, to the last digits, the mean and deviation of the values, and
// quantiles within the error that is stated: never above, and exact for whole numbers up to 512.
func TestDigestAgainstSummarize(t *testing.T) {
	for name, xs := range samplesForDigests() {
		var d Digest
		for i, x := range xs {
			d.Add(x, i)
		}
		got, want := d.Summary(), Summarize(xs)
		if got.N != want.N || got.Min != want.Min || got.Max != want.Max {
			t.Errorf("%s: %+v, and not %+v", name, got, want)
		}
		near := func(what string, a, b float64) {
			if math.Abs(a-b) > 1e-14*max(math.Abs(a), math.Abs(b), math.Abs(want.Mean)*1e-1) {
				t.Errorf("%s: %s is %v, and not %v", name, what, a, b)
			}
		}
		near("the mean", got.Mean, want.Mean)
		near("the deviation", got.SD, want.SD)
		for _, q := range [][2]float64{{got.Q1, want.Q1}, {got.Median, want.Median}, {got.Q3, want.Q3}, {got.P95, want.P95}} {
			if q[0] > q[1] || q[1]-q[0] > SketchError*max(math.Abs(q[0]), math.Abs(q[1])) || name == "whole" && q[0] != q[1] {
				t.Errorf("%s: a quantile is %v, and not %v", name, q[0], q[1])
			}
		}
		if n := slices.Index(xs, want.Min); want.N > 0 && d.Least().Place != n || d.N() != want.N {
			t.Errorf("%s: the least value is first at %d, and not %d", name, d.Least().Place, n)
		}
	}
}

// Sums have no rounding: they are those of fractions.
func TestSumsAreExact(t *testing.T) {
	for name, xs := range samplesForDigests() {
		var sum, squares exactSum
		wantSum, wantSquares := new(big.Rat), new(big.Rat)
		for _, x := range xs {
			if !isFinite(x) {
				continue
			}
			sum.add(x)
			squares.addSquare(x)
			v := new(big.Rat).SetFloat64(x)
			wantSum.Add(wantSum, v)
			wantSquares.Add(wantSquares, new(big.Rat).Mul(v, v))
			sum.carry()
		}
		if sum.rational().Cmp(wantSum) != 0 || squares.rational().Cmp(wantSquares) != 0 {
			t.Errorf("%s: %v and %v, and not %v and %v", name, &sum, &squares, wantSum, wantSquares)
		}
	}
	many := exactSum{added: mostAdded - 2}
	many.enter(0, 1, 0, false)
	many.digits[0] = math.MaxInt64 - 1<<33
	many.enter(0, 1, 0, false)
	if v, e := many.value(); v.Lsh(v, uint(e)).Int64() != math.MaxInt64-1<<33+1 || many.digits[0] > 1<<32 {
		t.Errorf("a carry makes %v of it", &many)
	}
}

// Digests are the same, to the byte that is kept, for any order and grouping of the values.
func TestDigestsMerge(t *testing.T) {
	chance := rand.New(rand.NewPCG(26, 6))
	for name, xs := range samplesForDigests() {
		var whole Digest
		for i, x := range xs {
			whole.Add(x, i)
		}
		want, err := json.Marshal(&whole)
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			parts := make([]Digest, 1+chance.IntN(5))
			for _, i := range chance.Perm(len(xs)) {
				parts[chance.IntN(len(parts))].Add(xs[i], i)
			}
			var all Digest
			for i := range parts {
				text, err := json.Marshal(&parts[i])
				if err != nil {
					t.Fatal(err)
				}
				var again Digest
				if err := json.Unmarshal(text, &again); err != nil {
					t.Fatalf("%s: %v: %s", name, err, text)
				}
				all.Merge(&again)
			}
			got, err := json.Marshal(&all)
			if err != nil || !bytes.Equal(got, want) {
				t.Fatalf("%s: %v\n%s\n%s", name, err, got, want)
			}
		}
	}
}

// What is not the text of a digest is refused.
func TestDigestIsDamaged(t *testing.T) {
	for _, text := range []string{
		`{"n":1}`, `{"n":-1}`, `[]`,
		`{"n":1,"sum":"1p0","squares":"1p0","least":[1,0],"largest":[1,0],"bins":[[1,1,1]]}`,
		`{"n":2,"sum":"1p0","squares":"1p0","least":[1,0],"largest":[1,0],"bins":[[261889,1,1]]}`,
		`{"n":1,"sum":"2p0","squares":"1p0","least":[1,0],"largest":[1,0],"bins":[[261889,1,1]]}`,
		`{"n":1,"sum":"1p99999","squares":"1p0","least":[1,0],"largest":[1,0],"bins":[[261889,1,1]]}`,
		`{"n":1,"sum":"1p0","squares":"1p0","least":[1,0.5],"largest":[1,0],"bins":[[261889,1,1]]}`,
		`{"n":1,"sum":"1p0","squares":"1p0","least":["1",0],"largest":[1,0],"bins":[[261889,1,1]]}`,
	} {
		var d Digest
		if err := json.Unmarshal([]byte(text), &d); err == nil {
			t.Errorf("%s was read", text)
		}
	}
	var d Digest
	if err := json.Unmarshal([]byte(`{"n":1,"sum":"1p0","squares":"1p0","least":[1,0],"largest":[1,0],"bins":[[261889,1,1]]}`), &d); err != nil {
		t.Error(err)
	}
}

func BenchmarkDigest(b *testing.B) {
	chance := rand.New(rand.NewPCG(26, 7))
	xs := make([]float64, 1024)
	for i := range xs {
		xs[i] = float64(100 + chance.IntN(100))
	}
	var d Digest
	for i := range b.N {
		d.Add(xs[i%1024], i)
	}
}
