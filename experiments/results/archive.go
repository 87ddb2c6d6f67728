package results

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"bullring/experiments"
	"bullring/experiments/spec"
	"bullring/internal/regular"
)

// Folder is a directory of results that is read.
type Folder struct {
	Registry *experiments.Registry
	Dir      string
	Text     []byte // of the spec
	Spec     *spec.Spec
	Cells    []spec.Cell
	Trials   string            // hash of what decides them, once it is known
	Manifest *Manifest         // once it is read
	Results  string            // hash of results.csv, once it is known
	Captions map[string]string // of the figures that are drawn, by name
	// relabelled: the labels in the rows may be those of an earlier version of the sweep.
	Relabelled bool
}

func Open(r *experiments.Registry, dir string) (*Folder, error) {
	file := filepath.Join(dir, SpecFile)
	text, err := regular.Read(file, spec.MaxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s holds no results of a sweep: it has no %s", dir, SpecFile)
	}
	if err != nil {
		return nil, err
	}
	s, err := ParseKept(r, file, text, includeBeside(file))
	if err != nil {
		return nil, err
	}
	return &Folder{Registry: r, Dir: dir, Text: text, Spec: s, Cells: s.Cells()}, nil
}

// Record is a row of results.csv.
type Record struct {
	Number    int // from 1
	Cell      int // from 0
	Replicate int // from 1
	columns   []string
	Fields    []string
	Where     string // file and line, for errors
}

// Field is the text in the column of that name.
func (r *Record) Field(name string) (string, error) {
	i := slices.Index(r.columns, name)
	if i < 0 {
		return "", fmt.Errorf("%s: the results have no column %q", r.Where, name)
	}
	return r.Fields[i], nil
}

// has reports whether the results have what a metric is computed from.
func (r *Record) has(m *experiments.Metric) bool {
	return !slices.ContainsFunc(operands(m), func(name string) bool { return !slices.Contains(r.columns, name) })
}

// Wrong is an error about a field.
func (r *Record) Wrong(name, text, takes string) error {
	return fmt.Errorf("%s: column %s holds %q, which is not %s", r.Where, name, text, takes)
}

// header is the first line of results.csv, and the names of its columns.
func (a *Folder) header() (columns []string, line string, err error) {
	path := filepath.Join(a.Dir, ResultsFile)
	file, err := regular.Open(path)
	if err != nil {
		return nil, "", err
	}
	defer file.Close()
	in := NewTableReader(file)
	fields, err := in.Read()
	if err != nil {
		return nil, "", fmt.Errorf("%s: reading the header: %w", path, err)
	}
	for _, name := range fields {
		columns = append(columns, ColumnName(name))
	}
	return columns, strings.Join(fields, ",") + "\n", nil
}

// Rows calls f with every row of results.csv, in order, until it returns false
// or an error. The record is good for the call. rows returns how many rows were
// read.
func (a *Folder) Rows(f func(*Record) (more bool, err error)) (int, error) {
	path := filepath.Join(a.Dir, ResultsFile)
	file, err := regular.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	in := NewTableReader(file)
	in.ReuseRecord = true
	header, err := in.Read()
	if err != nil {
		return 0, fmt.Errorf("%s: reading the header: %w", path, err)
	}
	r := &Record{Cell: -1}
	for _, name := range header {
		r.columns = append(r.columns, ColumnName(name))
	}
	for {
		fields, err := in.Read()
		if err == io.EOF {
			return r.Number, nil
		}
		if err != nil {
			return r.Number, fmt.Errorf("%s: after row %d: %w", path, r.Number, err)
		}
		r.Number++
		r.Fields = fields
		line, _ := in.FieldPos(0)
		r.Where = path + ":" + strconv.Itoa(line)
		if err := a.place(r); err != nil {
			return r.Number, err
		}
		if more, err := f(r); err != nil || !more {
			return r.Number, err
		}
	}
}

// place checks that a row stands where its number says, and belongs to the cell
// that the spec has there. How many rows a cell has, the rows say: each is numbered
// within its cell.
func (a *Folder) place(r *Record) error {
	text, err := r.Field("row")
	if err != nil {
		return err
	}
	if text != strconv.Itoa(r.Number) {
		return fmt.Errorf("%s: the row is numbered %q, but it is number %d; a row is missing or was moved", r.Where, text, r.Number)
	}
	if text, err = r.Field("replicate"); err != nil {
		return err
	}
	switch {
	case text == "1":
		r.Cell, r.Replicate = r.Cell+1, 1
	case r.Cell >= 0 && text == strconv.Itoa(r.Replicate+1) && r.Replicate < a.Spec.Replicates:
		r.Replicate++
	default:
		return fmt.Errorf("%s: row %d is replicate %q of its cell, and the one before was %d; a row is missing or was moved", r.Where, r.Number, text, r.Replicate)
	}
	if r.Cell >= len(a.Cells) {
		return fmt.Errorf("%s: there are rows of more than the %d cells of the sweep", r.Where, len(a.Cells))
	}
	cell := &a.Cells[r.Cell]
	for _, c := range [...]struct{ column, want string }{{"algorithm", cell.Algorithm}, {"label", cell.Label}, {"n", strconv.Itoa(cell.N)}} {
		if c.column == "label" && a.Relabelled {
			continue
		}
		if text, err = r.Field(c.column); err != nil {
			return err
		}
		if text != c.want {
			return fmt.Errorf("%s: row %d has %s %q, but %s asks for %q there", r.Where, r.Number, c.column, text, SpecFile, c.want)
		}
	}
	return nil
}
