package plots

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"bullring/plots/internal/page"
)

// barSteps is the number of colours in the bar: neighbours look alike.
const barSteps = 128

// colorBar draws the scale of colours with its ticks and label, right of the
// axes.
func (h *heat) colorBar(p *painter) {
	bar := h.bar
	left := p.x.To + barGap
	right := left + barWidth
	h.barColors(p, left, right)
	style := draw.LineStyle{Color: page.Ink, Width: page.AxisWidth}
	outline := h.barOutline(left, right)
	p.page.StrokeLines(style, append(outline, outline[0]))

	for _, t := range bar.Ticks {
		y := bar.At(t.Value)
		p.page.StrokeLine2(style, right, y, right+t.Length(), y)
		at := vg.Point{X: right + page.TickLength + page.TickGap, Y: y - page.TickSize*page.CapHeight/2}
		p.text(p.types.MustSet(t.Label, page.TickSize), at, page.AlignLeft)
	}
	p.page.SetColor(page.Ink)
	h.label.DrawUpwards(p.page, vg.Point{
		X: p.width - page.Margin - page.Descent*page.LabelSize,
		Y: p.middleBeside(h.label.Width, p.y, p.axesHeight),
	})
}

// barColors fills the bar. Each step reaches to the top and the next one covers
// it, so that nothing shows between two.
func (h *heat) barColors(p *painter, left, right vg.Length) {
	bar := h.bar
	outline := h.barOutline(left, right)
	p.page.FillPolygon(colorAt(0), outline)
	for i := range barSteps {
		bottom := bar.From + (bar.To-bar.From)*vg.Length(i)/barSteps
		above := draw.Canvas{Rectangle: vg.Rectangle{
			Min: vg.Point{X: left, Y: bottom},
			Max: vg.Point{X: right, Y: bar.To + barPoint},
		}}
		p.page.FillPolygon(colorAt((float64(i)+0.5)/barSteps), above.ClipPolygonXY(outline))
	}
}

// barOutline returns the corners of the bar and of its pointed ends.
func (h *heat) barOutline(left, right vg.Length) []vg.Point {
	middle := (left + right) / 2
	outline := []vg.Point{{X: left, Y: h.bar.From}, {X: left, Y: h.bar.To}}
	if h.pointHigh {
		outline = append(outline, vg.Point{X: middle, Y: h.bar.To + barPoint})
	}
	outline = append(outline, vg.Point{X: right, Y: h.bar.To}, vg.Point{X: right, Y: h.bar.From})
	if h.pointLow {
		outline = append(outline, vg.Point{X: middle, Y: h.bar.From - barPoint})
	}
	return outline
}
