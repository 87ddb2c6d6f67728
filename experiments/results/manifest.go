package results

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"bullring/internal/build"
	"bullring/internal/regular"
	"bullring/internal/wholefile"
	"bullring/netem"
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

// EpochError says that results are of another fingerprint epoch, in which the same
// seed means another run.
type EpochError struct {
	Path    string
	Version string // that made them
	Epoch   int
}

func (e *EpochError) Error() string {
	return fmt.Sprintf("%s was made by version %s, of epoch %d, and this is version %s, of epoch %d: the same seed means another run, and nothing can be compared; verify it with a version of epoch %d",
		e.Path, e.Version, e.Epoch, build.ThisProgram(), netem.Epoch, e.Epoch)
}

// UnchangedRows reports that results.csv is not as the manifest says: as it was, or, if
// the folder was being written anew, as it is to be.
func (m *Manifest) UnchangedRows(dir string) error {
	info, err := wholefile.Stat(filepath.Join(dir, ResultsFile))
	if err != nil {
		return err
	}
	for _, f := range m.Files {
		if f.Name == ResultsFile && (info.SHA256 == f.SHA256 || info.SHA256 == m.Rewriting) {
			return nil
		}
	}
	return fmt.Errorf("%s was changed since: its hash is not the one in %s; bullring verify tells more, and bullring sweep --again makes it again", filepath.Join(dir, ResultsFile), ManifestFile)
}
