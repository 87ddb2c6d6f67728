package plots

import (
	"errors"
	"fmt"
	"path/filepath"

	"bullring/internal/regular"
)

// receiptMark is the first entry in every picture of this package, by which its
// metadata is told from that of other programs.
var receiptMark = Meta{"Receipt", "bullring 1"}

// ErrNoReceipt is what [ReadMeta] finds wrong with pictures of other programs.
var ErrNoReceipt = errors.New("it carries no receipt of bullring")

// Sizes in bytes beyond which nothing is read.
const (
	largestPicture = 100 << 20
	largestReceipt = 16 << 20 // of all values together
)

// ReadMeta returns the metadata in a picture that this package wrote: the title, if
// there is one, and the entries of [Figure.Meta], exactly and in order. The extension
// of the path, .png, .svg or .pdf, says what the picture is. A program that saves a
// PNG or an SVG again may change all but the metadata.
//
// It fails for a picture of another program, with [ErrNoReceipt] or because it is not
// what its extension says; and for one that is damaged, cut short, or larger than
// 100 MB.
func ReadMeta(path string) ([]Meta, error) {
	if err := CheckPicture(path); err != nil {
		return nil, err
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
	}
	entries, err := read(data)
	if err != nil {
		return nil, err
	}
	return unmark(entries)
}

// unmark checks the entries of a picture and takes away the mark.
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
