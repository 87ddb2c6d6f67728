package figures

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"bullring/experiments"
	"bullring/experiments/results"
	"bullring/experiments/spec"
	"bullring/plots"
)

// drawing is a figure and the values for it.
type drawing struct {
	*results.Folder
	*spec.Figure
	unit         timeScale // of the metric
	exact        bool      // exact distributions are drawn
	mixed        bool      // some rows count times in message delays, others in seconds
	xUnit, yUnit timeScale // of durations along x, and along y of a heat map
	x, y         side      // of a heat map; x also of boxes
	// categories: places along x are indices into the values of x.
	categories bool
	// shared are the algorithms of several lines with different colours.
	shared   map[string]bool
	measured *experiments.Metric
	lines    []*line
	byFields map[string]*line // by quotedFields
	places   map[int]*place   // by cell
	digests  digests
	trials   []trial // of a diagram
	chosen   *chosen // of a diagram
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
	measured, err := results.MetricOf(folder.Registry, folder.Spec, f.Metric().Name)
	if err != nil {
		return nil, err
	}
	d := &drawing{Folder: folder, Figure: f, measured: measured, places: map[int]*place{}, byFields: map[string]*line{}, digests: digests{}}
	d.setSides()
	for i := range folder.Cells {
		c := &folder.Cells[i]
		if !f.Matches(*c) {
			continue
		}
		l := d.lineOf(c)
		if l == nil {
			l = &line{label: seriesLabel(f, c), key: c.Algorithm, fields: strings.Join(fieldsOf(f, c), " "), values: map[float64][]float64{}}
			d.byFields[quotedFields(f, c)] = l
			d.lines = append(d.lines, l)
		}
		x, err := d.xOf(c)
		if err != nil {
			return nil, err
		}
		d.places[i] = &place{line: l, x: x}
	}
	if f.Kind != spec.Heatmap {
		d.colourApart()
	}
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

// setSides sets the units along the sides, and the places of boxes and of the fields of a
// heat map.
func (d *drawing) setSides() {
	drawn := d.Select(d.Cells)
	if d.HasX() {
		d.xUnit = d.sideUnit(d.X, drawn)
	}
	switch d.Kind {
	case spec.Box:
		d.x, d.categories = newSide(d.X, drawn, d.xUnit), d.Categories(drawn)
	case spec.Heatmap:
		d.yUnit = d.sideUnit(d.Y, drawn)
		d.x, d.y, d.categories = newSide(d.X, drawn, d.xUnit), newSide(d.Y, drawn, d.yUnit), true
	}
}

// seriesLabel names the series of a cell by the fields that distinguish it from others.
func seriesLabel(f *spec.Figure, c *spec.Cell) string {
	fields := f.Series
	switch {
	case len(fields) == 0 && (f.X.Name == "algorithm" || f.X.Name == "label"):
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
		words = append(words, fieldWords(name, text))
	}
	words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
	if len(words) == 0 {
		return plots.Escape(c.Label)
	}
	return strings.Join(words, ", ")
}

// fieldWords says in a legend what a field's value means.
func fieldWords(field, value string) string {
	text := plots.Escape(strings.ReplaceAll(value, "\n", "; ")) // of a plan in several lines
	switch {
	case field == "n":
		return "*n* = " + text
	case field == "fifo" && value == "true":
		return "FIFO"
	case field == "fifo":
		return "no FIFO"
	case field == "initiators" && (value == "" || value == "all"):
		return "all initiate"
	case field == "initiators":
		return "initiator " + text
	case field == "dead" && value == "none":
		return "nobody dead"
	case field == "dead":
		return "dead: " + text
	case field == "delay":
		return "delay " + text
	case field == "fault" && value == "":
		return "no fault"
	}
	return text
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
		return d.xUnit.convert(at[0]), nil
	case d.X.Name == "delay":
		mean, err := meanDelay(text)
		return d.xUnit.convert(mean), err
	}
	number := strings.TrimPrefix(text, "random:")
	x, err := strconv.Atoi(number)
	if err != nil {
		return 0, fmt.Errorf("x is %s, and its value %q is no number; select numbers with where", d.X.Name, text)
	}
	return float64(x), nil
}

// add adds the value of a row, if the row belongs to the figure and has one.
func (d *drawing) add(r *results.Record) error {
	p, drawn := d.places[r.Cell]
	if !drawn {
		return nil
	}
	metric := d.Metric().Name
	text, err := r.Text(d.measured)
	if err == nil {
		err = d.digests.add(r, text)
	}
	if err == nil && d.Kind == spec.Diagram {
		err = d.addTrial(r, text)
	}
	if err != nil || text == "" {
		return err
	}
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

// plot returns the figure. rows is the number of rows of the sweep.
func (d *drawing) plot(rows int) (*plots.Figure, error) {
	if err := d.convertTimes(); err != nil {
		return nil, err
	}
	d.lines = slices.DeleteFunc(d.lines, func(l *line) bool { return len(l.values) == 0 })
	f := &plots.Figure{Name: d.Name, Title: d.Title, Looks: fixedLooks(d.Registry), Meta: d.meta(rows)}
	if d.Width == spec.Wide {
		f.Width = plots.PageWidth
	}
	err := fmt.Errorf("no trial has a value of %s", d.Metric().Name)
	if len(d.lines) > 0 {
		switch d.Kind {
		case spec.Histogram:
			err = d.fillHistogram(f)
		case spec.Box:
			err = d.fillBoxes(f)
		case spec.Heatmap:
			err = d.fillHeatmap(f)
		default:
			err = d.fillLines(f)
		}
	}
	return f, err
}

func axis(s spec.Scale, words string) plots.Axis {
	return plots.Axis{Label: cmp.Or(s.Label, words), Log: s.Log, Min: s.Min, Max: s.Max}
}
