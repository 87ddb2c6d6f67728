package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"bullring/experiments/cli/internal/view"
	"bullring/experiments/show/history"
	"bullring/experiments/show/page"
	"bullring/experiments/show/reason"
	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
	"bullring/internal/counts"
	"bullring/netem"
)

// mostRecorded is the largest number of events that are kept of a run.
const mostRecorded = 1_000_000

// recordHistory runs a setting and returns its history. The run ends when it has more events
// than are kept.
func recordHistory(cmd *cobra.Command, registry *trial.Registry, s trial.Setting, states bool) (*history.History, error) {
	in, err := registry.Instance(s)
	if err != nil {
		return nil, err
	}
	room := room{free: freeMemory()}
	if err := room.limit(in); err != nil {
		return nil, err
	}
	defer room.unlimit()
	recording, memory := history.NewRecording(in, mostRecorded), in.Full
	if states {
		recording = recording.WithStates()
	}
	in.Full = func() bool { return recording.Full() || memory() }
	var worker trial.Worker
	r := worker.Run(cmd.Context(), in, recording.Tracer)
	if room.full {
		return nil, exit{statusUndecided, fmt.Errorf("after %s events the run took all of the memory that was free, %s; --max-events or --max-time end it sooner", counts.Grouped(r.Counters.Events), megabytes(room.free))}
	}
	h := recording.History(r)
	return h, complete(cmd, h)
}

// complete returns why the history of a run is not to be shown.
func complete(cmd *cobra.Command, h *history.History) error {
	switch {
	case h.Result.End == netem.Interrupted:
		return interrupted(cmd.Context())
	case h.Result.Late() != nil:
		return h.Result.Late()
	case h.Result.Impossible() != nil:
		return h.Result.Impossible()
	case h.Dropped > 0:
		return exit{statusUndecided, fmt.Errorf("the run has more than %s events, as many as are kept to be shown; --max-events or --max-time end it sooner", counts.Grouped(mostRecorded))}
	}
	return nil
}

// record runs a setting for a page.
func record(cmd *cobra.Command, registry *trial.Registry, s trial.Setting) ([]page.Data, error) {
	h, err := recordHistory(cmd, registry, s, true)
	if err != nil {
		return nil, err
	}
	return []page.Data{dataOf(cmd, registry, h)}, nil
}

// dataOf returns the data of a run that was recorded.
func dataOf(cmd *cobra.Command, registry *trial.Registry, h *history.History) page.Data {
	in := h.Result.Instance
	words := page.Words{Scene: view.Scene(in)}
	if in.Setting.Schedule == "" { // it is in a file, and pages name none
		words.Again = view.CommandLine(cmd.Root().Name(), in)
	}
	d := page.New(h, words, page.BranchOf(cmd.Context(), registry, h))
	if e := reason.Brief.ExplainResult(cmd.Context(), registry, h.Result); e.Violation != nil {
		d.Explain(view.Sentences(e), e.Marked(h))
	}
	return d
}

// writeRecorded writes the page of a run that was recorded while it was printed.
func writeRecorded(cmd *cobra.Command, registry *trial.Registry, h *history.History, path string) error {
	err := complete(cmd, h)
	var d page.Data
	if err == nil {
		d, err = new(window).of(dataOf(cmd, registry, h))
	}
	if err != nil {
		return exit{statusFailed, fmt.Errorf("--view: no page was written: %w", err)}
	}
	return save(path, func(w io.Writer) error { return page.Write(w, d) })
}

// comparedToo returns what traces a run for a comparison and, unless it is nil, for others.
func comparedToo(compare, others trial.TraceFunc) trial.TraceFunc {
	if others == nil {
		return compare
	}
	return func(run *trial.Traced) netem.Tracer {
		other := others(run)
		switch settler, settles := other.(trial.Settler); {
		case other == nil: // it refuses the run
			return nil
		case settles:
			return &bothTracers{settler, compare(run)}
		}
		return comparedTrace{other, compare(run)}
	}
}

// comparedTrace is a trace of events that are compared, too.
type comparedTrace [2]netem.Tracer

// Record implements netem.Tracer.
func (c comparedTrace) Record(r netem.Record) {
	c[0].Record(r)
	c[1].Record(r)
}

// recordedToo returns what traces a run for a recording and, unless it is nil, for print.
func recordedToo(recording *history.Recording, print trial.TraceFunc) trial.TraceFunc {
	if print == nil {
		return recording.Tracer
	}
	return func(run *trial.Traced) netem.Tracer {
		recorder, printer := recording.Tracer(run), print(run)
		if printer == nil { // it refuses the run
			return nil
		}
		return &bothTracers{recorder.(trial.Settler), printer}
	}
}

type bothTracers struct {
	trial.Settler
	printer netem.Tracer
}

// Record implements netem.Tracer.
func (b *bothTracers) Record(r netem.Record) {
	b.printer.Record(r)
	b.Settler.Record(r)
}

// besideData reads the run that is shown below the first; of a page it is the first one.
func besideData(cmd *cobra.Command, registry *trial.Registry, file string) ([]page.Data, error) {
	if page.IsRead(file) {
		return page.ReadFile(file)
	}
	c, err := search.ReadCase(file)
	if err != nil {
		return nil, err
	}
	c.Setting.OutsideModel = true
	return record(cmd, registry, c.Setting)
}
