package page

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
)

const xhtml = "http://www.w3.org/1999/xhtml"

// svgMeta returns the meta elements in the metadata of an SVG document. It reads to the
// end, so that a document that is cut short fails.
func svgMeta(data []byte) ([]Meta, error) {
	decoder := xml.NewDecoder(bytes.NewReader(data))
	var around []string // names of the elements around the current one
	var entries []Meta
	for {
		token, err := decoder.Token()
		if err != nil {
			return entries, svgEnd(err, entries)
		}
		switch t := token.(type) {
		case xml.StartElement:
			if len(around) == 0 && t.Name.Local != "svg" {
				return nil, errors.New("it is no SVG document")
			}
			if t.Name == (xml.Name{Space: xhtml, Local: "meta"}) && slices.Equal(around, []string{"svg", "metadata"}) {
				entries = append(entries, Meta{attribute(t, "name"), attribute(t, "content")})
			}
			around = append(around, t.Name.Local)
		case xml.EndElement:
			around = around[:len(around)-1] // the decoder sees to it that there is one
		}
	}
}

// svgEnd explains the error that ended the reading of a document; nil at its proper end.
func svgEnd(err error, entries []Meta) error {
	switch {
	case err == io.EOF:
		return nil
	case !slices.Contains(entries, receiptMark):
		return fmt.Errorf("%w; as XML it ends with: %w", ErrNoReceipt, err)
	}
	return fmt.Errorf("it is damaged or cut short: %w", err)
}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}
