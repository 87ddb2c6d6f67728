package plots

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A sample in the legend looks like its part of the figure. Each function returns one that
// draws itself from x to x+sampleWidth around the height y.

func (l *layout) seriesSample(i int) func(p *painter, x, y vg.Length) {
	s, st := l.figure.Series[i], l.styles.series[i]
	return func(p *painter, x, y vg.Length) {
		middle := x + sampleWidth/2
		const half = legendRow * 0.34
		switch {
		case banded(s):
			p.page.FillPolygon(bandColor(st.color), box(x, x+sampleWidth, y-half, y+half))
		case hasIntervals(s):
			errorBar(p.page, st.color, middle, y-half, y+half)
		}
		p.page.StrokeLine2(draw.LineStyle{Color: st.color, Width: seriesWidth}, x, y, x+sampleWidth, y)
		drawMarker(p.page, st.marker, vg.Point{X: middle, Y: y}, markerRadius, st.color)
	}
}

func (l *layout) histogramSample(i int) func(p *painter, x, y vg.Length) {
	col := l.styles.histograms[i]
	return func(p *painter, x, y vg.Length) {
		const half = legendRow * 0.3
		outline := box(x, x+sampleWidth, y-half, y+half)
		p.page.FillPolygon(barColor(col), outline)
		p.page.StrokeLines(l.barEdge(i), append(outline, outline[0]))
	}
}

func (l *layout) boxSample(i int) func(p *painter, x, y vg.Length) {
	series, col := l.figure.Boxes[i], l.styles.boxes[i]
	return func(p *painter, x, y vg.Length) {
		const half, whisker, width = legendRow * 0.26, legendRow * 0.46, vg.Length(8)
		shape := boxShape{
			x: x + sampleWidth/2, width: width,
			low: y - whisker, q1: y - half, median: y, q3: y + half, high: y + whisker,
		}
		shape.draw(p.page, col)
		if series.hasMean() {
			drawMean(p.page, vg.Point{X: shape.x, Y: y}, width, col)
		}
	}
}

func (l *layout) scatterSample(i int) func(p *painter, x, y vg.Length) {
	mark, col := l.figure.Scatters[i].Mark, l.styles.scatters[i]
	return func(p *painter, x, y vg.Length) {
		mark.draw(p.page, vg.Point{X: x + sampleWidth/2, Y: y}, col)
	}
}

func (l *layout) curveSample(i int) func(p *painter, x, y vg.Length) {
	style := l.styles.curves[i]
	return func(p *painter, x, y vg.Length) {
		p.page.StrokeLine2(style, x, y, x+sampleWidth, y)
	}
}

func (l *layout) referenceSample(i int) func(p *painter, x, y vg.Length) {
	style := l.styles.references[i]
	return func(p *painter, x, y vg.Length) {
		middle := x + sampleWidth/2
		p.page.StrokeLine2(style, middle, y-legendRow*0.45, middle, y+legendRow*0.45)
	}
}

func hatchSample(p *painter, x, y vg.Length) {
	const half = legendRow * 0.38
	left := x + sampleWidth/4
	outline := box(left, left+sampleWidth/2, y-half, y+half)
	p.hatch(vg.Rectangle{Min: outline[0], Max: outline[2]})
	p.page.StrokeLines(draw.LineStyle{Color: ink, Width: axisWidth}, append(outline, outline[0]))
}

// box returns the corners of a rectangle.
func box(left, right, bottom, top vg.Length) []vg.Point {
	return []vg.Point{{X: left, Y: bottom}, {X: right, Y: bottom}, {X: right, Y: top}, {X: left, Y: top}}
}
