package results

import (
	"fmt"
	"math"
	"path/filepath"
	"strconv"
)

// Overview is summary.csv: the names of its columns, and its rows.
type Overview struct {
	Columns []string
	Fields  [][]string
}

// Overview reads summary.csv.
func (f *Folder) Overview() (*Overview, error) {
	columns, rows, more, err := f.Table(SummaryFile, len(f.Cells))
	if err == nil && more {
		err = fmt.Errorf("%s has rows of more than the %d cells of the sweep", filepath.Join(f.Dir, SummaryFile), len(f.Cells))
	}
	return &Overview{columns, rows}, err
}

// Records returns the rows as records, by the index of their cell. A sweep that was stopped has
// none of its last cells.
func (o *Overview) Records(f *Folder) (map[int]*Record, error) {
	all := make(map[int]*Record, len(o.Fields))
	for i, fields := range o.Fields {
		r := &Record{Fields: fields, columns: o.Columns, Number: i + 1, Where: fmt.Sprintf("%s, row %d", filepath.Join(f.Dir, SummaryFile), i+1)}
		text, err := r.Field("cell")
		if err != nil {
			return nil, err
		}
		cell, err := strconv.Atoi(text)
		if err != nil || cell < 1 || cell > len(f.Cells) || all[cell-1] != nil {
			return nil, r.Wrong("cell", text, fmt.Sprintf("a cell of the sweep, from 1 to %d, once", len(f.Cells)))
		}
		r.Cell = cell - 1
		all[r.Cell] = r
	}
	return all, nil
}

// Digits shortens a number for readers: a fraction has four significant digits. Other text
// stays.
func Digits(text string) string {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return text
	}
	if math.Abs(v) >= 1000 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return ShortNumber(v)
}
