package page

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"

	"bullring/internal/pattern"
)

var (
	pdfEnd     = pattern.Of(`startxref\n([0-9]{1,10})\n%%EOF\n?$`)
	xrefHeader = pattern.Of(`\nxref\n0 (\d+)\n`)
	pdfTrailer = pattern.Of(`\ntrailer\n<<\n(?:/[^\n]*\n)*?/Info ([0-9]{1,7}) 0 R\n`)
)

var errPDFDamaged = errors.New("it is damaged: its table of objects leads nowhere")

// pdfMeta returns the entries of the Info dictionary of a PDF document that this package
// wrote. It finds the dictionary as every reader does: the end of the document points to
// the table of objects, which points to the dictionary.
func pdfMeta(data []byte) ([]Meta, error) {
	if !bytes.HasPrefix(data, []byte("%PDF-")) {
		return nil, errors.New("it is no PDF document")
	}
	tail := data[max(0, len(data)-64):]
	end := pdfEnd().FindSubmatch(tail)
	if end == nil {
		return nil, errCutShort
	}
	table, ok := from(data, end[1])
	if !ok {
		return nil, errPDFDamaged
	}
	header := xrefHeader().FindSubmatchIndex(append([]byte("\n"), table[:min(len(table), 64)]...))
	reference := pdfTrailer().FindSubmatch(table)
	if header == nil || header[0] != 0 || reference == nil {
		return nil, ErrNoReceipt // this package writes a table, and an Info
	}
	info, ok := object(data, table[header[1]-1:], string(reference[1]))
	if !ok {
		return nil, errPDFDamaged
	}
	return parseInfo(info)
}

// from returns the data from a position on.
func from(data, digits []byte) ([]byte, bool) {
	at, err := strconv.ParseUint(string(digits), 10, 40)
	if err != nil || at >= uint64(len(data)) {
		return nil, false
	}
	return data[at:], true
}

// object returns the data after the head of an object, by the entries of the table.
func object(data, entries []byte, number string) ([]byte, bool) {
	const entry, digits = 20, 10 // fixed by the format
	i, err := strconv.Atoi(number)
	if err != nil || len(entries) < (i+1)*entry {
		return nil, false
	}
	content, ok := from(data, entries[i*entry:i*entry+digits])
	if !ok {
		return nil, false
	}
	return bytes.CutPrefix(content, []byte(number+" 0 obj\n"))
}

// parseInfo reads a dictionary of names and strings.
func parseInfo(data []byte) ([]Meta, error) {
	rest, ok := strings.CutPrefix(string(data), "<<\n")
	if mark := pdfName(receiptMark.Key) + " " + pdfString(receiptMark.Value) + "\n"; !ok || !strings.HasPrefix(rest, mark) {
		return nil, ErrNoReceipt
	}
	var entries []Meta
	for !strings.HasPrefix(rest, ">>") {
		key, value, after, err := nextEntry(rest)
		if err != nil {
			return nil, fmt.Errorf("its Info is damaged: entry %d: %w", len(entries)+1, err)
		}
		entries = append(entries, Meta{key, value})
		rest = after
	}
	return entries, nil
}

// nextEntry splits off the first line: a name and a string.
func nextEntry(data string) (key, value, after string, err error) {
	line, after, ok := strings.Cut(data, "\n")
	name, text, cut := strings.Cut(line, " ")
	if !ok || !cut {
		return "", "", "", errors.New("no line of a name and a string")
	}
	if key, err = unescapeName(name); err == nil {
		value, err = unescapeString(text)
	}
	return key, value, after, err
}

// unescapeName is the inverse of pdfName.
func unescapeName(s string) (string, error) {
	s, ok := strings.CutPrefix(s, "/")
	if !ok {
		return "", fmt.Errorf("%.20q is no name", s)
	}
	parts := strings.Split(s, "#")
	for i, part := range parts[1:] {
		if len(part) < 2 {
			return "", errors.New("name cut short")
		}
		c, err := hex.DecodeString(part[:2])
		if err != nil {
			return "", fmt.Errorf("name: %w", err)
		}
		parts[i+1] = string(c) + part[2:]
	}
	return strings.Join(parts, ""), nil
}

// unescapeString is the inverse of pdfString.
func unescapeString(s string) (string, error) {
	if digits, ok := strings.CutPrefix(s, "<FEFF"); ok && strings.HasSuffix(digits, ">") {
		return decodeUTF16(strings.TrimSuffix(digits, ">"))
	}
	text, ok := strings.CutPrefix(s, "(")
	if !ok || !strings.HasSuffix(text, ")") {
		return "", fmt.Errorf("%.20q is no string", s)
	}
	return unescapeLiteral(strings.TrimSuffix(text, ")"))
}

func decodeUTF16(digits string) (string, error) {
	b, err := hex.DecodeString(digits)
	if err != nil {
		return "", err
	}
	if len(b)%2 != 0 {
		return "", errors.New("half a character of UTF-16")
	}
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = binary.BigEndian.Uint16(b[2*i:])
	}
	return string(utf16.Decode(units)), nil
}

// unescapeLiteral reads the text in parentheses.
func unescapeLiteral(s string) (string, error) {
	var b strings.Builder
	for {
		plain, escaped, ok := strings.Cut(s, `\`)
		b.WriteString(plain)
		if !ok {
			return b.String(), nil
		}
		if escaped == "" {
			return "", errors.New(`nothing after a \`)
		}
		switch c := escaped[0]; c {
		case 'n':
			b.WriteByte('\n')
		case 'r':
			b.WriteByte('\r')
		case '\\', '(', ')':
			b.WriteByte(c)
		default:
			return "", fmt.Errorf(`unknown \%c`, c)
		}
		s = escaped[1:]
	}
}
