package experiments

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"bullring/experiments/spec"
	"bullring/internal/build"
	"bullring/internal/regular"
	"bullring/internal/wholefile"
	"bullring/netem"
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

// Manifest tells what a folder of results holds and how it came about. Besides
// Program, Machine, Writer, Attempts, Start, End and the hashes of figures it is the
// same on every machine.
type Manifest struct {
	Name     string        `json:"name"`
	Title    string        `json:"title"`
	Spec     FileInfo      `json:"spec"`
	Included *FileInfo     `json:"included,omitempty"`
	Hash     string        `json:"trials_sha256,omitempty"` // see trialsHash; "" of earlier versions
	Seed     uint64        `json:"seed"`
	Epoch    int           `json:"epoch"`  // netem.Epoch
	Trials   int           `json:"trials"` // that the sweep asks for, at most
	Rows     int           `json:"rows"`   // that there are
	Complete bool          `json:"complete"`
	Stopped  string        `json:"stopped,omitempty"` // why it is not complete
	Outside  bool          `json:"outside_model"`     // whether that was allowed
	Program  build.Program `json:"program"`           // that wrote the tables
	Machine  build.Machine `json:"machine"`           // likewise
	Start    time.Time     `json:"start"`             // of the first attempt
	End      time.Time     `json:"end"`               // of the last
	Attempts []Attempt     `json:"attempts"`          // that ran trials, by start
	Files    []FileInfo    `json:"files"`             // tables, and what they were made from
	// Writer wrote Documents and Figures, which are made from these; nil in folders of
	// earlier versions.
	Writer    *Writer    `json:"writer,omitempty"`
	Documents []FileInfo `json:"documents"`
	Figures   []FileInfo `json:"figures,omitempty"`
	// Rewriting is the hash of results.csv with the labels of a changed sweep, while all
	// files are written anew for it.
	Rewriting string `json:"rewriting,omitempty"`
}

// Attempt is a process that worked on a sweep: one, unless it was stopped and went
// on, or had shards.
type Attempt struct {
	Start   time.Time     `json:"start"`
	Shard   string        `json:"shard,omitempty"`
	Workers int           `json:"workers"`
	Version string        `json:"version"`
	Machine build.Machine `json:"machine"`
}

// Writer is a program, and the machine that it ran on.
type Writer struct {
	Program build.Program `json:"program"`
	Machine build.Machine `json:"machine"`
}

// WrittenBy is who wrote the documents and figures, as far as the manifest tells.
func (m *Manifest) WrittenBy() Writer {
	if m.Writer != nil {
		return *m.Writer
	}
	return Writer{m.Program, m.Machine}
}

// FileInfo is a file, and what its columns mean if it is a table.
type FileInfo struct {
	wholefile.Info
	Columns []Column `json:"columns,omitempty"`
}

// Limits of a manifest that is read. One of a sweep in 100,000 shards, each of which
// went on once, has 52 MB and 1.4 million commas. An element of a list may have three
// bytes there and takes a hundred in memory; all but the first have a comma before them.
const (
	maxManifest = 64 << 20
	maxElements = 2 << 20
)

// ReadManifest reads the manifest of a directory of results.
func ReadManifest(dir string) (*Manifest, error) {
	text, err := regular.Read(filepath.Join(dir, ManifestFile), maxManifest)
	if err != nil {
		return nil, err
	}
	if bytes.Count(text, []byte(",")) > maxElements {
		return nil, fmt.Errorf("%s is damaged: its lists are longer than those of any sweep", filepath.Join(dir, ManifestFile))
	}
	m := &Manifest{}
	if err := json.Unmarshal(text, m); err != nil {
		return nil, fmt.Errorf("%s is damaged: %w; bullring sweep --again writes it anew", filepath.Join(dir, ManifestFile), err)
	}
	if m.Epoch == 0 || m.Files == nil {
		return nil, fmt.Errorf("%s is damaged: it has no epoch or no files; bullring sweep --again writes it anew", filepath.Join(dir, ManifestFile))
	}
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("%s was not written by bullring, or was changed: %w", filepath.Join(dir, ManifestFile), err)
	}
	return m, nil
}

// HashOf is the hash of one of the files, empty if it is not listed.
func (m *Manifest) HashOf(name string) string {
	i := slices.IndexFunc(m.Files, func(f FileInfo) bool { return f.Name == name })
	if i < 0 {
		return ""
	}
	return m.Files[i].SHA256
}

func (m *Manifest) Write(dir string) error {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false) // formulas have < in them
	e.SetIndent("", "  ")
	if err := e.Encode(m); err != nil {
		return err
	}
	_, err := wholefile.Write(filepath.Join(dir, ManifestFile), text.Bytes())
	return err
}

// manifest is that of the sweep, but for its files.
func (r *sweepRun) manifest() *Manifest {
	m := &Manifest{
		Hash: r.trialsHash(), Seed: r.Spec.Seed, Epoch: netem.Epoch,
		Trials: r.trials, Outside: r.outsideModel(), Program: build.ThisProgram(), Machine: build.ThisMachine(),
		Start: r.self.Start, End: r.clock().Now().UTC().Truncate(time.Second),
	}
	r.name(m)
	attempts := append(slices.Clone(r.held.attempts), r.self)
	if r.join != nil { // this one runs nothing
		attempts = nil
	}
	for _, part := range r.join {
		attempts = append(attempts, part.attempts...)
	}
	slices.SortStableFunc(attempts, func(a, b attempt) int { return a.Start.Compare(b.Start) })
	for _, s := range attempts {
		shard := ""
		if s.Shard.partial() {
			shard = s.Shard.String()
		}
		m.Attempts = append(m.Attempts, Attempt{Start: s.Start, Shard: shard, Workers: s.Workers, Version: s.Program.String(), Machine: s.Machine})
	}
	m.Start = m.Attempts[0].Start
	return m
}

// name enters into a manifest what the sweep is called, and what it was read from.
func (s *Sweep) name(m *Manifest) {
	m.Name, m.Title, m.Included = s.Spec.Name, s.Spec.Title, nil
	m.Spec = FileInfo{Info: wholefile.InfoOf(filepath.Base(s.File), s.Text)}
	if in := s.Spec.Included; in != nil {
		m.Included = &FileInfo{Info: wholefile.InfoOf(in.Name, in.Text)}
	}
}

// claim makes the folder, or sees that it holds nothing but results of the same
// spec.
func (s *Sweep) claim() error {
	if err := s.fitsFolder(); err != nil {
		return err
	}
	if err := os.MkdirAll(s.Dir, 0o755); err != nil {
		return fmt.Errorf("the folder for the results: %w", err)
	}
	return nil
}

// fitsFolder reports why the folder cannot take the results: it is none for results, or
// holds others.
func (s *Sweep) fitsFolder() error {
	if err := s.isOurs(); err != nil {
		return err
	}
	const advice = "give another directory, or remove this one"
	same, err := s.isKept()
	if same || err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(s.Dir, SpecFile)); err == nil {
		kept, err := Open(s.Registry, s.Dir)
		if err != nil {
			return fmt.Errorf("%s holds the results of another sweep: %w; %s", s.Dir, err, advice)
		}
		if kept.TrialsHash() != s.trialsHash() {
			return fmt.Errorf("%s holds the results of another sweep, or of an earlier version of this one with other trials: %s; %s", s.Dir, OtherTrials(kept.Spec, s.Spec), advice)
		}
		return s.fitsIncluded(kept)
	}
	for _, name := range []string{ResultsFile, ManifestFile, SummaryFile, GrowthFile} {
		if _, err := os.Stat(filepath.Join(s.Dir, name)); err == nil {
			return fmt.Errorf("%s holds a %s, but no %s that tells what it belongs to; %s", s.Dir, name, SpecFile, advice)
		}
	}
	return s.fitsIncluded(nil)
}

// isKept reports whether the folder holds the sweep as it is, to the byte. The file that
// it includes may be missing: it is written last.
func (s *Sweep) isKept() (bool, error) {
	same := false
	for _, of := range s.sources() {
		present, err := regular.Read(filepath.Join(s.Dir, of.kept), spec.MaxFile)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil || !bytes.Equal(present, of.text):
			return false, err
		}
		same = same || of.kept == SpecFile
	}
	return same, nil
}

// fitsIncluded reports why the file that the sweep includes cannot be written: one of
// its name is there, and does not belong to the sweep that the folder holds, if any.
func (s *Sweep) fitsIncluded(kept *Folder) error {
	in := s.Spec.Included
	if in == nil || kept != nil && kept.Spec.Included != nil && kept.Spec.Included.Name == in.Name {
		return nil
	}
	present, err := regular.Read(filepath.Join(s.Dir, in.Name), spec.MaxFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil && !bytes.Equal(present, in.Text):
		err = fmt.Errorf("%s holds a %s that differs from %s; give another directory, or remove that file", s.Dir, in.Name, in.File)
	}
	return err
}

// source is a file that a sweep is read from, and its name among the results.
type source struct {
	file, kept string
	text       []byte
}

// sources are the sweep's own file, and the one that it includes.
func (s *Sweep) sources() []source {
	list := []source{{s.File, SpecFile, s.Text}}
	if in := s.Spec.Included; in != nil {
		list = append(list, source{in.File, in.Name, in.Text})
	}
	return list
}

// Unchanged reports a file of a folder that is not as its manifest says.
func Unchanged(dir string, files []FileInfo) error {
	for _, f := range files {
		info, err := wholefile.Stat(filepath.Join(dir, f.Name))
		if err != nil {
			return err
		}
		if info.SHA256 != f.SHA256 {
			return fmt.Errorf("%s was changed since: its hash is not the one in %s", filepath.Join(dir, f.Name), ManifestFile)
		}
	}
	return nil
}

// already reports on a sweep that is complete, and is not run again; nil if it is
// not.
func (s *Sweep) already(cells []spec.Cell, l Layout) (*Report, error) {
	if s.Again || s.Shard.partial() {
		return nil, nil
	}
	m, err := ReadManifest(s.Dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !m.Complete:
		return nil, nil
	case m.Epoch != netem.Epoch:
		return nil, fmt.Errorf("%s was made by version %s, of epoch %d, and this is version %s, of epoch %d: the same seed means another run; give another directory, or --again to replace it",
			s.Dir, m.Program, m.Epoch, build.ThisProgram(), netem.Epoch)
	}
	same, err := s.isKept()
	if err != nil {
		return nil, err
	}
	if !same || m.Rewriting != "" {
		if err := m.UnchangedRows(s.Dir); err != nil {
			return nil, err
		}
		return s.reportOf(m, cells, l, true)
	}
	if err := Unchanged(s.Dir, m.Files); err != nil {
		return nil, fmt.Errorf("%w; bullring verify tells more, and bullring sweep --again makes it again", err)
	}
	return s.reportOf(m, cells, l, false)
}

// reportOf counts the rows of complete results. They are outdated if they are not those
// of this version of the sweep.
func (s *Sweep) reportOf(m *Manifest, cells []spec.Cell, l Layout, outdated bool) (*Report, error) {
	a := s.archive(cells)
	t := newTally(l)
	if err := a.Samples(l, func(_ *Record, s *Sample) error {
		t.add(s)
		return nil
	}); err != nil {
		return nil, fmt.Errorf("%w; give --again to make it again", err)
	}
	report := t.report(len(cells), m.Trials)
	report.Already, report.Outdated = true, outdated
	for _, f := range m.Files {
		report.Files = append(report.Files, f.Name)
	}
	report.Files = append(report.Files, ManifestFile)
	return report, nil
}
