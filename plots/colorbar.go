package plots

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// barSteps is the number of colours in the bar: neighbours look alike.
const barSteps = 128

// colorBar draws the scale of colours with its ticks and label, right of the
// axes.
func (h *heat) colorBar(p *painter) {
	bar := h.bar
	left := p.x.to + barGap
	right := left + barWidth
	h.barColors(p, left, right)
	style := draw.LineStyle{Color: ink, Width: axisWidth}
	outline := h.barOutline(left, right)
	p.page.StrokeLines(style, append(outline, outline[0]))

	for _, t := range bar.ticks {
		y := bar.at(t.value)
		p.page.StrokeLine2(style, right, y, right+t.length(), y)
		at := vg.Point{X: right + tickLength + tickGap, Y: y - tickSize*capHeight/2}
		p.text(p.types.mustSet(t.label, tickSize), at, alignLeft)
	}
	p.page.SetColor(ink)
	h.label.drawUpwards(p.page, vg.Point{
		X: p.width - margin - descent*labelSize,
		Y: p.middleBeside(h.label.width, p.y, p.axesHeight),
	})
}

// barColors fills the bar. Each step reaches to the top and the next one covers
// it, so that nothing shows between two.
func (h *heat) barColors(p *painter, left, right vg.Length) {
	bar := h.bar
	outline := h.barOutline(left, right)
	p.page.FillPolygon(colorAt(0), outline)
	for i := range barSteps {
		bottom := bar.from + (bar.to-bar.from)*vg.Length(i)/barSteps
		above := draw.Canvas{Rectangle: vg.Rectangle{
			Min: vg.Point{X: left, Y: bottom},
			Max: vg.Point{X: right, Y: bar.to + barPoint},
		}}
		p.page.FillPolygon(colorAt((float64(i)+0.5)/barSteps), above.ClipPolygonXY(outline))
	}
}

// barOutline returns the corners of the bar and of its pointed ends.
func (h *heat) barOutline(left, right vg.Length) []vg.Point {
	middle := (left + right) / 2
	outline := []vg.Point{{X: left, Y: h.bar.from}, {X: left, Y: h.bar.to}}
	if h.pointHigh {
		outline = append(outline, vg.Point{X: middle, Y: h.bar.to + barPoint})
	}
	outline = append(outline, vg.Point{X: right, Y: h.bar.to}, vg.Point{X: right, Y: h.bar.from})
	if h.pointLow {
		outline = append(outline, vg.Point{X: middle, Y: h.bar.from - barPoint})
	}
	return outline
}
