package plots

import (
	"errors"
	"fmt"
	"path/filepath"

	"bullring/internal/regular"
)

// receiptMark is the first entry in every picture of this package. It tells its metadata
// from that of other programs.
var receiptMark = Meta{"Receipt", "bullring 1"}

// ErrNoReceipt is the error of [ReadMeta] for pictures of other programs.
var ErrNoReceipt = errors.New("it carries no receipt of bullring")

// The largest sizes that are read, in bytes.
const (
	largestPicture = 100 << 20
	largestReceipt = 16 << 20 // of all values together
)

// ReadMeta returns the metadata of a picture that this package wrote: the title, if there
// is one, and the entries of [Figure.Meta] or [Diagram.Meta], unchanged and in order. The
// extension of the path, .png, .svg or .pdf, or .tikz or .tex of a diagram, gives the format. Another program may have saved a PNG or SVG
// again if it kept the metadata.
//
// It fails for a picture of another program, with [ErrNoReceipt] or because the format is
// not that of the extension, and for a picture that is damaged, cut short, or larger than
// 100 MB.
func ReadMeta(path string) ([]Meta, error) {
	if CheckDiagram(path) != nil {
		return nil, fmt.Errorf("%w, or .tikz or .tex for a diagram", CheckPicture(path))
	}
	data, err := regular.Read(path, largestPicture)
	if err != nil {
		return nil, err
	}
	entries, err := parseMeta(filepath.Ext(path), data)
	if err != nil {
		return nil, fmt.Errorf("picture %q: %w", path, err)
	}
	return entries, nil
}

// parseMeta reads the metadata from the content of a picture.
func parseMeta(extension string, data []byte) ([]Meta, error) {
	read := pngMeta
	switch extension {
	case ".svg":
		read = svgMeta
	case ".pdf":
		read = pdfMeta
	case ".tikz", ".tex":
		read = readTikZ
	}
	entries, err := read(data)
	if err != nil {
		return nil, err
	}
	return unmark(entries)
}

// unmark checks the entries of a picture and removes the mark.
func unmark(entries []Meta) ([]Meta, error) {
	marked := false
	var rest []Meta
	seen := make(map[string]bool)
	for _, m := range entries {
		if err := m.validate(); err != nil {
			return nil, err
		}
		if seen[m.Key] {
			return nil, fmt.Errorf("metadata key %q twice", m.Key)
		}
		seen[m.Key] = true
		if m.Key == receiptMark.Key {
			marked = m == receiptMark
			continue
		}
		rest = append(rest, m)
	}
	if !marked {
		return nil, ErrNoReceipt
	}
	return rest, nil
}
