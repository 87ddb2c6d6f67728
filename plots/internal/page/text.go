package page

import (
	"fmt"
	"sync"

	"codeberg.org/go-fonts/liberation/liberationsansitalic"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
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

// fonts returns the two parsed faces. They are read-only, and may be used by
// many goroutines.
var fonts = sync.OnceValue(func() (f struct{ regular, italic *sfnt.Font }) {
	f.regular = mustParseFont(liberationsansregular.TTF)
	f.italic = mustParseFont(liberationsansitalic.TTF)
	return f
})

// mustParseFont parses one of the embedded fonts, which cannot be damaged.
func mustParseFont(ttf []byte) *sfnt.Font {
	f, err := sfnt.Parse(ttf)
	if err != nil {
		panic(fmt.Sprintf("plots: embedded font: %v", err))
	}
	return f
}

// face returns the font of upright or italic text.
func face(italic bool) *sfnt.Font {
	if italic {
		return fonts().italic
	}
	return fonts().regular
}

// A Typesetter turns markup into glyph outlines. gonum's canvases leave the drawing of
// text to the format: PDF then loses all characters outside Windows code page 1252, and
// SVG depends on the fonts of the reader's machine.
//
// It keeps the glyphs that it has loaded, and must not be shared by goroutines.
type Typesetter struct {
	buf    sfnt.Buffer
	glyphs map[glyphKey]glyph
}

type glyphKey struct {
	font *sfnt.Font
	char rune
}

// A glyph is the outline of a character at a font size of 1: x to the right,
// y upwards from the baseline.
type glyph struct {
	index   sfnt.GlyphIndex
	advance vg.Length
	outline vg.Path
}

// A TextLine is typeset text with its origin at the left end of its baseline.
type TextLine struct {
	Width  vg.Length
	Glyphs []placedGlyph
}

type placedGlyph struct {
	outline vg.Path
	At      vg.Point
	Size    vg.Length
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
	var line TextLine
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
	f := face(r.Italic)
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
			outline: g.outline,
			At:      vg.Point{X: line.Width, Y: rise},
			Size:    size,
		})
		line.Width += g.advance * size
		previous = g.index
	}
	return nil
}

// glyph loads a character, or finds it among those already loaded.
func (t *Typesetter) glyph(f *sfnt.Font, char rune) (glyph, error) {
	key := glyphKey{f, char}
	if g, ok := t.glyphs[key]; ok {
		return g, nil
	}
	index, err := f.GlyphIndex(&t.buf, char)
	if err != nil {
		return glyph{}, err
	}
	if index == 0 {
		return glyph{}, fmt.Errorf("the font has no glyph for %q (%U)", char, char)
	}
	// At as many pixels as the em has units nothing is rounded.
	unit := fixed.I(int(f.UnitsPerEm()))
	advance, err := f.GlyphAdvance(&t.buf, index, unit, font.HintingNone)
	if err != nil {
		return glyph{}, err
	}
	segments, err := f.LoadGlyph(&t.buf, index, unit, nil)
	if err != nil {
		return glyph{}, err
	}
	g := glyph{
		index:   index,
		advance: vg.Length(advance) / vg.Length(unit),
		outline: outline(segments, vg.Length(unit)),
	}
	t.glyphs[key] = g
	return g, nil
}

// kern returns the correction of the distance between two glyphs at size 1.
func (t *Typesetter) kern(f *sfnt.Font, left, right sfnt.GlyphIndex) vg.Length {
	unit := fixed.I(int(f.UnitsPerEm()))
	k, err := f.Kern(&t.buf, left, right, unit, font.HintingNone)
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
// the given end and control points. vgpdf writes a quadratic curve as if its control point
// were that of a cubic one, which bulges.
func toward(end, control vg.Point) vg.Point {
	return vg.Point{
		X: end.X + (control.X-end.X)*2/3,
		Y: end.Y + (control.Y-end.Y)*2/3,
	}
}

// Where a text's anchor lies along its width.
const (
	AlignLeft   = 0.0
	AlignCenter = 0.5
	AlignRight  = 1.0
)

// Draw fills the text with the current colour, its anchor on the baseline at p.
func (l TextLine) Draw(c vg.Canvas, p vg.Point, align float64) {
	start := vg.Point{X: p.X - vg.Length(align)*l.Width, Y: p.Y}
	l.Fill(c, func(q vg.Point) vg.Point { return start.Add(q) })
}

// DrawUpwards fills the text reading upwards, its middle on the baseline at p.
func (l TextLine) DrawUpwards(c vg.Canvas, p vg.Point) {
	start := vg.Point{X: p.X, Y: p.Y - l.Width/2}
	l.Fill(c, func(q vg.Point) vg.Point {
		return vg.Point{X: start.X - q.Y, Y: start.Y + q.X}
	})
}

// Fill fills all glyphs as one path, with their points moved by place.
func (l TextLine) Fill(c vg.Canvas, place func(vg.Point) vg.Point) {
	if path := l.Path(place); len(path) > 0 {
		c.Fill(path)
	}
}

// Path returns the outlines of all glyphs, with their points moved by place.
func (l TextLine) Path(place func(vg.Point) vg.Point) (path vg.Path) {
	for _, g := range l.Glyphs {
		for _, comp := range g.outline {
			scale := func(p vg.Point) vg.Point { return place(g.At.Add(p.Scale(g.Size))) }
			comp.Pos = scale(comp.Pos)
			if len(comp.Control) > 0 {
				comp.Control = []vg.Point{scale(comp.Control[0]), scale(comp.Control[1])}
			}
			path = append(path, comp)
		}
	}
	return path
}
