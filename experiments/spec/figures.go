package spec

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// figures reads `figures` into the sweep. Without sound cells it does not check what
// depends on them.
func (r *reader) figures(n *node, s *Spec, soundCells bool) {
	if n == nil {
		return
	}
	cells := s.cellsIf(soundCells)
	r.each(n, "figures", func(item *node) {
		var f Figure
		if r.sound(func() { f = r.figure(item, s.Name, cells) }) && soundCells {
			r.draw(&f, cells)
		}
		s.Figures = append(s.Figures, f)
	})
	r.uniqueNames(s.Figures)
}

// uniqueNames refuses figures that would write the same files.
func (r *reader) uniqueNames(figures []Figure) {
	first := map[string]Pos{}
	for _, f := range figures {
		earlier, dup := first[f.Name]
		switch {
		case f.Name == "": // reported already
		case dup:
			r.add(Error{Pos: f.Pos, Other: earlier,
				Message: fmt.Sprintf("two figures are named %s, the first at %d:%d; a figure without a name has the sweep's", f.Name, earlier.Line, earlier.Column)})
		default:
			first[f.Name] = f.Pos
		}
	}
}

// draw compares a figure with its cells and completes its series.
func (r *reader) draw(f *Figure, cells []Cell) {
	drawn := f.Select(cells)
	if len(drawn) == 0 {
		r.errorf(f.Pos, "the figure draws no cell: its filters exclude each other in this sweep")
	}
	row := f.Kind.row()
	if row.x.hasCells() {
		r.coordinates(f.X, drawn)
	}
	if row.y.hasCells() {
		r.coordinates(f.Y, drawn)
	}
	row.complete(r.report, f, drawn)
}

// coordinates refuses values without a place on a scale. Of a field, values that are no
// numbers are categories, unless the scale asks for numbers.
func (r *reader) coordinates(s Scale, drawn []Cell) {
	values := Values(drawn, s.Name)
	at, unit, err := s.Coordinates(values)
	if s.Unit != "" && !s.Means() && (err != nil || unit != "s") {
		r.errorf(s.Pos, "unit is %s, but the values of %s are no durations here; number: true places them by a duration that they hold", s.Unit, s.Name)
	}
	if err != nil {
		if s.Number > 0 || s.Log && s.Field {
			r.errorf(s.Pos, "%s: %v", s.Name, err)
		}
		return
	}
	for i, v := range at {
		if s.Log && v <= 0 {
			r.errorf(s.Pos, "%s: %q stands at %v; a logarithmic scale takes numbers above 0", s.Name, shorten(values[i]), v)
			return
		}
	}
}

// figure reads one figure and compares its filters with the cells, if any.
func (r *reader) figure(n *node, name string, cells []Cell) Figure {
	f := Figure{Pos: n.pos}
	if n.kind == mapping {
		f.Name = name
	}
	given := r.mapping(n, "a figure", r.figureFields(&f, cells))
	r.checkSides(given, &f)
	r.checkKeys(given, &f)
	if f.Width = cmp.Or(f.Width, f.Kind.row().width); f.Width == "" {
		f.Width = narrow
	}
	if list := given["series"]; list != nil {
		f.Series = r.series(list, f.X.Name)
	}
	if list := given["curves"]; list != nil {
		r.each(list, "curves", func(item *node) { f.Curves = append(f.Curves, r.curve(item, &f)) })
	}
	return f
}

// figureFields are the keys of a figure. The kind comes before the sides, which depend on it.
func (r *reader) figureFields(f *Figure, cells []Cell) []field {
	widths := []string{narrow, Wide}
	fields := []field{
		{"name", false, like(stemPattern()).about("of its files; default: the sweep's name"), func(n *node) { f.Name = r.stem(n, "name") }},
		{"title", false, line().about("above the figure; default: none"), func(n *node) { f.Title = r.markup(n, "title") }},
		{"kind", false, word(kindNames()).about("default: " + Line.String()), func(n *node) { f.Kind = r.kind(n) }},
		{"x", false, (&schema{}).about("the axis along which it is drawn; default: n"), func(n *node) { f.X = r.side(n, "x", f.Kind.row().x) }},
		{"y", true, (&schema{}).about("the metric that is drawn, or that chooses the trial of a diagram; in a heatmap the field of its rows"), func(n *node) { f.Y = r.side(n, "y", f.Kind.row().y) }},
		{"z", false, (&schema{}).about("the metric that the colours of a heatmap show"), func(n *node) { f.Z = r.metric(n, "z", metricSide()) }},
		{"width", false, word(widths).about("as wide as a column or as the page; default: column, of a diagram wide"), func(n *node) { f.Width = r.word(n, "width", widths) }},
		{"where", false, object(fieldProperties()...).about("values that the cells drawn have"), func(n *node) { f.Where = r.where(n, cells) }},
	}
	for k := range Kinds {
		fields = append(fields, k.row().ownKeys(r, f)...)
	}
	return append(fields,
		field{"series", false, seriesSchema(), nil},
		field{"curves", false, oneOrMore(ref("curve")).about("lines of theory"), nil})
}

// kind reads the kind of a figure; Line after an error.
func (r *reader) kind(n *node) Kind {
	return Kind(max(0, slices.Index(kindNames(), r.word(n, "kind", kindNames()))))
}

// markup reads a line of text that is drawn; "" after an error.
func (r *reader) markup(n *node, what string) string {
	text := r.line(n, what)
	if text == "" || r.check.Text == nil {
		return text
	}
	if err := r.check.Text(text); err != nil {
		r.add(Error{Pos: n.pos, Message: fmt.Sprintf("%s: %v", what, err), Cause: err})
		return ""
	}
	return text
}

// checkSides refuses sides that the kind of figure does not have, and requires those that
// it needs.
func (r *reader) checkSides(given map[string]*node, f *Figure) {
	row := f.Kind.row()
	switch x := given["x"]; {
	case x != nil && !f.HasX():
		r.errorf(x.pos, "%s has no x: %s", f.Kind.article(), row.x.why)
	case x == nil && f.HasX():
		f.X = Scale{Name: "n", Field: row.x.shows == aField}
	}
	switch z := given["z"]; {
	case z != nil && row.z.shows == nothing:
		r.errorf(z.pos, "z is for a heatmap; %s draws the metric of y", f.Kind.article())
	case z == nil && row.z.shows != nothing:
		r.errorf(f.Pos, "%s needs z: %s", f.Kind.article(), row.z.why)
	}
	if row.y.shows == aField && f.Y.Name != "" && f.Y.Name == f.X.Name {
		r.errorf(given["y"].pos, "y is %s, which is the figure's x already", f.Y.Name)
	}
}

// checkKeys refuses keys that only other kinds of figures have, and completes its own.
func (r *reader) checkKeys(given map[string]*node, f *Figure) {
	refuse := func(keys []string, complaint string) {
		for _, key := range keys {
			if given[key] != nil {
				r.errorf(given[key].pos, complaint, key)
			}
		}
	}
	for k := range Kinds {
		if k != f.Kind {
			refuse(k.keys(), "%s is for "+k.article()+", and this is "+f.Kind.article())
		}
	}
	row := f.Kind.row()
	if row.single != "" {
		refuse(lineKeys, f.Kind.article()+" has no %s: "+row.single)
	}
	if row.usual != nil {
		row.usual(f)
	}
}

// side reads the scale of a side. One that the kind does not have is refused later.
func (r *reader) side(n *node, what string, s side) Scale {
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

// metric reads the scale of a metric: its name, or a mapping.
func (r *reader) metric(n *node, what string, s side) Scale {
	sc := r.scale(n, what, "metric", func(n *node) string { return r.metricName(n, true) }, s.keys)
	if sc.Unit != "" && sc.Name != "" && !r.timed(sc.Name) {
		r.errorf(n.pos, "unit is %s, but %s is no time", sc.Unit, sc.Name)
	}
	return sc
}

// timed reports whether a metric is a time. Without a Checker it may be one.
func (r *reader) timed(metric string) bool {
	if m := r.own.Metric(metric); m != nil {
		return m.Timed
	}
	return r.check.Timed == nil || r.check.Timed(metric)
}

// scale reads a name, or a mapping with the name and further keys.
func (r *reader) scale(n *node, what, key string, name func(*node) string, keys []string) Scale {
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
func (r *reader) scaleFields(sc *Scale, naming field, keys []string) []field {
	statistics := []string{"mean", "deviation"}
	all := []field{naming,
		{"label", false, line().about("default: words of the program"), func(n *node) { sc.Label = r.markup(n, "label") }},
		{"unit", false, word(units()).about("of times; default: the one in brackets at the end of the label, or one that suits the numbers"),
			func(n *node) { sc.Unit = r.word(n, "unit", units()) }},
		{"log", false, truth().about("logarithmic; default: false"), func(n *node) { sc.Log = r.truth(n, "log") }},
		{"min", false, anyNumber().about("lower end; default: from the data"), func(n *node) { sc.Min = r.limit(n, "min") }},
		{"max", false, anyNumber().about("upper end; default: from the data"), func(n *node) { sc.Max = r.limit(n, "max") }},
		{"statistic", false, word(statistics).about("of the replicates; default: mean"),
			func(n *node) { sc.Deviation = r.word(n, "statistic", statistics) == "deviation" }},
		{"number", false, anyOf(truth(), integers(1, mostNumber)).about("scale the axis by a number in its values: true for the first"),
			func(n *node) { sc.Number = r.number(n) }},
		{"ordinal", false, truth().about("equal steps whatever the numbers; default: false"), func(n *node) { sc.Ordinal = r.truth(n, "ordinal") }},
	}
	return slices.DeleteFunc(all, func(f field) bool { return f.key != naming.key && !slices.Contains(keys, f.key) })
}

// limit reads an end of a scale; nil after an error.
func (r *reader) limit(n *node, what string) *float64 {
	if v, ok := r.float(n, what); ok {
		return &v
	}
	return nil
}

// number reads Scale.Number: true is 1.
func (r *reader) number(n *node) int {
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

// series reads the fields that tell series apart. An empty list is one series of all.
func (r *reader) series(n *node, x string) []string {
	series := []string{}
	if n.kind == sequence && len(n.items) == 0 {
		return series
	}
	r.each(n, "series", func(item *node) {
		switch name := r.word(item, "series", Fields()); {
		case name == "":
		case name == x:
			r.errorf(item.pos, "series names %s, which is the figure's x already", name)
		case slices.Contains(series, name):
			r.errorf(item.pos, "series names %s twice", name)
		default:
			series = append(series, name)
		}
	})
	return series
}

// where reads filters.
func (r *reader) where(n *node, cells []Cell) []Filter {
	fields := Fields()
	given := r.keys(n, "where", fields)
	var filters []Filter
	for _, name := range fields {
		if v, ok := given[name]; ok {
			filters = append(filters, Filter{Field: name, Values: r.filterValues(v, name, cells)})
		}
	}
	return filters
}

// filterValues reads the values of a filter, which have to occur in the cells.
func (r *reader) filterValues(n *node, field string, cells []Cell) []string {
	present := Values(cells, field)
	var texts []string
	for _, v := range r.axisValues(n, fieldAxis(field)) {
		texts = append(texts, v.text)
		if len(present) > 0 && !slices.Contains(present, v.text) {
			r.hintf(v.pos, didYouMean(v.text, present), "where keeps %s %q, which this sweep does not have: it has %s",
				field, shorten(v.text), shorten(strings.Join(present, ", ")))
		}
	}
	return texts
}

// curve reads a line of theory.
func (r *reader) curve(n *node, f *Figure) Curve {
	c := Curve{Pos: n.pos}
	given := r.mapping(n, "a curve", r.curveFields(&c, f))
	switch {
	case given == nil:
	case given["power"] != nil:
		r.powerCurve(given, f)
	case given["factor"] != nil || given["lg"] != nil:
		r.errorf(n.pos, "factor and lg belong to a power: {factor: 2, power: 1, lg: 1} is 2 x lg x, and {factor: 2, power: 0} is 2")
	case given["algorithm"] == nil || given["bound"] == nil:
		r.errorf(n.pos, "a curve takes either algorithm and bound, or power")
	case c.Algorithm != "" && c.Bound != "" && r.check.Bound != nil:
		if err := r.check.Bound(c.Algorithm, c.Bound); err != nil {
			r.add(Error{Pos: given["bound"].pos, Message: fmt.Sprintf("bound: %v", err), Cause: err})
		}
	}
	return c
}

func (r *reader) curveFields(c *Curve, f *Figure) []field {
	return []field{
		{"algorithm", false, ref("algorithm"), func(n *node) { c.Algorithm = r.algorithm(n) }},
		{"bound", false, line().about("that the algorithm declares"), func(n *node) { c.Bound = r.line(n, "bound") }},
		{"with", false, withSchema().about("conditions to evaluate the bound under, which say whose colour the curve has; default: those of the first cell drawn"),
			func(n *node) { c.With = r.settings(n, f.X.Name) }},
		{"power", false, anyNumber().about("of x"), func(n *node) { c.Power, _ = r.float(n, "power") }},
		{"factor", false, anyNumber().about("default: through the measured point of the largest x"), func(n *node) { c.Factor = r.multiple(n) }},
		{"lg", false, anyNumber().about("power of lg x; default: 0"), func(n *node) { c.Lg, _ = r.float(n, "lg") }},
		{"label", false, line().about("default: words of the program"), func(n *node) { c.Label = r.markup(n, "label") }},
	}
}

// powerCurve refuses keys that a power does not take.
func (r *reader) powerCurve(given map[string]*node, f *Figure) {
	if given["bound"] != nil {
		r.errorf(given["bound"].pos, "a curve with a power takes no bound: it is a function of x alone")
	}
	if given["with"] != nil && given["algorithm"] == nil {
		r.errorf(given["with"].pos, "with chooses among the series of an algorithm: name the algorithm")
	}
	if !f.HasX() || f.X.Name != "" && f.X.Number == 0 && !isNumeric(f.X.Name) {
		r.errorf(given["power"].pos, "a power takes an x of numbers: %s, or one with number: true", strings.Join(numericAxes(), ", "))
	}
}

// multiple reads the factor of a power, which is not 0.
func (r *reader) multiple(n *node) float64 {
	v, ok := r.float(n, "factor")
	if ok && v == 0 {
		r.errorf(n.pos, "factor is 0; leave it out for a curve through the largest measured point")
	}
	return v
}

// settings reads the conditions of a bound, one value an axis, in canonical order.
func (r *reader) settings(n *node, x string) []Setting {
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
