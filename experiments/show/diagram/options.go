package diagram

import (
	"fmt"
	"slices"
	"strings"

	"bullring/experiments/show/history"
	"bullring/plots"
	"bullring/protocols"
	"bullring/protocols/links"
)

// Axis says what the distance of two events stands for.
type Axis string

// The axes.
const (
	Time  Axis = "time"  // the time between them, or the steps of a schedule without time
	Gaps  Axis = "gaps"  // the same with long silences shortened
	Steps Axis = "steps" // the number of events from one to the other
)

// Axes are the axes, the default first.
var Axes = []Axis{Time, Gaps, Steps}

// Options say what a diagram shows of a run. The zero value shows all of it.
type Options struct {
	Axis Axis // "" is Time

	// Why fades the events that do not belong to the explanation of the verdict: those that
	// Because does not mark or, if it is nil, those outside the past of the verdict.
	Why     bool
	Because []bool // by the place of the event in the history

	// States notes what processes drew and which fields they changed.
	States bool

	// From and To are the first and the last moment that is shown, see [history.Window].
	From, To history.Moment

	// Processes are the addresses of the lanes, nil for all.
	Processes *links.Addresses

	// Kinds are the kinds of the messages that are shown, nil for all.
	Kinds []string

	Title string  // in markup
	Width float64 // in centimetres, see [spacetime.Diagram]
	Meta  []plots.Meta
}

// A view is the part of a history that is shown.
type view struct {
	*history.History
	Options
	first, end int // the events of the window, by their place in Events
	lanes      []protocols.ID
	lane       map[protocols.ID]int
	kinds      []bool // which are shown
}

// newView checks the options.
func newView(h *history.History, o Options) (*view, error) {
	v := &view{History: h, Options: o, lane: map[protocols.ID]int{}}
	if v.Axis == "" {
		v.Axis = Time
	}
	if !slices.Contains(Axes, v.Axis) {
		return nil, fmt.Errorf("axis %q; allowed are %s, %s and %s", v.Axis, Time, Gaps, Steps)
	}
	for _, step := range []func() error{v.cut, v.chooseProcesses, v.chooseKinds} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// cut finds the events of the window.
func (v *view) cut() (err error) {
	at := func(i int) int64 { return int64(v.Events[i].At) }
	if v.Result.Instance.Timeless() {
		at = nil
	}
	v.first, v.end, err = history.Window(v.From, v.To, len(v.Events), at)
	return err
}

// chooseProcesses chooses the lanes.
func (v *view) chooseProcesses() error {
	n := v.Result.Instance.N
	for p := range protocols.ID(n) {
		if v.Processes == nil || v.Processes.Has(p) {
			v.lane[p] = len(v.lanes)
			v.lanes = append(v.lanes, p)
		}
	}
	if len(v.lanes) == 0 {
		return fmt.Errorf("processes %v: the run has the addresses 0 to %d", v.Processes, n-1)
	}
	return nil
}

// chooseKinds chooses the kinds of messages.
func (v *view) chooseKinds() error {
	names := v.Result.Kinds
	v.kinds = make([]bool, len(names))
	for i := range v.kinds {
		v.kinds[i] = v.Kinds == nil
	}
	for _, name := range v.Kinds {
		i := slices.Index(names, name)
		if i < 0 {
			return fmt.Errorf("kind %q: the run has %s", name, strings.Join(names, ", "))
		}
		v.kinds[i] = true
	}
	return nil
}

// events are the events of the window.
func (v *view) events() []history.Event { return v.Events[v.first:v.end] }

// shows reports whether a lane is shown.
func (v *view) shows(p protocols.ID) bool { _, ok := v.lane[p]; return ok }

// shownKind reports whether messages of the kind of a message are shown.
func (v *view) shownKind(message any) bool { return v.kinds[kindOf(message)] }

func kindOf(message any) int { return message.(protocols.Message).Kind() }
