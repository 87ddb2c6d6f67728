package conjecture_test

import (
	"context"
	"errors"
	"math/big"
	"math/rand"
	"strings"
	"testing"

	"bullring/experiments/campaign/conjecture"
)

// table are data of one size.
func table(sizes []int64, value func(n int64) *big.Rat) conjecture.Data {
	d := conjecture.Data{Names: []string{"n"}}
	for _, n := range sizes {
		d.Points = append(d.Points, conjecture.Point{X: []int64{n}, Y: value(n)})
	}
	return d
}

// find looks for forms, and checks what is said of each.
func find(t *testing.T, d conjecture.Data, terms int) *conjecture.Answer {
	t.Helper()
	a, err := conjecture.Find(t.Context(), d, terms)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range a.Forms {
		for _, p := range d.Points {
			if v, ok := f.At(p.X); !ok || v.Cmp(p.Y) != 0 {
				t.Errorf("%v is %v at %s, and not %v", f, v, d.At(p), p.Y)
			}
		}
		k := len(f.Terms)
		if len(f.Solved) != k || len(f.HeldOut) < max(3, k+2) || len(f.Solved)+len(f.HeldOut) != len(d.Points) {
			t.Errorf("%v is solved at %v and exact at %v", f, f.Solved, f.HeldOut)
		}
	}
	return a
}

var sizes = []int64{2, 3, 4, 5, 6, 7, 8, 9}

func whole(v int64) *big.Rat { return big.NewRat(v, 1) }

func harmonic(n int64) *big.Rat {
	sum := new(big.Rat)
	for k := range n {
		sum.Add(sum, big.NewRat(1, k+1))
	}
	return sum
}

func floorLg(n int64) int64 { return int64(big.NewInt(n).BitLen() - 1) }

// known are functions by the form that is to be found.
var known = map[string]func(n int64) *big.Rat{
	"0":                           func(int64) *big.Rat { return new(big.Rat) },
	"7/3":                         func(int64) *big.Rat { return big.NewRat(7, 3) },
	"-n + 5":                      func(n int64) *big.Rat { return whole(5 - n) },
	"2n - 1":                      func(n int64) *big.Rat { return whole(2*n - 1) },
	"5n/2 - 1/2":                  func(n int64) *big.Rat { return big.NewRat(5*n-1, 2) },
	"n^2/2 + 3n/2":                func(n int64) *big.Rat { return whole(n * (n + 3) / 2) },
	"n^2/4 - (n mod 2)/4":         func(n int64) *big.Rat { return whole(n * n / 4) },
	"n^3/6 - n/6":                 func(n int64) *big.Rat { return whole(n * (n*n - 1) / 6) },
	"n^3/6 - n^2/2 + n/3":         func(n int64) *big.Rat { return whole(n * (n - 1) * (n - 2) / 6) },
	"3*2^n - 2":                   func(n int64) *big.Rat { return whole(3<<n - 2) },
	"n 2^n":                       func(n int64) *big.Rat { return whole(n << n) },
	"2^ceil(lg n)":                func(n int64) *big.Rat { return whole(2 << floorLg(n-1)) },
	"2n floor(lg n) + n":          func(n int64) *big.Rat { return whole(2*n*floorLg(n) + n) },
	"n H_n + n":                   func(n int64) *big.Rat { return new(big.Rat).Mul(whole(n), new(big.Rat).Add(harmonic(n), whole(1))) },
	"n/2 - 1/2 + 3(n mod 2)/(4n)": func(n int64) *big.Rat { return new(big.Rat).Add(big.NewRat(n-1, 2), big.NewRat(3*(n&1), 4*n)) },
	"5 - 1/n":                     func(n int64) *big.Rat { return big.NewRat(5*n-1, n) },
	"2n - 5 H_n":                  func(n int64) *big.Rat { return new(big.Rat).Sub(whole(2*n), new(big.Rat).Mul(whole(5), harmonic(n))) },
}

// A form is recovered from its values, and nothing else is.
func TestFind(t *testing.T) {
	for text, value := range known {
		a := find(t, table(sizes, value), 3)
		if len(a.Forms) != 1 || a.Forms[0].String() != text {
			t.Errorf("%s: found %v, of %d forms", text, a.Forms, a.Tried)
		}
	}
}

// Two sizes: their products are among the functions.
func TestFindOfSeveralSizes(t *testing.T) {
	d := conjecture.Data{Names: []string{"n", "k"}}
	for n := int64(4); n <= 9; n++ {
		for k := int64(1); k <= 4; k++ {
			d.Points = append(d.Points, conjecture.Point{X: []int64{n, k}, Y: whole(n*k - k*k + n)})
		}
	}
	if a := find(t, d, 3); len(a.Forms) != 1 || a.Forms[0].String() != "-k^2 + n*k + n" {
		t.Errorf("found %v", a.Forms)
	}
	three := conjecture.Data{Names: []string{"a", "b", "c"}}
	for i := range int64(8) {
		x := []int64{2 + i%3, 3 + i%4, 5 + i%5}
		three.Points = append(three.Points, conjecture.Point{X: x, Y: whole(2 * x[0] * x[1] * x[2])})
	}
	if a := find(t, three, 1); len(a.Forms) != 1 || a.Forms[0].String() != "2a*b*c" {
		t.Errorf("found %v", a.Forms)
	}
}

// If one value is off by one, no form is found, whichever value it is. Zeros are left out: with a single one
// among them they say so little that (n mod 2) - ceil(lg n) + floor(lg n) has these values, too.
func TestOneWrongValue(t *testing.T) {
	for text, value := range known {
		if text == "0" {
			continue
		}
		for _, wrong := range sizes {
			for _, by := range []int64{-1, 1} {
				a := find(t, table(sizes, func(n int64) *big.Rat {
					if n == wrong {
						return new(big.Rat).Add(value(n), whole(by))
					}
					return value(n)
				}), 3)
				if len(a.Forms) > 0 {
					t.Errorf("%s, by %d at %d: found %v", text, by, wrong, a.Forms)
				}
			}
		}
	}
}

// No form is found for random sequences.
func TestRandomSequences(t *testing.T) {
	random, sequences := rand.New(rand.NewSource(1)), 2000
	if testing.Short() {
		sequences = 200
	}
	for range sequences {
		if a := find(t, table(sizes, func(int64) *big.Rat { return whole(random.Int63n(100)) }), 3); len(a.Forms) > 0 {
			t.Errorf("found %v", a.Forms)
		}
	}
}

// Small values say little: so many of a thousand random sequences of values below a limit have a form.
func TestSmallValuesSayLittle(t *testing.T) {
	limits := map[int64]int{2: 51, 3: 5, 5: 2, 10: 0}
	if testing.Short() {
		limits = map[int64]int{2: 51}
	}
	for limit, want := range limits {
		random, found := rand.New(rand.NewSource(1)), 0
		for range 1000 {
			if a := find(t, table(sizes, func(int64) *big.Rat { return whole(random.Int63n(limit)) }), 3); len(a.Forms) > 0 {
				found++
			}
		}
		if found != want {
			t.Errorf("below %d: %d of 1000 sequences have a form, and docs/conjecture.md says %d", limit, found, want)
		}
	}
}

// Where functions have the same values at all sizes, each form is found, and the first size is named at
// which they differ.
func TestAmbiguous(t *testing.T) {
	a := find(t, table([]int64{2, 4, 8, 16, 32, 64}, func(n int64) *big.Rat { return whole(2*n*floorLg(n) + 1) }), 2)
	var texts []string
	for _, f := range a.Forms {
		texts = append(texts, f.String())
	}
	if got := strings.Join(texts, "; "); got != "2n floor(lg n) + 1; 2n ceil(lg n) + 1; 2n lg n + 1" {
		t.Errorf("found %s", got)
	}
	if x, parted := a.Parted(); x != 3 || !parted {
		t.Errorf("they differ at %d, %v", x, parted)
	}
	if a := find(t, table(sizes, known["2n - 1"]), 2); len(a.Forms) != 1 {
		t.Errorf("found %v", a.Forms)
	} else if _, parted := a.Parted(); parted {
		t.Error("one form differs from itself")
	}
}

// A coefficient with a large denominator is refused.
func TestAbsurdCoefficients(t *testing.T) {
	for denominator, forms := range map[int64]int{24: 1, 25: 0} {
		a := find(t, table(sizes, func(n int64) *big.Rat { return big.NewRat(n, denominator) }), 3)
		if len(a.Forms) != forms {
			t.Errorf("n/%d: found %v", denominator, a.Forms)
		}
	}
}

// Sizes at which the functions of a form have the same values are one size: of floor(lg n) and its like there are
// three values from 3 to 12, and with three terms they would give any. Two values that alternate go on for ever.
func TestRepeatedValuesCountOnce(t *testing.T) {
	sizes := []int64{3, 4, 5, 6, 7, 8, 9, 10, 11, 12}
	for text, value := range map[string]func(n int64) *big.Rat{
		"":              func(n int64) *big.Rat { return whole(min(n-1, 3)) },
		"4 - (n mod 2)": func(n int64) *big.Rat { return whole(4 - n&1) },
		"3":             func(n int64) *big.Rat { return whole(3) },
	} {
		got := ""
		for _, f := range find(t, table(sizes, value), 3).Forms {
			got += f.String()
		}
		if got != text {
			t.Errorf("found %q, want %q", got, text)
		}
	}
	slow := func(n int64) *big.Rat { return whole(2 * floorLg(n)) }
	if a := find(t, table([]int64{2, 4, 5, 6, 7, 9, 10, 11}, slow), 1); len(a.Forms) > 0 {
		t.Errorf("three values of the logarithm: %v", a.Forms)
	}
	if a := find(t, table([]int64{2, 5, 9, 17}, slow), 1); len(a.Forms) != 1 {
		t.Errorf("four values of the logarithm: %v", a.Forms)
	}
}

// With few sizes forms have few terms: as many sizes are held out as a form has terms, and two more.
func TestTermsOfFewSizes(t *testing.T) {
	for points, terms := range map[int]int{4: 1, 5: 1, 6: 2, 7: 2, 8: 3} {
		if a := find(t, table(sizes[:points], known["n^3/6 - n^2/2 + n/3"]), 3); a.Terms != terms || (len(a.Forms) > 0) != (points >= 8) {
			t.Errorf("%d sizes: up to %d terms, want %d; found %v", points, a.Terms, terms, a.Forms)
		}
	}
}

func TestFindErrors(t *testing.T) {
	stopped, stop := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	stop(why)
	for _, c := range []struct {
		ctx   context.Context
		d     conjecture.Data
		terms int
		want  string
	}{
		{t.Context(), table(sizes[:3], known["2n - 1"]), 1, "3 sizes; a form needs at least 4"},
		{t.Context(), conjecture.Data{Names: []string{"n", "k"}, Points: []conjecture.Point{{X: []int64{2, 1}}, {X: []int64{3, 1}}, {X: []int64{4, 2}}, {X: []int64{5, 2}}}}, 1, "k has 2 values; it needs at least 3"},
		{t.Context(), table([]int64{2, 3, 4, 3}, known["2n - 1"]), 1, "n = 3 stands there twice"},
		{t.Context(), table(sizes, known["2n - 1"]), 5, "forms of 5 terms; a form has 1 to 4"},
		{t.Context(), table(sizes, known["2n - 1"]), 0, "forms of 0 terms"},
		{stopped, table(sizes, known["2n - 1"]), 1, "enough"},
	} {
		if _, err := conjecture.Find(c.ctx, c.d, c.terms); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

func TestReadTable(t *testing.T) {
	const text = "n, k ,cost,note\n2,1,5/2,7\n3,1,3.5,8\n"
	d, value, err := conjecture.ReadTable(strings.NewReader(text), []string{"k", "n"}, "cost")
	if err != nil || value != "cost" || d.At(d.Points[1]) != "k = 1, n = 3" || d.Points[1].Y.Cmp(big.NewRat(7, 2)) != 0 {
		t.Errorf("%v, %s, %+v", err, value, d)
	}
	if d, value, err = conjecture.ReadTable(strings.NewReader("n,k,cost\n2,1,5\n"), nil, ""); err != nil || value != "cost" || len(d.Names) != 2 {
		t.Errorf("%v, %s, %+v", err, value, d)
	}
	for text, want := range map[string]string{
		"":              "the first line names the columns",
		"n\n2\n":        "the first line names the columns",
		"n,c\n2,x\n":    `line 2: "x": a value is a number`,
		"n,c\n2.5,1\n":  `line 2: "2.5": a size is an integer`,
		"n,c\n2,1,3\n":  "wrong number of fields",
		"n,cost\n2,1\n": `there is no column "c"; the columns are n, cost`,
	} {
		y := ""
		if strings.HasPrefix(text, "n,cost") {
			y = "c"
		}
		if _, _, err := conjecture.ReadTable(strings.NewReader(text), nil, y); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestParseVariable(t *testing.T) {
	v, err := conjecture.ParseVariable("k=2..4, 8")
	if err != nil || v.Name != "k" || len(v.Values) != 4 || v.Values[3] != 8 {
		t.Errorf("%v, %v", v, err)
	}
	for _, wrong := range []string{"k", "=1", "k2=1", "k=", "k=3..2", "k=1,1", "k=-1", "k=1..2000", "k=x"} {
		if v, err := conjecture.ParseVariable(wrong); err == nil {
			t.Errorf("%q is %v", wrong, v)
		}
	}
}
