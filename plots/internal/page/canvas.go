package page

import (
	"image"
	"image/color"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// An ink writes what is drawn in a format of lines and letters. Colours are opaque.
type ink interface {
	fill(path vg.Path, c color.NRGBA)
	stroke(path vg.Path, style draw.LineStyle, c color.NRGBA)
	text(t placedText, c color.NRGBA)
}

// A canvas draws with an ink. gonum's canvases for SVG and PDF know text as one string in one
// font: it would lose scripts and kerning, and in PDF all characters outside Windows code page
// 1252.
type canvas struct {
	ink   ink
	now   state
	stack []state
}

// A state is what Push keeps.
type state struct {
	origin vg.Point
	style  draw.LineStyle
	color  color.NRGBA
}

func newCanvas(i ink) *canvas {
	c := &canvas{ink: i}
	vg.Initialize(c)
	return c
}

func (c *canvas) SetLineWidth(w vg.Length) { c.now.style.Width = w }

func (c *canvas) SetLineDash(pattern []vg.Length, offset vg.Length) {
	c.now.style.Dashes, c.now.style.DashOffs = pattern, offset
}

func (c *canvas) SetColor(col color.Color) {
	if col == nil {
		col = Ink
	}
	c.now.color = color.NRGBAModel.Convert(col).(color.NRGBA)
}

func (c *canvas) Translate(by vg.Point) { c.now.origin = c.now.origin.Add(by) }

func (c *canvas) Push() { c.stack = append(c.stack, c.now) }

func (c *canvas) Pop() {
	last := len(c.stack) - 1
	c.now, c.stack = c.stack[last], c.stack[:last]
}

func (c *canvas) Fill(p vg.Path) { c.ink.fill(c.moved(p), c.now.color) }

func (c *canvas) Stroke(p vg.Path) {
	if c.now.style.Width > 0 {
		c.ink.stroke(c.moved(p), c.now.style, c.now.color)
	}
}

// write writes text in the current colour.
func (c *canvas) write(t placedText) {
	t.at = t.at.Add(c.now.origin)
	c.ink.text(t, c.now.color)
}

// moved returns a path in the coordinates of the page.
func (c *canvas) moved(path vg.Path) vg.Path {
	moved := make(vg.Path, len(path))
	for i, comp := range path {
		comp.Pos = comp.Pos.Add(c.now.origin)
		if len(comp.Control) > 0 {
			comp.Control = []vg.Point{comp.Control[0].Add(c.now.origin), comp.Control[1].Add(c.now.origin)}
		}
		moved[i] = comp
	}
	return moved
}

// No sheet needs the rest of a canvas.
func (c *canvas) Rotate(float64)                         { panic("plots: a sheet that turns") }
func (c *canvas) Scale(_, _ float64)                     { panic("plots: a sheet that scales") }
func (c *canvas) FillString(font.Face, vg.Point, string) { panic("plots: text that was not typeset") }
func (c *canvas) DrawImage(vg.Rectangle, image.Image)    { panic("plots: an image in a sheet") }
