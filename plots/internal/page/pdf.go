package page

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf16"

	"gonum.org/v1/plot/vg/vgpdf"

	"bullring/internal/pattern"
)

// PDF writes a PDF document of one page.
func (s *Sheet) PDF(w io.Writer) error {
	c := vgpdf.New(s.Width, s.Height)
	s.Paint(c)
	var document bytes.Buffer
	if _, err := c.WriteTo(&document); err != nil {
		return fmt.Errorf("pdf: %w", err)
	}
	out, err := replaceInfo(document.Bytes(), s.pdfInfo())
	if err != nil {
		return fmt.Errorf("pdf: %w", err)
	}
	_, err = w.Write(out)
	return err
}

// pdfInfo returns the Info dictionary of the picture. It has no dates: they would
// make two equal pictures differ, and PDF does not ask for them.
func (s *Sheet) pdfInfo() string {
	var b strings.Builder
	b.WriteString("<<\n")
	for _, m := range s.Meta {
		fmt.Fprintf(&b, "%s %s\n", pdfName(m.Key), pdfString(m.Value))
	}
	b.WriteString(">>\n")
	return b.String()
}

// pdfName returns s as a PDF name, with all but letters and digits in hex.
func pdfName(s string) string {
	var b strings.Builder
	b.WriteByte('/')
	for _, c := range []byte(s) {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "#%02X", c)
		}
	}
	return b.String()
}

// pdfEscapes escapes ends of lines, too: a carriage return would be read as a line feed,
// and no line of a text may look like a line of the document.
var pdfEscapes = strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`, "\n", `\n`, "\r", `\r`)

// pdfString returns s as a PDF text string: in parentheses if it is ASCII, else
// UTF-16 with a byte order mark, in hex.
func pdfString(s string) string {
	if isASCII(s) {
		return "(" + pdfEscapes.Replace(s) + ")"
	}
	var b strings.Builder
	b.WriteString("<FEFF")
	for _, u := range utf16.Encode([]rune(s)) {
		fmt.Fprintf(&b, "%04X", u)
	}
	b.WriteByte('>')
	return b.String()
}

var (
	infoReference = pattern.Of(`/Info (\d+) 0 R`)
	xrefHeader    = pattern.Of(`\nxref\n0 (\d+)\n`)
	startXref     = pattern.Of(`startxref\n(\d+)\n`)
)

// replaceInfo puts another Info dictionary into a document written by vgpdf and
// corrects the positions in the table of objects behind it.
func replaceInfo(document []byte, info string) ([]byte, error) {
	reference := infoReference().FindSubmatch(document)
	if reference == nil {
		return nil, errors.New("no Info in the trailer")
	}
	header := []byte(fmt.Sprintf("\n%s 0 obj\n", reference[1]))
	start := bytes.Index(document, header)
	if start < 0 {
		return nil, errors.New("no Info object")
	}
	start += len(header)
	length := bytes.Index(document[start:], []byte("endobj"))
	if length < 0 {
		return nil, errors.New("no end of the Info object")
	}
	tail := bytes.Clone(document[start+length:])
	shift := len(info) - length
	if err := shiftXref(tail, start, shift); err != nil {
		return nil, err
	}
	out := append(bytes.Clone(document[:start]), info...)
	out = append(out, startXref().ReplaceAllFunc(tail, func(m []byte) []byte {
		offset, _ := strconv.Atoi(string(startXref().FindSubmatch(m)[1])) // digits
		return []byte(fmt.Sprintf("startxref\n%d\n", offset+shift))
	})...)
	return out, nil
}

// shiftXref adds shift to the positions after start in the table of objects.
func shiftXref(tail []byte, start, shift int) error {
	m := xrefHeader().FindSubmatchIndex(tail)
	if m == nil {
		return errors.New("no table of objects")
	}
	count, err := strconv.Atoi(string(tail[m[2]:m[3]]))
	if err != nil {
		return err
	}
	const entry, digits = 20, 10 // fixed by the format
	table := tail[m[1]:]
	if len(table) < count*entry {
		return errors.New("table of objects cut short")
	}
	for i := range count {
		field := table[i*entry : i*entry+digits]
		offset, err := strconv.Atoi(string(field))
		if err != nil {
			return err
		}
		if offset > start {
			copy(field, fmt.Sprintf("%010d", offset+shift))
		}
	}
	return nil
}
