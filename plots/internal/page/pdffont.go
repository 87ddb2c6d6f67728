package page

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"strings"
	"unicode/utf16"
)

// pdfFontName is the name of a typeface in the operators of a page.
func pdfFontName(face *typeface) string {
	if face.italic {
		return "Italic"
	}
	return "Regular"
}

// pdfFontObjects is the number of objects of a font.
const pdfFontObjects = 5

// pdfNames lists the names of the fonts, whose objects begin with that number.
func (s subsets) pdfNames(first int) string {
	var names strings.Builder
	for i, one := range s {
		fmt.Fprintf(&names, "/%s %d 0 R ", pdfFontName(one.face), first+i*pdfFontObjects)
	}
	return names.String()
}

// addFont adds a subset: as a font of numbered glyphs, with the characters that they stand
// for, so that readers can search and copy.
func (d *pdfDocument) addFont(s *subset) {
	first := len(d.at) + 1
	ttf := s.ttf()
	name := tagOf(ttf) + "+" + s.face.name
	d.add("<</Type /Font /Subtype /Type0 /BaseFont /%s /Encoding /Identity-H /DescendantFonts [%d 0 R] /ToUnicode %d 0 R>>", name, first+1, first+4)
	d.add("<</Type /Font /Subtype /CIDFontType2 /BaseFont /%s /CIDSystemInfo <</Registry (Adobe) /Ordering (Identity) /Supplement 0>> /FontDescriptor %d 0 R /DW 0 /W [1 [%s]] /CIDToGIDMap /Identity>>",
		name, first+2, s.widths())
	d.add("%s", s.descriptor(name, first+3))
	d.addStream(fmt.Sprintf(" /Length1 %d", len(ttf)), string(ttf))
	d.addStream("", s.toUnicode())
}

// tagOf returns the six letters that tell a subset of a font from others.
func tagOf(ttf []byte) string {
	h := fnv.New64a()
	h.Write(ttf)
	tag, rest := make([]byte, 6), h.Sum64()
	for i := range tag {
		tag[i], rest = 'A'+byte(rest%26), rest/26
	}
	return string(tag)
}

// perMille converts units of the font to thousandths of its size, the unit of PDF.
func (f *typeface) perMille(units int) string {
	return decimal(1000*float64(units)/float64(f.font.UnitsPerEm()), 2)
}

// widths lists the advances of the glyphs.
func (s *subset) widths() string {
	widths := make([]string, len(s.glyphs))
	for i, g := range s.glyphs {
		widths[i] = s.face.perMille(int(binary.BigEndian.Uint16(s.face.tables.metrics(int(g.index)))))
	}
	return strings.Join(widths, " ")
}

// descriptor describes the font to readers that have to replace it. file is the object with
// its glyphs.
func (s *subset) descriptor(name string, file int) string {
	const symbolic, italic = 1 << 2, 1 << 6 // symbolic: the glyphs are numbered
	flags, t := symbolic, s.face.tables
	if s.face.italic {
		flags |= italic
	}
	unit := func(tag string, at int) string { return s.face.perMille(t.number(tag, at)) }
	return fmt.Sprintf("<</Type /FontDescriptor /FontName /%s /Flags %d /FontBBox [%s %s %s %s] /ItalicAngle %d /Ascent %s /Descent %s /CapHeight %s /StemV 80 /FontFile2 %d 0 R>>",
		name, flags, unit("head", 36), unit("head", 38), unit("head", 40), unit("head", 42),
		t.number("post", 4), unit("hhea", 4), unit("hhea", 6), unit("OS/2", 88), file)
}

// toUnicode is the map from glyphs to characters.
func (s *subset) toUnicode() string {
	var b strings.Builder
	b.WriteString("/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n" +
		"/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def\n/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n" +
		"1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n")
	const most = 100 // in a block
	for at := 0; at < len(s.glyphs); at += most {
		block := s.glyphs[at:min(at+most, len(s.glyphs))]
		fmt.Fprintf(&b, "%d beginbfchar\n", len(block))
		for i, g := range block {
			fmt.Fprintf(&b, "<%04X> <", at+i+1)
			for _, u := range utf16.Encode([]rune{g.char}) {
				fmt.Fprintf(&b, "%04X", u)
			}
			b.WriteString(">\n")
		}
		b.WriteString("endbfchar\n")
	}
	b.WriteString("endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n")
	return b.String()
}
