package experiments

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bullring/internal/build"
	"bullring/netem"
)

// DifferenceError says that a run did not give again what is recorded.
type DifferenceError struct {
	Dir      string
	Row      int
	Column   string
	Recorded string
	Now      string
	// Parted says where the events of the two runs part, if they do.
	Parted string
	// Made says what made the results, if that may be the reason.
	Made string
}

func (e *DifferenceError) Error() string {
	return fmt.Sprintf("row %d of %s does not repeat: %s", e.Row, e.Dir, e.what())
}

// what is the difference without its place.
func (e *DifferenceError) what() string {
	text := fmt.Sprintf("%s is %q in %s, but %q now", e.Column, e.Recorded, ResultsFile, e.Now)
	for _, more := range []string{e.Parted, e.Made} {
		if more != "" {
			text += "; " + more
		}
	}
	return text
}

// Replay runs the trial of a row of a directory's results.csv once more, as the
// sweep there asks for it, and compares what comes out with the row, column by
// column. The error names the first difference, as a [*DifferenceError]; the result
// is there all the same. trace may be nil.
func Replay(ctx context.Context, r *Registry, dir string, row int, trace TraceFunc) (*Result, error) {
	a, err := Open(r, dir)
	if err != nil {
		return nil, err
	}
	recorded, err := a.Row(row)
	if err != nil {
		return nil, err
	}
	c, err := newChecker(a)
	if err != nil {
		return nil, err
	}
	return c.replay(ctx, recorded, trace)
}

// checker runs rows again and compares. It is used by one goroutine.
type checker struct {
	*Folder
	worker Worker
	rows   *RowWriter
	other  error // if another version made the results
}

func newChecker(a *Folder) (*checker, error) {
	l, err := LayoutOf(a.Registry, a.Spec)
	if err != nil {
		return nil, err
	}
	return &checker{Folder: a, rows: NewRowWriter(l), other: a.OtherVersion()}, nil
}

// replay is [Replay] of a row.
func (c *checker) replay(ctx context.Context, recorded *Record, trace TraceFunc) (*Result, error) {
	in, err := c.Instance(recorded)
	if err != nil {
		return nil, err
	}
	result := c.worker.Run(ctx, in, trace)
	if result.End == netem.Interrupted {
		return result, context.Cause(ctx)
	}
	return result, c.compare(recorded, result)
}

// Instance is the trial that the sweep asks for where the row stands. What the row
// says of its inputs does not decide what runs: it is compared. A graph that was read
// from a file is recorded with the file's hash, which has to be the same now.
func (a *Folder) Instance(r *Record) (*Instance, error) {
	cell := &a.Cells[r.Cell]
	s := SettingOf(cell, TrialSeed(a.Spec.Seed, cell.Key(), r.Replicate))
	s.OutsideModel = true
	if recorded, err := r.Field("topology"); err == nil && IsGraphFile(s.Topology) && strings.HasPrefix(recorded, s.Topology+"@") {
		s.Topology = recorded
	}
	in, err := a.Registry.Instance(s)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.Where, err)
	}
	return in, nil
}

// RowSetting is the setting of a row of a directory's results.csv.
func RowSetting(r *Registry, dir string, row int) (Setting, error) {
	a, err := Open(r, dir)
	if err != nil {
		return Setting{}, err
	}
	recorded, err := a.Row(row)
	if err != nil {
		return Setting{}, err
	}
	return recorded.Setting()
}

// Row finds a row. Its fields are its own.
func (a *Folder) Row(number int) (*Record, error) {
	var found *Record
	count, err := a.Rows(func(r *Record) (bool, error) {
		if r.Number == number {
			found = r
		}
		return found == nil, nil
	})
	switch {
	case err != nil:
		return nil, err
	case found == nil && count == 0:
		return nil, fmt.Errorf("there is no row %d: %s in %s has no rows", number, ResultsFile, a.Dir)
	case found == nil:
		return nil, fmt.Errorf("there is no row %d: %s in %s has rows 1 to %d", number, ResultsFile, a.Dir, count)
	}
	return found, nil
}

// Setting is what the row says of its inputs. It is run even if it lies outside
// the algorithm's model, as it was.
func (r *Record) Setting() (Setting, error) {
	s := Setting{OutsideModel: true}
	for _, f := range []struct {
		column string
		text   *string
	}{
		{"algorithm", &s.Algorithm}, {"variant", &s.Variant}, {"placement", &s.Placement},
		{"initiators", &s.Initiators}, {"dead", &s.Dead}, {"topology", &s.Topology},
		{"delay", &s.Delay}, {"link", &s.Link}, {"link_mode", &s.LinkMode}, {"delta", &s.Delta}, {"gst", &s.GST},
		{"transport", &s.Transport}, {"detector", &s.Detector}, {"assume", &s.Assume}, {"until", &s.Until}, {"max_time", &s.MaxTime}, {"fault", &s.Fault},
	} {
		text, err := r.Field(f.column)
		if err != nil {
			return s, err
		}
		*f.text = text
	}
	if slices.Contains(r.columns, "param") { // there is none where no algorithm has parameters
		s.Param, _ = r.Field("param")
	}
	n, err := r.Field("n")
	if err != nil {
		return s, err
	}
	if s.N, err = strconv.Atoi(n); err != nil {
		return s, r.Wrong("n", n, "a whole number")
	}
	seed, err := r.Field("seed")
	if err != nil {
		return s, err
	}
	if s.Seed, err = strconv.ParseUint(seed, 10, 64); err != nil {
		return s, r.Wrong("seed", seed, "a whole number from 0 to 2^64-1")
	}
	fifo, err := r.Field("fifo")
	if err != nil {
		return s, err
	}
	if fifo != "true" && fifo != "false" {
		return s, r.Wrong("fifo", fifo, "true or false")
	}
	s.Unordered = fifo == "false"
	return s, nil
}

// compare prints the result as a row and compares it with the recorded one.
func (c *checker) compare(recorded *Record, result *Result) error {
	t := &Trial{Label: c.Cells[recorded.Cell].Label, Replicate: recorded.Replicate, Result: result}
	columns := c.rows.Table.Columns
	for i := range columns {
		text, err := recorded.Field(columns[i].Name)
		if err != nil {
			return errors.Join(err, c.other)
		}
		if now := columns[i].Text(t); text != now && !c.uncounted(columns[i].Name, text, result) {
			return c.difference(recorded, result, columns[i].Name, now)
		}
	}
	if known := len(columns) + 1; len(recorded.Fields) > known { // and the row's number
		return errors.Join(fmt.Errorf("%s: the results have %d columns, %d of which this program does not know",
			recorded.Where, len(recorded.Fields), len(recorded.Fields)-known), c.other)
	}
	return nil
}

// uncounted reports whether a number is 0 because the version that wrote it did not
// count: earlier ones of this epoch counted overtaking only where links were impaired or
// faults possible.
func (c *checker) uncounted(column, recorded string, result *Result) bool {
	return c.other != nil && column == "reordered" && recorded == "0" && !result.Instance.FIFO
}

func (c *checker) difference(recorded *Record, result *Result, column, now string) error {
	text, err := recorded.Field(column)
	if err != nil {
		return err
	}
	e := &DifferenceError{
		Dir: c.Dir, Row: recorded.Number, Column: column, Recorded: text, Now: now,
		Parted: recorded.Parted(result),
	}
	if c.other != nil {
		e.Made = c.other.Error()
	}
	return e
}

// Parted says where the recorded run and another part, as far as the record tells.
func (r *Record) Parted(now *Result) string {
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
	return TrailsPart(trail, now.Trail)
}

// OtherVersion tells if the results were made by another version.
func (a *Folder) OtherVersion() error {
	m, err := ReadManifest(a.Dir)
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
