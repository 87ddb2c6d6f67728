package conjecture

import (
	"math/big"
	"math/bits"
	"slices"
	"strings"
)

// Function is a named function of the sizes.
type Function struct {
	name string // such as n floor(lg n)
	per  string // the size by which it is divided; "" for none
	few  bool   // it has two values at most
	rank int    // larger for a function that grows faster
	of   func(x []int64) *big.Rat
}

// String is the name of the function, such as (n mod 2)/n.
func (f Function) String() string {
	if f.per != "" {
		return f.name + "/" + f.per
	}
	return f.name
}

// one is the name of the constant function.
const one = "1"

// use is how a shape is used.
type use int

const (
	term   use = iota // as it stands
	few               // it has two values
	per               // its name is divided by the size
	factor            // also as a factor of products with functions of other sizes
)

// shapes are the functions of one size, the slowest growing first. An x in a name stands for the size. A
// function returns nil where it is not defined, or irrational.
var shapes = []struct {
	name string
	as   use
	of   func(x int64) *big.Rat
}{
	{"(x mod 2)", per, func(x int64) *big.Rat { return over(x, x&1) }},
	{"1", per, func(x int64) *big.Rat { return over(x, 1) }},
	{"(x mod 2)", few, func(x int64) *big.Rat { return integer(x&1, true) }},
	{"floor(lg x)", factor, func(x int64) *big.Rat { return integer(floorLg(x)) }},
	{"ceil(lg x)", term, func(x int64) *big.Rat { return integer(ceilLg(x)) }},
	{"lg x", term, lg},
	{"H_x", factor, harmonic},
	{"sqrt(x)", term, root},
	{"x", factor, func(x int64) *big.Rat { return integer(x, true) }},
	{"2^floor(lg x)", term, func(x int64) *big.Rat { return powerOf(floorLg(x)) }},
	{"2^ceil(lg x)", term, func(x int64) *big.Rat { return powerOf(ceilLg(x)) }},
	{"x floor(lg x)", term, func(x int64) *big.Rat { return times(x, integer(floorLg(x))) }},
	{"x ceil(lg x)", term, func(x int64) *big.Rat { return times(x, integer(ceilLg(x))) }},
	{"x lg x", term, func(x int64) *big.Rat { return times(x, lg(x)) }},
	{"x H_x", factor, func(x int64) *big.Rat { return times(x, harmonic(x)) }},
	{"x sqrt(x)", term, func(x int64) *big.Rat { return times(x, root(x)) }},
	{"x^2", factor, func(x int64) *big.Rat { return times(x, integer(x, true)) }},
	{"x^3", term, func(x int64) *big.Rat { return times(x, times(x, integer(x, true))) }},
	{"2^x", factor, func(x int64) *big.Rat { return powerOf(x, x >= 0) }},
	{"x 2^x", term, func(x int64) *big.Rat { return times(x, powerOf(x, x >= 0)) }},
}

// functions are the functions of sizes with these names, the slowest growing first: the constant, those of
// one size, the products of those of two sizes, and the product of three sizes.
func functions(names []string) []Function {
	all := []Function{{one, "", true, constant, func([]int64) *big.Rat { return big.NewRat(1, 1) }}}
	for i, name := range names {
		for rank := range shapes {
			f := ofOne(name, rank, i)
			all = append(all, f)
			for j := range i {
				all = append(all, products(f, rank, j, names)...)
			}
		}
		for j := range i {
			for k := range j {
				all = append(all, product(ofOne(names[k], identity, k), product(ofOne(names[j], identity, j), ofOne(name, identity, i))))
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Function) int { return a.rank - b.rank })
	return all
}

// The ranks of the constant, which grows faster than shapes that fall, and of the size itself.
var constant, identity = rankOf("floor(lg x)"), rankOf("x")

// rankOf is the rank of a shape, its index.
func rankOf(name string) int {
	for i := range shapes {
		if shapes[i].name == name {
			return i
		}
	}
	panic("conjecture: no shape " + name)
}

// ofOne is a shape as a function of the size with a name, which has an index.
func ofOne(name string, rank, index int) Function {
	shape, under := &shapes[rank], ""
	if shape.as == per {
		under = name
	}
	return Function{strings.ReplaceAll(shape.name, "x", name), under, shape.as == few, rank, func(x []int64) *big.Rat { return shape.of(x[index]) }}
}

// products are those of a function of a shape with the factors of another size.
func products(f Function, rank, other int, names []string) (all []Function) {
	for second := range shapes {
		if shapes[rank].as == factor && shapes[second].as == factor {
			all = append(all, product(ofOne(names[other], second, other), f))
		}
	}
	return all
}

func product(f, g Function) Function {
	return Function{f.name + "*" + g.name, "", false, f.rank + g.rank, func(x []int64) *big.Rat {
		a, b := f.of(x), g.of(x)
		if a == nil || b == nil {
			return nil
		}
		return a.Mul(a, b)
	}}
}

// table has the values of functions at the points of data.
type table struct {
	functions []Function   // those that are defined at every point
	exact     [][]rational // by point: the values of the functions, and then that of the data
	screen    [][]residue  // the same modulo a prime
	screens   bool         // there is such a value for each
}

func (d Data) table() *table {
	t := &table{screens: true, exact: make([][]rational, len(d.Points)), screen: make([][]residue, len(d.Points))}
	for _, f := range functions(d.Names) {
		var values []*big.Rat
		for _, p := range d.Points {
			if v := f.of(p.X); v != nil {
				values = append(values, v)
			}
		}
		if len(values) == len(d.Points) {
			t.functions = append(t.functions, f)
			t.add(values)
		}
	}
	var values []*big.Rat
	for _, p := range d.Points {
		values = append(values, p.Y)
	}
	t.add(values)
	return t
}

// add adds a column of values.
func (t *table) add(values []*big.Rat) {
	for i, v := range values {
		r, ok := residueOf(v)
		t.exact[i], t.screen[i] = append(t.exact[i], rational{v}), append(t.screen[i], r)
		t.screens = t.screens && ok
	}
}

// integer is a rational; nil if it is not defined.
func integer(v int64, defined bool) *big.Rat {
	if !defined {
		return nil
	}
	return big.NewRat(v, 1)
}

// over is v/x.
func over(x, v int64) *big.Rat {
	if x == 0 {
		return nil
	}
	return big.NewRat(v, x)
}

func times(x int64, v *big.Rat) *big.Rat {
	if v == nil {
		return nil
	}
	return v.Mul(v, big.NewRat(x, 1))
}

func floorLg(x int64) (v int64, defined bool) {
	return int64(bits.Len64(uint64(max(x, 1))) - 1), x >= 1
}

func ceilLg(x int64) (v int64, defined bool) { return int64(bits.Len64(uint64(max(x, 1) - 1))), x >= 1 }

// lg is the logarithm to base 2 of a power of two.
func lg(x int64) *big.Rat {
	floor, defined := floorLg(x)
	return integer(floor, defined && x == 1<<floor)
}

// root is the square root of a square number.
func root(x int64) *big.Rat {
	if x < 0 {
		return nil
	}
	square := big.NewInt(x)
	r := new(big.Int).Sqrt(square)
	if new(big.Int).Mul(r, r).Cmp(square) != 0 {
		return nil
	}
	return new(big.Rat).SetInt(r)
}

// harmonic is 1 + 1/2 + ... + 1/x.
func harmonic(x int64) *big.Rat {
	const largest = 4096 // beyond, its digits take seconds
	if x < 0 || x > largest {
		return nil
	}
	sum := new(big.Rat)
	for k := range x {
		sum.Add(sum, big.NewRat(1, k+1))
	}
	return sum
}

// powerOf is 2^k.
func powerOf(k int64, defined bool) *big.Rat {
	const largest = 1024 // binary digits
	if !defined || k > largest {
		return nil
	}
	return new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(k)))
}
