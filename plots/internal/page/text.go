package page

import (
	"fmt"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/vg"
)

// Proportions of the text, in multiples of the font size.
const (
	CapHeight   = 0.69 // of Liberation Sans; digits are as tall
	Descent     = 0.21
	scriptScale = 0.72
	superRise   = 0.34
	subDrop     = 0.15
)

// A Typesetter turns markup into glyphs, each with its place.
//
// It keeps the glyphs that it has loaded, and must not be shared by goroutines.
type Typesetter struct {
	buf    sfnt.Buffer
	glyphs map[glyphKey]glyph
}

type glyphKey struct {
	face *typeface
	char rune
}

// A glyph is a character of a typeface, with its outline at a font size of 1: x to the
// right, y upwards from the baseline.
type glyph struct {
	glyphKey
	index   sfnt.GlyphIndex
	advance vg.Length
	outline vg.Path
}

// A TextLine is typeset text with its origin at the left end of its baseline.
type TextLine struct {
	Width  vg.Length
	Glyphs []placedGlyph
	markup string
	size   vg.Length
}

type placedGlyph struct {
	glyph
	At   vg.Point
	Size vg.Length
}

func NewTypesetter() *Typesetter {
	return &Typesetter{glyphs: make(map[glyphKey]glyph)}
}

// Set typesets markup at the given font size. It fails on a mistake in the markup and on a
// character that the font lacks: no figure is better than a hole in a label.
func (t *Typesetter) Set(markup string, size vg.Length) (TextLine, error) {
	runs, err := ParseMarkup(markup)
	if err != nil {
		return TextLine{}, err
	}
	line := TextLine{markup: markup, size: size}
	for _, r := range runs {
		if err := t.setRun(&line, r, size); err != nil {
			return TextLine{}, fmt.Errorf("%q: %w", markup, err)
		}
	}
	return line, nil
}

// MustSet is Set for text that has been validated or was made here.
func (t *Typesetter) MustSet(markup string, size vg.Length) TextLine {
	line, err := t.Set(markup, size)
	if err != nil {
		panic(fmt.Sprintf("plots: text not validated: %v", err))
	}
	return line
}

// setRun appends a run to the line.
func (t *Typesetter) setRun(line *TextLine, r Run, size vg.Length) error {
	var rise vg.Length
	for _, script := range r.Level {
		if script == '^' {
			rise += superRise * size
		} else {
			rise -= subDrop * size
		}
		size *= scriptScale
	}
	f := faceOf(r.Italic)
	var previous sfnt.GlyphIndex
	for i, char := range r.Text {
		g, err := t.glyph(f, char)
		if err != nil {
			return err
		}
		if i > 0 {
			line.Width += t.kern(f, previous, g.index) * size
		}
		line.Glyphs = append(line.Glyphs, placedGlyph{
			glyph: g,
			At:    vg.Point{X: line.Width, Y: rise},
			Size:  size,
		})
		line.Width += g.advance * size
		previous = g.index
	}
	return nil
}

// glyph loads a character, or finds it among those already loaded.
func (t *Typesetter) glyph(f *typeface, char rune) (glyph, error) {
	key := glyphKey{f, char}
	if g, ok := t.glyphs[key]; ok {
		return g, nil
	}
	index, err := f.font.GlyphIndex(&t.buf, char)
	if err != nil {
		return glyph{}, err
	}
	if index == 0 {
		return glyph{}, fmt.Errorf("the font has no glyph for %q (%U)", char, char)
	}
	// At as many pixels as the em has units nothing is rounded.
	unit := fixed.I(int(f.font.UnitsPerEm()))
	advance, err := f.font.GlyphAdvance(&t.buf, index, unit, font.HintingNone)
	if err != nil {
		return glyph{}, err
	}
	segments, err := f.font.LoadGlyph(&t.buf, index, unit, nil)
	if err != nil {
		return glyph{}, err
	}
	g := glyph{
		glyphKey: key,
		index:    index,
		advance:  vg.Length(advance) / vg.Length(unit),
		outline:  outline(segments, vg.Length(unit)),
	}
	t.glyphs[key] = g
	return g, nil
}

// kern returns the correction of the distance between two glyphs at size 1.
func (t *Typesetter) kern(f *typeface, left, right sfnt.GlyphIndex) vg.Length {
	unit := fixed.I(int(f.font.UnitsPerEm()))
	k, err := f.font.Kern(&t.buf, left, right, unit, font.HintingNone)
	if err != nil {
		return 0 // the font says nothing about this pair
	}
	return vg.Length(k) / vg.Length(unit)
}

// outline converts a glyph's segments to a path at size 1.
func outline(segments sfnt.Segments, unit vg.Length) vg.Path {
	// sfnt's y axis points down.
	point := func(p fixed.Point26_6) vg.Point {
		return vg.Point{X: vg.Length(p.X) / unit, Y: -vg.Length(p.Y) / unit}
	}
	var path vg.Path
	var current vg.Point
	for _, s := range segments {
		a := point(s.Args[0])
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if len(path) > 0 {
				path.Close()
			}
			path.Move(a)
			current = a
		case sfnt.SegmentOpLineTo:
			path.Line(a)
			current = a
		case sfnt.SegmentOpQuadTo:
			b := point(s.Args[1])
			path.CubeTo(toward(current, a), toward(b, a), b)
			current = b
		case sfnt.SegmentOpCubeTo:
			b, c := point(s.Args[1]), point(s.Args[2])
			path.CubeTo(a, b, c)
			current = c
		}
	}
	if len(path) > 0 {
		path.Close()
	}
	return path
}

// toward returns a control point of the cubic curve that equals the quadratic curve with
// the given end and control points. PDF has no quadratic curves.
func toward(end, control vg.Point) vg.Point {
	return vg.Point{
		X: end.X + (control.X-end.X)*2/3,
		Y: end.Y + (control.Y-end.Y)*2/3,
	}
}
