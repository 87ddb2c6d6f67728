package plots

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"

	"bullring/internal/wholefile"
)

// Save writes the figure into a directory, which must exist, as NAME.png,
// NAME.svg, NAME.pdf and NAME.csv, and returns their paths in this order.
//
// Each file appears whole or not at all: it is written under a temporary name
// and then renamed. Nothing is written for a figure that cannot be drawn.
func (f *Figure) Save(dir string) ([]string, error) {
	return save(dir, f.Name, func(extension string) func(io.Writer) error {
		return func(w io.Writer) error { return formats[extension](f, w) }
	})
}

// save writes a picture in all formats, and its numbers.
func save(dir, name string, format func(extension string) func(io.Writer) error) ([]string, error) {
	extensions := []string{".png", ".svg", ".pdf", ".csv"}
	contents := make([]bytes.Buffer, len(extensions))
	for i, extension := range extensions {
		if err := format(extension)(&contents[i]); err != nil {
			return nil, err
		}
	}
	var paths []string
	for i, extension := range extensions {
		path := filepath.Join(dir, name+extension)
		if _, err := wholefile.Write(path, contents[i].Bytes()); err != nil {
			return paths, fmt.Errorf("plots: figure %q: %w", name, err)
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// formats are the formats of Save, by extension.
var formats = map[string]func(*Figure, io.Writer) error{
	".png": (*Figure).PNG, ".svg": (*Figure).SVG, ".pdf": (*Figure).PDF, ".csv": (*Figure).CSV,
}

// SaveAs writes the figure as one picture, whole or not at all. The extension of the path
// gives the format: see [CheckPicture].
func (f *Figure) SaveAs(path string) error {
	if err := CheckPicture(path); err != nil {
		return err
	}
	var content bytes.Buffer
	if err := formats[filepath.Ext(path)](f, &content); err != nil {
		return err
	}
	_, err := wholefile.Write(path, content.Bytes())
	return err
}

// CheckPicture returns an error unless the name of a picture ends in .png, .svg or .pdf.
func CheckPicture(path string) error {
	switch filepath.Ext(path) {
	case ".png", ".svg", ".pdf":
		return nil
	}
	return fmt.Errorf("picture %q: its name has to end in .png, .svg or .pdf", path)
}

// PNG writes the figure as a PNG image of 300 dpi.
func (f *Figure) PNG(w io.Writer) error { return f.write(w, (*sheet).png) }

// SVG writes the figure as an SVG document.
func (f *Figure) SVG(w io.Writer) error { return f.write(w, (*sheet).svg) }

// PDF writes the figure as a PDF document of one page.
func (f *Figure) PDF(w io.Writer) error { return f.write(w, (*sheet).pdf) }

func (f *Figure) write(w io.Writer, write sheetWriter) error {
	l, err := f.layout()
	if err != nil {
		return err
	}
	if err := write(&sheet{l.width, l.height, l.paint, f.describe(), f.metadata()}, w); err != nil {
		return f.errorf("%w", err)
	}
	return nil
}

// metadata returns all metadata of the figure.
func (f *Figure) metadata() []Meta { return marked(f.Title, f.Meta) }

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
