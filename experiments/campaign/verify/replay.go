package verify

import (
	"context"
	"errors"
	"fmt"

	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/spec"
	"bullring/experiments/trial"
	"bullring/netem"
)

// DifferenceError says that a row came out otherwise when its trial was run again.
type DifferenceError struct {
	Dir      string
	Row      int
	Column   string
	Recorded string
	Now      string
	// Parted says at which event the two runs part, if it is known.
	Parted string
	// Made names the version that made the results, if it may be the reason.
	Made string
}

func (e *DifferenceError) Error() string {
	return fmt.Sprintf("row %d of %s does not repeat: %s", e.Row, e.Dir, e.what())
}

// what describes the difference without its place.
func (e *DifferenceError) what() string {
	text := fmt.Sprintf("%s is %q in %s, but %q now", e.Column, e.Recorded, results.ResultsFile, e.Now)
	for _, more := range []string{e.Parted, e.Made} {
		if more != "" {
			text += "; " + more
		}
	}
	return text
}

// Replay runs the trial of a row of results.csv again, as the sweep in the folder asks for
// it, and compares the result with the row, column by column. The error names the first
// difference, as a [*DifferenceError]; the result is returned all the same. trace may be
// nil.
func Replay(ctx context.Context, r *trial.Registry, dir string, row int, trace trial.TraceFunc) (*trial.Result, error) {
	folder, err := results.Open(r, dir)
	if err != nil {
		return nil, err
	}
	recorded, err := folder.Row(row)
	if err != nil {
		return nil, err
	}
	c, err := newChecker(folder)
	if err != nil {
		return nil, err
	}
	return c.replay(ctx, recorded, trace)
}

// checker runs rows again and compares them. One goroutine uses it.
type checker struct {
	*results.Folder
	worker trial.Worker
	rows   *results.RowWriter
	other  error // not nil if another version made the results
}

func newChecker(folder *results.Folder) (*checker, error) {
	l, err := results.LayoutOf(folder.Registry, folder.Spec)
	if err != nil {
		return nil, err
	}
	return &checker{Folder: folder, rows: results.NewRowWriter(l), other: folder.OtherVersion()}, nil
}

// replay is [Replay] for a record.
func (c *checker) replay(ctx context.Context, recorded *results.Record, trace trial.TraceFunc) (*trial.Result, error) {
	in, err := c.Instance(recorded)
	if err != nil {
		return nil, notRunError{err}
	}
	t, err := results.RunTrial(ctx, c.Registry, &c.worker, &c.Cells[recorded.Cell], in, recorded.Replicate, trace)
	if err != nil {
		return nil, notRunError{err}
	}
	result := t.Result
	if result.End == netem.Interrupted {
		return result, context.Cause(ctx)
	}
	if err := Ran(result); err != nil {
		return result, err
	}
	if outcome, err := recorded.Field("outcome"); err == nil && outcome == string(trial.Inconclusive) {
		return result, notRunError{fmt.Errorf("%s: a program did not answer in time when the sweep ran, so the row has no results", recorded.Where)}
	}
	return result, c.compare(recorded, t)
}

// RowSetting returns the setting in a row of results.csv.
func RowSetting(r *trial.Registry, dir string, row int) (trial.Setting, error) {
	_, recorded, err := rowOf(r, dir, row)
	if err != nil {
		return trial.Setting{}, err
	}
	return recorded.Setting()
}

// RowRare returns what the trial of a row of results.csv estimates.
func RowRare(r *trial.Registry, dir string, row int) (spec.Rare, error) {
	folder, recorded, err := rowOf(r, dir, row)
	if err != nil {
		return spec.Rare{}, err
	}
	return folder.Cells[recorded.Cell].Rare, nil
}

// rowOf is a row of results.csv, and its folder.
func rowOf(r *trial.Registry, dir string, row int) (*results.Folder, *results.Record, error) {
	folder, err := results.Open(r, dir)
	if err != nil {
		return nil, nil, err
	}
	recorded, err := folder.Row(row)
	return folder, recorded, err
}

// compare prints the result as a row, and compares it with the record.
func (c *checker) compare(recorded *results.Record, t *results.Trial) error {
	result := t.Result
	columns := c.rows.Columns()
	for i := range columns {
		text, err := recorded.Field(columns[i].Name)
		if err != nil {
			return errors.Join(err, c.other)
		}
		if now := columns[i].Text(t); text != now && !c.uncounted(columns[i].Name, text, result) {
			return c.difference(recorded, result, columns[i].Name, now)
		}
	}
	if known := len(columns) + 1; len(recorded.Fields) > known { // one more for the row's number
		return errors.Join(fmt.Errorf("%s: the results have %d columns, %d of which this program does not know",
			recorded.Where, len(recorded.Fields), len(recorded.Fields)-known), c.other)
	}
	return nil
}

// uncounted reports whether a recorded 0 means that the version that wrote it did not
// count. Earlier versions of this epoch counted overtaking only where links were impaired
// or faults possible.
func (c *checker) uncounted(column, recorded string, result *trial.Result) bool {
	return c.other != nil && column == "reordered" && recorded == "0" && !result.Instance.FIFO
}

func (c *checker) difference(recorded *results.Record, result *trial.Result, column, now string) error {
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
