package page

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"

	"bullring/internal/wholefile"
)

// A picture is a figure, several in panels, or a diagram.
type picture interface {
	PNG(io.Writer) error
	SVG(io.Writer) error
	PDF(io.Writer) error
	TikZ(io.Writer) error
	TeX(io.Writer) error
	CSV(io.Writer) error
}

// formats are the formats of Save, by extension.
var formats = map[string]func(picture, io.Writer) error{
	".png": picture.PNG, ".svg": picture.SVG, ".pdf": picture.PDF, ".tikz": picture.TikZ, ".tex": picture.TeX, ".csv": picture.CSV,
}

// Save writes a picture as PNG, SVG and PDF, and its numbers as CSV. more are the extensions of
// further formats.
func Save(p picture, dir, name string, more ...string) ([]string, error) {
	extensions := append([]string{".png", ".svg", ".pdf", ".csv"}, more...)
	contents := make([]bytes.Buffer, len(extensions))
	for i, extension := range extensions {
		if err := formats[extension](p, &contents[i]); err != nil {
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

// SaveAs writes a picture in the format that the extension of the path gives.
func SaveAs(p picture, path string) error {
	if err := CheckPicture(path); err != nil {
		return err
	}
	var content bytes.Buffer
	if err := formats[filepath.Ext(path)](p, &content); err != nil {
		return err
	}
	_, err := wholefile.Write(path, content.Bytes())
	return err
}

// CheckPicture returns an error unless the name of a picture ends in .svg, .pdf, .png, .tikz
// or .tex.
func CheckPicture(path string) error {
	if readers[filepath.Ext(path)] != nil {
		return nil
	}
	return fmt.Errorf("picture %q: its name has to end in .svg, .pdf, .png, .tikz or .tex", path)
}
