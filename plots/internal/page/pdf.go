package page

import (
	"bytes"
	"fmt"
	"image/color"
	"io"
	"strings"
	"unicode/utf16"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// PDF writes a PDF document of one page. Its text is text, in fonts that the document
// carries: the letters that it uses.
func (s *Sheet) PDF(w io.Writer) error {
	ink := &pdfInk{}
	s.Paint(newCanvas(ink))

	d := &pdfDocument{}
	d.out.WriteString("%PDF-1.5\n%\xE2\xE3\xCF\xD3\n")
	const catalog, pages, page = 1, 2, 3
	d.add("<</Type /Catalog /Pages %d 0 R>>", pages)
	d.add("<</Type /Pages /Kids [%d 0 R] /Count 1>>", page)
	const contents, fonts = page + 1, page + 2
	d.add("<</Type /Page /Parent %d 0 R /MediaBox [0 0 %s %s] /Resources <</Font <<%s>>>> /Contents %d 0 R>>",
		pages, points(s.Width), points(s.Height), ink.fonts.pdfNames(fonts), contents)
	d.addStream("", "1 j\n"+ink.out.String()) // round joins: a mitre at a sharp peak would overshoot the value
	for _, one := range ink.fonts {
		d.addFont(one)
	}
	info := d.add("%s", s.pdfInfo())
	d.finish(catalog, info)
	if _, err := w.Write(d.out.Bytes()); err != nil {
		return fmt.Errorf("pdf: %w", err)
	}
	return nil
}

// A pdfDocument is a document that grows by objects, numbered from 1.
type pdfDocument struct {
	out bytes.Buffer
	at  []int // where the objects begin
}

// add adds an object, and returns its number.
func (d *pdfDocument) add(format string, args ...any) int {
	d.at = append(d.at, d.out.Len())
	fmt.Fprintf(&d.out, "%d 0 obj\n", len(d.at))
	fmt.Fprintf(&d.out, format, args...)
	d.out.WriteString("\nendobj\n")
	return len(d.at)
}

// addStream adds a compressed stream with more entries in its dictionary.
func (d *pdfDocument) addStream(entries, content string) int {
	packed := deflated(content)
	return d.add("<</Filter /FlateDecode /Length %d%s>>\nstream\n%s\nendstream", len(packed), entries, packed)
}

// finish writes the table of objects and the end.
func (d *pdfDocument) finish(catalog, info int) {
	table := d.out.Len()
	fmt.Fprintf(&d.out, "xref\n0 %d\n0000000000 65535 f \n", len(d.at)+1)
	for _, at := range d.at {
		fmt.Fprintf(&d.out, "%010d 00000 n \n", at)
	}
	fmt.Fprintf(&d.out, "trailer\n<<\n/Size %d\n/Root %d 0 R\n/Info %d 0 R\n>>\nstartxref\n%d\n%%%%EOF\n", len(d.at)+1, catalog, info, table)
}

// pdfInk writes the operators of a page.
type pdfInk struct {
	out   strings.Builder
	fonts subsets
}

// pdfPoint prints a point.
func pdfPoint(p vg.Point) string { return points(p.X) + " " + points(p.Y) }

// colour prints a colour for an operator.
func (i *pdfInk) colour(c color.NRGBA, operator string) {
	part := func(v uint8) string { return decimal(float64(v)/255, 3) }
	fmt.Fprintf(&i.out, "%s %s %s %s\n", part(c.R), part(c.G), part(c.B), operator)
}

func (i *pdfInk) path(path vg.Path) {
	for _, comp := range path {
		switch comp.Type {
		case vg.MoveComp:
			i.out.WriteString(pdfPoint(comp.Pos) + " m\n")
		case vg.LineComp:
			i.out.WriteString(pdfPoint(comp.Pos) + " l\n")
		case vg.CurveComp:
			i.out.WriteString(pdfPoint(comp.Control[0]) + " " + pdfPoint(comp.Control[1]) + " " + pdfPoint(comp.Pos) + " c\n")
		case vg.CloseComp:
			i.out.WriteString("h\n")
		}
	}
}

func (i *pdfInk) fill(path vg.Path, c color.NRGBA) {
	i.colour(c, "rg")
	i.path(path)
	i.out.WriteString("f\n")
}

func (i *pdfInk) stroke(path vg.Path, style draw.LineStyle, c color.NRGBA) {
	i.colour(c, "RG")
	dashes := make([]string, len(style.Dashes))
	for k, d := range style.Dashes {
		dashes[k] = points(d)
	}
	fmt.Fprintf(&i.out, "%s w\n[%s] %s d\n", points(style.Width), strings.Join(dashes, " "), points(style.DashOffs))
	i.path(path)
	i.out.WriteString("S\n")
}

func (i *pdfInk) text(t placedText, c color.NRGBA) {
	if t.halo > 0 {
		i.stroke(t.outlines(), draw.LineStyle{Width: 2 * t.halo}, White)
	}
	start := t.start()
	i.colour(c, "rg")
	i.out.WriteString("BT\n")
	for _, s := range t.line.spans() {
		first := s[0]
		cos, sin := decimal(float64(t.along.X), 5), decimal(float64(t.along.Y), 5)
		back := decimal(-float64(t.along.Y), 5)
		fmt.Fprintf(&i.out, "/%s %s Tf\n%s %s %s %s %s Tm\n", pdfFontName(first.face), points(first.Size), cos, sin, back, cos, pdfPoint(t.place(start, first.At)))
		i.glyphs(s)
	}
	i.out.WriteString("ET\n")
}

// glyphs shows the glyphs of a span, with the kerning between them.
func (i *pdfInk) glyphs(s span) {
	fonts := i.fonts.of(s[0].face)
	i.out.WriteString("[<")
	for k, g := range s {
		if k > 0 {
			const unit = 1000 // kerning is in thousandths of the font size, to the left
			if kern := decimal(unit*float64((s[:k].end()-g.At.X)/g.Size), 0); kern != "0" {
				i.out.WriteString(">" + kern + "<")
			}
		}
		fmt.Fprintf(&i.out, "%04X", fonts.number(g))
	}
	i.out.WriteString(">] TJ\n")
}

// pdfInfo returns the Info dictionary of the picture. It has no dates: they would
// make two equal pictures differ, and PDF does not ask for them.
func (s *Sheet) pdfInfo() string {
	var b strings.Builder
	b.WriteString("<<\n")
	for _, m := range s.Meta {
		fmt.Fprintf(&b, "%s %s\n", pdfName(m.Key), pdfString(m.Value))
	}
	b.WriteString(">>")
	return b.String()
}

// pdfName returns s as a PDF name, with all but letters and digits in hex.
func pdfName(s string) string {
	var b strings.Builder
	b.WriteByte('/')
	for _, c := range []byte(s) {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "#%02X", c)
		}
	}
	return b.String()
}

// pdfEscapes escapes ends of lines, too: a carriage return would be read as a line feed,
// and no line of a text may look like a line of the document.
var pdfEscapes = strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`, "\n", `\n`, "\r", `\r`)

// pdfString returns s as a PDF text string: in parentheses if it is ASCII, else
// UTF-16 with a byte order mark, in hex.
func pdfString(s string) string {
	if isASCII(s) {
		return "(" + pdfEscapes.Replace(s) + ")"
	}
	var b strings.Builder
	b.WriteString("<FEFF")
	for _, u := range utf16.Encode([]rune(s)) {
		fmt.Fprintf(&b, "%04X", u)
	}
	b.WriteByte('>')
	return b.String()
}
