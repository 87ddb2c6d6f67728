package experiments

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"bullring/experiments/spec"
	"bullring/internal/regular"
)

// archive is a directory of results that is read.
type archive struct {
	registry *Registry
	dir      string
	text     []byte // of the spec
	spec     *spec.Spec
	cells    []spec.Cell
	trials   string            // hash of what decides them, once it is known
	manifest *Manifest         // once it is read
	results  string            // hash of results.csv, once it is known
	captions map[string]string // of the figures that are drawn, by name
	// relabelled: the labels in the rows may be those of an earlier version of the sweep.
	relabelled bool
}

func openArchive(r *Registry, dir string) (*archive, error) {
	file := filepath.Join(dir, SpecFile)
	text, err := regular.Read(file, spec.MaxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s holds no results of a sweep: it has no %s", dir, SpecFile)
	}
	if err != nil {
		return nil, err
	}
	s, err := r.parseKept(file, text, includeBeside(file))
	if err != nil {
		return nil, err
	}
	return &archive{registry: r, dir: dir, text: text, spec: s, cells: s.Cells()}, nil
}

// record is a row of results.csv.
type record struct {
	number    int // from 1
	cell      int // from 0
	replicate int // from 1
	columns   []string
	fields    []string
	where     string // file and line, for errors
}

// field is the text in the column of that name.
func (r *record) field(name string) (string, error) {
	i := slices.Index(r.columns, name)
	if i < 0 {
		return "", fmt.Errorf("%s: the results have no column %q", r.where, name)
	}
	return r.fields[i], nil
}

// has reports whether the results have what a metric is computed from.
func (r *record) has(m *Metric) bool {
	return !slices.ContainsFunc(m.operands(), func(name string) bool { return !slices.Contains(r.columns, name) })
}

// wrong is an error about a field.
func (r *record) wrong(name, text, takes string) error {
	return fmt.Errorf("%s: column %s holds %q, which is not %s", r.where, name, text, takes)
}

// header is the first line of results.csv, and the names of its columns.
func (a *archive) header() (columns []string, line string, err error) {
	path := filepath.Join(a.dir, ResultsFile)
	file, err := regular.Open(path)
	if err != nil {
		return nil, "", err
	}
	defer file.Close()
	in := newTableReader(file)
	fields, err := in.Read()
	if err != nil {
		return nil, "", fmt.Errorf("%s: reading the header: %w", path, err)
	}
	for _, name := range fields {
		columns = append(columns, columnName(name))
	}
	return columns, strings.Join(fields, ",") + "\n", nil
}

// rows calls f with every row of results.csv, in order, until it returns false
// or an error. The record is good for the call. rows returns how many rows were
// read.
func (a *archive) rows(f func(*record) (more bool, err error)) (int, error) {
	path := filepath.Join(a.dir, ResultsFile)
	file, err := regular.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	in := newTableReader(file)
	in.ReuseRecord = true
	header, err := in.Read()
	if err != nil {
		return 0, fmt.Errorf("%s: reading the header: %w", path, err)
	}
	r := &record{cell: -1}
	for _, name := range header {
		r.columns = append(r.columns, columnName(name))
	}
	for {
		fields, err := in.Read()
		if err == io.EOF {
			return r.number, nil
		}
		if err != nil {
			return r.number, fmt.Errorf("%s: after row %d: %w", path, r.number, err)
		}
		r.number++
		r.fields = fields
		line, _ := in.FieldPos(0)
		r.where = path + ":" + strconv.Itoa(line)
		if err := a.place(r); err != nil {
			return r.number, err
		}
		if more, err := f(r); err != nil || !more {
			return r.number, err
		}
	}
}

// place checks that a row stands where its number says, and belongs to the cell
// that the spec has there. How many rows a cell has, the rows say: each is numbered
// within its cell.
func (a *archive) place(r *record) error {
	text, err := r.field("row")
	if err != nil {
		return err
	}
	if text != strconv.Itoa(r.number) {
		return fmt.Errorf("%s: the row is numbered %q, but it is number %d; a row is missing or was moved", r.where, text, r.number)
	}
	if text, err = r.field("replicate"); err != nil {
		return err
	}
	switch {
	case text == "1":
		r.cell, r.replicate = r.cell+1, 1
	case r.cell >= 0 && text == strconv.Itoa(r.replicate+1) && r.replicate < a.spec.Replicates:
		r.replicate++
	default:
		return fmt.Errorf("%s: row %d is replicate %q of its cell, and the one before was %d; a row is missing or was moved", r.where, r.number, text, r.replicate)
	}
	if r.cell >= len(a.cells) {
		return fmt.Errorf("%s: there are rows of more than the %d cells of the sweep", r.where, len(a.cells))
	}
	cell := &a.cells[r.cell]
	for _, c := range [...]struct{ column, want string }{{"algorithm", cell.Algorithm}, {"label", cell.Label}, {"n", strconv.Itoa(cell.N)}} {
		if c.column == "label" && a.relabelled {
			continue
		}
		if text, err = r.field(c.column); err != nil {
			return err
		}
		if text != c.want {
			return fmt.Errorf("%s: row %d has %s %q, but %s asks for %q there", r.where, r.number, c.column, text, SpecFile, c.want)
		}
	}
	return nil
}
