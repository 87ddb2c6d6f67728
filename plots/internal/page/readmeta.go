package page

import (
	"errors"
	"fmt"
	"path/filepath"

	"bullring/internal/regular"
)

// receiptMark is the first entry in every picture of this package. It tells its metadata
// from that of other programs.
var receiptMark = Meta{"Receipt", "bullring 1"}

// ErrNoReceipt is the error for pictures of other programs.
var ErrNoReceipt = errors.New("it carries no receipt of bullring")

// The largest sizes that are read, in bytes.
const (
	largestPicture = 100 << 20
	largestReceipt = 16 << 20 // of all values together
)

// readers read the metadata from the content of a picture, by its extension.
var readers = map[string]func([]byte) ([]Meta, error){
	".png": pngMeta, ".svg": svgMeta, ".pdf": pdfMeta, ".tikz": readTikZ, ".tex": readTikZ,
}

// ReadMeta returns the metadata of a picture.
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
	entries, err := readers[extension](data)
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
