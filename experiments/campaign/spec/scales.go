package spec

import (
	"slices"
	"strings"

	"bullring/internal/jsonschema"
)

// scaleReader reads the scales of figures.
type scaleReader struct{ metricReader }

// side reads the scale of a side. One that the kind does not have is refused later.
func (r scaleReader) side(n *node, what string, s side) Scale {
	if s.shows == aMetric {
		return r.metric(n, what, s)
	}
	sc := r.scale(n, what, "axis", func(n *node) string { return r.word(n, what, s.names()) }, s.keys)
	sc.Field = s.shows == aField
	switch {
	case sc.Name == "":
	case sc.Number == 0 && !isNumeric(sc.Name) && (sc.Log || sc.Min != nil || sc.Max != nil):
		r.errorf(n.pos, "%s is no axis of numbers; log, min and max are for %s, or with number: true for values that hold a number",
			sc.Name, strings.Join(numericAxes(), ", "))
	case sc.Log && sc.Ordinal:
		r.errorf(n.pos, "%s is both ordinal, in equal steps, and log", what)
	}
	return sc
}

// vertical reads the scale of y, if the kind has one.
func (r scaleReader) vertical(n *node, s side) Scale {
	if s.shows == nothing {
		return Scale{}
	}
	return r.side(n, "y", s)
}

// metric reads the scale of a metric: its name, or a mapping.
func (r scaleReader) metric(n *node, what string, s side) Scale {
	sc := r.scale(n, what, "metric", func(n *node) string { return r.metricName(n, true) }, s.keys)
	if sc.Unit != "" && sc.Name != "" && !r.timed(sc.Name) {
		r.errorf(n.pos, "unit is %s, but %s is no time", sc.Unit, sc.Name)
	}
	return sc
}

// timed reports whether a metric is a time. Without a Checker it may be one.
func (r scaleReader) timed(metric string) bool {
	if m := r.own.Metric(metric); m != nil {
		return m.Timed
	}
	return r.check.Timed == nil || r.check.Timed(metric)
}

// scale reads a name, or a mapping with the name and further keys.
func (r scaleReader) scale(n *node, what, key string, name func(*node) string, keys []string) Scale {
	sc := Scale{Pos: n.pos}
	if n.kind != mapping {
		sc.Name = name(n)
		return sc
	}
	naming := field{key, true, nil, func(n *node) { sc.Name = name(n) }}
	given := r.mapping(n, what, r.scaleFields(&sc, naming, keys))
	if named := sc.labelUnit(); sc.Unit != "" && named != "" && named != sc.Unit {
		r.errorf(given["unit"].pos, "unit is %s, but the label has another in brackets: %q", sc.Unit, sc.Label)
	}
	if sc.Min != nil && sc.Max != nil && *sc.Min >= *sc.Max {
		r.errorf(given["min"].pos, "min is %v and max is %v; min has to be below max", *sc.Min, *sc.Max)
	}
	for _, end := range []struct {
		key   string
		value *float64
	}{{"min", sc.Min}, {"max", sc.Max}} {
		if sc.Log && end.value != nil && *end.value <= 0 {
			r.errorf(given[end.key].pos, "%s is %v; a logarithmic scale takes numbers above 0", end.key, *end.value)
		}
	}
	return sc
}

// scaleFields are the keys of a scale: the one that names it, and those of keys.
func (r scaleReader) scaleFields(sc *Scale, naming field, keys []string) []field {
	statistics := []string{"mean", "deviation"}
	all := []field{naming,
		{"label", false, line().About("default: words of the program"), func(n *node) { sc.Label = r.markup(n, "label") }},
		{"unit", false, word(units()).About("of times; default: the one in brackets at the end of the label, or one that suits the numbers"),
			func(n *node) { sc.Unit = r.word(n, "unit", units()) }},
		{"log", false, truth().About("logarithmic; default: false"), func(n *node) { sc.Log = r.truth(n, "log") }},
		{"min", false, anyNumber().About("lower end; default: from the data"), func(n *node) { sc.Min = r.limit(n, "min") }},
		{"max", false, anyNumber().About("upper end; default: from the data"), func(n *node) { sc.Max = r.limit(n, "max") }},
		{"statistic", false, word(statistics).About("of the replicates; default: mean"),
			func(n *node) { sc.Deviation = r.word(n, "statistic", statistics) == "deviation" }},
		{"number", false, anyOf(truth(), integers(1, mostNumber)).About("scale the axis by a number in its values: true for the first"),
			func(n *node) { sc.Number = r.number(n) }},
		{"ordinal", false, truth().About("equal steps whatever the numbers; default: false"), func(n *node) { sc.Ordinal = r.truth(n, "ordinal") }},
	}
	return slices.DeleteFunc(all, func(f field) bool { return f.key != naming.key && !slices.Contains(keys, f.key) })
}

// limit reads an end of a scale; nil after an error.
func (r scaleReader) limit(n *node, what string) *float64 {
	if v, ok := r.float(n, what); ok {
		return &v
	}
	return nil
}

// number reads Scale.Number: true is 1.
func (r scaleReader) number(n *node) int {
	switch {
	case n.isInteger():
		return int(r.integer(n, "number", 1, mostNumber))
	case r.truth(n, "number"):
		return 1
	}
	return 0
}

// numericAxes returns the names of the axes whose values can be numbers.
func numericAxes() []string {
	var names []string
	for _, a := range axes {
		if a.kind.numeric() {
			names = append(names, a.Name)
		}
	}
	return names
}

// sideSchema is the schema of a side.
func (r scaleReader) sideSchema(s side) *schema {
	switch s.shows {
	case nothing:
		return jsonschema.Never()
	case aMetric:
		return r.scaleSchema(field{key: "metric", required: true, takes: ref("shown")}, s.keys)
	}
	return r.scaleSchema(field{key: "axis", required: true, takes: word(s.names())}, s.keys)
}

// scaleSchema is a name, or a mapping with the name and further keys.
func (r scaleReader) scaleSchema(naming field, keys []string) *schema {
	return anyOf(naming.takes, objectOf(r.scaleFields(nil, naming, keys)))
}
