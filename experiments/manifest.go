package experiments

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"

	"bullring/netem"
)

// The files of a sweep, besides its figures.
const (
	SpecFile     = "spec.yaml"
	ResultsFile  = "results.csv"
	SummaryFile  = "summary.csv"
	GrowthFile   = "growth.csv"
	ManifestFile = "manifest.json"
)

// Manifest tells what a directory of results holds and how it came about.
// Besides Program it is the same on every machine.
type Manifest struct {
	Name     string     `json:"name"`
	Title    string     `json:"title"`
	Spec     FileInfo   `json:"spec"`
	Seed     uint64     `json:"seed"`
	Epoch    int        `json:"epoch"`  // netem.Epoch
	Trials   int        `json:"trials"` // that the sweep asks for
	Rows     int        `json:"rows"`   // that there are
	Complete bool       `json:"complete"`
	Stopped  string     `json:"stopped,omitempty"` // why it is not complete
	Outside  bool       `json:"outside_model"`     // whether that was allowed
	Program  Program    `json:"program"`
	Files    []FileInfo `json:"files"`
	Figures  []FileInfo `json:"figures,omitempty"`
}

// Program is what made results.
type Program struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
	Modified bool   `json:"modified,omitempty"` // the revision is not all
	Go       string `json:"go"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`
}

// FileInfo is a file, and what its columns mean if it is a table.
type FileInfo struct {
	Name    string   `json:"name"`
	Bytes   int64    `json:"bytes"`
	SHA256  string   `json:"sha256"`
	Columns []Column `json:"columns,omitempty"`
}

// ThisProgram describes the running program.
func ThisProgram() Program {
	p := Program{Version: "(devel)", Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return p
	}
	if info.Main.Version != "" {
		p.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			p.Revision = s.Value
		case "vcs.modified":
			p.Modified = s.Value == "true"
		}
	}
	return p
}

// String is the version in one line.
func (p Program) String() string {
	if p.Revision == "" {
		return p.Version
	}
	text := p.Version + " " + p.Revision
	if p.Modified {
		text += " (modified)"
	}
	return text
}

// ReadManifest reads the manifest of a directory of results.
func ReadManifest(dir string) (*Manifest, error) {
	text, err := os.ReadFile(filepath.Join(dir, ManifestFile))
	if err != nil {
		return nil, err
	}
	m := &Manifest{}
	if err := json.Unmarshal(text, m); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, ManifestFile), err)
	}
	return m, nil
}

func (m *Manifest) write(dir string) error {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false) // formulas have < in them
	e.SetIndent("", "  ")
	if err := e.Encode(m); err != nil {
		return err
	}
	_, err := writeWhole(filepath.Join(dir, ManifestFile), text.Bytes())
	return err
}

// manifest is that of the sweep, before it has run.
func (s *Sweep) manifest() *Manifest {
	return &Manifest{
		Name: s.Spec.Name, Title: s.Spec.Title, Seed: s.Spec.Seed, Epoch: netem.Epoch,
		Spec:   FileInfo{Name: filepath.Base(s.File), Bytes: int64(len(s.Text)), SHA256: hashOf(s.Text)},
		Trials: s.Spec.Trials(), Outside: s.outsideModel(), Program: ThisProgram(),
	}
}

func hashOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// claim makes the directory, or sees that it holds nothing but results of the
// same spec.
func (s *Sweep) claim() error {
	if err := os.MkdirAll(s.Dir, 0o755); err != nil {
		return fmt.Errorf("the directory for the results: %w", err)
	}
	const advice = "give another directory, or remove this one"
	present, err := os.ReadFile(filepath.Join(s.Dir, SpecFile))
	switch {
	case err == nil && bytes.Equal(present, s.Text):
		return nil
	case err == nil:
		return fmt.Errorf("%s holds the results of another sweep, or of an earlier version of this one: its %s differs from %s; %s",
			s.Dir, SpecFile, s.File, advice)
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	for _, name := range []string{ResultsFile, ManifestFile, SummaryFile, GrowthFile} {
		if _, err := os.Stat(filepath.Join(s.Dir, name)); err == nil {
			return fmt.Errorf("%s holds a %s, but no %s that tells what it belongs to; %s", s.Dir, name, SpecFile, advice)
		}
	}
	return nil
}
