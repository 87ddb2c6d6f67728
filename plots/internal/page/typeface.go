package page

import (
	"encoding/binary"
	"fmt"
	"sync"

	"codeberg.org/go-fonts/liberation/liberationsansitalic"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"golang.org/x/image/font/sfnt"
)

// fontFamily is the family of both typefaces.
const fontFamily = "Liberation Sans"

// A typeface is one of the embedded fonts. It is read-only, and may be used by many
// goroutines.
type typeface struct {
	name   string // in PDF
	style  string // the subfamily
	italic bool
	font   *sfnt.Font
	tables fontTables
}

// typefaces returns the upright and the italic typeface.
var typefaces = sync.OnceValue(func() (f struct{ regular, italic *typeface }) {
	f.regular = mustLoad(liberationsansregular.TTF, typeface{name: "LiberationSans", style: "Regular"})
	f.italic = mustLoad(liberationsansitalic.TTF, typeface{name: "LiberationSans-Italic", style: "Italic", italic: true})
	return f
})

// mustLoad parses one of the embedded fonts, which cannot be damaged.
func mustLoad(ttf []byte, f typeface) *typeface {
	font, err := sfnt.Parse(ttf)
	if err != nil {
		panic(fmt.Sprintf("plots: embedded font: %v", err))
	}
	f.font, f.tables = font, splitFont(ttf)
	return &f
}

// faceOf returns the typeface of upright or italic text.
func faceOf(italic bool) *typeface {
	if italic {
		return typefaces().italic
	}
	return typefaces().regular
}

// fontTables are the tables of a TrueType font, by tag.
type fontTables map[string][]byte

// splitFont returns the tables of a font.
func splitFont(ttf []byte) fontTables {
	const header, record = 12, 16
	tables := fontTables{}
	for i := range int(binary.BigEndian.Uint16(ttf[4:])) {
		entry := ttf[header+i*record:]
		at, size := binary.BigEndian.Uint32(entry[8:]), binary.BigEndian.Uint32(entry[12:])
		tables[string(entry[:4])] = ttf[at : at+size]
	}
	return tables
}

// number reads 16 bits with a sign of a table.
func (t fontTables) number(tag string, at int) int {
	return int(int16(binary.BigEndian.Uint16(t[tag][at:])))
}

// glyph returns the outline of a glyph as the font stores it.
func (t fontTables) glyph(i int) []byte {
	const longOffsets = 50 // in head: 0 for offsets of 16 bits, in words
	if t.number("head", longOffsets) == 0 {
		return t["glyf"][2*int(binary.BigEndian.Uint16(t["loca"][2*i:])) : 2*int(binary.BigEndian.Uint16(t["loca"][2*i+2:]))]
	}
	return t["glyf"][binary.BigEndian.Uint32(t["loca"][4*i:]):binary.BigEndian.Uint32(t["loca"][4*i+4:])]
}

// metrics returns the advance and the left bearing of a glyph, 4 bytes. Glyphs after the
// last advance have the same.
func (t fontTables) metrics(i int) []byte {
	const advances = 34 // in hhea: the number of advances
	n := t.number("hhea", advances)
	if i < n {
		return t["hmtx"][4*i : 4*i+4]
	}
	bearing := 4*n + 2*(i-n)
	return append(t["hmtx"][4*n-4:4*n-2:4*n-2], t["hmtx"][bearing:bearing+2]...)
}
