package figures

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/spec"
	"bullring/plots"
)

// conditions are the conditions of all trials of a figure. The caption is written from them,
// and they tell the setting of each point.
type conditions struct {
	*drawing
	symbol string // of the numbers along x; "" if categories stand there, or nothing
	fields []*condition
	places *condition // the places along x
}

// condition is a field, and its values in each line.
type condition struct {
	field  string
	shown  bool     // the legend tells it, the axis, or the rows of a heat map
	values []values // by line
	usual  values   // that all, or most, lines have; none if each line tells its own
}

// conditionsOf collects the conditions of a figure.
func conditionsOf(d *drawing) *conditions {
	c := &conditions{drawing: d, symbol: symbolOf(d), places: &condition{}}
	cells := map[*line][]point{}
	for _, i := range d.drawn() {
		p := d.places[i]
		cells[p.line] = append(cells[p.line], point{at: c.placeName(p.x), cell: &d.Cells[i]})
	}
	for _, field := range append([]string{"algorithm"}, spec.Axes()...) {
		apart, hasNames := slices.Contains(d.Series, field), c.hasNames(field)
		one := &condition{field: field, shown: !hasNames && (apart || c.symbol == "" && field == d.X.Name)}
		for _, l := range d.lines {
			one.values = append(one.values, c.valuesIn(cells[l], field))
		}
		one.usual = mostCommon(one.values)
		if field == "algorithm" && !one.same() || hasNames && apart {
			one.usual = values{}
		}
		c.fields = append(c.fields, one)
	}
	for _, l := range d.lines {
		c.places.values = append(c.places.values, values{list: []group{{values: c.placesOf(cells[l])}}})
	}
	c.places.usual = mostCommon(c.places.values)
	return c
}

// hasNames reports whether the sweep gives names to values of the field, which say in the
// legend and along the axis less than the values.
func (c *conditions) hasNames(field string) bool {
	return slices.ContainsFunc(c.drawn(), func(i int) bool {
		v, _ := c.Cells[i].Field(field)
		return c.Spec.NameOf(field, v) != ""
	})
}

// same reports whether all lines have the same values.
func (one *condition) same() bool {
	return !slices.ContainsFunc(one.values, func(v values) bool { return v.key() != one.values[0].key() })
}

// point is a cell, and its place along x as the axis names it.
type point struct {
	at   string
	cell *spec.Cell
}

// placesOf are the places of points, each once, in the order of the axis.
func (c *conditions) placesOf(points []point) []string {
	var at []string
	seen := map[string]bool{}
	for _, p := range points {
		if !seen[p.at] {
			seen[p.at], at = true, append(at, p.at)
		}
	}
	if c.symbol != "" {
		slices.SortFunc(at, func(a, b string) int {
			x, _ := strconv.ParseFloat(a, 64)
			y, _ := strconv.ParseFloat(b, 64)
			return cmp.Compare(x, y)
		})
	}
	return at
}

// valuesIn are the values of a field at the points of a line.
func (c *conditions) valuesIn(points []point, field string) values {
	at := map[string][]string{}
	seen := map[[2]string]bool{}
	for _, p := range points {
		v, _ := p.cell.Field(field)
		if !seen[[2]string{p.at, v}] {
			seen[[2]string{p.at, v}], at[p.at] = true, append(at[p.at], v)
		}
	}
	if c.x != nil && field == c.X.Name {
		if p := c.patternOf(at); p != (pattern{}) {
			return values{pattern: p}
		}
	}
	var v values
	groups := map[string]int{}
	for _, place := range c.placesOf(points) {
		key := fmt.Sprintf("%q", at[place])
		i, ok := groups[key]
		if !ok {
			i = len(v.list)
			groups[key], v.list = i, append(v.list, group{values: at[place]})
		}
		v.list[i].at = append(v.list[i].at, place)
	}
	if len(v.list) == 1 {
		v.list[0].at = nil
	}
	return v
}

// patternOf returns the pattern of values of which each holds its place along x, or the same
// multiple of it. It is the zero pattern if there is none.
func (c *conditions) patternOf(at map[string][]string) pattern {
	for k := max(1, c.X.Number); ; k++ {
		numbers := map[float64]spec.Number{}
		for place, texts := range at {
			n, err := spec.NumberAt(texts[0], k)
			x, none := strconv.ParseFloat(place, 64)
			if err != nil || none != nil || len(texts) > 1 {
				return pattern{}
			}
			if n.Unit == "s" {
				n.Value = c.x.unit.Convert(n.Value)
			}
			numbers[x] = n
		}
		if p := around(numbers); p != (pattern{}) || c.X.Number > 0 {
			return p
		}
	}
}

// symbolOf is the symbol of the numbers along x: the letter at the end of the label of the
// axis, or x.
func symbolOf(d *drawing) string {
	if d.x == nil || d.x.at == nil && d.categories {
		return ""
	}
	parts := strings.Split(cmp.Or(d.x.Label, d.x.words()), "*")
	if last := len(parts) - 2; last > 0 && parts[last+1] == "" && utf8.RuneCountInString(parts[last]) == 1 {
		return "*" + parts[last] + "*"
	}
	return "*x*"
}

// placeName names a place along x as the axis does: by its number, or as a category.
func (c *conditions) placeName(x float64) string {
	switch {
	case c.x == nil:
		return ""
	case !c.categories:
		return number(x)
	case c.x.at != nil:
		return number(c.x.at[int(x)])
	}
	return results.CategoryWords(c.Spec, c.x.Name, c.x.texts[int(x)])
}

// mostCommon is the first of the values that there are most of.
func mostCommon(all []values) (usual values) {
	times, most := map[string]int{}, 0
	for _, v := range all {
		times[v.key()]++
	}
	for _, v := range all {
		if times[v.key()] > most {
			usual, most = v, times[v.key()]
		}
	}
	return usual
}

// words say under which conditions the trials of a figure ran: the places along x and what
// stands there, what all series have in common, or most, and what each has of its own.
func (c *conditions) words() string {
	var t told
	own := make([][]string, len(c.lines))
	for _, one := range c.fields {
		if one.shown {
			continue
		}
		c.tellUsual(&t, one)
		for i, v := range one.values {
			if v.key() != one.usual.key() && !c.named(one.field, v, c.lines[i]) {
				own[i] = append(own[i], strings.TrimPrefix(c.valueWords(one.field, v), algorithmWord))
			}
		}
	}
	var parts []string
	if c.x != nil {
		for i, v := range c.places.values {
			if v.key() != c.places.usual.key() {
				own[i] = append(own[i], c.placesWords(v.list[0].values))
			}
		}
		parts = append(parts, c.alongWords(&t))
	}
	if t.common != nil {
		parts = append(parts, "Conditions: "+strings.Join(t.common, ", ")+".")
	}
	if t.pooled != nil {
		parts = append(parts, "Pooled over "+strings.Join(t.pooled, ", and over ")+".")
	}
	return strings.Join(append(parts, c.seriesWords(own)...), " ")
}

// told are the usual conditions in words.
type told struct {
	along, common, pooled []string
	at                    map[string][]string // by category along x
}

// algorithmWord stands before the name of an algorithm, except beside the label of a series.
const algorithmWord = "algorithm "

// tellUsual adds the usual values of a field, if they are worth telling.
func (c *conditions) tellUsual(t *told, one *condition) {
	usual := one.usual
	switch text := c.valueWords(one.field, usual); {
	case !usual.matters(one.field) || c.plain(one.field, usual):
	case usual.follows():
		t.along = append(t.along, text)
	case c.symbol == "" && len(usual.list) > 1:
		c.tellCategories(t, one)
	case usual.pools():
		t.pooled = append(t.pooled, text)
	default:
		t.common = append(t.common, text)
	}
}

// tellCategories adds the values of a field that differ between the categories along x.
func (c *conditions) tellCategories(t *told, one *condition) {
	if t.at == nil {
		t.at = map[string][]string{}
	}
	p := shared(one.usual.all())
	common := p != (pattern{}) && one.usual.pools()
	if common {
		t.pooled = append(t.pooled, results.ConditionWords(one.field, p.markup(pooledSymbol)))
	}
	for _, g := range one.usual.list {
		text := strings.TrimPrefix(g.words(one.field), algorithmWord)
		if common {
			text = g.numbersWords(p)
		}
		for _, place := range g.at {
			t.at[place] = append(t.at[place], text)
		}
	}
}

// named reports whether the label of a line says which algorithm it is.
func (c *conditions) named(field string, v values, l *line) bool {
	return field == "algorithm" && l.label != "" && len(v.list) == 1 && slices.Equal(v.list[0].values, []string{plots.Plain(l.label)})
}

// plain reports whether a field is the number along x, and the axis says so.
func (c *conditions) plain(field string, v values) bool {
	return field == "n" && v.pattern == pattern{multiple: 1} && c.symbol == "*n*"
}

// placesWords name places along x.
func (c *conditions) placesWords(at []string) string {
	if c.symbol == "" {
		return strings.Join(at, "; ")
	}
	all := slices.Clone(at)
	for i := range all {
		all[i] += c.x.unit.Name
	}
	return c.symbol + " = " + sequence(all)
}

// alongWords say what stands along x.
func (c *conditions) alongWords(t *told) string {
	places := c.places.usual.list[0].values
	if c.symbol == "" {
		all := make([]string, len(places))
		for i, place := range places {
			all[i] = withOwn(place, t.at[place])
		}
		return "Along *x*: " + strings.Join(all, "; ") + "."
	}
	if t.along == nil {
		return "Along *x*, " + c.placesWords(places) + "."
	}
	return "At " + c.placesWords(places) + ": " + strings.Join(t.along, ", ") + "."
}

// withOwn adds in brackets what a series or a category has of its own.
func withOwn(name string, own []string) string {
	if own == nil {
		return name
	}
	return name + " (" + strings.Join(own, ", ") + ")"
}

// seriesWords list the series, or the rows of a heat map, with what each has of its own.
func (c *conditions) seriesWords(own [][]string) []string {
	if len(c.lines) < 2 {
		return nil
	}
	what := "Series"
	if c.y != nil {
		what = "Rows"
	}
	if text := c.productWords(); text != "" && !slices.ContainsFunc(own, func(of []string) bool { return of != nil }) {
		return []string{what + " by " + text + "."}
	}
	if fields := slices.DeleteFunc(slices.Clone(c.Series), isLabel); len(fields) > 0 {
		what += " by " + plots.Escape(enumerate(fields))
	}
	all := make([]string, len(c.lines))
	for i, l := range c.lines {
		all[i] = withOwn(l.label, own[i])
	}
	return []string{what + ": " + strings.Join(all, "; ") + "."}
}

func isLabel(field string) bool { return field == "label" }

// productWords list the values of the fields that tell series apart, if there are several
// fields, and a series of each combination of their values.
func (c *conditions) productWords() string {
	if len(c.Series) < 2 || slices.ContainsFunc(c.Series, isLabel) {
		return ""
	}
	cells, combinations := c.Select(c.Cells), 1
	parts := make([]string, len(c.Series))
	for i, field := range c.Series {
		values := spec.Values(cells, field)
		combinations *= len(values)
		for k, v := range values {
			values[k] = results.CategoryWords(c.Spec, field, v)
		}
		parts[i] = plots.Escape(field) + " (" + strings.Join(values, ", ") + ")"
	}
	if combinations != len(c.lines) {
		return ""
	}
	return strings.Join(parts, " and ")
}

// valueWords say which values a field has.
func (c *conditions) valueWords(field string, v values) string {
	if v.follows() {
		return results.ConditionWords(field, v.pattern.markup(c.symbol))
	}
	var parts []string
	for _, g := range v.list {
		text := g.words(field)
		if g.at != nil {
			text += " at " + c.placesWords(g.at)
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, " and ")
}
