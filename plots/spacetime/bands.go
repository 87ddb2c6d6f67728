package spacetime

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"bullring/plots/internal/page"
	"bullring/plots/looks"
)

// Measures of bands in points.
const (
	bandHalf     = vg.Length(4.4) // half of the height
	sampleHalf   = vg.Length(3.4) // the same in the legend
	leastBand    = vg.Length(1.2) // the length of a clash of one instant
	patternWidth = vg.Length(0.55)
	patternPitch = vg.Length(4.2) // of a zigzag, from edge to edge
	edgeWidth    = vg.Length(0.7)
)

// bandColors are the colours of bands.
var bandColors = [...]color.NRGBA{
	looks.Blue: page.Blue, looks.Orange: page.Orange, looks.Green: page.Green, looks.Red: page.Red,
	looks.Purple: page.Purple, looks.Sky: page.Sky, looks.Black: page.Ink,
}

// patterns draw the textures that have a pattern into a rectangle, above its ground.
var patterns = [looks.Textures]func(p pen, c color.NRGBA, r vg.Rectangle){
	looks.Zigzag: func(p pen, c color.NRGBA, r vg.Rectangle) { zigzag(p, c, r, r.Min.Y, r.Max.Y) },
	looks.Crossed: func(p pen, c color.NRGBA, r vg.Rectangle) {
		zigzag(p, c, r, r.Min.Y, r.Max.Y)
		zigzag(p, c, r, r.Max.Y, r.Min.Y)
	},
	looks.Dotted: dots,
	looks.Hollow: func(p pen, c color.NRGBA, r vg.Rectangle) {
		edge := edgeWidth / 2
		box := page.Box(r.Min.X+edge, max(r.Min.X+edge, r.Max.X-edge), r.Min.Y+edge, r.Max.Y-edge)
		p.stroke(draw.LineStyle{Color: c, Width: edgeWidth}, append(box, box[0])...)
	},
}

// grounds are how much white is in the grounds of the textures.
var grounds = [looks.Textures]float64{looks.Full: 0.5, looks.Zigzag: 0.86, looks.Crossed: 0.86, looks.Dotted: 0.86, looks.Hollow: 1, looks.Pale: 0.87}

// drawBands draws the stays of all lanes.
func (l *diagramLayout) drawBands(p pen) {
	for i, lane := range l.Lanes {
		for _, s := range lane.Stays {
			from, to := l.stayEnds(s)
			box := vg.Rectangle{Min: vg.Point{X: from, Y: l.lane(i) - bandHalf}, Max: vg.Point{X: to, Y: l.lane(i) + bandHalf}}
			switch {
			case s.Clash:
				drawClash(p, box)
			case to > from:
				drawFill(p, l.Bands[s.Band].Fill, box)
			}
		}
	}
}

// stayEnds are the ends of a stay on the page. An open one goes on to the end of the lane.
func (l *diagramLayout) stayEnds(s Stay) (from, to vg.Length) {
	from, to = l.axis.At(s.From), l.axis.At(s.To)
	if s.Open {
		to = l.axis.To + laneEnd
	}
	if s.Clash {
		to = max(to, from+leastBand)
	}
	return from, to
}

// drawFill fills a rectangle.
func drawFill(p pen, f looks.Fill, r vg.Rectangle) {
	c := bandColors[f.Colour]
	p.fill(page.Mix(c, page.White, grounds[f.Texture]), page.Box(r.Min.X, r.Max.X, r.Min.Y, r.Max.Y)...)
	if pattern := patterns[f.Texture]; pattern != nil {
		pattern(p, page.Mix(c, page.Ink, 0.15), r)
	}
}

// drawClash fills a rectangle in strong red, between two black lines.
func drawClash(p pen, r vg.Rectangle) {
	p.fill(page.Red, page.Box(r.Min.X, r.Max.X, r.Min.Y, r.Max.Y)...)
	for _, y := range []vg.Length{r.Min.Y, r.Max.Y} {
		p.stroke(draw.LineStyle{Color: page.Ink, Width: 2 * edgeWidth}, vg.Point{X: r.Min.X, Y: y}, vg.Point{X: r.Max.X, Y: y})
	}
}

// zigzag draws a line that goes between two heights through a rectangle.
func zigzag(p pen, c color.NRGBA, r vg.Rectangle, from, to vg.Length) {
	points := []vg.Point{{X: r.Min.X, Y: from}}
	for x := r.Min.X; x < r.Max.X; x += patternPitch {
		part := min(1, (r.Max.X-x)/patternPitch)
		points = append(points, vg.Point{X: x + part*patternPitch, Y: from + part*(to-from)})
		from, to = to, from
	}
	p.stroke(draw.LineStyle{Color: c, Width: patternWidth}, points...)
}

// dots draws three rows of dots.
func dots(p pen, c color.NRGBA, r vg.Rectangle) {
	for row := range 3 {
		y := r.Min.Y + (vg.Length(row)+0.5)*(r.Max.Y-r.Min.Y)/3
		x := min(r.Max.X, r.Min.X+[]vg.Length{0.8, 2, 0.8}[row])
		p.stroke(draw.LineStyle{Color: c, Width: 1, Dashes: []vg.Length{1, 1.4}}, vg.Point{X: x, Y: y}, vg.Point{X: r.Max.X, Y: y})
	}
}

// bandEntries adds the bands that a lane has to the legend.
func (l *diagramLayout) bandEntries(add func(label string, wide vg.Length, sample func(p pen, x, y vg.Length))) {
	has := func(is func(Stay) bool) bool {
		return slices.ContainsFunc(l.Lanes, func(lane Lane) bool { return slices.ContainsFunc(lane.Stays, is) })
	}
	box := func(x, y vg.Length) vg.Rectangle {
		return vg.Rectangle{Min: vg.Point{X: x, Y: y - sampleHalf}, Max: vg.Point{X: x + page.SampleWidth, Y: y + sampleHalf}}
	}
	for b, band := range l.Bands {
		if has(func(s Stay) bool { return s.Band == b && (s.To > s.From || s.Open) }) {
			add(band.Label, page.SampleWidth, func(p pen, x, y vg.Length) { drawFill(p, band.Fill, box(x, y)) })
		}
	}
	if has(func(s Stay) bool { return s.Clash }) {
		add("more than one at once", page.SampleWidth, func(p pen, x, y vg.Length) { drawClash(p, box(x, y)) })
	}
}
