package results

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"

	"bullring/experiments"
	"bullring/experiments/spec"
	"bullring/internal/regular"
)

// The files of a sweep, besides its figures.
const (
	SpecFile    = "spec.yaml"
	ResultsFile = "results.csv"
	SummaryFile = "summary.csv"
	GrowthFile  = "growth.csv"
	// DifferencesFile is there if the sweep compares.
	DifferencesFile = "differences.csv"
	ManifestFile    = "manifest.json"
)

// The documents of a folder of results: what whoever finds it needs.
const (
	ReadmeFile    = "README.md"
	TableFile     = "summary.tex"
	PapersFile    = "papers.bib"
	CitationFile  = "CITATION.cff"
	ReproduceFile = "reproduce.sh"
	FiguresDir    = "figures"
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

// TrialsHash is that of the sweep of the results. It is computed once.
func (f *Folder) TrialsHash() string {
	if f.Trials == "" {
		f.Trials = TrialsHash(f.Spec, f.Cells)
	}
	return f.Trials
}

// Rows calls f with every row of results.csv, in order, until it returns false
// or an error. The record is good for the call. rows returns how many rows were
// read.
func (f *Folder) Rows(visit func(*Record) (more bool, err error)) (int, error) {
	path := filepath.Join(f.Dir, ResultsFile)
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
		if err := f.locate(r); err != nil {
			return r.Number, err
		}
		if more, err := visit(r); err != nil || !more {
			return r.Number, err
		}
	}
}

// locate checks that a row stands where its number says, and belongs to the cell
// that the spec has there. How many rows a cell has, the rows say: each is numbered
// within its cell.
func (f *Folder) locate(r *Record) error {
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
	case r.Cell >= 0 && text == strconv.Itoa(r.Replicate+1) && r.Replicate < f.Spec.Replicates:
		r.Replicate++
	default:
		return fmt.Errorf("%s: row %d is replicate %q of its cell, and the one before was %d; a row is missing or was moved", r.Where, r.Number, text, r.Replicate)
	}
	if r.Cell >= len(f.Cells) {
		return fmt.Errorf("%s: there are rows of more than the %d cells of the sweep", r.Where, len(f.Cells))
	}
	cell := &f.Cells[r.Cell]
	for _, c := range [...]struct{ column, want string }{{"algorithm", cell.Algorithm}, {"label", cell.Label}, {"n", strconv.Itoa(cell.N)}} {
		if c.column == "label" && f.Relabelled {
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

// Samples calls f with every row of results.csv and its sample, in order, until it
// returns an error.
func (f *Folder) Samples(l Layout, visit func(*Record, *Sample) error) error {
	var reader *RowReader
	_, err := f.Rows(func(r *Record) (more bool, err error) {
		if reader == nil { // all rows have the columns of the first
			if reader, err = NewRowReader(l, r.columns); err != nil {
				return false, err
			}
		}
		s, err := reader.Sample(r.Fields)
		if err != nil {
			return false, fmt.Errorf("%s: %w", r.Where, err)
		}
		err = visit(r, &s)
		return err == nil, err
	})
	return err
}

// header is the first line of results.csv, and the names of its columns.
func (f *Folder) header() (columns []string, line string, err error) {
	path := filepath.Join(f.Dir, ResultsFile)
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

// DocumentFiles are the documents of a folder, and its manifest, which lists them.
var DocumentFiles = []string{TableFile, PapersFile, CitationFile, ReproduceFile, ReadmeFile, ManifestFile}

// FigureFiles are the files of figures.
func FigureFiles(figures []spec.Figure) []string {
	var names []string
	for i := range figures {
		for _, extension := range []string{".png", ".svg", ".pdf", ".csv", ".txt", ".tex"} {
			names = append(names, FiguresDir+"/"+figures[i].Name+extension)
		}
	}
	return names
}

// QuoteShell quotes a word for a shell.
func QuoteShell(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
