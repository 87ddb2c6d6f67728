package spec

import (
	"encoding/json"
	"math/big"
	"strconv"

	"bullring/internal/pattern"
)

// ends are the ends of a range of integers with its step or factor.
type ends struct {
	from, to, step uint64
	factor         *big.Rat
}

func (r axisReader) spanFields(e *ends, a axis) []field {
	lowest := a.kind.lowest()
	return []field{
		{"from", true, integers(lowest, maxN).About("the first value"), func(n *node) { e.from = r.integer(n, "from", lowest, maxN) }},
		{"to", true, integers(lowest, maxN).About("the end, included when a step lands on it"), func(n *node) { e.to = r.integer(n, "to", lowest, maxN) }},
		{"step", false, integers(1, maxN).About("from one value to the next"), func(n *node) { e.step = r.integer(n, "step", 1, maxN) }},
		{"factor", false, &schema{Type: "number", Minimum: json.RawMessage(smallestFactor.FloatString(2)), Description: "from one value to the next"},
			func(n *node) { e.factor = r.factor(n) }},
	}
}

// span reads a range of integers: {from, to, step} or {from, to, factor}.
func (r axisReader) span(n *node, a axis) []value {
	what := "a range of " + a.Name
	var e ends
	var given map[string]*node
	sound := r.sound(func() { given = r.mapping(n, what, r.spanFields(&e, a)) })
	from, to, step, factor := e.from, e.to, e.step, e.factor
	switch {
	case !sound || anyRefused(given): // reported already
	case given["step"] != nil && given["factor"] != nil:
		r.errorf(n.pos, "%s has both a step and a factor; it takes one of them", what)
	case given["step"] == nil && given["factor"] == nil:
		r.errorf(n.pos, "%s has neither a step nor a factor; it takes one of them", what)
	case from > to:
		r.errorf(given["from"].pos, "%s goes from %d to %d; from may not be above to", what, from, to)
	case factor != nil && from == 0:
		r.errorf(given["from"].pos, "%s with a factor starts from 1 at least: 0 times anything is 0", what)
	case factor == nil && (to-from)/step >= maxCells:
		r.errorf(n.pos, "%s has %d values; a sweep has %d cells at most: take a larger step, or a factor", what, (to-from)/step+1, maxCells)
	case factor != nil:
		return valuesAt(geometric(from, to, factor), n.pos)
	default:
		return valuesAt(arithmetic(from, to, step), n.pos)
	}
	return nil
}

// anyRefused reports whether one of the values is refused.
func anyRefused(given map[string]*node) bool {
	for _, n := range given {
		if n.kind == refused {
			return true
		}
	}
	return false
}

// valuesAt returns the integers of a range as values at the place of the range.
func valuesAt(integers []uint64, at Pos) []value {
	values := make([]value, len(integers))
	for i, v := range integers {
		values[i] = value{text: strconv.FormatUint(v, 10), pos: at}
	}
	return values
}

// arithmetic returns from, from+step, ... up to and including to.
func arithmetic(from, to, step uint64) []uint64 {
	var out []uint64
	for v := from; v <= to; v += step {
		out = append(out, v)
	}
	return out
}

// geometric returns the integers nearest to from, from*factor, from*factor^2, ... up to and
// including to, each once. The powers are exact fractions: a float would round 10*1.15
// down to 11 and 11.5 up to 12. They are a numerator and a denominator, since big.Rat
// would compute a common divisor at each step.
func geometric(from, to uint64, factor *big.Rat) []uint64 {
	var out []uint64
	num, den := new(big.Int).SetUint64(from), big.NewInt(1)
	for {
		v := nearest(num, den)
		if v > to {
			return out
		}
		if len(out) == 0 || out[len(out)-1] != v {
			out = append(out, v)
		}
		num.Mul(num, factor.Num())
		den.Mul(den, factor.Denom())
	}
}

// nearest rounds the positive fraction num/den to an integer, halves upwards.
func nearest(num, den *big.Int) uint64 {
	twice := new(big.Int).Lsh(num, 1)
	twice.Add(twice, den)
	return twice.Quo(twice, new(big.Int).Lsh(den, 1)).Uint64()
}

// factorPattern bounds the decimals of a factor, and so the length of the fractions in
// geometric.
var factorPattern = pattern.Of(`^(0|[1-9][0-9]{0,9})(\.[0-9]{1,4})?$`)

// smallestFactor keeps a geometric range below some 2000 values.
var smallestFactor = big.NewRat(101, 100)

// factor reads the factor of a geometric range as an exact fraction; nil after an
// error.
func (r axisReader) factor(n *node) *big.Rat {
	const wanted = "a number from 1.01 with at most four decimals, such as 2 or 1.5"
	if n.quoted || n.kind != number && n.kind != text || !factorPattern().MatchString(n.text) {
		r.unwanted(n, "factor", wanted, "")
		return nil
	}
	f, _ := new(big.Rat).SetString(n.text) // the pattern is a subset of its syntax
	if f.Cmp(smallestFactor) < 0 {
		r.errorf(n.pos, "factor is %s; it takes %s", n.text, wanted)
		return nil
	}
	return f
}
