package sweep

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"bullring/experiments/campaign/journal"
	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/spec"
	"bullring/experiments/trial"
	"bullring/internal/build"
	"bullring/netem"
)

// earlier is a version of a sweep with other trials or other columns, whose rows are in the
// folder.
type earlier struct {
	path     string // of the rows: a table, or a journal
	spec     *spec.Spec
	cells    []spec.Cell
	hash     string // of the trials
	header   string // of the rows
	epoch    int
	version  string    // of the program that ran them
	attempts []attempt // if path is a journal
	damage   journal.Damage
	folder   *results.Folder // of tables
	manifest *results.Manifest
	held     *contents // of a journal
	outside  bool      // it was allowed to run cells outside the model
	source   string    // the file that the sweep was read from
	text     []byte    // of the sweep
	joined   bool      // it is one of the folders of a union
	// each calls visit with the fields of every row, cell by cell. They are valid during the
	// call, and without the number of the row. A place is the number of a trial within its
	// cell, from 0.
	each func(visit func(cell, place int, fields []string) error) error
}

// otherDirectory is the advice of errors about the results of another sweep.
const otherDirectory = "give another directory, or remove this one"

// earlierIn returns the earlier version in the folder; nil if there is none. If a journal is
// there, it holds all rows that the tables beside it may have: a kill may have left tables of
// two versions.
func (to target) earlierIn(self *attempt) (*earlier, error) {
	if !to.shard.partial() {
		path := filepath.Join(to.dir, JournalFile)
		first := beginningOf(path)
		if first != nil && !to.began(first, self.Header) {
			return earlierJournal(to.Registry, path, first)
		}
		if first != nil || holdsTrials(path) {
			return nil, nil // openJournal tells whether the trials are this version's
		}
	}
	if same, err := to.isKept(); same || err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(to.dir, results.SpecFile)); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	kept, err := results.Open(to.Registry, to.dir)
	if err != nil {
		return nil, fmt.Errorf("%s holds the results of another sweep: %w; %s", to.dir, err, otherDirectory)
	}
	m, err := results.ReadManifest(to.dir)
	switch same := kept.TrialsHash() == self.Trials; {
	case err != nil && same:
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("%s holds the results of another sweep, or of an earlier version of this one with other trials: %s; its trials cannot be kept (%w); %s",
			to.dir, results.OtherTrials(kept.Spec, to.Spec), err, otherDirectory)
	case to.shard.partial() && !m.Complete && !same:
		return nil, fmt.Errorf("%s holds an earlier version of this sweep with other trials, which is not complete: %s; a shard takes trials from complete results only: complete them, or give another directory",
			to.dir, results.OtherTrials(kept.Spec, to.Spec))
	}
	e, err := earlierTables(kept, m)
	if err != nil || kept.TrialsHash() == self.Trials && (e.header == self.Header || e.otherColumns(to.Registry) != nil) {
		return nil, err // labels and figures have changed
	}
	return e, nil
}

// earlierTables is the version whose tables are in the folder.
func earlierTables(kept *results.Folder, m *results.Manifest) (*earlier, error) {
	heads, err := kept.Header()
	if err != nil {
		return nil, err
	}
	kept.Relabelled = true
	rows := results.ResultsFile
	if kept.Spec.Keep.Summary {
		rows = results.DigestsFile
	}
	return &earlier{
		folder: kept, manifest: m, path: filepath.Join(kept.Dir, rows), source: m.Spec.Name, text: kept.Text, outside: m.Outside, spec: kept.Spec, cells: kept.Cells, hash: kept.TrialsHash(),
		header: strings.Join(heads, ",") + "\n", epoch: m.Epoch, version: m.Program.String(),
		each: func(visit func(cell, place int, fields []string) error) error {
			if err := m.UnchangedRows(kept.Dir); err != nil {
				return err
			}
			_, err := kept.Rows(func(r *results.Record) (bool, error) {
				err := visit(r.Cell, r.Replicate-1, r.Fields[1:])
				return err == nil, err
			})
			return err
		},
	}, nil
}

// earlierJournal is the version that a journal belongs to.
func earlierJournal(r *trial.Registry, path string, first *attempt) (*earlier, error) {
	s, err := attemptSweep(r, first)
	if err != nil {
		return nil, fmt.Errorf("%s holds trials of another sweep: %w; %s", path, err, otherDirectory)
	}
	held, err := readJournal(path)
	if err != nil {
		return nil, err
	}
	e := &earlier{
		held: held, path: path, source: first.File, text: s.Text, outside: first.Outside, spec: s.Spec, cells: s.Spec.Cells(), hash: s.trialsHash(),
		header: first.Header, epoch: first.Epoch, version: first.Program.String(), attempts: held.attempts, damage: held.damage,
	}
	if first.Epoch == netem.Epoch {
		err = held.fits(r, *first, len(e.cells), dealOf(s.Spec))
	}
	e.each = func(visit func(cell, place int, fields []string) error) error { return held.eachRow(visit) }
	return e, err
}

// holdsTrials reports whether a journal has records of trials. The record of its beginning
// may be damaged.
func holdsTrials(path string) bool {
	held, _ := readJournal(path)
	return held != nil && held.trials > 0
}

// eachRow calls visit with the fields of every row in the journal of a whole sweep, in the
// order of the sweep.
func (c *contents) eachRow(visit func(cell, place int, fields []string) error) error {
	reader, err := journal.NewReader(c.path)
	if err != nil {
		return err
	}
	defer reader.Close()
	part := sourcePart{contents: c, reader: reader}
	for _, r := range c.records {
		if err := part.load(int(r.cell), int(r.first)); err != nil {
			return err
		}
		in := csv.NewReader(bytes.NewReader(bytes.Join(part.rows, nil)))
		in.ReuseRecord = true
		for i := range part.rows {
			fields, err := in.Read()
			if err != nil {
				return fmt.Errorf("%s: the record at byte %d: %w", c.path, r.at, err)
			}
			if err := visit(int(r.cell), int(r.first)+i, fields); err != nil {
				return err
			}
		}
	}
	return nil
}

// advice is what to do about rows that cannot be kept.
func (e *earlier) advice() string {
	if e.joined {
		return "leave that folder out, or run its sweep again"
	}
	return "give another directory, or --again to run all trials again"
}

// unusable returns an error if the rows cannot be rows of this program's runs.
func (e *earlier) unusable(r *trial.Registry) error {
	if e.epoch != netem.Epoch {
		return fmt.Errorf("%s was made by version %s, of epoch %d, and this is version %s, of epoch %d: the same seed means another run; %s",
			e.path, e.version, e.epoch, build.ThisProgram(), netem.Epoch, e.advice())
	}
	return e.otherColumns(r)
}

// otherColumns returns an error if this program gives the earlier sweep other columns.
func (e *earlier) otherColumns(r *trial.Registry) error {
	l, err := results.LayoutOf(r, e.spec)
	if err == nil && results.NewRowWriter(l).Header() != e.header {
		err = fmt.Errorf("%s was made by version %s, whose tables have other columns than those of this one, %s; %s", e.path, e.version, build.ThisProgram(), e.advice())
	}
	return err
}
