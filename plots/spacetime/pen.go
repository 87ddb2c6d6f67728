package spacetime

import (
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"bullring/plots/internal/page"
)

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

// A pen draws the parts of a diagram.
type pen struct{ draw.Canvas }

func (p pen) stroke(style draw.LineStyle, points ...vg.Point) {
	p.StrokeLines(style, points)
}

func (p pen) fill(c color.NRGBA, corners ...vg.Point) { p.FillPolygon(c, corners) }

func (p pen) disc(c color.NRGBA, at vg.Point, radius vg.Length) {
	p.SetColor(c)
	p.Fill(page.CirclePath(at, radius))
}

func (p pen) words(w words) {
	halo := vg.Length(0)
	if w.halo {
		halo = haloWidth
	}
	p.SetColor(w.color)
	w.line.DrawAlong(p.Canvas, w.at, w.along, halo)
}
