package sweep

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/spec"
	"bullring/internal/build"
	"bullring/netem"
)

// manifest returns the manifest of the sweep, without its files.
func (r *sweepRun) manifest() *results.Manifest {
	m := &results.Manifest{
		Hash: r.trialsHash(), Seed: r.Spec.Seed, Epoch: netem.Epoch,
		Trials: r.trials, Outside: r.outsideModel(), Program: build.ThisProgram(), Machine: build.ThisMachine(),
		Start: r.self.Start, End: r.clock().Now().UTC().Truncate(time.Second),
	}
	r.name(m)
	attempts := slices.Clone(r.held.attempts)
	if r.join != nil { // this process runs no trial
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
	m.Attempts = append(r.formerAttempts(), m.Attempts...)
	m.Start = m.Attempts[0].Start
	return m
}

// formerAttempts are the processes that ran the trials which tables of an earlier version
// gave to this one.
func (r *sweepRun) formerAttempts() []results.Attempt {
	if r.former == nil || !r.former.Complete || r.Again || r.union != nil || r.grown != nil && r.grown.Kept == 0 {
		return nil
	}
	return r.former.Attempts
}

// describes reports whether a manifest describes tables of this sweep's trials, with this
// header. Manifests of earlier versions of the program may not tell.
func (to target) describes(m *results.Manifest, header string) bool {
	return describes(m, to.trialsHash(), header)
}

// describes reports whether a manifest describes tables of these trials, with this header.
func describes(m *results.Manifest, trials, header string) bool {
	var heads []string
	for _, c := range m.ColumnsOf(results.ResultsFile) {
		heads = append(heads, c.Header())
	}
	return (m.Hash == "" || m.Hash == trials) && (heads == nil || strings.Join(heads, ",")+"\n" == header)
}

// replaces reports whether the journal of this sweep replaces the tables that a manifest
// describes, which are of an earlier version. A kill may have left some files of either.
func (to target) replaces(m *results.Manifest, header string) bool {
	if to.describes(m, header) {
		return false
	}
	return m.Hash != "" && m.Hash != to.trialsHash() || to.hasJournal(header)
}

// hasJournal reports whether the folder has a journal of this sweep, with this header.
func (to target) hasJournal(header string) bool {
	first := beginningOf(filepath.Join(to.dir, JournalFile))
	return first != nil && to.began(first, header)
}

// began reports whether an attempt is one of this sweep's trials, with this header.
func (to target) began(a *attempt, header string) bool {
	return trialsOf(to.Registry, a) == to.trialsHash() && a.Header == header
}

// completed returns the report of a complete sweep, which is not run again; nil if the
// sweep is not complete.
func (to target) completed(cells []spec.Cell, l results.Layout) (*Report, error) {
	if to.again || to.shard.partial() {
		return nil, nil
	}
	header := results.NewRowWriter(l).Header()
	m, err := results.ReadManifest(to.dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !m.Complete || to.replaces(m, header):
		return nil, nil
	case m.Epoch != netem.Epoch:
		return nil, fmt.Errorf("%s was made by version %s, of epoch %d, and this is version %s, of epoch %d: the same seed means another run; give another directory, or --again to replace it",
			to.dir, m.Program, m.Epoch, build.ThisProgram(), netem.Epoch)
	}
	same, err := to.isKept()
	if err != nil {
		return nil, err
	}
	outdated := !same || m.Rewriting != ""
	if outdated {
		err = m.UnchangedRows(to.dir)
	} else if err = results.Unchanged(to.dir, m.Files); err != nil {
		err = fmt.Errorf("%w; bullring verify tells more, and bullring sweep --again makes it again", err)
	}
	switch {
	case err != nil && to.hasJournal(header):
		return nil, nil // the sweep was killed while it replaced another version
	case err != nil:
		return nil, err
	}
	return to.reportOf(m, cells, l, outdated)
}

// reportOf counts the rows of a complete sweep. outdated says that the results are those of
// an earlier version.
func (to target) reportOf(m *results.Manifest, cells []spec.Cell, l results.Layout, outdated bool) (*Report, error) {
	folder := to.folder(cells)
	t := newTally(l)
	var err error
	if to.Spec.Keep.Summary {
		err = folder.Digests(l, func(cell int, d *results.Digest) error {
			t.addDigest(cell*to.Spec.Replicates, d)
			return nil
		})
	} else {
		err = folder.Samples(l, func(_ *results.Record, s *results.Sample) error {
			t.add(s)
			return nil
		})
	}
	if err != nil {
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
