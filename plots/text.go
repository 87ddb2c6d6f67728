package plots

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
	capHeight   = 0.69 // of Liberation Sans; digits are as tall
	descent     = 0.21
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

// A typesetter turns markup into glyph outlines. gonum's canvases leave the drawing of
// text to the format: PDF then loses all characters outside Windows code page 1252, and
// SVG depends on the fonts of the reader's machine.
//
// It keeps the glyphs that it has loaded, and must not be shared by goroutines.
type typesetter struct {
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

// A textLine is typeset text with its origin at the left end of its baseline.
type textLine struct {
	width  vg.Length
	glyphs []placedGlyph
}

type placedGlyph struct {
	outline vg.Path
	at      vg.Point
	size    vg.Length
}

func newTypesetter() *typesetter {
	return &typesetter{glyphs: make(map[glyphKey]glyph)}
}

// set typesets markup at the given font size. It fails on a mistake in the markup and on a
// character that the font lacks: no figure is better than a hole in a label.
func (t *typesetter) set(markup string, size vg.Length) (textLine, error) {
	runs, err := parseMarkup(markup)
	if err != nil {
		return textLine{}, err
	}
	var line textLine
	for _, r := range runs {
		if err := t.setRun(&line, r, size); err != nil {
			return textLine{}, fmt.Errorf("%q: %w", markup, err)
		}
	}
	return line, nil
}

// mustSet is set for text that has been validated or was made here.
func (t *typesetter) mustSet(markup string, size vg.Length) textLine {
	line, err := t.set(markup, size)
	if err != nil {
		panic(fmt.Sprintf("plots: text not validated: %v", err))
	}
	return line
}

// setRun appends a run to the line.
func (t *typesetter) setRun(line *textLine, r run, size vg.Length) error {
	var rise vg.Length
	for _, script := range r.level {
		if script == '^' {
			rise += superRise * size
		} else {
			rise -= subDrop * size
		}
		size *= scriptScale
	}
	f := face(r.italic)
	var previous sfnt.GlyphIndex
	for i, char := range r.text {
		g, err := t.glyph(f, char)
		if err != nil {
			return err
		}
		if i > 0 {
			line.width += t.kern(f, previous, g.index) * size
		}
		line.glyphs = append(line.glyphs, placedGlyph{
			outline: g.outline,
			at:      vg.Point{X: line.width, Y: rise},
			size:    size,
		})
		line.width += g.advance * size
		previous = g.index
	}
	return nil
}

// glyph loads a character, or finds it among those already loaded.
func (t *typesetter) glyph(f *sfnt.Font, char rune) (glyph, error) {
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
func (t *typesetter) kern(f *sfnt.Font, left, right sfnt.GlyphIndex) vg.Length {
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
	alignLeft   = 0.0
	alignCenter = 0.5
	alignRight  = 1.0
)

// draw fills the text with the current colour, its anchor on the baseline at p.
func (l textLine) draw(c vg.Canvas, p vg.Point, align float64) {
	start := vg.Point{X: p.X - vg.Length(align)*l.width, Y: p.Y}
	l.fill(c, func(q vg.Point) vg.Point { return start.Add(q) })
}

// drawUpwards fills the text reading upwards, its middle on the baseline at p.
func (l textLine) drawUpwards(c vg.Canvas, p vg.Point) {
	start := vg.Point{X: p.X, Y: p.Y - l.width/2}
	l.fill(c, func(q vg.Point) vg.Point {
		return vg.Point{X: start.X - q.Y, Y: start.Y + q.X}
	})
}

// fill fills all glyphs as one path, with their points moved by place.
func (l textLine) fill(c vg.Canvas, place func(vg.Point) vg.Point) {
	if path := l.path(place); len(path) > 0 {
		c.Fill(path)
	}
}

// path returns the outlines of all glyphs, with their points moved by place.
func (l textLine) path(place func(vg.Point) vg.Point) (path vg.Path) {
	for _, g := range l.glyphs {
		for _, comp := range g.outline {
			scale := func(p vg.Point) vg.Point { return place(g.at.Add(p.Scale(g.size))) }
			comp.Pos = scale(comp.Pos)
			if len(comp.Control) > 0 {
				comp.Control = []vg.Point{scale(comp.Control[0]), scale(comp.Control[1])}
			}
			path = append(path, comp)
		}
	}
	return path
}
