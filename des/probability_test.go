package des_test

import (
	"math"
	"math/big"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"bullring/des"
)

func TestParseProbability(t *testing.T) {
	for _, c := range []struct {
		text  string
		want  des.Probability
		text2 string // as it prints
	}{
		{"0", des.Never, "0%"}, {"0%", des.Never, "0%"}, {"1", des.Always, "100%"}, {"100%", des.Always, "100%"}, {"1/1", des.Always, "100%"},
		{"50%", des.Always / 2, "50%"}, {".5", des.Always / 2, "50%"}, {"1/2", des.Always / 2, "50%"}, {"0.50000", des.Always / 2, "50%"},
		{"5%", des.Ratio(1, 20), "5%"}, {"0.05", des.Ratio(1, 20), "5%"}, {"5.%", des.Ratio(1, 20), "5%"},
		{"0.1%", des.Ratio(1, 1000), "0.1%"}, {"0.0001%", des.Ratio(1, 1_000_000), "0.0001%"}, {"12.5%", des.Ratio(1, 8), "12.5%"},
		{"1/3", des.Ratio(1, 3), "1/3"}, {"2/3", des.Ratio(2, 3), "2/3"}, {"2/6", des.Ratio(1, 3), "1/3"}, {"0.5/1.5", des.Ratio(1, 3), "1/3"},
		{"999/1000", des.Ratio(999, 1000), "99.9%"}, {"33.333333%", des.Ratio(33333333, 100_000_000), "33.333333%"},
	} {
		got, err := des.ParseProbability(c.text)
		if err != nil || got != c.want || got.String() != c.text2 {
			t.Errorf("%q is %v (%d), %v; want %s (%d)", c.text, got, got, err, c.text2, c.want)
		}
	}
}

func TestParseProbabilityErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", `"" is not a probability; allowed are a percentage such as 5%, a fraction such as 0.05 or a ratio such as 1/3`},
		{"%", "is not a probability"},
		{".", "is not a probability"},
		{"often", "is not a probability"},
		{"-5%", "is not a probability"},
		{"1e-3", "is not a probability"},
		{"1/3%", "is not a probability"},
		{"1/2/3", "is not a probability"},
		{"0.0.5", "is not a probability"},
		{"5 %", "is not a probability"},
		{strings.Repeat("1", 100), "is not a probability"},
		{"5", `"5" is above 1; in percent it is 5%`},
		{"101%", `"101%" is above 1`},
		{"3/2", `"3/2" is above 1`},
		{"1/0", `"1/0" divides by zero`},
	} {
		if p, err := des.ParseProbability(c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, %v; want %s", c.text, p, err, c.want)
		}
	}
}

// A printed probability is read as the same probability.
func TestProbabilityRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := des.Probability(rapid.Uint64Range(0, 1<<63).Draw(t, "p")) >> rapid.IntRange(0, 63).Draw(t, "shift")
		if got, err := des.ParseProbability(p.String()); err != nil || got != p {
			t.Errorf("%d prints as %v, which is %d, %v", p, p, got, err)
		}
	})
}

func FuzzParseProbability(f *testing.F) {
	for _, text := range []string{"5%", "0.05", "1/3", "1", "100%", ".", "%", "1/0", "0000.5", "00000000000000000000000000000000000000.1"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := des.ParseProbability(text)
		if err != nil {
			return
		}
		if again, err := des.ParseProbability(p.String()); p > des.Always || err != nil || again != p {
			t.Errorf("%q is %v, which is read as %v, %v", text, p, again, err)
		}
	})
}

// Results are those of rational numbers, rounded to the nearest.
func TestProbabilityArithmetic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := rapid.Uint64Min(1).Draw(t, "b") >> rapid.IntRange(0, 63).Draw(t, "shift")
		b = max(b, 1)
		a := rapid.Uint64Range(0, b).Draw(t, "a")
		off := func(p des.Probability, want *big.Rat) *big.Rat { // in units of 2^-63
			got := new(big.Rat).SetFrac(new(big.Int).SetUint64(uint64(p)), big.NewInt(1))
			want = new(big.Rat).Mul(want, new(big.Rat).SetFrac(new(big.Int).SetUint64(1<<63), big.NewInt(1)))
			return got.Sub(got, want).Abs(got)
		}
		half := big.NewRat(1, 2)
		p := des.Ratio(a, b)
		if off(p, new(big.Rat).SetFrac(new(big.Int).SetUint64(a), new(big.Int).SetUint64(b))).Cmp(half) > 0 {
			t.Errorf("Ratio(%d, %d) is %d", a, b, p)
		}
		q := des.Probability(rapid.Uint64Range(0, 1<<63).Draw(t, "q"))
		product := new(big.Int).Mul(new(big.Int).SetUint64(uint64(p)), new(big.Int).SetUint64(uint64(q)))
		want := new(big.Rat).SetFrac(product, new(big.Int).Lsh(big.NewInt(1), 126))
		if off(p.Times(q), want).Cmp(half) > 0 {
			t.Errorf("%d times %d is %d", p, q, p.Times(q))
		}
		if p.Not()+p != des.Always {
			t.Errorf("%d and %d do not make 1", p, p.Not())
		}
	})
}

// A share p of all 64-bit words is a hit.
func TestHit(t *testing.T) {
	for _, r := range []uint64{0, 1, 1 << 63, math.MaxUint64} {
		if des.Never.Hit(r) || !des.Always.Hit(r) {
			t.Errorf("%d: never %v, always %v", r, des.Never.Hit(r), des.Always.Hit(r))
		}
	}
	p := des.Ratio(1, 3)
	border := uint64(p) << 1 // the first word that is not hit
	if !p.Hit(border-1) || p.Hit(border) {
		t.Errorf("the border of %v is not at %d", p, border)
	}
}

func TestDecay(t *testing.T) {
	for _, c := range []struct{ elapsed, scale time.Duration }{
		{0, 1}, {-5, 1}, {1, 1}, {time.Second, time.Hour}, {time.Hour, time.Second}, {1, math.MaxInt64}, {math.MaxInt64, 1}, {time.Minute, 7 * time.Second},
	} {
		want := math.Exp(-max(0, float64(c.elapsed)) / float64(c.scale))
		if got := des.Decay(c.elapsed, c.scale).Float(); math.Abs(got-want) > 1e-15 {
			t.Errorf("after %v of %v: %v; want %v", c.elapsed, c.scale, got, want)
		}
	}
	if !strings.HasPrefix(panicOf(func() { des.Decay(1, 0) }), "des: ") || !strings.HasPrefix(panicOf(func() { des.Ratio(2, 1) }), "des: ") {
		t.Error("what makes no sense does not panic")
	}
}
