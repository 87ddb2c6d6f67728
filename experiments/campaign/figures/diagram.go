package figures

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/spec"
	"bullring/experiments/show/diagram"
	"bullring/experiments/show/history"
	"bullring/experiments/show/reason"
	"bullring/experiments/trial"
	"bullring/plots"
	"bullring/plots/spacetime"
)

// trial is a row that a diagram may show.
type chosenTrial struct {
	row    int // from 1
	value  float64
	valued bool // the trial has a value
	failed bool // it did not come out as it should
}

// chosen is the trial that a diagram shows.
type chosen struct {
	chosenTrial
	*results.Record
	raster bool // the run is too large for a diagram
}

// spaceTime is a space-time diagram of one trial.
type spaceTime struct {
	*drawing
	trials []chosenTrial
	chosen *chosen
}

func newDiagram(d *drawing) kind { return &spaceTime{drawing: d} }

// mostRecorded is the largest number of events that are kept of a run.
const mostRecorded = 1_000_000

// add notes the trial of a row.
func (st *spaceTime) add(r *results.Record, text string) error {
	correct, err := r.Field("correct")
	if err != nil {
		return err
	}
	t := chosenTrial{row: r.Number, failed: correct == "0", valued: text != ""}
	if t.valued {
		if t.value, err = strconv.ParseFloat(text, 64); err != nil {
			return r.Wrong(st.Metric().Name, text, "a number")
		}
	}
	st.trials = append(st.trials, t)
	return st.addValue(r, text)
}

// choose returns the trial that the figure asks for. Of equal ones it is the first.
func (st *spaceTime) choose() (chosenTrial, error) {
	if st.Trial == spec.FirstFailed && len(st.trials) > 0 {
		i := slices.IndexFunc(st.trials, func(t chosenTrial) bool { return t.failed })
		return st.trials[max(0, i)], nil
	}
	var values []float64
	for _, t := range st.trials {
		if t.valued {
			values = append(values, t.value)
		}
	}
	if len(values) == 0 {
		return chosenTrial{}, fmt.Errorf("no trial has a value of %s", st.Metric().Name)
	}
	slices.Sort(values)
	at := (len(values) - 1) / 2
	switch {
	case st.Trial == spec.Worst && st.measured.Proportion: // of a share the smallest
		at = 0
	case st.Trial == spec.Worst:
		at = len(values) - 1
	}
	i := slices.IndexFunc(st.trials, func(t chosenTrial) bool { return t.valued && t.value == values[at] })
	return st.trials[i], nil
}

// picture runs the trial again.
func (st *spaceTime) picture(count int, rows *results.Folder) (picture, error) {
	if st.rehearsal { // what does not depend on the run
		return &spacetime.Diagram{Name: st.Name, Title: st.Title, Width: st.width(), Lanes: []spacetime.Lane{{}}, Meta: st.meta(count)}, nil
	}
	t, err := st.choose()
	if err != nil {
		return nil, err
	}
	h, err := st.runAgain(t, rows)
	if err != nil {
		return nil, err
	}
	o := diagram.Options{Axis: diagram.Axis(st.Axis), Why: st.Why, Title: st.Title, Width: st.width(), Meta: append(st.meta(count),
		plots.Meta{Key: "Row", Value: strconv.Itoa(t.row)}, plots.Meta{Key: "Fingerprint", Value: fmt.Sprintf("%016x", h.Result.Fingerprint)})}
	if st.Why {
		o.Because = reason.Brief.ExplainResult(context.Background(), rows.Registry, h.Result).Marked(h)
	}
	drawn, err := diagram.Of(h, o)
	if _, large := errors.AsType[*diagram.TooLargeError](err); large {
		st.chosen.raster = true
		o.Axis = diagram.Time
		f, err := diagram.Raster(h, o)
		if err == nil {
			f.Name = st.Name
		}
		return f, err
	}
	if err == nil {
		drawn.Name = st.Name
	}
	return drawn, err
}

// runAgain runs the chosen trial again, and compares it with its row.
func (st *spaceTime) runAgain(t chosenTrial, rows *results.Folder) (*history.History, error) {
	record, err := rows.Row(t.row)
	if err != nil {
		return nil, err
	}
	st.chosen = &chosen{chosenTrial: t, Record: record}
	in, err := rows.Instance(record)
	if err != nil {
		return nil, err
	}
	recording := history.NewRecording(in, mostRecorded)
	h := recording.History(new(trial.Worker).Run(context.Background(), in, recording.Tracer))
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

// words say which trial the diagram shows, and why.
func (st *spaceTime) words() string {
	shown := "Space-time diagram of"
	if st.chosen.raster {
		shown = "Events by process and time, since it is too large for a space-time diagram, of"
	}
	value := strconv.FormatFloat(st.chosen.value, 'g', -1, 64)
	switch {
	case st.Trial == spec.FirstFailed && st.chosen.failed:
		return shown + " the first trial that failed."
	case st.Trial == spec.FirstFailed:
		return fmt.Sprintf("%s the first trial: of %d, 0 failed.", shown, len(st.trials))
	case st.Trial == spec.Median:
		return fmt.Sprintf("%s the trial with the median of %s, %s.", shown, st.metricWords(), value)
	case st.measured.Proportion:
		return fmt.Sprintf("%s the first trial with the smallest %s, %s.", shown, st.metricWords(), value)
	}
	return fmt.Sprintf("%s the trial with the largest %s, %s.", shown, st.metricWords(), value)
}

// count says where the trial is to be found.
func (st *spaceTime) count() string {
	c := st.chosen
	seed, _ := c.Field("seed") // the digest of the row has it
	return plots.Escape(fmt.Sprintf("Row %d of %s, replicate %d, seed %s; bullring diagram DIR %d draws it again.", c.Number, results.ResultsFile, c.Replicate, seed, c.Number))
}
