package page

import (
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Where a text's anchor lies along its width.
const (
	AlignLeft   = 0.0
	AlignCenter = 0.5
	AlignRight  = 1.0
)

// Directions of a baseline, of length 1.
var (
	level   = vg.Point{X: 1}
	upwards = vg.Point{Y: 1}
)

// Draw writes the text in the current colour, its anchor on the baseline at p.
func (l TextLine) Draw(c draw.Canvas, p vg.Point, align float64) {
	placedText{line: l, at: p, along: level, align: align}.draw(c)
}

// DrawUpwards writes the text reading upwards, its middle on the baseline at p.
func (l TextLine) DrawUpwards(c draw.Canvas, p vg.Point) {
	placedText{line: l, at: p, along: upwards, align: AlignCenter}.draw(c)
}

// DrawAlong writes the text along a direction of length 1, its middle on the baseline at p. A
// white halo of that width sets it off from what lies below.
func (l TextLine) DrawAlong(c draw.Canvas, p, along vg.Point, halo vg.Length) {
	placedText{line: l, at: p, along: along, align: AlignCenter, halo: halo}.draw(c)
}

// A placedText is a line of text at its place.
type placedText struct {
	line  TextLine
	at    vg.Point // of the anchor
	along vg.Point // the direction of the baseline, of length 1
	align float64  // where the anchor lies along the width
	halo  vg.Length
}

// draw writes the text on a canvas that has text, and draws its outlines on others.
func (t placedText) draw(c draw.Canvas) {
	if len(t.line.Glyphs) == 0 {
		return
	}
	if writer, ok := c.Canvas.(*canvas); ok {
		writer.write(t)
		return
	}
	if t.halo > 0 {
		c.Push()
		c.SetLineStyle(draw.LineStyle{Color: White, Width: 2 * t.halo})
		c.Stroke(t.halos())
		c.Pop()
	}
	c.Fill(t.outlines())
}

// start returns the left end of the baseline.
func (t placedText) start() vg.Point {
	before := vg.Length(t.align) * t.line.Width
	return vg.Point{X: t.at.X - before*t.along.X, Y: t.at.Y - before*t.along.Y}
}

// angle returns the angle of the baseline in degrees, anticlockwise.
func (t placedText) angle() float64 {
	return degrees(math.Atan2(float64(t.along.Y), float64(t.along.X)))
}

// place returns a point of the text on the page.
func (t placedText) place(start, q vg.Point) vg.Point {
	return vg.Point{X: start.X + q.X*t.along.X - q.Y*t.along.Y, Y: start.Y + q.X*t.along.Y + q.Y*t.along.X}
}

// outlines returns the outlines of all glyphs as one path.
func (t placedText) outlines() (path vg.Path) {
	start := t.start()
	for _, g := range t.line.Glyphs {
		for _, comp := range g.outline {
			scale := func(p vg.Point) vg.Point { return t.place(start, g.At.Add(p.Scale(g.Size))) }
			comp.Pos = scale(comp.Pos)
			if len(comp.Control) > 0 {
				comp.Control = []vg.Point{scale(comp.Control[0]), scale(comp.Control[1])}
			}
			path = append(path, comp)
		}
	}
	return path
}

// ground returns the outline of the text's rectangle.
func (t placedText) ground() (path vg.Path) {
	start, low, high := t.start(), -Descent*t.line.size, CapHeight*t.line.size
	for i, corner := range Box(0, t.line.Width, low, high) {
		if i == 0 {
			path.Move(t.place(start, corner))
		} else {
			path.Line(t.place(start, corner))
		}
	}
	path.Close()
	return path
}

// halos returns the outlines as single pieces. A wide line round small letters has no room
// for joins: their tips would stand out.
func (t placedText) halos() (pieces vg.Path) {
	var first, last vg.Point
	for _, comp := range t.outlines() {
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

// A span is glyphs of a line that follow one another in one typeface, size and height.
type span []placedGlyph

// spans splits a line.
func (l TextLine) spans() (spans []span) {
	for i, g := range l.Glyphs {
		if i > 0 {
			last := l.Glyphs[i-1]
			if g.face == last.face && g.Size == last.Size && g.At.Y == last.At.Y {
				spans[len(spans)-1] = append(spans[len(spans)-1], g)
				continue
			}
		}
		spans = append(spans, span{g})
	}
	return spans
}

// end returns where the last glyph of a span ends.
func (s span) end() vg.Length {
	last := s[len(s)-1]
	return last.At.X + last.advance*last.Size
}

func (s span) text() string {
	text := make([]rune, len(s))
	for i, g := range s {
		text[i] = g.char
	}
	return string(text)
}
