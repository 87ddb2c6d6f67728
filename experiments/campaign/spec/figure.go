package spec

import (
	"cmp"
	"slices"
	"strings"
)

// Widths of figures, and a unit of times.
const (
	narrow = "column" // as wide as a column of a two-column page
	Wide   = "wide"   // as wide as the page

	// Delays is the unit of times in multiples of a constant message delay.
	Delays = "delay"
)

// mostNumber is the largest Scale.Number.
const mostNumber = 99

// Figure is one chart of a sweep.
type Figure struct {
	Name   string // unique; the stem of its files; default: the sweep's name
	Title  string // may be empty
	Asks   string // the question that the figure answers, in markup; may be empty
	Answer Answer // the answer; may be empty
	Kind   Kind
	X      Scale    // an axis or any field; the zero Scale without HasX
	Y      Scale    // a metric; in a heat map a field
	Z      Scale    // in a heat map the metric, else the zero Scale
	Series []string // the fields that tell lines, or the boxes of one place, apart; in a heat map Y: its rows are the lines
	Where  []Filter
	Curves []Curve
	Width  string // "column" or Wide
	TeX    bool   // it is written as TikZ, too
	Pos    Pos

	// Of a line chart: where the labels of its series are, "legend" or Ends.
	Labels string

	// Of a diagram: which trial it shows, what its distances stand for ("time", "gaps" or
	// "steps"), and whether what its verdict does not follow from is faded.
	Trial string
	Axis  string
	Why   bool

	// Of a grid: the figures that are its panels, in rows of so many (0 for all), and whether
	// they share the limits of a side.
	Panels         []Figure
	Columns        int
	ShareX, ShareY bool
	named          []panel
}

// HasX reports whether the cells of the figure stand along an axis.
func (f *Figure) HasX() bool { return f.Kind.row().x.shows != nothing }

// Scale is a side of a figure, or its colours.
type Scale struct {
	Name     string // the axis or the metric
	Label    string // "" for the caller's own words
	Unit     string // of durations: one of units; "" for the unit of the label or the caller's choice
	Log      bool
	Min, Max *float64 // nil: from the data
	// Deviation: the standard deviation of the replicates is drawn, not their mean.
	Deviation bool
	Number    int  // place values by their Number-th number, from 1; 0 is off: see Coordinates
	Field     bool // it may be any field: values that are no numbers are categories
	Ordinal   bool // equal steps whatever the numbers; of a Field
	Pos       Pos
}

// units returns the units of durations that a scale may name.
func units() []string { return []string{"s", "ms", "us", "ns"} }

// labelUnits are the units that may stand in brackets at the end of a label.
var labelUnits = map[string]string{
	"s": "s", "seconds": "s", "ms": "ms", "us": "us", "µs": "us", "μs": "us", "ns": "ns",
	"delays": Delays, "message delays": Delays,
}

// NamedUnit returns the unit of durations that the scale names: its own, or the one in
// brackets at the end of its label. It is one of units, Delays, or "" for none.
func (s Scale) NamedUnit() string { return cmp.Or(s.Unit, s.labelUnit()) }

// labelUnit reads the unit from the label. The space keeps "message(s)" apart.
func (s Scale) labelUnit() string {
	words, closed := strings.CutSuffix(strings.TrimSpace(s.Label), ")")
	i := strings.LastIndex(words, " (")
	if !closed || i < 0 {
		return ""
	}
	return labelUnits[words[i+2:]]
}

// Means reports whether delays stand along the scale by their means.
func (s Scale) Means() bool { return s.Name == "delay" && s.Number == 0 && !s.Field }

// Metric returns the scale of the metric.
func (f *Figure) Metric() Scale {
	if f.Kind.row().z.shows == aMetric {
		return f.Z
	}
	return f.Y
}

// Metrics returns the names of the metrics that the figure, or its panels, draw.
func (f *Figure) Metrics() (names []string) {
	if f.Panels == nil {
		return []string{f.Metric().Name}
	}
	for i := range f.Panels {
		if name := f.Panels[i].Metric().Name; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// Categories reports whether the values of x in the drawn cells are categories, not
// numbers along a scale.
func (f *Figure) Categories(drawn []Cell) bool {
	_, _, err := f.X.Coordinates(Values(drawn, f.X.Name))
	return f.X.Ordinal || err != nil
}

// Filter keeps the cells whose field has one of the values.
type Filter struct {
	Field  string
	Values []string
}

// Curve is a line of theory: a declared bound of an algorithm or, without a Bound, Factor *
// x^Power * (lg x)^Lg. With a Factor of 0 it goes through the measured point of the
// largest x. Its Algorithm, if given, and With name the series whose colour it has.
type Curve struct {
	Algorithm, Bound  string
	Factor, Power, Lg float64
	Base              float64 // of an exponential of x; 0 for none
	Label             string
	With              []Setting // conditions to evaluate the bound under
	Pos               Pos
}

// Setting is the value of one axis.
type Setting struct{ Axis, Value string }

// Matches reports whether the figure, or one of its panels, draws the cell.
func (f *Figure) Matches(c Cell) bool {
	if f.Panels != nil {
		return slices.ContainsFunc(f.Panels, func(p Figure) bool { return p.Matches(c) })
	}
	for _, w := range f.Where {
		if v, ok := c.Field(w.Field); !ok || !slices.Contains(w.Values, v) {
			return false
		}
	}
	return true
}

// Select returns the cells that the figure draws, in their order.
func (f *Figure) Select(cells []Cell) []Cell {
	var drawn []Cell
	for _, c := range cells {
		if f.Matches(c) {
			drawn = append(drawn, c)
		}
	}
	return drawn
}

// Values returns the values of a field in the cells, in order of appearance.
func Values(cells []Cell, field string) []string {
	get := getter(field)
	seen := map[string]bool{}
	var values []string
	for i := range cells {
		if v := get(&cells[i]); !seen[v] {
			seen[v] = true
			values = append(values, v)
		}
	}
	return values
}

// Apply returns the cell under the conditions of the curve.
func (c *Curve) Apply(cell Cell) Cell {
	for _, s := range c.With {
		if i := axisIndex(s.Axis); i >= 0 {
			axes[i].set(&cell, s.Value)
		}
	}
	return cell
}

// defaultSeries returns the fields that tell the cells apart, the label first. A field is
// among them if it differs between two cells that agree in the fields before it.
func defaultSeries(cells []Cell, x string) []string {
	return tellApart(cells, make([]string, len(cells)), x)
}

// mixed returns the fields that tell apart cells that agree in all of the given fields.
func mixed(cells []Cell, fields ...string) []string {
	places := make([]string, len(cells))
	for _, field := range fields {
		join(places, cells, field)
	}
	return tellApart(cells, places, fields[0])
}

// tellApart returns the fields, except one, that tell apart cells of the same group. It
// splits the groups by them.
func tellApart(cells []Cell, groups []string, except string) []string {
	fields := []string{}
	for _, field := range append([]string{"label"}, Fields()...) {
		if field != except && varies(cells, groups, getter(field)) {
			fields = append(fields, field)
			join(groups, cells, field)
		}
	}
	return fields
}

// join appends the value of a field to the group of each cell.
func join(groups []string, cells []Cell, field string) {
	get := getter(field)
	for i := range cells {
		groups[i] += "\x00" + get(&cells[i]) // no value holds this byte
	}
}

// varies reports whether two cells of one group differ in a field.
func varies(cells []Cell, groups []string, get func(*Cell) string) bool {
	seen := map[string]string{}
	for i := range cells {
		v := get(&cells[i])
		first, ok := seen[groups[i]]
		if !ok {
			seen[groups[i]] = v
		} else if first != v {
			return true
		}
	}
	return false
}
