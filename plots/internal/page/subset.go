package page

import (
	"cmp"
	"encoding/binary"
	"maps"
	"slices"
)

// A subset is the part of a typeface that a page uses. Its glyphs are numbered from 1 in the
// order of their first use; 0 is the glyph for missing characters.
type subset struct {
	face   *typeface
	glyphs []placedGlyph
	at     map[rune]int // the numbers
}

// number returns the number of a glyph in the subset.
func (s *subset) number(g placedGlyph) int {
	if s.at[g.char] == 0 {
		s.glyphs = append(s.glyphs, g)
		s.at[g.char] = len(s.glyphs)
	}
	return s.at[g.char]
}

// subsets are the parts of all typefaces that a page uses, in the order of their first use.
type subsets []*subset

// of returns the subset of a typeface.
func (s *subsets) of(face *typeface) *subset {
	for _, one := range *s {
		if one.face == face {
			return one
		}
	}
	one := &subset{face: face, at: map[rune]int{}}
	*s = append(*s, one)
	return one
}

// ttf returns the subset as a TrueType font. It is without hints: pages are printed, and
// screens today have pixels enough.
func (s *subset) ttf() []byte {
	old := []int{0}
	for _, g := range s.glyphs {
		old = append(old, int(g.index))
	}
	var outlines, places, metrics []byte
	for i := 0; i < len(old); i++ { // parts of glyphs are appended on the way
		places = binary.BigEndian.AppendUint32(places, uint32(len(outlines)))
		outlines = append(outlines, unhinted(s.face.tables.glyph(old[i]), func(part int) int {
			if !slices.Contains(old, part) {
				old = append(old, part)
			}
			return slices.Index(old, part)
		})...)
		metrics = append(metrics, s.face.tables.metrics(old[i])...)
	}
	places = binary.BigEndian.AppendUint32(places, uint32(len(outlines)))
	return joinFont(fontTables{
		"glyf": outlines, "loca": places, "hmtx": metrics,
		"head": s.face.tables.with("head", 50, 1), // long offsets
		"hhea": s.face.tables.with("hhea", 34, len(old)),
		"maxp": s.face.tables.with("maxp", 4, len(old)),
		"OS/2": s.face.tables["OS/2"],
		"cmap": s.characters(),
		"name": s.names(),
		"post": append([]byte{0, 3, 0, 0}, s.face.tables["post"][4:32]...), // version 3: glyphs without names
	})
}

// with returns a table with another number of 16 bits in it.
func (t fontTables) with(tag string, at, number int) []byte {
	table := slices.Clone(t[tag])
	binary.BigEndian.PutUint16(table[at:], uint16(number))
	return table
}

// Flags of a part of a glyph.
const (
	wordArguments = 1 << 0
	oneScale      = 1 << 3
	moreParts     = 1 << 5
	twoScales     = 1 << 6
	matrix        = 1 << 7
	hinted        = 1 << 8
)

// unhinted returns an outline without its hints. Of a glyph made of others it numbers these
// anew.
func unhinted(outline []byte, renumber func(int) int) []byte {
	if len(outline) == 0 {
		return nil
	}
	const header = 10
	contours := int(int16(binary.BigEndian.Uint16(outline)))
	if contours >= 0 {
		hints := header + 2*contours
		size := int(binary.BigEndian.Uint16(outline[hints:]))
		return padded(slices.Concat(outline[:hints], []byte{0, 0}, outline[hints+2+size:]))
	}
	parts := slices.Clone(outline)
	for at := header; ; {
		flags := binary.BigEndian.Uint16(parts[at:])
		binary.BigEndian.PutUint16(parts[at:], flags&^hinted)
		binary.BigEndian.PutUint16(parts[at+2:], uint16(renumber(int(binary.BigEndian.Uint16(parts[at+2:])))))
		at += 6
		if flags&wordArguments != 0 {
			at += 2
		}
		switch {
		case flags&oneScale != 0:
			at += 2
		case flags&twoScales != 0:
			at += 4
		case flags&matrix != 0:
			at += 8
		}
		if flags&moreParts == 0 {
			return padded(parts[:at])
		}
	}
}

// padded fills up to words of 32 bits.
func padded(b []byte) []byte { return append(b, make([]byte, -len(b)&3)...) }

// characters returns the table from characters to glyphs, in format 12.
func (s *subset) characters() []byte {
	const head, groups = 12, 16
	table := []byte{0, 0, 0, 1, 0, 3, 0, 10, 0, 0, 0, head, 0, 12, 0, 0}
	table = binary.BigEndian.AppendUint32(table, uint32(groups+12*len(s.at)))
	table = binary.BigEndian.AppendUint32(table, 0)
	table = binary.BigEndian.AppendUint32(table, uint32(len(s.at)))
	for _, char := range slices.Sorted(maps.Keys(s.at)) {
		for _, field := range []uint32{uint32(char), uint32(char), uint32(s.at[char])} {
			table = binary.BigEndian.AppendUint32(table, field)
		}
	}
	return table
}

// names returns the table of the font's names, in UTF-16 for Windows.
func (s *subset) names() []byte {
	names := []struct {
		id   uint16
		text string
	}{{1, fontFamily}, {2, s.face.style}, {4, fontFamily + " " + s.face.style}, {6, s.face.name}}
	const head, record = 6, 12
	table := []byte{0, 0, 0, byte(len(names)), 0, byte(head + record*len(names))}
	var texts []byte
	for _, n := range names {
		for _, field := range []uint16{3, 1, 0x409, n.id, uint16(2 * len(n.text)), uint16(len(texts))} {
			table = binary.BigEndian.AppendUint16(table, field)
		}
		for _, c := range []byte(n.text) { // ASCII
			texts = append(texts, 0, c)
		}
	}
	return append(table, texts...)
}

// joinFont returns a font of these tables.
func joinFont(tables fontTables) []byte {
	tags := slices.Sorted(maps.Keys(tables))
	const header, record = 12, 16
	largest, power := 1, 0 // the largest power of two that is not above the number of tables
	for 2*largest <= len(tags) {
		largest, power = 2*largest, power+1
	}
	font := []byte{0, 1, 0, 0}
	for _, field := range []int{len(tags), record * largest, power, record * (len(tags) - largest)} {
		font = binary.BigEndian.AppendUint16(font, uint16(field))
	}
	const checksum = 8 // in head: that of the whole font
	head := slices.Clone(tables["head"])
	binary.BigEndian.PutUint32(head[checksum:], 0)
	tables["head"] = head
	at := header + record*len(tags)
	var contents []byte
	headAt := 0
	for _, tag := range tags {
		if tag == "head" {
			headAt = at + len(contents)
		}
		font = append(font, tag...)
		for _, field := range []uint32{sum(tables[tag]), uint32(at + len(contents)), uint32(len(tables[tag]))} {
			font = binary.BigEndian.AppendUint32(font, field)
		}
		contents = append(contents, padded(slices.Clone(tables[tag]))...)
	}
	font = append(font, contents...)
	const whole = 0xB1B0AFBA // fixed by the format
	binary.BigEndian.PutUint32(font[headAt+checksum:], whole-sum(font))
	return font
}

// sum adds words of 32 bits.
func sum(b []byte) (total uint32) {
	b = padded(slices.Clone(b))
	for i := 0; i < len(b); i += 4 {
		total += binary.BigEndian.Uint32(b[i:])
	}
	return total
}

// sorted returns the glyphs by character.
func (s *subset) sorted() []placedGlyph {
	return slices.SortedFunc(slices.Values(s.glyphs), func(a, b placedGlyph) int { return cmp.Compare(a.char, b.char) })
}
