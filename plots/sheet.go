package plots

import (
	"io"

	"gonum.org/v1/plot/vg"
)

// A sheet is a page that is ready to be written in any format.
type sheet struct {
	width, height vg.Length
	paint         func(vg.Canvas)
	about         string // the picture in a few words, for readers who cannot see it
	meta          []Meta
}

// sheetWriter writes a sheet in one format.
type sheetWriter func(*sheet, io.Writer) error

// marked returns the metadata of a picture: the mark of this package, the title, if there
// is one, and the entries of the caller.
func marked(title string, meta []Meta) []Meta {
	entries := []Meta{receiptMark}
	if title != "" {
		entries = append(entries, Meta{"Title", Plain(title)})
	}
	return append(entries, meta...)
}
