package spacetime

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"bullring/plots"
	"bullring/plots/internal/page"
)

// PNG writes the diagram as a PNG image of 300 dpi.
func (d *Diagram) PNG(w io.Writer) error { return d.write(w, (*page.Sheet).PNG) }

// SVG writes the diagram as an SVG document.
func (d *Diagram) SVG(w io.Writer) error { return d.write(w, (*page.Sheet).SVG) }

// PDF writes the diagram as a PDF document of one page.
func (d *Diagram) PDF(w io.Writer) error { return d.write(w, (*page.Sheet).PDF) }

// TikZ writes the diagram as a tikzpicture, see [plots.Figure.TikZ].
func (d *Diagram) TikZ(w io.Writer) error { return d.write(w, (*page.Sheet).TikZ) }

// TeX writes the diagram as a LaTeX document of its own, whose page has the size of the
// diagram.
func (d *Diagram) TeX(w io.Writer) error { return d.write(w, (*page.Sheet).TeX) }

func (d *Diagram) write(w io.Writer, write page.SheetWriter) error {
	l, err := d.layout()
	if err != nil {
		return err
	}
	paint := func(c vg.Canvas) { l.draw(pen{draw.NewCanvas(c, l.width, l.height)}) }
	if err := write(&page.Sheet{Width: l.width, Height: l.height, Paint: paint, About: d.about(), Meta: page.Marked(d.Title, d.Meta)}, w); err != nil {
		return d.errorf("%w", err)
	}
	return nil
}

// about is the diagram in a few words.
func (d *Diagram) about() string {
	if d.Title != "" {
		return plots.Plain(d.Title)
	}
	return fmt.Sprintf("space-time diagram: %d processes, %d messages", len(d.Lanes), len(d.Arrows))
}

// Save writes the diagram into a directory, which must exist, as NAME.png, NAME.svg,
// NAME.pdf and NAME.csv, and returns their paths in this order. See [plots.Figure.Save].
func (d *Diagram) Save(dir string, more ...string) ([]string, error) {
	if !page.ValidName().MatchString(d.Name) {
		return nil, d.errorf("%q is not a file name of letters, digits, '.', '_' and '-'", d.Name)
	}
	return page.Save(d, dir, d.Name, more...)
}

// CSV writes what the diagram shows, one row an arrow, a sign, a change of a link or a stay in a band, with the columns
//
//	kind,lane,at,to_lane,to,label
//
// kind is that of the message, or the name of the sign, of the change or of the band. Lanes are counted from 0, and
// places run from 0 to 1. A sign has no to_lane and no to. Labels are without markup; that of a
// clash is "clash".
func (d *Diagram) CSV(w io.Writer) error {
	if err := d.Validate(); err != nil {
		return err
	}
	out := csv.NewWriter(w)
	// The writer keeps its first error until Flush.
	_ = out.Write([]string{"kind", "lane", "at", "to_lane", "to", "label"})
	for _, a := range d.Arrows {
		_ = out.Write([]string{plots.Plain(d.Kinds[a.Kind]), strconv.Itoa(a.From.Lane), page.Number(a.From.At), strconv.Itoa(a.To.Lane), page.Number(a.To.At), plots.Plain(a.Label)})
	}
	for _, s := range d.Signs {
		_ = out.Write([]string{signNames[s.Shape], strconv.Itoa(s.Lane), page.Number(s.At), "", "", plots.Plain(s.News)})
	}
	for _, c := range d.Changes {
		_ = out.Write([]string{c.name(), strconv.Itoa(c.A), page.Number(c.At), strconv.Itoa(c.B), page.Number(c.At), ""})
	}
	for i, lane := range d.Lanes {
		for _, s := range lane.Stays {
			label := ""
			if s.Clash {
				label = "clash"
			}
			_ = out.Write([]string{plots.Plain(d.Bands[s.Band].Label), strconv.Itoa(i), page.Number(s.From), strconv.Itoa(i), page.Number(s.To), label})
		}
	}
	out.Flush()
	return out.Error()
}

// SaveAs writes the diagram, whole or not at all. The extension of the path gives the
// format: see [plots.CheckPicture].
func (d *Diagram) SaveAs(path string) error { return page.SaveAs(d, path) }
