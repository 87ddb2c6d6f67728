package results

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"bullring/experiments/campaign/spec"
	"bullring/experiments/trial"
	"bullring/internal/build"
	"bullring/internal/regular"
	"bullring/netem"
)

// The files of a sweep, without documents and figures.
const (
	SpecFile    = "spec.yaml"
	ResultsFile = "results.csv"
	SummaryFile = "summary.csv"
	GrowthFile  = "growth.csv"
	// DigestsFile exists only if the sweep keeps a summary in the place of rows. It has a line
	// of JSON for each cell.
	DigestsFile = "digests.jsonl"
	// DifferencesFile exists only if the sweep has comparisons.
	DifferencesFile = "differences.csv"
	ManifestFile    = "manifest.json"
)

// The documents of a folder, which explain it to a stranger, and the folders of its figures and of
// its tables for a paper.
const (
	ReadmeFile    = "README.md"
	TableFile     = "summary.tex"
	PapersFile    = "papers.bib"
	CitationFile  = "CITATION.cff"
	ReproduceFile = "reproduce.sh"
	ColumnsFile   = "COLUMNS.md"  // earlier versions have none
	ReportFile    = "report.html" // nor this, the first ones
	FiguresDir    = "figures"
	TablesDir     = "tables"
)

// Folder is a directory of results, opened for reading.
type Folder struct {
	Registry *trial.Registry
	Dir      string
	Text     []byte // of spec.yaml
	Spec     *spec.Spec
	Cells    []spec.Cell
	Trials   string            // see TrialsHash; "" until it is needed
	Manifest *Manifest         // nil until it is read
	Results  string            // hash of results.csv; "" until it is known
	Captions map[string]string // of the figures that were drawn, by name
	Answers  map[string]string // of the same, in markup; "" for none
	// Writer is the version that figures and pages name as their writer; "" is this one.
	Writer string
	// RowsIn is the folder of results.csv and of the digests; "" is this one.
	RowsIn  string
	outside map[int]*OutsideCell // nil until it is read
	// Relabelled: rows may carry labels of an earlier version of the sweep.
	Relabelled bool
}

// Open reads the sweep of a folder. It does not read the rows.
func Open(r *trial.Registry, dir string) (*Folder, error) {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return nil, fmt.Errorf("%s is a file; give the folder of the results: %s", dir, filepath.Dir(dir))
	}
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

// WriterVersion is the version that figures and pages name as their writer.
func (f *Folder) WriterVersion() string { return cmp.Or(f.Writer, build.ThisProgram().String()) }

// TrialsHash is the hash of what decides the trials of the folder: see the function
// TrialsHash.
func (f *Folder) TrialsHash() string {
	if f.Trials == "" {
		f.Trials = TrialsHash(f.Spec, f.Cells)
	}
	return f.Trials
}

// Row finds a row by its number. The record owns its fields.
func (f *Folder) Row(number int) (*Record, error) {
	var found *Record
	count, err := f.Rows(func(r *Record) (bool, error) {
		if r.Number == number {
			found = r
		}
		return found == nil, nil
	})
	switch {
	case err != nil:
		return nil, err
	case found == nil && f.Spec.Keep.Summary:
		return nil, f.notKept(number)
	case found == nil && count == 0:
		return nil, fmt.Errorf("there is no row %d: %s in %s has no rows", number, ResultsFile, f.Dir)
	case found == nil:
		return nil, fmt.Errorf("there is no row %d: %s in %s has rows 1 to %d", number, ResultsFile, f.Dir, count)
	}
	return found, nil
}

// notKept is the error of a trial that has no row.
func (f *Folder) notKept(number int) error {
	trials := len(f.Cells) * f.Spec.Replicates
	if number < 1 || number > trials {
		return fmt.Errorf("there is no trial %d: the sweep in %s has trials 1 to %d", number, f.Dir, trials)
	}
	c, replicate := &f.Cells[(number-1)/f.Spec.Replicates], (number-1)%f.Spec.Replicates+1
	return fmt.Errorf("%s has no row of trial %d, since the sweep keeps %v; the trial is replicate %d of %s, with the seed %d: bullring run takes these conditions and --seed %[6]d",
		filepath.Join(f.Dir, ResultsFile), number, f.Spec.Keep, replicate, CellName(c), TrialSeed(f.Spec.Seed, c.Key(), replicate))
}

// Rows calls visit with every row of results.csv, in order, until visit returns false or an
// error. The record is valid during the call only. Rows returns the number of rows that it
// read.
func (f *Folder) Rows(visit func(*Record) (more bool, err error)) (int, error) {
	path := filepath.Join(cmp.Or(f.RowsIn, f.Dir), ResultsFile)
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
	r := &Record{Cell: -1}
	for _, name := range header {
		r.columns = append(r.columns, ColumnName(name))
	}
	for count := 0; ; {
		fields, err := in.Read()
		if err == io.EOF {
			return count, nil
		}
		if err != nil {
			return count, fmt.Errorf("%s: after row %d: %w", path, r.Number, err)
		}
		count++
		r.Number = count // unless only some rows are kept
		r.Fields = fields
		line, _ := in.FieldPos(0)
		r.Where = path + ":" + strconv.Itoa(line)
		if err := f.locate(r); err != nil {
			return count, err
		}
		if more, err := visit(r); err != nil || !more {
			return count, err
		}
	}
}

// locate checks that a row has the number of its place, and belongs to the cell that the
// sweep has there. Rows are numbered within their cell, so the rows tell where a cell ends.
func (f *Folder) locate(r *Record) error {
	text, err := r.Field("row")
	if err != nil {
		return err
	}
	if f.Spec.Keep.Summary {
		return f.locateKept(r, text)
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
	return f.isOfCell(r)
}

// locateKept locates a row of a sweep that keeps some. Its number is that of the trial.
func (f *Folder) locateKept(r *Record, text string) error {
	number, err := strconv.Atoi(text)
	if last := r.Cell*f.Spec.Replicates + r.Replicate; err != nil || number < 1 || r.Cell >= 0 && number <= last || number > len(f.Cells)*f.Spec.Replicates {
		return fmt.Errorf("%s: the row is numbered %q, which is none of the %d trials of the sweep, or not in its place", r.Where, text, len(f.Cells)*f.Spec.Replicates)
	}
	r.Number, r.Cell, r.Replicate = number, (number-1)/f.Spec.Replicates, (number-1)%f.Spec.Replicates+1
	if text, err = r.Field("replicate"); err != nil {
		return err
	}
	if text != strconv.Itoa(r.Replicate) {
		return fmt.Errorf("%s: row %d is replicate %q of its cell, and its number is that of replicate %d", r.Where, r.Number, text, r.Replicate)
	}
	return f.isOfCell(r)
}

// isOfCell returns an error if a row is of another cell than that of its place.
func (f *Folder) isOfCell(r *Record) error {
	var text string
	var err error
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

// Samples calls visit with every row of results.csv and its sample, in order, until visit
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

// Instance returns the trial that the sweep asks for at the place of the row. The sweep
// decides what runs, and the inputs in the row are compared with it. Only the hash of a
// graph file comes from the row: the file must still have it.
func (f *Folder) Instance(r *Record) (*trial.Instance, error) {
	cell := &f.Cells[r.Cell]
	s := SettingOf(cell, TrialSeed(f.Spec.Seed, cell.Key(), r.Replicate))
	s.OutsideModel = true
	if recorded, err := r.Field("topology"); err == nil && trial.IsGraphFile(s.Topology) && strings.HasPrefix(recorded, s.Topology+"@") {
		s.Topology = recorded
	}
	if recorded, err := r.Field("node"); err == nil && strings.HasPrefix(recorded, s.Node+trial.NodeHashes) {
		s.Node = recorded
	}
	in, err := f.Registry.Instance(s)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.Where, err)
	}
	return in, nil
}

// Header returns the heads of the columns of results.csv.
func (f *Folder) Header() ([]string, error) {
	path := filepath.Join(f.Dir, ResultsFile)
	file, err := regular.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	heads, err := newTableReader(file).Read()
	if err != nil {
		return nil, fmt.Errorf("%s: reading the header: %w", path, err)
	}
	return heads, nil
}

// header returns the names of the columns of results.csv, and its first line.
func (f *Folder) header() (columns []string, line string, err error) {
	heads, err := f.Header()
	for _, head := range heads {
		columns = append(columns, ColumnName(head))
	}
	return columns, strings.Join(heads, ",") + "\n", err
}

// OtherVersion returns an error if another version made the results, or if the manifest
// does not tell.
func (f *Folder) OtherVersion() error {
	m, err := ReadManifest(f.Dir)
	switch this := build.ThisProgram().String(); {
	case err != nil:
		return fmt.Errorf("it is not known what made the results: %w", err)
	case m.Epoch != netem.Epoch:
		return fmt.Errorf("the results are of epoch %d, this program's runs of epoch %d: the same seed means another run", m.Epoch, netem.Epoch)
	case m.Program.String() != this:
		return fmt.Errorf("the results were made by version %s, this is %s", m.Program, this)
	}
	return nil
}

// TableFiles are the files of a sweep, and its tables.
func TableFiles(s *spec.Spec) []string {
	names := []string{SpecFile, ResultsFile, SummaryFile, GrowthFile}
	if in := s.Included; in != nil {
		names = append(names, in.Name)
	}
	if s.Keep.Summary {
		names = append(names, DigestsFile)
	}
	if len(s.Compare) > 0 {
		names = append(names, DifferencesFile)
	}
	return names
}

// DocumentFiles are the documents of a folder.
var DocumentFiles = []string{TableFile, PapersFile, CitationFile, ReproduceFile, ReadmeFile, ColumnsFile, ReportFile}

// TikZ is the extension of figures for LaTeX.
const TikZ = ".tikz"

// FigureFiles are the files of the figures of a sweep, as paths within the folder.
func FigureFiles(s *spec.Spec) []string {
	var names []string
	for i := range s.Figures {
		for _, extension := range []string{".png", ".svg", ".pdf", ".csv", ".txt", ".tex"} {
			names = append(names, FiguresDir+"/"+s.Figures[i].Name+extension)
		}
		if s.Figures[i].TeX {
			names = append(names, FiguresDir+"/"+s.Figures[i].Name+TikZ)
		}
	}
	return names
}

// PaperFiles are the files of the tables for a paper, as paths within the folder.
func PaperFiles(s *spec.Spec) []string {
	var names []string
	for i := range s.Tables {
		for _, extension := range []string{".tex", ".md", ".csv"} {
			names = append(names, TablesDir+"/"+s.Tables[i].Name+extension)
		}
	}
	return names
}

// QuoteShell quotes a word for a POSIX shell.
func QuoteShell(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
