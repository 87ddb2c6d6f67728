package plots

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"bullring/plots/internal/page"
)

// Panels are several figures in one, in rows: (a), (b)... They have one legend, in which an
// entry stands once, and equal keys have equal colours in all panels.
type Panels struct {
	// Name is the file name without its extension, as in [Figure].
	Name string

	// Title is drawn above everything. Papers leave it empty, see [Figure].
	Title string

	// Width is in centimetres; 0 means PageWidth.
	Width float64

	// Height is that of a row with the labels of its axes, in centimetres; 0 means
	// DefaultHeight. All axes are equally high and wide. A row without labels is lower.
	Height float64

	// Columns is the number of panels in a row; 0 means all.
	Columns int

	// Figures are the panels, row by row. The title of a figure stands beside its letter. Its
	// name, sizes, looks and metadata are not used.
	Figures []*Figure

	// ShareX and ShareY give all panels the same limits along an axis. Ticks are then labelled
	// in the lowest panel of a column, or in the first one of a row. The axes must be equal,
	// and the cells of heat maps, too.
	ShareX, ShareY bool

	// Looks has the keys with a fixed look, as in [Figure].
	Looks Looks

	// Meta is written into the picture, see [Figure].
	Meta []Meta
}

// maxPanels is the largest number of panels: there are no more letters.
const maxPanels = 26

// letter names a panel.
func letter(i int) string { return string(rune('a' + i)) }

// Validate returns all mistakes in the panels. Errors name the panel as NAME-a, NAME-b...
func (p *Panels) Validate() error {
	_, err := p.layout()
	return err
}

func (p *Panels) errorf(format string, args ...any) error {
	return fmt.Errorf("plots: panels %q: "+format, append([]any{p.Name}, args...)...)
}

// columns returns the number of columns.
func (p *Panels) columns() int { return cmp.Or(p.Columns, len(p.Figures)) }

// figures returns the panels as figures that stand alone.
func (p *Panels) figures() []*Figure {
	figures := make([]*Figure, len(p.Figures))
	for i, f := range p.Figures {
		panel := *f
		panel.Name = p.Name + "-" + letter(i)
		panel.Title = strings.TrimSpace("(" + letter(i) + ") " + f.Title)
		panel.Width = cmp.Or(p.Width, PageWidth) / float64(p.columns())
		panel.Height, panel.Looks, panel.Meta = p.Height, p.Looks, nil
		figures[i] = &panel
	}
	return figures
}

// validateData checks everything but the texts.
func (p *Panels) validateData() error {
	if n := len(p.Figures); n == 0 || n > maxPanels || p.Columns < 0 || p.Columns > n {
		return p.errorf("%d panels in %d columns; there are 1 to %d panels, and no empty columns", n, p.Columns, maxPanels)
	}
	if !page.ValidName().MatchString(p.Name) {
		return p.errorf("the name is not a file name of letters, digits, '.', '_' and '-'")
	}
	var errs []error
	check := func(err error) {
		if err != nil {
			errs = append(errs, p.errorf("%w", err))
		}
	}
	check(page.ValidSize("width", p.Width, 4))
	page.ValidateMeta(p.metadata(), check)
	for i, f := range p.figures() {
		errs = append(errs, f.validateData())
		if first := p.Figures[0]; p.ShareX && !reflect.DeepEqual(f.X, first.X) || p.ShareY && !reflect.DeepEqual(f.Y, first.Y) {
			check(fmt.Errorf("panel (%s) has another axis than panel (a), and shares it", letter(i)))
		}
	}
	return errors.Join(errs...)
}

func (p *Panels) metadata() []Meta { return page.Marked(p.Title, p.Meta) }

// describe returns the panels in a few words.
func (p *Panels) describe() string {
	if p.Title != "" {
		return Plain(p.Title)
	}
	var words []string
	for _, f := range p.figures() {
		words = append(words, f.describe())
	}
	return strings.Join(words, "; ")
}

// PNG writes the panels as a PNG image of 300 dpi.
func (p *Panels) PNG(w io.Writer) error { return p.write(w, (*page.Sheet).PNG) }

// SVG writes the panels as an SVG document.
func (p *Panels) SVG(w io.Writer) error { return p.write(w, (*page.Sheet).SVG) }

// PDF writes the panels as a PDF document of one page.
func (p *Panels) PDF(w io.Writer) error { return p.write(w, (*page.Sheet).PDF) }

// TikZ writes the panels as a tikzpicture, see [Figure.TikZ].
func (p *Panels) TikZ(w io.Writer) error { return p.write(w, (*page.Sheet).TikZ) }

// TeX writes the panels as a LaTeX document of its own.
func (p *Panels) TeX(w io.Writer) error { return p.write(w, (*page.Sheet).TeX) }

func (p *Panels) write(w io.Writer, write page.SheetWriter) error {
	l, err := p.layout()
	if err != nil {
		return err
	}
	if err := write(&page.Sheet{Width: l.width, Height: l.height, Paint: l.paint, About: p.describe(), Meta: p.metadata()}, w); err != nil {
		return p.errorf("%w", err)
	}
	return nil
}

// Save writes the panels into a directory, see [Figure.Save].
func (p *Panels) Save(dir string, more ...string) ([]string, error) {
	return page.Save(p, dir, p.Name, more...)
}

// CSV writes the numbers in the panels: the columns of [Figure.CSV] after a first one, panel,
// with the letter. Where panels have different columns, all have those of each.
func (p *Panels) CSV(w io.Writer) error {
	if err := p.Validate(); err != nil {
		return err
	}
	head := []string{"panel"}
	tables := make([][][]string, len(p.Figures))
	for i, f := range p.Figures {
		tables[i] = f.csvRows()
		for _, name := range tables[i][0] {
			if !slices.Contains(head, name) {
				head = append(head, name)
			}
		}
	}
	out := csv.NewWriter(w)
	// The writer keeps its first error until Flush.
	_ = out.Write(head)
	for i, table := range tables {
		for _, values := range table[1:] {
			row := make([]string, len(head))
			row[0] = letter(i)
			for j, v := range values {
				row[slices.Index(head, table[0][j])] = v
			}
			_ = out.Write(row)
		}
	}
	out.Flush()
	return out.Error()
}
