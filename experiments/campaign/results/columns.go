package results

import (
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"bullring/experiments/trial/setting"
)

// Column describes a column of a table of results.
type Column struct {
	Name    string     `json:"name"`
	Type    ColumnType `json:"type"`
	Unit    string     `json:"unit,omitempty"`
	Meaning string     `json:"meaning"`
}

// ColumnType is the type of the values of a column. An empty field says that there is no
// value.
type ColumnType string

// The types of columns.
const (
	Text    ColumnType = "text"
	Integer ColumnType = "integer" // from 0 to 2^64-1
	Number  ColumnType = "number"
	Boolean ColumnType = "boolean" // true or false
)

// counted are units of counts. The header leaves them out, since the name of the column
// tells them.
var counted = []string{"", "messages", "processes", "address", "identity", "rounds", "bits", "hex", "trials", "entries", "hops", "items", "moves"}

// Header is the head of the column: its name, and its unit in brackets unless it is a
// count.
func (c Column) Header() string {
	if slices.Contains(counted, c.Unit) {
		return c.Name
	}
	return c.Name + "[" + c.Unit + "]"
}

// ColumnName returns the name of a column from its head.
func ColumnName(header string) string {
	name, _, _ := strings.Cut(header, "[")
	return name
}

// TextColumn is a column of a table that prints a row from a T.
type TextColumn[T any] struct {
	Column
	print func(field []byte, x T) []byte // appends the text
}

// Text returns the text of a row in the column.
func (c *TextColumn[T]) Text(x T) string { return string(c.print(nil, x)) }

// Joined returns columns as one, with commas between their texts.
func Joined[T any](columns []TextColumn[T]) TextColumn[T] {
	names := make([]string, len(columns))
	for i := range columns {
		names[i] = columns[i].Name
	}
	return TextColumn[T]{Column{Name: strings.Join(names, ", ")}, func(field []byte, x T) []byte {
		for i := range columns {
			if i > 0 {
				field = append(field, ',')
			}
			field = columns[i].print(field, x)
		}
		return field
	}}
}

// wordsColumn, countColumn and realColumn are columns of three of the types. A field is empty
// if a row has no count, or if its number is NaN.
func wordsColumn[T any](name, unit, meaning string, text func(T) string) TextColumn[T] {
	return TextColumn[T]{Column{name, Text, unit, meaning}, func(field []byte, x T) []byte { return append(field, text(x)...) }}
}

func countColumn[T any](name, unit, meaning string, count func(T) (n uint64, ok bool)) TextColumn[T] {
	return TextColumn[T]{Column{name, Integer, unit, meaning}, func(field []byte, x T) []byte {
		n, ok := count(x)
		if !ok {
			return field
		}
		return strconv.AppendUint(field, n, 10)
	}}
}

func realColumn[T any](name, unit, meaning string, value func(T) float64) TextColumn[T] {
	return TextColumn[T]{Column{name, Number, unit, meaning}, func(field []byte, x T) []byte { return appendNumber(field, value(x)) }}
}

// table writes a table in CSV, as encoding/csv does.
type table[T any] struct {
	columns []TextColumn[T]
	plain   bool // the header has names without units
	out     io.Writer
	line    []byte // the current one
}

func (t *table[T]) header() error {
	t.line = appendHeader(t.line[:0], t.columns, t.plain)
	_, err := t.out.Write(t.line)
	return err
}

func (t *table[T]) row(x T) error {
	t.line = endLine(appendFields(t.line[:0], t.columns, x))
	_, err := t.out.Write(t.line)
	return err
}

// appendHeader appends the first line of a table.
func appendHeader[T any](line []byte, columns []TextColumn[T], plain bool) []byte {
	for _, c := range columns {
		if plain {
			line = appendField(line, c.Name)
		} else {
			line = appendField(line, c.Header())
		}
	}
	return endLine(line)
}

// appendFields appends fields of a row, each with a comma. It runs for each trial of a sweep.
func appendFields[T any](line []byte, columns []TextColumn[T], x T) []byte {
	for i := range columns {
		c := &columns[i]
		from := len(line)
		line = c.print(line, x)
		if c.Type == Text && needsQuotes(line[from:]) {
			text := string(line[from:])
			line = appendQuoted(line[:from], text)
		}
		line = append(line, ',')
	}
	return line
}

// appendField appends a field and a comma.
func appendField(line []byte, text string) []byte {
	if needsQuotes(text) {
		line = appendQuoted(line, text)
	} else {
		line = append(line, text...)
	}
	return append(line, ',')
}

// endLine turns the last comma into the end of a line.
func endLine(line []byte) []byte {
	line[len(line)-1] = '\n'
	return line
}

// needsQuotes reports whether a field of a table is quoted, as encoding/csv does it.
func needsQuotes[T string | []byte](field T) bool {
	if len(field) == 2 && field[0] == '\\' && field[1] == '.' { // ends data in PostgreSQL
		return true
	}
	for i := range len(field) {
		if quoted[field[i]] {
			return true
		}
	}
	first, _ := utf8.DecodeRuneInString(string(field[:min(len(field), utf8.UTFMax)]))
	return len(field) > 0 && unicode.IsSpace(first)
}

// quoted marks some bytes. A field that contains one of them is quoted.
var quoted = [256]bool{'\n': true, '\r': true, '"': true, ',': true}

func appendQuoted(line []byte, text string) []byte {
	line = append(line, '"')
	line = append(line, strings.ReplaceAll(text, `"`, `""`)...)
	return append(line, '"')
}

// describe returns the descriptions of columns.
func describe[T any](columns []TextColumn[T]) []Column {
	all := make([]Column, len(columns))
	for i, c := range columns {
		all[i] = c.Column
	}
	return all
}

// columnType is the type of the column of a condition.
func columnType(k setting.Kind) ColumnType {
	switch k {
	case setting.Count:
		return Integer
	case setting.Truth:
		return Boolean
	}
	return Text
}

// formatNumber prints a number in full; "" if it is NaN or infinite.
func formatNumber(v float64) string { return string(appendNumber(nil, v)) }

// appendNumber is formatNumber without an allocation. Most numbers are whole, and printed
// in a fifth of the time.
func appendNumber(text []byte, v float64) []byte {
	const exact = 1 << 53
	whole := int64(v)
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return text
	case float64(whole) == v && -exact < whole && whole < exact && (whole != 0 || !math.Signbit(v)):
		return strconv.AppendInt(text, whole, 10)
	}
	return strconv.AppendFloat(text, v, 'f', -1, 64)
}
