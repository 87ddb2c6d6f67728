// Package page is what figures and diagrams have in common: text, measures, colours and scales,
// the sheet that is written as PNG, SVG, PDF or TikZ, and its metadata, written and read back.
package page

import (
	"io"

	"gonum.org/v1/plot/vg"
)

// A Sheet is a page that is ready to be written in any format.
type Sheet struct {
	Width, Height vg.Length
	Paint         func(vg.Canvas)
	About         string // the picture in a few words, for readers who cannot see it
	Meta          []Meta
}

// SheetWriter writes a sheet in one format.
type SheetWriter func(*Sheet, io.Writer) error

// Marked returns the metadata of a picture: the mark of this package, the title, if there
// is one, and the entries of the caller.
func Marked(title string, more []Meta) []Meta {
	entries := []Meta{receiptMark}
	if title != "" {
		entries = append(entries, Meta{"Title", Plain(title)})
	}
	return append(entries, more...)
}
