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

// Manifest describes a folder of results: what it holds, and what made it. All of it is the
// same on every machine, except Program, Machine, Writer, Attempts, Start, End and the
// hashes of figures.
type Manifest struct {
	Name     string    `json:"name"`
	Title    string    `json:"title"`
	Spec     FileInfo  `json:"spec"`
	Included *FileInfo `json:"included,omitempty"`
	Hash     string    `json:"trials_sha256,omitempty"` // see TrialsHash; earlier versions have none
	Seed     uint64    `json:"seed"`
	Epoch    int       `json:"epoch"`  // netem.Epoch
	Trials   int       `json:"trials"` // that the sweep asks for, at most
	Rows     int       `json:"rows"`   // of results.csv
	// Summarised is the number of trials of a sweep that keeps a summary, in DigestsFile.
	Summarised int           `json:"summarised,omitempty"`
	Complete   bool          `json:"complete"`
	Stopped    string        `json:"stopped,omitempty"` // why it is not complete
	Outside    bool          `json:"outside_model"`     // cells outside the model were allowed
	Program    build.Program `json:"program"`           // that wrote the tables
	Machine    build.Machine `json:"machine"`           // of Program
	Start      time.Time     `json:"start"`             // of the first attempt
	End        time.Time     `json:"end"`               // of the last
	Attempts   []Attempt     `json:"attempts"`          // that ran trials, by start
	Files      []FileInfo    `json:"files"`             // spec and tables
	// Writer wrote Documents, Figures and Tables; earlier versions have none.
	Writer    *Writer    `json:"writer,omitempty"`
	Documents []FileInfo `json:"documents"`
	Figures   []FileInfo `json:"figures,omitempty"`
	Tables    []FileInfo `json:"tables,omitempty"` // for a paper
	// Rewriting is the hash that results.csv is going to have, while all files are written
	// again for a sweep with other labels.
	Rewriting string `json:"rewriting,omitempty"`

	text []byte // that it was read from
}

// Keys returns the keys of the text from which the manifest was read that are not its own.
func (m *Manifest) Keys() (Keys, error) { return KeysOf(m.text, m) }

// Attempt is a process that ran trials of a sweep. There is one, unless the sweep was
// resumed or ran in shards.
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

// Shown are the figures and the tables for a paper.
func (m *Manifest) Shown() []FileInfo { return slices.Concat(m.Figures, m.Tables) }

// WrittenBy returns the writer of the documents and figures. Earlier versions do not tell:
// then it is the program that wrote the tables.
func (m *Manifest) WrittenBy() Writer {
	if m.Writer != nil {
		return *m.Writer
	}
	return Writer{m.Program, m.Machine}
}

// FileInfo describes a file and, if it is a table, its columns.
type FileInfo struct {
	wholefile.Info
	Columns []Column `json:"columns,omitempty"`
}

// Limits of a manifest. A sweep in 100,000 shards, each resumed once, has a manifest of 52
// MB with 1.4 million commas. A list element can be three bytes long and takes a hundred in
// memory; every element but the first follows a comma.
const (
	maxManifest = 64 << 20
	maxElements = 2 << 20
)

// ReadManifest reads and checks the manifest of a directory of results.
func ReadManifest(dir string) (*Manifest, error) {
	text, err := regular.Read(filepath.Join(dir, ManifestFile), maxManifest)
	if err != nil {
		return nil, err
	}
	if bytes.Count(text, []byte(",")) > maxElements {
		return nil, fmt.Errorf("%s is damaged: its lists are longer than those of any sweep", filepath.Join(dir, ManifestFile))
	}
	m := &Manifest{text: text}
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

// Done is the number of trials that have run.
func (m *Manifest) Done() int { return max(m.Rows, m.Summarised) }

// HashOf returns the hash of a listed file; "" if it is not listed.
func (m *Manifest) HashOf(name string) string {
	i := slices.IndexFunc(m.Files, func(f FileInfo) bool { return f.Name == name })
	if i < 0 {
		return ""
	}
	return m.Files[i].SHA256
}

// ColumnsOf returns the columns of a listed table; nil if it is not listed.
func (m *Manifest) ColumnsOf(name string) []Column {
	for _, f := range m.Files {
		if f.Name == name {
			return f.Columns
		}
	}
	return nil
}

// Write writes the manifest into a directory of results.
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

// Unchanged returns an error that names a file whose hash is not the one in the manifest.
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

// EpochError says that results belong to another fingerprint epoch, in which the same seed
// means another run.
type EpochError struct {
	Path    string
	Version string // that made the results
	Epoch   int
}

func (e *EpochError) Error() string {
	return fmt.Sprintf("%s was made by version %s, of epoch %d, and this is version %s, of epoch %d: the same seed means another run, and nothing can be compared; verify it with a version of epoch %d",
		e.Path, e.Version, e.Epoch, build.ThisProgram(), netem.Epoch, e.Epoch)
}

// UnchangedRows returns an error if results.csv has neither the hash in the manifest nor,
// if the folder was being written again, the hash that it was going to have.
func (m *Manifest) UnchangedRows(dir string) error {
	info, err := wholefile.Stat(filepath.Join(dir, ResultsFile))
	if err != nil {
		return err
	}
	for _, f := range m.Files {
		if f.Name == ResultsFile && (info.SHA256 == f.SHA256 || info.SHA256 == m.Rewriting) {
			return m.unchangedDigests(dir)
		}
	}
	return fmt.Errorf("%s was changed since: its hash is not the one in %s; bullring verify tells more, and bullring sweep --again makes it again", filepath.Join(dir, ResultsFile), ManifestFile)
}

// unchangedDigests returns an error if the digests are not as the manifest lists them. They do
// not depend on labels, so rewriting the rows leaves them as they are.
func (m *Manifest) unchangedDigests(dir string) error {
	if m.HashOf(DigestsFile) == "" {
		return nil
	}
	info, err := wholefile.Stat(filepath.Join(dir, DigestsFile))
	if err == nil && info.SHA256 != m.HashOf(DigestsFile) {
		err = fmt.Errorf("%s was changed since: its hash is not the one in %s; bullring verify tells more, and bullring sweep --again makes it again", filepath.Join(dir, DigestsFile), ManifestFile)
	}
	return err
}
