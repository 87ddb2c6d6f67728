package figures

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"bullring/experiments"
	"bullring/experiments/paper"
	"bullring/experiments/results"
	"bullring/experiments/spec"
	"bullring/experiments/stats"
	"bullring/internal/build"
	"bullring/internal/wholefile"
	"bullring/netem"
	"bullring/plots"
)

// Drawn reports whether the figures of a folder are there, as its manifest says, and
// returns the paths of their files.
func Drawn(dir string) (paths []string, ok bool) {
	m, err := results.ReadManifest(dir)
	if err != nil || m.Figures == nil || results.Unchanged(dir, m.Figures) != nil {
		return nil, false
	}
	for _, f := range m.Figures {
		paths = append(paths, filepath.Join(dir, f.Name))
	}
	return paths, true
}

// Draw draws the figures of a sweep from the results in its folder, into the folder
// figures there, and returns the paths of the files. Each figure is there as
// PNG, SVG and PDF, with the numbers in it as CSV and its caption as text and for
// LaTeX. Results that are not as the manifest says are an error: nobody could say what
// the figures show.
func Draw(r *experiments.Registry, dir string) ([]string, error) {
	a, err := results.Open(r, dir)
	if err != nil {
		return nil, err
	}
	if _, err := results.ReadManifest(dir); err != nil || len(a.Spec.Figures) == 0 {
		return nil, err
	}
	c, err := results.OpenClaims(dir, nil)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	return DrawHere(a, c)
}

// DrawHere draws the figures into the folder, which this process has taken: see Draw.
func DrawHere(a *results.Folder, c *results.Claims) ([]string, error) {
	m, err := results.ReadManifest(a.Dir)
	if err != nil {
		return nil, err
	}
	if err := results.Unchanged(a.Dir, m.Files); err != nil {
		return nil, fmt.Errorf("%w; bullring verify tells more, and bullring sweep --again makes it again", err)
	}
	if err := c.Take(append(results.FigureFiles(a.Spec.Figures), results.DocumentFiles...)); err != nil {
		return nil, err
	}
	paths, err := DrawInto(a, m, a)
	if len(paths) == 0 || err != nil {
		return paths, err
	}
	infos, err := ListFigures(a, paths)
	if err != nil {
		return paths, err
	}
	if err := paper.WriteDocuments(a, m, infos); err != nil {
		return paths, err
	}
	return paths, c.Settle()
}

// DrawInto draws the figures of the results that a manifest describes, from rows, into the
// folder of the archive, which may be another one.
func DrawInto(a *results.Folder, m *results.Manifest, rows *results.Folder) ([]string, error) {
	a.Manifest, a.Results = m, m.HashOf(results.ResultsFile)
	drawings := make([]*drawing, len(a.Spec.Figures))
	var err error
	for i := range a.Spec.Figures {
		f := &a.Spec.Figures[i]
		if drawings[i], err = newDrawing(a, f); err != nil {
			return nil, fmt.Errorf("%v: figure %s: %w", f.Pos, f.Name, err)
		}
	}
	count, err := rows.Rows(func(row *results.Record) (bool, error) {
		for _, d := range drawings {
			if err := d.add(row); err != nil {
				return false, err
			}
		}
		return true, nil
	})
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, d := range drawings {
		saved, err := d.save(count)
		paths = append(paths, saved...)
		if err != nil {
			return paths, err
		}
	}
	return paths, nil
}

// drawing is a figure for which values are gathered.
type drawing struct {
	*results.Folder
	*spec.Figure
	unit         timeScale // of what is measured
	exact        bool      // exact distributions are drawn
	mixed        bool      // some rows count times in message delays, and some in seconds
	xUnit, yUnit timeScale // of durations along x, and along y of a heat map
	x, y         side      // of a heat map; x of boxes too
	// categories: places along x are the numbers of the values in x, from 0.
	categories bool
	// shared are the algorithms of which several lines have colours of their own.
	shared   map[string]bool
	measured *experiments.Metric
	lines    []*line
	byFields map[string]*line // by quotedFields
	places   map[int]*place   // by cell
	digests  digests
	// rehearsal: the values are made up, and what cannot fail is left out.
	rehearsal bool
}

// place is where the values of a cell belong.
type place struct {
	line   *line
	x      float64
	values []float64       // in the unit of the rows, until settle hands them to the line
	unit   results.RowUnit // of a metric that is a time
}

// line is a series of a figure, and all values of it.
type line struct {
	label, key string
	fields     string                // the values that tell it from other lines
	values     map[float64][]float64 // by x; in a histogram all at 0
}

func newDrawing(a *results.Folder, f *spec.Figure) (*drawing, error) {
	measured, err := results.MetricOf(a.Registry, a.Spec, f.Metric().Name)
	if err != nil {
		return nil, err
	}
	d := &drawing{Folder: a, Figure: f, measured: measured, places: map[int]*place{}, byFields: map[string]*line{}, digests: digests{}}
	d.setSides()
	for i := range a.Cells {
		c := &a.Cells[i]
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

// fieldsOf are the values that tell the series of a cell from others.
func fieldsOf(f *spec.Figure, c *spec.Cell) []string {
	fields := make([]string, len(f.Series))
	for i, name := range f.Series {
		fields[i], _ = c.Field(name)
	}
	return fields
}

// quotedFields are these values as one word.
func quotedFields(f *spec.Figure, c *spec.Cell) string { return fmt.Sprintf("%q", fieldsOf(f, c)) }

// setSides sets the units along the sides, and the places of boxes and of the fields of
// a heat map.
func (d *drawing) setSides() {
	drawn := d.Select(d.Cells)
	if d.Kind != spec.Histogram {
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

// seriesLabel names the series of a cell by the fields that tell it from the others.
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

// xOf is where the cell stands along x: a number, the K of random:K, the mean of
// a delay, a duration, or the number of a category.
func (d *drawing) xOf(c *spec.Cell) (float64, error) {
	if d.Kind == spec.Histogram {
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
		return d.xUnit.of(at[0]), nil
	case d.X.Name == "delay":
		mean, err := meanDelay(text)
		return d.xUnit.of(mean), err
	}
	number := strings.TrimPrefix(text, "random:")
	x, err := strconv.Atoi(number)
	if err != nil {
		return 0, fmt.Errorf("x is %s, of which %q is no number; draw over numbers, and choose them by where", d.X.Name, text)
	}
	return float64(x), nil
}

// add takes the value of a row, if it belongs to the figure and has one.
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
	if err != nil || text == "" {
		return err
	}
	v, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil:
		return r.Wrong(metric, text, "a number")
	case d.measured.Proportion && v != 0 && v != results.Whole(d.measured):
		return r.Wrong(metric, text, fmt.Sprintf("0 or %v", results.Whole(d.measured)))
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

// plot is the figure of the values of so many rows.
func (d *drawing) plot(rows int) (*plots.Figure, error) {
	if err := d.settle(); err != nil {
		return nil, err
	}
	d.lines = slices.DeleteFunc(d.lines, func(l *line) bool { return len(l.values) == 0 })
	f := &plots.Figure{Name: d.Name, Title: d.Title, Looks: looks(d.Registry), Meta: d.meta(rows)}
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

// save draws the figure from the values of so many rows.
func (d *drawing) save(rows int) ([]string, error) {
	f, err := d.plot(rows)
	if err != nil {
		return nil, fmt.Errorf("%v: figure %s: %w", d.Pos, d.Name, err)
	}
	dir := filepath.Join(d.Dir, results.FiguresDir)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	paths, err := f.Save(dir)
	if err != nil {
		return paths, err
	}
	if d.Captions == nil {
		d.Folder.Captions = map[string]string{}
	}
	d.Folder.Captions[d.Name] = d.caption()
	for _, c := range d.captionFiles() {
		if _, err := wholefile.Write(filepath.Join(dir, c.Name), []byte(c.Text)); err != nil {
			return paths, err
		}
		paths = append(paths, filepath.Join(dir, c.Name))
	}
	return paths, nil
}

func (d *drawing) fillLines(f *plots.Figure) error {
	f.X = axis(d.X, d.sideWords(d.X))
	f.X.Whole = d.whole()
	f.Y = axis(d.Y, d.metricWords())
	for _, l := range d.lines {
		if points := d.points(l); len(points) > 0 {
			f.Series = append(f.Series, plots.Series{Label: l.label, Key: l.key, Points: points})
		}
	}
	return d.addCurves(f)
}

func (d *drawing) addCurves(f *plots.Figure) error {
	for i := range d.Curves {
		c, err := d.curve(&d.Curves[i])
		if err != nil {
			return spec.Error{Pos: d.Curves[i].Pos, Message: err.Error(), Cause: err}
		}
		f.Curves = append(f.Curves, c)
	}
	return nil
}

// points are the means of a line with their intervals. A logarithmic axis has no
// place for 0.
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
		if d.Y.Deviation { // that of a deviation depends on the distribution
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

// whole reports whether whole numbers stand along x.
func (d *drawing) whole() bool {
	at, unit, err := d.X.Coordinates(d.texts())
	return err == nil && unit == "" && !slices.ContainsFunc(at, func(x float64) bool { return x != math.Trunc(x) })
}

func axis(s spec.Scale, words string) plots.Axis {
	return plots.Axis{Label: cmp.Or(s.Label, words), Log: s.Log, Min: s.Min, Max: s.Max}
}

// meta tells how to make the figure again.
func (d *drawing) meta(rows int) []plots.Meta {
	meta := []plots.Meta{
		{Key: "Software", Value: "bullring " + build.ThisProgram().String()},
		{Key: "Epoch", Value: strconv.Itoa(netem.Epoch)},
		{Key: "Sweep", Value: d.Spec.Name},
		{Key: "Seed", Value: strconv.FormatUint(d.Spec.Seed, 10)},
		{Key: "Spec-SHA256", Value: wholefile.Hash(d.Text)},
	}
	if in := d.Spec.Included; in != nil {
		meta = append(meta, plots.Meta{Key: includeKey, Value: string(in.Text)})
	}
	meta = append(meta, plots.Meta{Key: specKey, Value: string(d.Text)}, plots.Meta{Key: ReceiptKey, Value: d.receipt().text()})
	if !d.Manifest.Complete {
		meta = append(meta, plots.Meta{Key: "Incomplete", Value: fmt.Sprintf("%d of %d trials", rows, d.Manifest.Trials)})
	}
	return meta
}

// ListFigures describes the files of figures.
func ListFigures(a *results.Folder, paths []string) ([]results.FileInfo, error) {
	var infos []results.FileInfo
	for _, path := range paths {
		info, err := wholefile.Stat(path)
		if err != nil {
			return nil, errors.Join(errors.New("the figures are drawn, but the manifest does not list them"), err)
		}
		info.Name = results.FiguresDir + "/" + info.Name
		infos = append(infos, results.FileInfo{Info: info})
	}
	return infos, nil
}
