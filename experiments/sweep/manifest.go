package sweep

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"bullring/experiments/results"
	"bullring/experiments/spec"
	"bullring/internal/build"
	"bullring/internal/regular"
	"bullring/internal/wholefile"
	"bullring/netem"
)

// manifest is that of the sweep, but for its files.
func (r *sweepRun) manifest() *results.Manifest {
	m := &results.Manifest{
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
		m.Attempts = append(m.Attempts, results.Attempt{Start: s.Start, Shard: shard, Workers: s.Workers, Version: s.Program.String(), Machine: s.Machine})
	}
	m.Start = m.Attempts[0].Start
	return m
}

// name enters into a manifest what the sweep is called, and what it was read from.
func (s *Sweep) name(m *results.Manifest) {
	m.Name, m.Title, m.Included = s.Spec.Name, s.Spec.Title, nil
	m.Spec = results.FileInfo{Info: wholefile.InfoOf(filepath.Base(s.File), s.Text)}
	if in := s.Spec.Included; in != nil {
		m.Included = &results.FileInfo{Info: wholefile.InfoOf(in.Name, in.Text)}
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
	if _, err := os.Stat(filepath.Join(s.Dir, results.SpecFile)); err == nil {
		kept, err := results.Open(s.Registry, s.Dir)
		if err != nil {
			return fmt.Errorf("%s holds the results of another sweep: %w; %s", s.Dir, err, advice)
		}
		if kept.TrialsHash() != s.trialsHash() {
			return fmt.Errorf("%s holds the results of another sweep, or of an earlier version of this one with other trials: %s; %s", s.Dir, results.OtherTrials(kept.Spec, s.Spec), advice)
		}
		return s.fitsIncluded(kept)
	}
	for _, name := range []string{results.ResultsFile, results.ManifestFile, results.SummaryFile, results.GrowthFile} {
		if _, err := os.Stat(filepath.Join(s.Dir, name)); err == nil {
			return fmt.Errorf("%s holds a %s, but no %s that tells what it belongs to; %s", s.Dir, name, results.SpecFile, advice)
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
		same = same || of.kept == results.SpecFile
	}
	return same, nil
}

// fitsIncluded reports why the file that the sweep includes cannot be written: one of
// its name is there, and does not belong to the sweep that the folder holds, if any.
func (s *Sweep) fitsIncluded(kept *results.Folder) error {
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
	list := []source{{s.File, results.SpecFile, s.Text}}
	if in := s.Spec.Included; in != nil {
		list = append(list, source{in.File, in.Name, in.Text})
	}
	return list
}

// already reports on a sweep that is complete, and is not run again; nil if it is
// not.
func (s *Sweep) already(cells []spec.Cell, l results.Layout) (*Report, error) {
	if s.Again || s.Shard.partial() {
		return nil, nil
	}
	m, err := results.ReadManifest(s.Dir)
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
	if err := results.Unchanged(s.Dir, m.Files); err != nil {
		return nil, fmt.Errorf("%w; bullring verify tells more, and bullring sweep --again makes it again", err)
	}
	return s.reportOf(m, cells, l, false)
}

// reportOf counts the rows of complete results. They are outdated if they are not those
// of this version of the sweep.
func (s *Sweep) reportOf(m *results.Manifest, cells []spec.Cell, l results.Layout, outdated bool) (*Report, error) {
	a := s.archive(cells)
	t := newTally(l)
	if err := a.Samples(l, func(_ *results.Record, s *results.Sample) error {
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
	report.Files = append(report.Files, results.ManifestFile)
	return report, nil
}
