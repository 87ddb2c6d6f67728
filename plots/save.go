package plots

import (
	"io"

	"bullring/plots/internal/page"
)

// Save writes the figure into a directory, which must exist, as NAME.png,
// NAME.svg, NAME.pdf and NAME.csv, and returns their paths in this order. more are the
// extensions of further formats, such as ".tikz".
//
// Each file appears whole or not at all: it is written under a temporary name
// and then renamed. Nothing is written for a figure that cannot be drawn.
func (f *Figure) Save(dir string, more ...string) ([]string, error) {
	return page.Save(f, dir, f.Name, more...)
}

// SaveAs writes the figure as one picture, whole or not at all. The extension of the path
// gives the format: see [CheckPicture].
func (f *Figure) SaveAs(path string) error { return page.SaveAs(f, path) }

// CheckPicture returns an error unless the name of a picture ends in .svg, .pdf, .png, .tikz
// or .tex.
func CheckPicture(path string) error { return page.CheckPicture(path) }

// PNG writes the figure as a PNG image of 300 dpi.
func (f *Figure) PNG(w io.Writer) error { return f.write(w, (*page.Sheet).PNG) }

// SVG writes the figure as an SVG document.
func (f *Figure) SVG(w io.Writer) error { return f.write(w, (*page.Sheet).SVG) }

// PDF writes the figure as a PDF document of one page.
func (f *Figure) PDF(w io.Writer) error { return f.write(w, (*page.Sheet).PDF) }

// TikZ writes the figure as a tikzpicture, for a document that loads tikz. Its texts are
// LaTeX, in the sans serif letters of the document.
func (f *Figure) TikZ(w io.Writer) error { return f.write(w, (*page.Sheet).TikZ) }

// TeX writes the figure as a LaTeX document of its own.
func (f *Figure) TeX(w io.Writer) error { return f.write(w, (*page.Sheet).TeX) }

func (f *Figure) write(w io.Writer, write page.SheetWriter) error {
	l, err := f.layout()
	if err != nil {
		return err
	}
	if err := write(&page.Sheet{Width: l.width, Height: l.height, Paint: l.paint, About: f.describe(), Meta: f.metadata()}, w); err != nil {
		return f.errorf("%w", err)
	}
	return nil
}

// metadata returns all metadata of the figure.
func (f *Figure) metadata() []Meta { return page.Marked(f.Title, f.Meta) }

// describe returns the figure in a few words: its title, or its axes.
func (f *Figure) describe() string {
	if f.Title != "" {
		return Plain(f.Title)
	}
	if f.X.Label == "" || f.Y.Label == "" {
		return f.Name
	}
	axes := Plain(f.Y.Label) + " against " + Plain(f.X.Label)
	for _, m := range f.Marks {
		if quantity := m.about().quantity; quantity != "" {
			return Plain(quantity) + ", " + axes
		}
	}
	return axes
}
