package page

import (
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"fmt"
	"image/color"
	"io"
	"math"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// SVG writes an SVG document. Its text is text, in a font that the document carries: the
// letters that it uses. A viewer that ignores such fonts takes one of the same widths; a
// viewer's own fonts are fitted to the widths of the words.
func (s *Sheet) SVG(w io.Writer) error {
	ink := &svgInk{height: s.Height}
	s.Paint(newCanvas(ink))

	var out bytes.Buffer
	fmt.Fprintf(&out, "<?xml version=\"1.0\"?>\n<svg width=\"%[1]spt\" height=\"%[2]spt\" viewBox=\"0 0 %[1]s %[2]s\"\n", points(s.Width), points(s.Height))
	out.WriteString("\txmlns=\"http://www.w3.org/2000/svg\" xml:space=\"preserve\" role=\"img\"\n")
	// A mitre at a sharp peak would overshoot the value.
	out.WriteString("\tfont-family=\"'" + fontFamily + "',Arial,Helvetica,sans-serif\" stroke-linejoin=\"round\">\n<title>")
	escapeXML(&out, s.About)
	out.WriteString("</title>\n<metadata>\n")
	for _, m := range s.Meta {
		out.WriteString("<meta xmlns=\"" + xhtml + "\" name=\"")
		escapeXML(&out, m.Key)
		out.WriteString("\" content=\"")
		escapeXML(&out, m.Value)
		out.WriteString("\"/>\n")
	}
	out.WriteString("</metadata>\n")
	ink.fonts.svg(&out)
	out.Write(ink.out.Bytes())
	out.WriteString("</svg>\n")
	if _, err := w.Write(out.Bytes()); err != nil {
		return fmt.Errorf("svg: %w", err)
	}
	return nil
}

// svg writes the fonts. Each says which characters it has: on a page with several pictures,
// whose fonts have one name, a viewer then finds those of all.
func (s subsets) svg(out *bytes.Buffer) {
	if len(s) == 0 {
		return
	}
	out.WriteString("<style>\n")
	for _, one := range s {
		style := "normal"
		if one.face.italic {
			style = "italic"
		}
		var characters []string
		for _, g := range one.sorted() {
			characters = append(characters, fmt.Sprintf("U+%X", g.char))
		}
		fmt.Fprintf(out, "@font-face{font-family:\"%s\";font-style:%s;unicode-range:%s;src:url(data:font/ttf;base64,%s)}\n",
			fontFamily, style, strings.Join(characters, ","), base64.StdEncoding.EncodeToString(one.ttf()))
	}
	out.WriteString("</style>\n")
}

func escapeXML(b *bytes.Buffer, s string) {
	// Writing to a buffer cannot fail.
	_ = xml.EscapeText(b, []byte(s))
}

// svgInk writes elements of SVG.
type svgInk struct {
	out    bytes.Buffer
	height vg.Length
	fonts  subsets
}

// point prints a point. The y axis of SVG points down.
func (i *svgInk) point(p vg.Point) string { return points(p.X) + "," + points(i.height-p.Y) }

// path writes a path up to its end, which comes after the caller's attributes.
func (i *svgInk) path(path vg.Path) {
	i.out.WriteString(`<path d="`)
	for _, comp := range path {
		switch comp.Type {
		case vg.MoveComp:
			i.out.WriteString("M" + i.point(comp.Pos))
		case vg.LineComp:
			i.out.WriteString("L" + i.point(comp.Pos))
		case vg.CurveComp:
			i.out.WriteString("C" + i.point(comp.Control[0]) + "," + i.point(comp.Control[1]) + "," + i.point(comp.Pos))
		case vg.CloseComp:
			i.out.WriteString("Z")
		}
	}
	i.out.WriteString(`"`)
}

func (i *svgInk) fill(path vg.Path, c color.NRGBA) {
	i.path(path)
	fmt.Fprintf(&i.out, " fill=\"#%s\"/>\n", hexOf(c))
}

func (i *svgInk) stroke(path vg.Path, style draw.LineStyle, c color.NRGBA) {
	i.path(path)
	fmt.Fprintf(&i.out, " fill=\"none\" stroke=\"#%s\" stroke-width=\"%s\"", hexOf(c), points(style.Width))
	if len(style.Dashes) > 0 {
		dashes := make([]string, len(style.Dashes))
		for k, d := range style.Dashes {
			dashes[k] = points(d)
		}
		fmt.Fprintf(&i.out, " stroke-dasharray=\"%s\"", strings.Join(dashes, " "))
		if style.DashOffs != 0 {
			fmt.Fprintf(&i.out, " stroke-dashoffset=\"%s\"", points(style.DashOffs))
		}
	}
	i.out.WriteString("/>\n")
}

// text writes a text in one element, with a part for each of its spans, so that a search
// finds words across them. A viewer with other letters at least keeps the anchor of a text of
// one span.
func (i *svgInk) text(t placedText, c color.NRGBA) {
	if t.halo > 0 {
		i.stroke(t.outlines(), draw.LineStyle{Width: 2 * t.halo}, White)
	}
	fmt.Fprintf(&i.out, "<text transform=\"translate(%s)", i.point(t.at))
	if angle := t.angle(); angle != 0 {
		fmt.Fprintf(&i.out, " rotate(%s)", points(vg.Length(-angle)))
	}
	fmt.Fprintf(&i.out, "\" fill=\"#%s\"", hexOf(c))
	spans := t.line.spans()
	if len(spans) == 1 && spans[0][0].At.Y == 0 {
		i.out.WriteString(svgAnchors[t.align])
		i.span(spans[0])
	} else {
		i.out.WriteByte('>')
		before := vg.Length(t.align) * t.line.Width
		for _, s := range spans {
			fmt.Fprintf(&i.out, `<tspan x="%s" y="%s"`, points(s[0].At.X-before), points(-s[0].At.Y))
			i.span(s)
			i.out.WriteString("</tspan>")
		}
	}
	i.out.WriteString("</text>\n")
}

// svgAnchors are the attributes for anchors that are not at the left end.
var svgAnchors = map[float64]string{AlignLeft: "", AlignCenter: ` text-anchor="middle"`, AlignRight: ` text-anchor="end"`}

// span ends an element's attributes with those of a span, and writes its text.
func (i *svgInk) span(s span) {
	first := s[0]
	fmt.Fprintf(&i.out, ` font-size="%s"`, points(first.Size))
	if first.face.italic {
		i.out.WriteString(` font-style="italic"`)
	}
	if len(s) > 1 {
		fmt.Fprintf(&i.out, ` textLength="%s"`, points(s.end()-first.At.X))
	}
	i.out.WriteByte('>')
	fonts := i.fonts.of(first.face)
	for _, g := range s {
		fonts.number(g)
	}
	escapeXML(&i.out, s.text())
}

// hexOf prints a colour.
func hexOf(c color.NRGBA) string { return fmt.Sprintf("%02X%02X%02X", c.R, c.G, c.B) }

// degrees of an angle in radians.
func degrees(radians float64) float64 { return radians * 180 / math.Pi }
