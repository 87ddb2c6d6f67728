package results

import (
	"encoding/csv"
	"math"
	"slices"
	"strconv"
	"strings"

	"bullring/experiments/setting"
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
	Text func(T) string
}

// wordsColumn, countColumn and realColumn are columns of three of the types.
func wordsColumn[T any](name, unit, meaning string, text func(T) string) TextColumn[T] {
	return TextColumn[T]{Column{name, Text, unit, meaning}, text}
}

func countColumn[T any](name, unit, meaning string, text func(T) string) TextColumn[T] {
	return TextColumn[T]{Column{name, Integer, unit, meaning}, text}
}

func realColumn[T any](name, unit, meaning string, text func(T) string) TextColumn[T] {
	return TextColumn[T]{Column{name, Number, unit, meaning}, text}
}

// table writes a table in CSV.
type table[T any] struct {
	columns []TextColumn[T]
	plain   bool // the header has names without units
	out     *csv.Writer
	fields  []string // of the current row
}

func (t *table[T]) header() error {
	for i, c := range t.columns {
		t.fields[i] = c.Header()
		if t.plain {
			t.fields[i] = c.Name
		}
	}
	return t.out.Write(t.fields)
}

func (t *table[T]) row(x T) error {
	for i, c := range t.columns {
		t.fields[i] = c.Text(x)
	}
	return t.out.Write(t.fields)
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
func formatNumber(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}
