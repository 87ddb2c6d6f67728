package figures

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/spec"
	"bullring/experiments/campaign/stats"
	"bullring/experiments/trial"
	"bullring/plots"
)

// drawing is a figure and the values for it.
type drawing struct {
	*results.Folder
	*spec.Figure
	kind  kind
	unit  results.TimeScale // of the metric
	exact bool              // exact distributions are drawn
	mixed bool              // some rows count times in message delays, others in seconds
	x, y  *side             // along which cells stand; nil for none
	// categories: places along x are indices into the values of x.
	categories bool
	// shared are the algorithms of several lines with different colours.
	shared   map[string]bool
	metrics  []*trial.Metric // that rows have: measured, and those of other panels
	measured *trial.Metric
	panels   []*drawing // of a grid
	lines    []*line
	byFields map[string]*line // by quotedFields
	places   map[int]*place   // by cell
	digests  digests
	outside  outsides
	chart    *plots.Figure // once it is drawn; nil if the kind draws none
	// rehearsal: the values are made up, and steps that cannot fail are left out.
	rehearsal bool
}

// place is where the values of a cell belong.
type place struct {
	line   *line
	x      float64
	values []float64       // in the unit of the rows, until convertTimes hands them to the line
	unit   results.RowUnit // if the metric is a time
}

// line is a series of a figure, and its values.
type line struct {
	label, key string
	fields     string                // the values that distinguish it from other lines
	values     map[float64][]float64 // by x; in a histogram all at 0
}

func newDrawing(folder *results.Folder, f *spec.Figure) (*drawing, error) {
	d := &drawing{Folder: folder, Figure: f, places: map[int]*place{}, byFields: map[string]*line{}, digests: digests{}, outside: outsides{}}
	for _, name := range f.Metrics() {
		m, err := results.MetricOf(folder.Registry, folder.Spec, name)
		if err != nil {
			return nil, err
		}
		d.metrics = append(d.metrics, m)
	}
	d.measured = d.metrics[0]
	for i := range f.Panels {
		panel, err := newDrawing(folder, &f.Panels[i])
		if err != nil {
			return nil, err
		}
		d.panels = append(d.panels, panel)
	}
	d.kind = kinds[f.Kind](d)
	drawn := f.Select(folder.Cells)
	if f.HasX() {
		d.x = newSide(folder.Spec, f, f.X, drawn)
	}
	if f.Y.Field {
		d.y = newSide(folder.Spec, f, f.Y, drawn)
	}
	d.categories = d.y != nil || f.X.Field && f.Categories(drawn)
	for i := range folder.Cells {
		c := &folder.Cells[i]
		if !f.Matches(*c) {
			continue
		}
		l := d.lineOf(c)
		if l == nil {
			l = &line{label: d.seriesLabel(c), key: c.Algorithm, fields: strings.Join(fieldsOf(f, c), " "), values: map[float64][]float64{}}
			d.byFields[quotedFields(f, c)] = l
			d.lines = append(d.lines, l)
		}
		x, err := d.xOf(c)
		if err != nil {
			return nil, err
		}
		d.places[i] = &place{line: l, x: x}
	}
	d.colourApart()
	return d, nil
}

// fieldsOf are the values that distinguish the series of a cell from others.
func fieldsOf(f *spec.Figure, c *spec.Cell) []string {
	fields := make([]string, len(f.Series))
	for i, name := range f.Series {
		fields[i], _ = c.Field(name)
	}
	return fields
}

// quotedFields are these values, quoted into one string.
func quotedFields(f *spec.Figure, c *spec.Cell) string { return fmt.Sprintf("%q", fieldsOf(f, c)) }

// seriesLabel names the series of a cell by the fields that distinguish it from others.
func (d *drawing) seriesLabel(c *spec.Cell) string {
	fields := d.Series
	switch {
	case len(fields) == 0 && (d.X.Name == "algorithm" || d.X.Name == "label"):
		return "" // x names them
	case len(fields) == 0:
		return plots.Escape(c.Label)
	}
	var words []string
	for _, name := range fields {
		if name == "algorithm" && slices.Contains(fields, "label") && strings.HasPrefix(c.Label, c.Algorithm) {
			continue // the label says it already
		}
		text, _ := c.Field(name)
		if given := d.Spec.NameOf(name, text); given != "" {
			words = append(words, plots.Escape(given))
			continue
		}
		words = append(words, results.FieldWords(name, text))
	}
	words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
	if len(words) == 0 {
		return plots.Escape(c.Label)
	}
	return strings.Join(words, ", ")
}

// xOf returns the place of a cell along x: a number, the K of random:K, the mean of a
// delay, a duration, or the index of a category.
func (d *drawing) xOf(c *spec.Cell) (float64, error) {
	if !d.HasX() {
		return 0, nil
	}
	text, _ := c.Field(d.X.Name)
	switch {
	case d.categories:
		return float64(d.x.index(text)), nil
	case d.X.Number > 0:
		at, _, err := d.X.Coordinates([]string{text})
		if err != nil {
			return 0, err
		}
		return d.x.unit.Convert(at[0]), nil
	case d.X.Name == "delay":
		mean, err := meanDelay(text)
		return d.x.unit.Convert(mean), err
	}
	number := strings.TrimPrefix(text, "random:")
	x, err := strconv.Atoi(number)
	if err != nil {
		return 0, fmt.Errorf("x is %s, and its value %q is no number; select numbers with where", d.X.Name, text)
	}
	return float64(x), nil
}

// add adds a row, if it belongs to the figure.
func (d *drawing) add(r *results.Record) error {
	if d.places[r.Cell] == nil {
		return nil
	}
	texts := make([]string, len(d.metrics))
	for i, m := range d.metrics {
		var err error
		if texts[i], err = r.Text(m); err != nil {
			return err
		}
	}
	if err := d.digests.add(r, strings.Join(texts, ",")); err != nil {
		return err
	}
	if err := d.outside.add(r); err != nil {
		return err
	}
	return d.kind.add(r, texts[0])
}

// addValue adds the value of a row, if it has one.
func (d *drawing) addValue(r *results.Record, text string) error {
	if text == "" {
		return nil
	}
	p, metric := d.places[r.Cell], d.Metric().Name
	v, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil:
		return r.Wrong(metric, text, "a number")
	case d.measured.Proportion && v != 0 && v != results.FullProportion(d.measured):
		return r.Wrong(metric, text, fmt.Sprintf("0 or %v", results.FullProportion(d.measured)))
	}
	p.values = append(p.values, v)
	if !d.measured.InTime() {
		return nil
	}
	unit := results.RowUnit{Length: time.Second}
	if d.measured.IsTime() {
		if unit, err = r.Unit(); err != nil {
			return err
		}
	}
	if p.unit.Length != 0 && p.unit != unit {
		return fmt.Errorf("%s: the row has times in another unit than the rows before it of its cell", r.Where)
	}
	p.unit = unit
	return nil
}

// width is the width of the figure in centimetres.
func (d *drawing) width() float64 {
	if d.Width == spec.Wide {
		return plots.PageWidth
	}
	return plots.ColumnWidth
}

func axis(s spec.Scale, words string) plots.Axis {
	return plots.Axis{Label: cmp.Or(s.Label, words), Log: s.Log, Min: s.Min, Max: s.Max}
}

// points are the means of a line with their intervals. A logarithmic axis leaves out values
// that are not positive.
func (d *drawing) points(l *line) []plots.Point {
	var points []plots.Point
	for _, x := range slices.Sorted(maps.Keys(l.values)) {
		s := stats.Summarize(l.values[x])
		p := plots.Point{X: x, Y: s.Mean}
		if d.Y.Deviation {
			p.Y = s.SD
		}
		if d.Y.Deviation && !s.HasInterval() || d.Y.Log && p.Y <= 0 {
			continue
		}
		if d.Y.Deviation { // the interval of a deviation depends on the distribution
			points = append(points, p)
			continue
		}
		lo, hi := results.Interval(d.measured, l.values[x])
		if lo < hi && (!d.Y.Log || lo > 0) {
			p.YLow, p.YHigh = lo, hi
		}
		points = append(points, p)
	}
	return points
}

// xRange is the measured range of x.
func (d *drawing) xRange() (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, l := range d.lines {
		for x := range l.values {
			lo, hi = min(lo, x), max(hi, x)
		}
	}
	return lo, hi
}

// wholeValues reports whether all values of the metric are whole numbers.
func (d *drawing) wholeValues() bool {
	for _, l := range d.lines {
		for _, values := range l.values {
			if slices.ContainsFunc(values, func(v float64) bool { return v != math.Trunc(v) }) {
				return false
			}
		}
	}
	return true
}

// texts are the measured values of x by size, as the spec prints them.
func (d *drawing) texts() []string {
	type point struct {
		x    float64
		text string
	}
	var points []point
	for i, p := range d.places {
		text, _ := d.Cells[i].Field(d.X.Name)
		points = append(points, point{x: p.x, text: text})
	}
	slices.SortFunc(points, func(a, b point) int {
		return cmp.Or(cmp.Compare(a.x, b.x), cmp.Compare(a.text, b.text))
	})
	points = slices.CompactFunc(points, func(a, b point) bool { return a.x == b.x })
	texts := make([]string, len(points))
	for i, p := range points {
		texts[i] = p.text
	}
	return texts
}

// whole reports whether all values of x are whole numbers.
func (d *drawing) whole() bool {
	at, unit, err := d.X.Coordinates(d.texts())
	return err == nil && unit == "" && !slices.ContainsFunc(at, func(x float64) bool { return x != math.Trunc(x) })
}

// lineOf returns the line of a cell; nil if there is none.
func (d *drawing) lineOf(c *spec.Cell) *line { return d.byFields[quotedFields(d.Figure, c)] }
