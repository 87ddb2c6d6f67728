package spec

import (
	"cmp"
	"fmt"
	"strings"
)

// curveReader reads lines of theory.
type curveReader struct{ axisReader }

// curve reads a line of theory.
func (r curveReader) curve(n *node, f *Figure) Curve {
	c := Curve{Pos: n.pos}
	given := r.mapping(n, "a curve", r.curveFields(&c, f))
	switch {
	case given == nil:
	case given["power"] != nil || given["base"] != nil:
		r.powerCurve(given, f)
	case given["factor"] != nil || given["lg"] != nil:
		r.errorf(n.pos, "factor and lg belong to a power: {factor: 2, power: 1, lg: 1} is 2 x lg x, and {factor: 2, power: 0} is 2")
	case given["algorithm"] == nil || given["bound"] == nil:
		r.errorf(n.pos, "a curve takes either algorithm and bound, or power, or base")
	case c.Algorithm != "" && c.Bound != "" && r.check.Bound != nil:
		if err := r.check.Bound(c.Algorithm, c.Bound); err != nil {
			r.add(Error{Pos: given["bound"].pos, Message: fmt.Sprintf("bound: %v", err), Cause: err})
		}
	}
	return c
}

func (r curveReader) curveFields(c *Curve, f *Figure) []field {
	return []field{
		{"algorithm", false, ref("algorithm"), func(n *node) { c.Algorithm = r.algorithm(n) }},
		{"bound", false, line().About("that the algorithm declares"), func(n *node) { c.Bound = r.line(n, "bound") }},
		{"with", false, withSchema().About("conditions to evaluate the bound under, which say whose colour the curve has; default: those of the first cell drawn"),
			func(n *node) { c.With = r.settings(n, f.X.Name) }},
		{"power", false, anyNumber().About("of x"), func(n *node) { c.Power, _ = r.float(n, "power") }},
		{"base", false, numbers(minBase, maxBase).About("of an exponential: base^x"), func(n *node) { c.Base = r.base(n) }},
		{"factor", false, anyNumber().About("default: through the measured point of the largest x"), func(n *node) { c.Factor = r.multiple(n) }},
		{"lg", false, anyNumber().About("power of lg x; default: 0"), func(n *node) { c.Lg, _ = r.float(n, "lg") }},
		{"label", false, line().About("default: words of the program"), func(n *node) { c.Label = r.markup(n, "label") }},
	}
}

// powerCurve refuses keys that a power does not take.
func (r curveReader) powerCurve(given map[string]*node, f *Figure) {
	if given["bound"] != nil {
		r.errorf(given["bound"].pos, "a curve with a power or a base takes no bound: it is a function of x alone")
	}
	if given["with"] != nil && given["algorithm"] == nil {
		r.errorf(given["with"].pos, "with chooses among the series of an algorithm: name the algorithm")
	}
	if !f.HasX() || f.X.Name != "" && f.X.Number == 0 && !isNumeric(f.X.Name) {
		of := cmp.Or(given["power"], given["base"])
		r.errorf(of.pos, "a power takes an x of numbers: %s, or one with number: true", strings.Join(numericAxes(), ", "))
	}
}

// The bases of exponentials.
const (
	minBase = 1e-6
	maxBase = 1e6
)

// base reads the base of an exponential.
func (r curveReader) base(n *node) float64 {
	v, ok := r.float(n, "base")
	if ok && (v < minBase || v > maxBase) {
		r.errorf(n.pos, "base is %s; it takes a number from %g to %g", shorten(n.text), minBase, maxBase)
	}
	return v
}

// multiple reads the factor of a power, which is not 0.
func (r curveReader) multiple(n *node) float64 {
	v, ok := r.float(n, "factor")
	if ok && v == 0 {
		r.errorf(n.pos, "factor is 0; leave it out for a curve through the largest measured point")
	}
	return v
}

// settings reads the conditions of a bound, one value an axis, in canonical order.
func (r curveReader) settings(n *node, x string) []Setting {
	given := r.keys(n, "with", Axes())
	var settings []Setting
	for _, a := range axes {
		v, ok := given[a.Name]
		if !ok {
			continue
		}
		if a.Name == x {
			r.errorf(v.pos, "with sets %s, along which the curve is drawn", x)
			continue
		}
		if t, ok := r.axisValue(v, a); ok {
			r.checkValue(a, value{text: t, pos: v.pos})
			settings = append(settings, Setting{Axis: a.Name, Value: t})
		}
	}
	return settings
}

// curveSchema is a bound that an algorithm declares, or a power of x.
func (r curveReader) curveSchema() *schema {
	s := objectOf(r.curveFields(nil, nil))
	s.AnyOf = []*schema{{Required: []string{"power"}}, {Required: []string{"base"}}, {Required: []string{"algorithm", "bound"}}}
	return s
}

// withSchema is one value for each of some axes.
func withSchema() *schema {
	s := object()
	for _, a := range axes {
		s.Add(a.Name, ref(valueName(a.Name)), false)
	}
	return s
}
