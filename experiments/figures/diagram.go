package figures

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"bullring/experiments"
	"bullring/experiments/diagram"
	"bullring/experiments/history"
	"bullring/experiments/results"
	"bullring/experiments/spec"
	"bullring/plots"
	"bullring/plots/spacetime"
)

// trial is a row that a diagram may show.
type trial struct {
	row    int // from 1
	value  float64
	valued bool // the trial has a value
	failed bool // it did not come out as it should
}

// chosen is the trial that a diagram shows.
type chosen struct {
	trial
	*results.Record
	raster bool // the run is too large for a diagram
}

// mostRecorded is the largest number of events that are kept of a run.
const mostRecorded = 1_000_000

// addTrial notes the trial of a row. text is the value of the metric, "" without one.
func (d *drawing) addTrial(r *results.Record, text string) error {
	correct, err := r.Field("correct")
	if err != nil {
		return err
	}
	t := trial{row: r.Number, failed: correct == "0", valued: text != ""}
	if t.valued {
		if t.value, err = strconv.ParseFloat(text, 64); err != nil {
			return r.Wrong(d.Metric().Name, text, "a number")
		}
	}
	d.trials = append(d.trials, t)
	return nil
}

// choose returns the trial that the figure asks for. Of equal ones it is the first.
func (d *drawing) choose() (trial, error) {
	if d.Trial == spec.FirstFailed && len(d.trials) > 0 {
		i := slices.IndexFunc(d.trials, func(t trial) bool { return t.failed })
		return d.trials[max(0, i)], nil
	}
	var values []float64
	for _, t := range d.trials {
		if t.valued {
			values = append(values, t.value)
		}
	}
	if len(values) == 0 {
		return trial{}, fmt.Errorf("no trial has a value of %s", d.Metric().Name)
	}
	slices.Sort(values)
	at := (len(values) - 1) / 2
	switch {
	case d.Trial == spec.Worst && d.measured.Proportion: // of a share the smallest
		at = 0
	case d.Trial == spec.Worst:
		at = len(values) - 1
	}
	i := slices.IndexFunc(d.trials, func(t trial) bool { return t.valued && t.value == values[at] })
	return d.trials[i], nil
}

// picture returns what is drawn. count is the number of rows of the sweep; a diagram runs one
// of them again.
func (d *drawing) picture(count int, rows *results.Folder) (picture, error) {
	switch {
	case d.Kind != spec.Diagram:
		return d.plot(count)
	case d.rehearsal: // what does not depend on the run
		return &spacetime.Diagram{Name: d.Name, Title: d.Title, Width: d.width(), Lanes: []spacetime.Lane{{}}, Meta: d.meta(count)}, nil
	}
	t, err := d.choose()
	if err != nil {
		return nil, err
	}
	h, err := d.runAgain(t, rows)
	if err != nil {
		return nil, err
	}
	o := diagram.Options{Axis: diagram.Axis(d.Axis), Why: d.Why, Title: d.Title, Width: d.width(), Meta: append(d.meta(count),
		plots.Meta{Key: "Row", Value: strconv.Itoa(t.row)}, plots.Meta{Key: "Fingerprint", Value: fmt.Sprintf("%016x", h.Result.Fingerprint)})}
	drawn, err := diagram.Of(h, o)
	if _, large := errors.AsType[*diagram.TooLargeError](err); large {
		d.chosen.raster = true
		o.Axis = diagram.Time
		f, err := diagram.Raster(h, o)
		if err == nil {
			f.Name = d.Name
		}
		return f, err
	}
	if err == nil {
		drawn.Name = d.Name
	}
	return drawn, err
}

// width is the width of a diagram in centimetres.
func (d *drawing) width() float64 {
	if d.Width == spec.Wide {
		return plots.PageWidth
	}
	return plots.ColumnWidth
}

// runAgain runs the chosen trial again, and compares it with its row.
func (d *drawing) runAgain(t trial, rows *results.Folder) (*history.History, error) {
	record, err := rows.Row(t.row)
	if err != nil {
		return nil, err
	}
	d.chosen = &chosen{trial: t, Record: record}
	in, err := rows.Instance(record)
	if err != nil {
		return nil, err
	}
	recording := history.NewRecording(in, mostRecorded)
	h := recording.History(new(experiments.Worker).Run(context.Background(), in, recording.Tracer))
	if h.Dropped > 0 {
		return nil, fmt.Errorf("%s: the trial has more than %d events, as many as are kept to draw it", record.Where, mostRecorded)
	}
	recorded, err := record.Field("fingerprint")
	if err != nil {
		return nil, err
	}
	if now := fmt.Sprintf("%016x", h.Result.Fingerprint); now != recorded {
		return nil, fmt.Errorf("%s: the fingerprint of the trial is %s, and %s when it is run again; bullring replay %s %d tells more",
			record.Where, recorded, now, results.QuoteShell(rows.Dir), t.row)
	}
	return h, nil
}

// trialWords says which trial the diagram shows, and why.
func (d *drawing) trialWords() string {
	shown := "Space-time diagram of"
	if d.chosen.raster {
		shown = "Events by process and time, since it is too large for a space-time diagram, of"
	}
	value := strconv.FormatFloat(d.chosen.value, 'g', -1, 64)
	switch {
	case d.Trial == spec.FirstFailed && d.chosen.failed:
		return shown + " the first trial that failed."
	case d.Trial == spec.FirstFailed:
		return fmt.Sprintf("%s the first trial: of %d, 0 failed.", shown, len(d.trials))
	case d.Trial == spec.Median:
		return fmt.Sprintf("%s the trial with the median of %s, %s.", shown, d.metricWords(), value)
	case d.measured.Proportion:
		return fmt.Sprintf("%s the first trial with the smallest %s, %s.", shown, d.metricWords(), value)
	}
	return fmt.Sprintf("%s the trial with the largest %s, %s.", shown, d.metricWords(), value)
}

// where says where the trial of the diagram is to be found.
func (c *chosen) where() string {
	seed, _ := c.Field("seed") // the digest of the row has it
	return plots.Escape(fmt.Sprintf("Row %d of %s, replicate %d, seed %s; bullring diagram DIR %d draws it again.", c.Number, results.ResultsFile, c.Replicate, seed, c.Number))
}
