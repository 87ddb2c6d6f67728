package plots

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"bullring/plots/internal/page"
	"bullring/plots/looks"
)

// A BoxSeries is samples shown by their quartiles, a box each. Several series
// share a place: their boxes stand side by side there, in order.
type BoxSeries struct {
	Label string // as in Series
	Key   string // as in Series
	Boxes []Box  // in ascending order of X, no two at one place
}

// A Box is a sample in five ascending numbers, which the caller computes: the box reaches
// from Q1 to Q3 with a line at the median, and the whiskers reach to the two ends. Values
// beyond them are drawn one by one.
type Box struct {
	X                                       float64
	LowWhisker, Q1, Median, Q3, HighWhisker float64

	Outliers []float64 // beyond the whiskers, in any order; all are drawn
	Mean     *float64  // a diamond; nil for none
	N        int       // values in the sample, for the CSV; 0 for unknown
}

// hasMean reports whether a box of the series shows its mean.
func (s *BoxSeries) hasMean() bool {
	return slices.ContainsFunc(s.Boxes, func(b Box) bool { return b.Mean != nil })
}

// Widths of boxes in points.
const (
	widestBox   = vg.Length(14)
	narrowest   = vg.Length(2.5) // boxes rather overlap than vanish
	boxGap      = vg.Length(0.8) // between boxes of one place
	placeFilled = 0.75           // part of the distance of two places that boxes may take
)

func (s *BoxSeries) about() about {
	return about{kind: "boxes", label: s.Label, key: keyOf(s.Key, s.Label)}
}

func (s *BoxSeries) check(to *mistakes, name string) {
	if len(s.Boxes) == 0 {
		to.add(name, errors.New("no boxes"))
	}
	for i, b := range s.Boxes {
		err := b.mistake(to.figure)
		if err == nil && i > 0 && b.X <= s.Boxes[i-1].X {
			err = fmt.Errorf("x is %v after %v; the boxes must ascend", b.X, s.Boxes[i-1].X)
		}
		if err != nil {
			to.add(name, fmt.Errorf("box %d: %w", i, err))
			return
		}
	}
}

// span adds the boxes to the ranges of the data. Along x they also need the room of half a
// place at either end.
func (s *BoxSeries) span(f *Figure, x, y *span) {
	for _, b := range s.Boxes {
		y.add(b.LowWhisker)
		y.add(b.HighWhisker)
		if b.Mean != nil {
			y.add(*b.Mean)
		}
		for _, v := range b.Outliers {
			y.add(v)
		}
	}
	places := f.places()
	lo, hi := places[0], places[len(places)-1]
	if len(places) > 1 {
		lo, hi = f.X.widen(places, float64(vg.Length(mostBoxes(f))*(narrowest+boxGap)/page.Centimetres(f.Width, ColumnWidth)))
	}
	x.add(lo)
	x.add(hi)
}

func (s *BoxSeries) rows(t *table) {
	for _, b := range s.Boxes {
		mean, n := "", ""
		if b.Mean != nil {
			mean = page.Number(*b.Mean)
		}
		if b.N > 0 {
			n = strconv.Itoa(b.N)
		}
		t.add("box", s.Label, s.Key, t.x(b.X), "", page.Number(b.Median), page.Number(b.Q1), page.Number(b.Q3), page.Number(b.LowWhisker), page.Number(b.HighWhisker), mean, n)
		for _, v := range b.Outliers {
			t.add("outlier", s.Label, s.Key, t.x(b.X), "", page.Number(v))
		}
	}
}

func (s *BoxSeries) columns() []string {
	return append(slices.Clone(usualColumns), "low_whisker", "high_whisker", "mean", "n")
}

func (s *BoxSeries) style(f *Figure, looks *looker) styled {
	return &styledBoxes{s, f, looks.color(keyOf(s.Key, s.Label))}
}

// places returns where the boxes stand.
func (s *BoxSeries) places() []float64 {
	places := make([]float64, len(s.Boxes))
	for i, b := range s.Boxes {
		places[i] = b.X
	}
	return places
}

// boxesAt returns the series of a figure that have a box at x.
func boxesAt(f *Figure, x float64) []*BoxSeries {
	return slices.DeleteFunc(marksOf[*BoxSeries](f), func(s *BoxSeries) bool { return !slices.Contains(s.places(), x) })
}

// mostBoxes returns the number of boxes at the fullest place of a figure.
func mostBoxes(f *Figure) int {
	most := 0
	for _, x := range f.places() {
		most = max(most, len(boxesAt(f, x)))
	}
	return most
}

// widen returns the range of places extended at either end by half of their least
// distance, or by half of the given part of the range if that is more.
func (a Axis) widen(places []float64, part float64) (lo, hi float64) {
	first, last := places[0], places[len(places)-1]
	if a.Log {
		least := last / first
		for i := 1; i < len(places); i++ {
			least = min(least, places[i]/places[i-1])
		}
		room := max(math.Sqrt(least), math.Pow(last/first, part/2))
		return max(first/room, page.Smallest), min(last*room, page.Largest) // beyond, the quotient would overflow
	}
	least := last - first
	for i := 1; i < len(places); i++ {
		least = min(least, places[i]-places[i-1])
	}
	room := max(least, part*(last-first)) / 2
	return first - room, last + room
}

func (b *Box) mistake(f *Figure) error {
	if err := f.X.accept("x", b.X); err != nil {
		return err
	}
	numbers := []struct {
		name string
		v    float64
	}{
		{"low whisker", b.LowWhisker},
		{"first quartile", b.Q1},
		{"median", b.Median},
		{"third quartile", b.Q3},
		{"high whisker", b.HighWhisker},
	}
	for i, n := range numbers {
		if err := f.Y.accept(n.name, n.v); err != nil {
			return err
		}
		if i > 0 && n.v < numbers[i-1].v {
			return fmt.Errorf("%s is %v, below the %s, %v", n.name, n.v, numbers[i-1].name, numbers[i-1].v)
		}
	}
	for i, v := range b.Outliers {
		if err := f.Y.accept(fmt.Sprintf("outlier %d", i), v); err != nil {
			return err
		}
	}
	if b.N < 0 {
		return fmt.Errorf("a sample of %d values", b.N)
	}
	if b.Mean == nil {
		return nil
	}
	return f.Y.accept("mean", *b.Mean)
}

// Measures of a box plot in points.
const (
	medianWidth   = vg.Length(1.5)
	outlierRadius = vg.Length(1.1)
	outlierWidth  = vg.Length(0.5)
	meanRadius    = vg.Length(1.25) // at most: in a narrow box it would hide the median
)

// A boxShape is a box in its place on the page.
type boxShape struct {
	x, width                  vg.Length
	low, q1, median, q3, high vg.Length
}

// draw draws the part of the box that lies on the canvas. The opaque fill covers the grid.
func (b boxShape) draw(c draw.Canvas, col color.NRGBA) {
	left, right, end := b.x-b.width/2, b.x+b.width/2, b.width/4
	outline := page.Box(left, right, b.q1, b.q3)
	c.FillPolygon(barColor(col), c.ClipPolygonXY(outline))
	level := func(y, half vg.Length) []vg.Point { return []vg.Point{{X: b.x - half, Y: y}, {X: b.x + half, Y: y}} }
	upright := func(from, to vg.Length) []vg.Point { return []vg.Point{{X: b.x, Y: from}, {X: b.x, Y: to}} }
	c.StrokeLines(draw.LineStyle{Color: col, Width: intervalWidth}, c.ClipLinesXY(
		append(outline, outline[0]),
		upright(b.low, b.q1), upright(b.q3, b.high), level(b.low, end), level(b.high, end),
	)...)
	c.StrokeLines(draw.LineStyle{Color: col, Width: medianWidth}, c.ClipLinesXY(level(b.median, b.width/2))...)
}

// drawMean marks the mean in a box of that width, in a shade that stands out from the median.
func drawMean(c draw.Canvas, at vg.Point, width vg.Length, col color.NRGBA) {
	drawMarker(c, looks.Diamond, at, min(meanRadius, width/6), page.Mix(col, page.Ink, 0.45))
}

// styledBoxes are a series of boxes in its figure.
type styledBoxes struct {
	*BoxSeries
	figure *Figure
	color  color.NRGBA
}

func (s *styledBoxes) draw(p *painter, at pass) {
	if at != passBoxes && at != passMeans {
		return
	}
	width := s.width(p)
	for _, b := range s.Boxes {
		middle := p.x.At(b.X)
		if !p.axes.ContainsX(middle) {
			continue
		}
		x := middle + s.offset(b.X, width)
		if at == passBoxes {
			s.box(p, b, x, width)
		} else {
			s.mean(p, b, x, width)
		}
	}
}

func (s *styledBoxes) box(p *painter, b Box, x, width vg.Length) {
	boxShape{
		x: x, width: width, low: p.y.At(b.LowWhisker),
		q1: p.y.At(b.Q1), median: p.y.At(b.Median), q3: p.y.At(b.Q3), high: p.y.At(b.HighWhisker),
	}.draw(p.axes, s.color)
	p.axes.SetLineStyle(draw.LineStyle{Color: s.color, Width: outlierWidth})
	for _, v := range b.Outliers {
		if at := (vg.Point{X: x, Y: p.y.At(v)}); p.axes.Contains(at) {
			p.axes.Stroke(page.CirclePath(at, outlierRadius))
		}
	}
}

func (s *styledBoxes) mean(p *painter, b Box, x, width vg.Length) {
	if b.Mean == nil {
		return
	}
	if at := (vg.Point{X: x, Y: p.y.At(*b.Mean)}); p.axes.Contains(at) {
		drawMean(p.axes, at, width, s.color)
	}
}

// width returns the width of all boxes. The boxes of the fullest place fit between the two
// nearest places.
func (s *styledBoxes) width(p *painter) vg.Length {
	room := p.x.To - p.x.From
	places := s.figure.places()
	for i := 1; i < len(places); i++ {
		room = min(room, p.x.At(places[i])-p.x.At(places[i-1]))
	}
	share := placeFilled * room / vg.Length(max(1, mostBoxes(s.figure)))
	return min(widestBox, max(narrowest, share-boxGap))
}

// offset returns the distance of a box from its place. The boxes of a place stand side by
// side around it.
func (s *styledBoxes) offset(x float64, width vg.Length) vg.Length {
	present := boxesAt(s.figure, x)
	i := slices.Index(present, s.BoxSeries)
	return (width + boxGap) * (vg.Length(i) - vg.Length(len(present)-1)/2)
}

func (s *styledBoxes) sample(p *painter, x, y vg.Length) {
	const half, whisker, width = page.LegendRow * 0.26, page.LegendRow * 0.46, vg.Length(8)
	shape := boxShape{
		x: x + page.SampleWidth/2, width: width,
		low: y - whisker, q1: y - half, median: y, q3: y + half, high: y + whisker,
	}
	shape.draw(p.page, s.color)
	if s.hasMean() {
		drawMean(p.page, vg.Point{X: shape.x, Y: y}, width, s.color)
	}
}
