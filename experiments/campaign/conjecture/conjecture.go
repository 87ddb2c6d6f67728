// Package conjecture finds closed forms for exact numbers: the cost of an algorithm at a few sizes.
//
// A form is a sum of named functions of the sizes, such as n H_n + n, with rational coefficients. It is
// solved at as few sizes as it has terms, and has to be exact at all others. All arithmetic is in
// rationals: nothing is rounded or fitted. A form that is found is a conjecture and no proof.
package conjecture

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"bullring/internal/counts"
)

// Data are exact values at sizes.
type Data struct {
	Names  []string // of the sizes, such as n and k
	Points []Point
}

// Point is a value at a size.
type Point struct {
	X []int64 // in the order of the names
	Y *big.Rat
}

// Answer is what a search through all forms found.
type Answer struct {
	// Forms are those that are exact at every point, the smallest first. They all have the same
	// number of terms, and no form with fewer terms is exact.
	Forms []Form
	Tried int // forms that were tried, those of Forms included
	Terms int // the largest number of terms that was tried
}

// MaxTerms is the largest number of terms of a form.
const MaxTerms = 4

// Needed is the number of points that a form with so many terms needs: it is solved at as many points as
// it has terms, and two more are held out.
func Needed(terms int) int { return 2*terms + 2 }

// Find tries all forms with up to so many terms, those with fewer terms first. Among forms with the same
// number of terms, the one whose fastest growing function grows slowest is the smallest; where these are the
// same, the next function decides.
//
// Forms with more terms than the points allow (see [Needed]) are not tried; points at which all functions of a
// form have the values that they have at another count once. Find fails if a size stands twice, if the data are
// too few for one term, and with the cause if the context is cancelled.
func Find(ctx context.Context, d Data, terms int) (*Answer, error) {
	if terms < 1 || terms > MaxTerms {
		return nil, fmt.Errorf("forms of %d terms; a form has 1 to %d", terms, MaxTerms)
	}
	if err := d.check(); err != nil {
		return nil, err
	}
	terms = min(terms, (len(d.Points)-2)/2)
	a := &Answer{}
	t := d.table()
	for k := 0; k <= terms && len(a.Forms) == 0; k++ {
		a.Terms = k
		for chosen := range subsets(len(t.functions), k) {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			a.Tried++
			if f, ok := t.solve(chosen); ok {
				a.Forms = append(a.Forms, f)
			}
		}
	}
	return a, nil
}

// Parted is the smallest size up to 1,000 at which two of the forms differ, if there is one. The forms are of
// one size.
func (a *Answer) Parted() (x int64, parted bool) {
	const largest = 1000
	for x := range int64(largest + 1) {
		var first *big.Rat
		for _, f := range a.Forms {
			v, ok := f.At([]int64{x})
			switch {
			case !ok:
			case first == nil:
				first = v
			case first.Cmp(v) != 0:
				return x, true
			}
		}
	}
	return 0, false
}

// leastValues is the number of values that each size needs.
const leastValues = 3

// check refuses data in which a size stands twice, and too few data.
func (d Data) check() error {
	seen := map[string]bool{}
	for _, p := range d.Points {
		at := d.At(p)
		if seen[at] {
			return fmt.Errorf("%s stands there twice", at)
		}
		seen[at] = true
	}
	if least := Needed(1); len(d.Points) < least {
		return fmt.Errorf("%s; a form needs at least %d: one to solve it and three held out", counts.Several(len(d.Points), "size"), least)
	}
	for i, name := range d.Names {
		values := map[int64]bool{}
		for _, p := range d.Points {
			values[p.X[i]] = true
		}
		if len(values) < leastValues {
			return fmt.Errorf("%s has %d values; it needs at least %d: with fewer, too many functions of it are the same", name, len(values), leastValues)
		}
	}
	return nil
}

// At names the size of a point, such as n = 4, k = 2.
func (d Data) At(p Point) string {
	var parts []string
	for i, name := range d.Names {
		parts = append(parts, fmt.Sprintf("%s = %d", name, p.X[i]))
	}
	return strings.Join(parts, ", ")
}

// Form is a sum of functions with coefficients.
type Form struct {
	Terms   []Term // the fastest growing function first; none for zero
	Solved  []int  // the points that decided the coefficients
	HeldOut []int  // the others, at which the form turned out to be exact
}

// Term is a function with its coefficient, which is not 0.
type Term struct {
	Coefficient *big.Rat
	Function    Function
}

// At is the value of the form at a size; ok is false where one of its functions is not defined.
func (f Form) At(x []int64) (v *big.Rat, ok bool) {
	sum := new(big.Rat)
	for _, t := range f.Terms {
		at := t.Function.of(x)
		if at == nil {
			return nil, false
		}
		sum.Add(sum, at.Mul(at, t.Coefficient))
	}
	return sum, true
}

// String prints a form such as n^2/2 + n/2.
func (f Form) String() string {
	if len(f.Terms) == 0 {
		return "0"
	}
	var b strings.Builder
	for i, t := range f.Terms {
		negative := t.Coefficient.Sign() < 0
		switch {
		case i > 0 && negative:
			b.WriteString(" - ")
		case i > 0:
			b.WriteString(" + ")
		case negative:
			b.WriteString("-")
		}
		b.WriteString(t.text())
	}
	return b.String()
}

// text is the term without its sign.
func (t Term) text() string {
	c, name := new(big.Rat).Abs(t.Coefficient), t.Function.name
	text := c.Num().String()
	switch {
	case name == one:
	case text == "1":
		text = name
	case strings.ContainsAny(name[:1], "0123456789"):
		text += "*" + name
	case len(name) == 1 || name[0] == '(' || strings.ContainsAny(name[1:2], " ^*"):
		text += name
	default:
		text += " " + name
	}
	switch below := t.Function.per; {
	case below == "" && c.IsInt():
		return text
	case below == "":
		return text + "/" + c.Denom().String()
	case c.IsInt():
		return text + "/" + below
	default:
		return text + "/(" + c.Denom().String() + below + ")"
	}
}

// maxDenominator is the largest denominator of a coefficient. A form with a larger one is refused: it goes
// through its points by accident.
const maxDenominator = 24

// solve solves a form with the chosen functions. ok is false if it is not exact at every point.
func (t *table) solve(chosen []int) (f Form, ok bool) {
	if t.screens && t.contradicts(chosen) {
		return Form{}, false
	}
	var s system[rational]
	for i := range t.exact {
		switch s.add(pick(t.exact[i], chosen)) {
		case independent:
			f.Solved = append(f.Solved, i)
		case implied:
			f.HeldOut = append(f.HeldOut, i)
		case contradicted:
			return Form{}, false
		}
	}
	if len(f.Solved) < len(chosen) { // the functions depend on each other at these sizes: fewer are enough
		return Form{}, false
	}
	for j, c := range slices.Backward(chosen) {
		x := s.solution(j)
		if x.isZero() || x.Denom().Cmp(big.NewInt(maxDenominator)) > 0 {
			return Form{}, false
		}
		f.Terms = append(f.Terms, Term{x.Rat, t.functions[c]})
	}
	return f, t.tests(chosen)
}

// tests reports whether the points put the form with the chosen functions to the test. Points at which each of
// the functions has the same value count once. Otherwise floor(lg n), 2^floor(lg n) and a constant would give
// any three values up to n = 15. Functions with two values only, such as (n mod 2), have no others beyond.
func (t *table) tests(chosen []int) bool {
	if !slices.ContainsFunc(chosen, func(c int) bool { return !t.functions[c].few }) {
		return true
	}
	seen := map[string]bool{}
	for _, row := range t.exact {
		equation := pick(row, chosen)
		seen[fmt.Sprint(equation[:len(chosen)])] = true
	}
	return len(seen) >= Needed(len(chosen))
}

// contradicts reports whether the points contradict the form with the chosen functions modulo the prime.
func (t *table) contradicts(chosen []int) bool {
	var s system[residue]
	for _, row := range t.screen {
		if s.add(pick(row, chosen)) == contradicted {
			return true
		}
	}
	return false
}

// pick is the equation of a point for the chosen functions.
func pick[T any](row []T, chosen []int) []T {
	equation := make([]T, 0, len(chosen)+1)
	for _, c := range chosen {
		equation = append(equation, row[c])
	}
	return append(equation, row[len(row)-1])
}
