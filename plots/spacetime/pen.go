package spacetime

import (
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"bullring/plots/internal/page"
)

// A pen draws the parts of a diagram on a canvas, or writes them as TikZ.
type pen interface {
	stroke(style draw.LineStyle, points ...vg.Point)
	fill(c color.NRGBA, corners ...vg.Point)
	disc(c color.NRGBA, at vg.Point, radius vg.Length)
	words(w words)
}

// words are a line of text at its place.
type words struct {
	markup string
	line   page.TextLine
	size   vg.Length
	color  color.NRGBA
	halo   bool     // a white rim sets it off from what lies below
	at     vg.Point // of the middle of its baseline
	along  vg.Point // direction of the baseline, of length 1
}

// level is the direction of text that is not turned.
var level = vg.Point{X: 1}

// plate returns the area of the text.
func (w words) plate() plate {
	rise := (page.CapHeight - page.Descent) / 2 * w.size
	return plate{
		middle: vg.Point{X: w.at.X - w.along.Y*rise, Y: w.at.Y + w.along.X*rise},
		along:  w.along,
		half:   w.line.Width / 2,
		high:   (page.CapHeight + page.Descent) / 2 * w.size,
	}
}

// haloWidth is the width of the rim of a text.
const haloWidth = vg.Length(1.1)

// A canvasPen draws on a canvas.
type canvasPen struct{ draw.Canvas }

func (p canvasPen) stroke(style draw.LineStyle, points ...vg.Point) {
	p.StrokeLines(style, points)
}

func (p canvasPen) fill(c color.NRGBA, corners ...vg.Point) { p.FillPolygon(c, corners) }

func (p canvasPen) disc(c color.NRGBA, at vg.Point, radius vg.Length) {
	p.SetColor(c)
	p.Fill(page.CirclePath(at, radius))
}

func (p canvasPen) words(w words) {
	start := vg.Point{X: w.at.X - w.along.X*w.line.Width/2, Y: w.at.Y - w.along.Y*w.line.Width/2}
	place := func(q vg.Point) vg.Point {
		return vg.Point{X: start.X + q.X*w.along.X - q.Y*w.along.Y, Y: start.Y + q.X*w.along.Y + q.Y*w.along.X}
	}
	if w.halo {
		p.SetLineStyle(draw.LineStyle{Color: page.White, Width: 2 * haloWidth})
		p.Stroke(unjoined(w.line.Path(place)))
	}
	p.SetColor(w.color)
	w.line.Fill(p, place)
}

// unjoined returns a path as single pieces. A wide line round small letters has no room for
// joins: vgpdf's have tips that stand out.
func unjoined(path vg.Path) (pieces vg.Path) {
	var first, last vg.Point
	for _, comp := range path {
		switch comp.Type {
		case vg.MoveComp:
			first, last = comp.Pos, comp.Pos
			continue
		case vg.CloseComp:
			comp = vg.PathComp{Type: vg.LineComp, Pos: first}
		}
		pieces.Move(last)
		pieces = append(pieces, comp)
		last = comp.Pos
	}
	return pieces
}
