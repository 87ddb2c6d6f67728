package page

import (
	"reflect"
	"testing"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// A subset is a font whose characters have the outlines and the widths of the whole one,
// those made of several glyphs, too.
func TestSubset(t *testing.T) {
	characters := []rune("ÀÉÑåçéüñ–—“”…−·×÷±≤≥≠≈∞√→αβγδελμπρστφωΔΘΣΩ")
	for c := rune('~'); c >= ' '; c-- { // not in the order of the font
		characters = append(characters, c)
	}
	for _, face := range []*typeface{typefaces().regular, typefaces().italic} {
		line := TextLine{}
		types := NewTypesetter()
		part := &subset{face: face, at: map[rune]int{}}
		for _, c := range characters {
			if err := types.setRun(&line, Run{Text: string(c), Italic: face.italic}, 1); err != nil {
				t.Fatal(err)
			}
		}
		for i, g := range line.Glyphs {
			if n := part.number(g); n != i+1 {
				t.Fatalf("%q has number %d; want %d", g.char, n, i+1)
			}
		}
		small, err := sfnt.Parse(part.ttf())
		if err != nil {
			t.Fatal(err)
		}
		for i, g := range line.Glyphs {
			var buf sfnt.Buffer
			index, err := small.GlyphIndex(&buf, g.char)
			if err != nil || int(index) != i+1 {
				t.Fatalf("%q is glyph %d, %v; want %d", g.char, index, err, i+1)
			}
			if got, want := shapeOf(t, small, index), shapeOf(t, face.font, g.index); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %q is %v in the subset; want %v", face.name, g.char, got, want)
			}
		}
	}
}

// shape is the outline and the width of a glyph.
type shape struct {
	outline sfnt.Segments
	advance fixed.Int26_6
}

func shapeOf(t *testing.T, f *sfnt.Font, index sfnt.GlyphIndex) shape {
	t.Helper()
	var buf sfnt.Buffer
	unit := fixed.I(int(f.UnitsPerEm()))
	segments, err := f.LoadGlyph(&buf, index, unit, nil)
	if err != nil {
		t.Fatal(err)
	}
	advance, err := f.GlyphAdvance(&buf, index, unit, font.HintingNone)
	if err != nil {
		t.Fatal(err)
	}
	return shape{segments, advance}
}
