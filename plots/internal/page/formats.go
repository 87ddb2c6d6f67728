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
	CSV(io.Writer) error
}

// formats are the formats of Save, by extension.
var formats = map[string]func(picture, io.Writer) error{
	".png": picture.PNG, ".svg": picture.SVG, ".pdf": picture.PDF, ".csv": picture.CSV,
}

// Save writes a picture in all formats, and its numbers.
func Save(p picture, dir, name string) ([]string, error) {
	extensions := []string{".png", ".svg", ".pdf", ".csv"}
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
	var content bytes.Buffer
	if err := formats[filepath.Ext(path)](p, &content); err != nil {
		return err
	}
	_, err := wholefile.Write(path, content.Bytes())
	return err
}
