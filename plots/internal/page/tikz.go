package page

import (
	"fmt"
	"image/color"
	"io"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// TikZ writes the page as a tikzpicture. Its texts are LaTeX, in the sans serif letters of
// the document, so that they may be a little wider or narrower here. The metadata stand in
// comments.
func (s *Sheet) TikZ(w io.Writer) error {
	picture, err := s.tikz()
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, tikzMeta(s.Meta)+picture)
	return err
}

// TeX writes the page as a LaTeX document of its own, whose page has the size of the picture.
func (s *Sheet) TeX(w io.Writer) error {
	picture, err := s.tikz()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, `%s\documentclass{article}
\usepackage[utf8]{inputenc}
\usepackage{tikz}
\ifdefined\pdfpagewidth\else\let\pdfpagewidth=\pagewidth\let\pdfpageheight=\pageheight\fi
\begin{document}
\setbox0=\hbox{%%
%s}
\pdfpagewidth=\wd0 \pdfpageheight=\ht0 \hoffset=-1in \voffset=-1in
\shipout\box0
\end{document}
`, tikzMeta(s.Meta), picture)
	return err
}

// tikzEnd ends the picture in each file that this package writes.
const tikzEnd = "\\end{tikzpicture}\n"

// mostTikZ is the largest number of parts of a picture: TeX keeps all of it, and runs out of
// memory with 24,000.
const mostTikZ = 10_000

// tikz returns the picture.
func (s *Sheet) tikz() (string, error) {
	i := &tikzInk{named: map[color.NRGBA]bool{}}
	i.out.WriteString("\\begin{tikzpicture}[x=1bp, y=1bp, line join=round, inner sep=0pt, outer sep=0pt]\n")
	fmt.Fprintf(&i.out, "\\path[use as bounding box] (0,0) rectangle (%s,%s);\n", points(s.Width), points(s.Height))
	s.Paint(newCanvas(i))
	i.out.WriteString(tikzEnd)
	if i.parts > mostTikZ {
		return "", fmt.Errorf("TikZ of %d parts; TeX has memory for %d: draw fewer, or write PDF", i.parts, mostTikZ)
	}
	return i.out.String(), nil
}

// A tikzInk writes commands of TikZ. It counts in big points, as vg does.
type tikzInk struct {
	out   strings.Builder
	named map[color.NRGBA]bool
	parts int // paths and texts
}

// name returns the name of a colour. Its first use defines it.
func (i *tikzInk) name(c color.NRGBA) string {
	if !i.named[c] {
		i.named[c] = true
		fmt.Fprintf(&i.out, "\\definecolor{b%[1]s}{HTML}{%[1]s}\n", hexOf(c))
	}
	return "b" + hexOf(c)
}

func tikzPoint(p vg.Point) string { return "(" + points(p.X) + "," + points(p.Y) + ")" }

// path ends a command with a path.
func (i *tikzInk) path(path vg.Path) {
	i.parts++
	for _, comp := range path {
		switch comp.Type {
		case vg.MoveComp:
			i.out.WriteString(" " + tikzPoint(comp.Pos))
		case vg.LineComp:
			i.out.WriteString("--" + tikzPoint(comp.Pos))
		case vg.CurveComp:
			i.out.WriteString("..controls" + tikzPoint(comp.Control[0]) + "and" + tikzPoint(comp.Control[1]) + ".." + tikzPoint(comp.Pos))
		case vg.CloseComp:
			i.out.WriteString("--cycle")
		}
	}
	i.out.WriteString(";\n")
}

func (i *tikzInk) fill(path vg.Path, c color.NRGBA) {
	name := i.name(c)
	i.out.WriteString("\\fill[" + name + "]")
	i.path(path)
}

func (i *tikzInk) stroke(path vg.Path, style draw.LineStyle, c color.NRGBA) {
	options := "draw=" + i.name(c) + ", line width=" + points(style.Width) + "bp"
	if len(style.Dashes) > 0 {
		options += ", dash pattern="
	}
	for k, d := range style.Dashes {
		options += [...]string{"on ", " off "}[k%2] + points(d) + "bp "
	}
	i.out.WriteString("\\path[" + options + "]")
	i.path(path)
}

// text writes a node. Instead of a halo around its letters it has a white ground.
func (i *tikzInk) text(t placedText, c color.NRGBA) {
	if t.halo > 0 {
		i.fill(t.ground(), White)
	}
	i.parts++
	name := i.name(c)
	anchor := map[float64]string{AlignLeft: "base west", AlignCenter: "base", AlignRight: "base east"}[t.align]
	rotate := ""
	if angle := t.angle(); angle != 0 {
		rotate = "rotate=" + points(vg.Length(angle)) + ", "
	}
	fmt.Fprintf(&i.out, "\\node[anchor=%s, %stext=%s, font=\\sffamily\\fontsize{%sbp}{%sbp}\\selectfont] at %s {%s};\n",
		anchor, rotate, name, points(t.line.size), points(1.2*t.line.size), tikzPoint(t.at), LaTeX(t.line.markup))
}

// The metadata of a TikZ file are comments at its beginning: a line for each entry, and
// more for a long value, since TeX limits the length of a line.
const (
	tikzEntry   = "%% "
	tikzMore    = "%%+ "
	tikzLongest = 1000 // bytes of a value in a line
)

// tikzMeta returns the comments.
func tikzMeta(entries []Meta) string {
	var b strings.Builder
	for _, m := range entries {
		value := m.Value
		part := value[:min(len(value), tikzLongest)]
		b.WriteString(tikzEntry + strconv.QuoteToASCII(m.Key) + " " + strconv.QuoteToASCII(part) + "\n")
		for value = value[len(part):]; value != ""; value = value[len(part):] {
			part = value[:min(len(value), tikzLongest)]
			b.WriteString(tikzMore + strconv.QuoteToASCII(part) + "\n")
		}
	}
	return b.String()
}
