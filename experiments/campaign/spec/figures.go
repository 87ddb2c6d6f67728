package spec

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// figureReader reads figures.
type figureReader struct {
	scaleReader
	axes axisReader
}

// figures reads `figures` into the sweep. Without sound cells it does not check what
// depends on them.
func (r figureReader) figures(n *node, s *Spec, soundCells bool) {
	if n == nil {
		return
	}
	cells := s.cellsIf(soundCells)
	r.each(n, "figures", func(item *node) {
		var f Figure
		if r.sound(func() { f = r.figure(item, s.Name, cells) }) && soundCells {
			r.draw(&f, cells)
			r.drawPanels(&f, cells)
		}
		s.Figures = append(s.Figures, f)
	})
	r.uniqueNames(s.Figures)
	findPanels(r.report, s.Figures)
}

// uniqueNames refuses figures that would write the same files.
func (r figureReader) uniqueNames(figures []Figure) {
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
func (r figureReader) draw(f *Figure, cells []Cell) {
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
func (r figureReader) coordinates(s Scale, drawn []Cell) {
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
func (r figureReader) figure(n *node, name string, cells []Cell) Figure {
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
	if list := given["panels"]; list != nil && f.Kind == Grid {
		r.panels(list, &f, cells)
	}
	if list := given["curves"]; list != nil {
		r.each(list, "curves", func(item *node) { f.Curves = append(f.Curves, curveReader{r.axes}.curve(item, &f)) })
	}
	return f
}

// figureFields are the keys of a figure. The kind comes before the sides, which depend on it.
func (r figureReader) figureFields(f *Figure, cells []Cell) []field {
	widths := []string{narrow, Wide}
	fields := []field{
		{"name", false, like(stemPattern()).About("of its files; default: the sweep's name"), func(n *node) { f.Name = r.stem(n, "name") }},
		{"title", false, line().About("above the figure; default: none"), func(n *node) { f.Title = r.markup(n, "title") }},
		{"asks", false, line().About("the question that the figure answers; default: none"), func(n *node) { f.Asks = r.markup(n, "asks") }},
		{"answers", false, answerSchema(), func(n *node) { f.Answer = r.answer(n) }},
		{"kind", false, word(kindNames()).About("default: " + Line.String()), func(n *node) { f.Kind = r.kind(n) }},
		{"x", false, (&schema{}).About("the axis along which it is drawn; default: n"), func(n *node) { f.X = r.side(n, "x", f.Kind.row().x) }},
		{"y", false, (&schema{}).About("the metric that is drawn, or that chooses the trial of a diagram; in a heatmap the field of its rows"), func(n *node) { f.Y = r.vertical(n, f.Kind.row().y) }},
		{"z", false, (&schema{}).About("the metric that the colours of a heatmap show"), func(n *node) { f.Z = r.metric(n, "z", metricSide()) }},
		{"width", false, word(widths).About("as wide as a column or as the page; default: column, of a diagram and a grid wide"), func(n *node) { f.Width = r.word(n, "width", widths) }},
		{"tex", false, truth().About("write it as TikZ, too, for LaTeX; default: false"), func(n *node) { f.TeX = r.truth(n, "tex") }},
		{"where", false, object(fieldProperties()...).About("values that the cells drawn have"), func(n *node) { f.Where = r.where(n, cells) }},
	}
	for k := range Kinds {
		fields = append(fields, k.row().ownKeys(r.words, f)...)
	}
	return append(fields,
		field{"series", false, seriesSchema(), nil},
		field{"curves", false, oneOrMore(ref("curve")).About("lines of theory"), nil})
}

// kind reads the kind of a figure; Line after an error.
func (r figureReader) kind(n *node) Kind {
	return Kind(max(0, slices.Index(kindNames(), r.word(n, "kind", kindNames()))))
}

// checkSides refuses sides that the kind of figure does not have, and requires those that
// it needs.
func (r figureReader) checkSides(given map[string]*node, f *Figure) {
	row := f.Kind.row()
	switch x := given["x"]; {
	case x != nil && !f.HasX():
		r.errorf(x.pos, "%s has no x: %s", f.Kind.article(), row.x.why)
	case x == nil && f.HasX():
		f.X = Scale{Name: "n", Field: row.x.shows == aField}
	}
	switch y := given["y"]; {
	case y != nil && row.y.shows == nothing:
		r.errorf(y.pos, "%s has no y: %s", f.Kind.article(), row.y.why)
	case y == nil && row.y.shows != nothing && given != nil:
		r.errorf(f.Pos, "a figure needs the key y")
	}
	switch z := given["z"]; {
	case z != nil && row.z.shows == nothing && row.z.why != "":
		r.errorf(z.pos, "%s has no z: %s", f.Kind.article(), row.z.why)
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
func (r figureReader) checkKeys(given map[string]*node, f *Figure) {
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
	refuse(row.lacks, f.Kind.article()+" has no %s: "+row.because)
	if row.needs != "" && given[row.needs] == nil {
		r.errorf(f.Pos, "%s needs the key %s", f.Kind.article(), row.needs)
	}
	if row.usual != nil {
		row.usual(f)
	}
}

// series reads the fields that tell series apart. An empty list is one series of all.
func (r figureReader) series(n *node, x string) []string {
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
func (r figureReader) where(n *node, cells []Cell) []Filter {
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
func (r figureReader) filterValues(n *node, field string, cells []Cell) []string {
	present := Values(cells, field)
	var texts []string
	for _, v := range r.axes.axisValues(r.axes.valued(n, field), fieldAxis(field)) {
		texts = append(texts, v.text)
		if len(present) > 0 && !slices.Contains(present, v.text) {
			r.hintf(v.pos, didYouMean(v.text, present), "where keeps %s %q, which this sweep does not have: it has %s",
				field, shorten(v.text), shorten(strings.Join(present, ", ")))
		}
	}
	return texts
}
