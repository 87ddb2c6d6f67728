package results

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bullring/experiments"
	"bullring/experiments/setting"
	"bullring/internal/build"
	"bullring/netem"
)

// Instance is the trial that the sweep asks for where the row stands. What the row
// says of its inputs does not decide what runs: it is compared. A graph that was read
// from a file is recorded with the file's hash, which has to be the same now.
func (f *Folder) Instance(r *Record) (*experiments.Instance, error) {
	cell := &f.Cells[r.Cell]
	s := SettingOf(cell, TrialSeed(f.Spec.Seed, cell.Key(), r.Replicate))
	s.OutsideModel = true
	if recorded, err := r.Field("topology"); err == nil && experiments.IsGraphFile(s.Topology) && strings.HasPrefix(recorded, s.Topology+"@") {
		s.Topology = recorded
	}
	in, err := f.Registry.Instance(s)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.Where, err)
	}
	return in, nil
}

// Row finds a row. Its fields are its own.
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
	case found == nil && count == 0:
		return nil, fmt.Errorf("there is no row %d: %s in %s has no rows", number, ResultsFile, f.Dir)
	case found == nil:
		return nil, fmt.Errorf("there is no row %d: %s in %s has rows 1 to %d", number, ResultsFile, f.Dir, count)
	}
	return found, nil
}

// Setting is what the row says of its inputs. It is run even if it lies outside
// the algorithm's model, as it was.
func (r *Record) Setting() (experiments.Setting, error) {
	s := experiments.Setting{OutsideModel: true}
	text, err := r.Field("algorithm")
	if err != nil {
		return s, err
	}
	s.Algorithm = text
	for i := range setting.Conditions {
		c := &setting.Conditions[i]
		if c.Column.Optional && !slices.Contains(r.columns, c.Name) {
			continue
		}
		if text, err = r.Field(c.Name); err != nil {
			return s, err
		}
		if !c.Set(&s, text) {
			return s, r.Wrong(c.Name, text, c.Kind.String())
		}
	}
	if text, err = r.Field("seed"); err != nil {
		return s, err
	}
	if s.Seed, err = strconv.ParseUint(text, 10, 64); err != nil {
		return s, r.Wrong("seed", text, "a whole number from 0 to 2^64-1")
	}
	return s, nil
}

// Parted says where the recorded run and another part, as far as the record tells.
func (r *Record) Parted(now *experiments.Result) string {
	print, err := r.Field("fingerprint")
	switch {
	case err != nil:
		return ""
	case print == fmt.Sprintf("%016x", now.Fingerprint):
		return "the events are the same, only the record differs"
	}
	trail, err := r.Field("trail")
	if err != nil || trail == "" || now.Trail == "" {
		return ""
	}
	return now.PartsFrom(trail)
}

// OtherVersion tells if the results were made by another version.
func (f *Folder) OtherVersion() error {
	m, err := ReadManifest(f.Dir)
	switch this := build.ThisProgram().String(); {
	case err != nil:
		return fmt.Errorf("what made the results is not known: %w", err)
	case m.Epoch != netem.Epoch:
		return fmt.Errorf("the results are of epoch %d, this program's runs of epoch %d: the same seed means another run", m.Epoch, netem.Epoch)
	case m.Program.String() != this:
		return fmt.Errorf("the results were made by version %s, this is %s", m.Program, this)
	}
	return nil
}
