package spacetime

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"bullring/plots"
	"bullring/plots/internal/page"
)

// TikZ writes the diagram as a tikzpicture. Its texts are LaTeX, in the sans serif letters of
// the document, so that they may be a little wider or narrower here. The metadata stand in
// comments.
func (d *Diagram) TikZ(w io.Writer) error {
	l, err := d.layout()
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, page.TikzMeta(page.Marked(d.Title, d.Meta))+l.tikz())
	return err
}

// TeX writes the diagram as a LaTeX document of its own, whose page has the size of the
// diagram.
func (d *Diagram) TeX(w io.Writer) error {
	l, err := d.layout()
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
`, page.TikzMeta(page.Marked(d.Title, d.Meta)), l.tikz())
	return err
}

// tikz returns the picture.
func (l *diagramLayout) tikz() string {
	p := &tikzPen{named: map[color.NRGBA]bool{}}
	p.out.WriteString("\\begin{tikzpicture}[x=1bp, y=1bp, line join=round, inner sep=0pt, outer sep=0pt]\n")
	fmt.Fprintf(&p.out, "\\path[use as bounding box] (0,0) rectangle (%s,%s);\n", length(l.width), length(l.height))
	l.draw(p)
	p.out.WriteString(page.TikzEnd)
	return p.out.String()
}

// A tikzPen writes commands of TikZ.
type tikzPen struct {
	out   strings.Builder
	named map[color.NRGBA]bool
}

// length prints a length in big points, as vg counts them.
func length(v vg.Length) string {
	return strconv.FormatFloat(math.Round(float64(v)*100)/100+0, 'f', -1, 64) // +0: no negative zero
}

// name returns the name of a colour. Its first use defines it.
func (p *tikzPen) name(c color.NRGBA) string {
	hex := fmt.Sprintf("%02X%02X%02X", c.R, c.G, c.B)
	if !p.named[c] {
		p.named[c] = true
		fmt.Fprintf(&p.out, "\\definecolor{b%s}{HTML}{%s}\n", hex, hex)
	}
	return "b" + hex
}

// path writes points joined by lines.
func path(points []vg.Point) string {
	texts := make([]string, len(points))
	for i, q := range points {
		texts[i] = "(" + length(q.X) + "," + length(q.Y) + ")"
	}
	return strings.Join(texts, "--")
}

func (p *tikzPen) stroke(style draw.LineStyle, points ...vg.Point) {
	options := "draw=" + p.name(style.Color.(color.NRGBA)) + ", line width=" + length(style.Width) + "bp"
	if len(style.Dashes) > 0 {
		options += ", dash pattern="
	}
	for i, d := range style.Dashes {
		options += [...]string{"on ", " off "}[i%2] + length(d) + "bp "
	}
	fmt.Fprintf(&p.out, "\\path[%s] %s;\n", options, path(points))
}

func (p *tikzPen) fill(c color.NRGBA, corners ...vg.Point) {
	name := p.name(c)
	fmt.Fprintf(&p.out, "\\fill[%s] %s--cycle;\n", name, path(corners))
}

func (p *tikzPen) disc(c color.NRGBA, at vg.Point, radius vg.Length) {
	name := p.name(c)
	fmt.Fprintf(&p.out, "\\fill[%s] %s circle (%sbp);\n", name, path([]vg.Point{at}), length(radius))
}

// words writes a node. Instead of a halo around its letters it has a white ground.
func (p *tikzPen) words(w words) {
	if w.markup == "" {
		return
	}
	if w.halo {
		corners := w.plate().corners()
		p.fill(page.White, corners[:]...)
	}
	name := p.name(w.color)
	angle := math.Atan2(float64(w.along.Y), float64(w.along.X)) * 180 / math.Pi
	fmt.Fprintf(&p.out, "\\node[anchor=base, rotate=%s, text=%s, font=\\sffamily\\fontsize{%sbp}{%sbp}\\selectfont] at %s {%s};\n",
		length(vg.Length(angle)), name, length(w.size), length(1.2*w.size), path([]vg.Point{w.at}), plots.LaTeX(w.markup))
}
