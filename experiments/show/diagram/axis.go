package diagram

import (
	"math"
	"slices"
	"strconv"
	"time"

	"bullring/experiments/show/history"
	"bullring/plots/spacetime"
)

// An axis has the places of the events of a window, from 0 on, in a unit of its own.
type axis struct {
	kind   Axis
	at     []float64 // by event
	length float64   // of the whole axis
	flight float64   // that of a message, as a rule
	unit   unit
	begin  float64 // number at the beginning, in the unit
}

// unit is a unit of the numbers along an axis. The length of numbers that are no times is 1.
type unit struct {
	name   string
	length time.Duration
}

var timeUnits = []unit{{"s", time.Second}, {"ms", time.Millisecond}, {"µs", time.Microsecond}, {"ns", time.Nanosecond}}

// instant is the time of an event in ns, or its step in a schedule without time.
func (v *view) instant(e *history.Event) float64 {
	if v.Result.Instance.Timeless() {
		return float64(e.Step)
	}
	return float64(e.At)
}

// newAxis places the events of a view.
func newAxis(v *view) *axis {
	a := &axis{kind: v.Axis, unit: unit{"step", 1}}
	for i := range v.events() {
		a.at = append(a.at, v.instant(&v.events()[i]))
	}
	last := a.at[len(a.at)-1]
	if !v.Result.Instance.Timeless() {
		a.unit = timeUnits[len(timeUnits)-1]
		for _, u := range timeUnits {
			if float64(u.length) <= last {
				a.unit = u
				break
			}
		}
	}
	a.begin = a.at[0] / float64(a.unit.length)
	switch a.kind {
	case Gaps:
		a.at = shortened(a.at)
	case Steps:
		for i := range a.at {
			a.at[i] = float64(i)
		}
		a.unit, a.begin = unit{"event", 1}, float64(v.first+1)
	default:
		start := a.at[0]
		for i := range a.at {
			a.at[i] -= start
		}
	}
	// The end of a fault after the last step of a process would leave the rest empty.
	for i, e := range v.events() {
		if e.What != "fault" || e.Change != nil || a.length == 0 {
			a.length = a.at[i]
		}
	}
	return a
}

// shortened returns places at which each silence g has the length log2(1 + g/m) + 0.15, where
// m is the median of the silences.
func shortened(times []float64) []float64 {
	var silences []float64
	for i := 1; i < len(times); i++ {
		if g := times[i] - times[i-1]; g > 0 {
			silences = append(silences, g)
		}
	}
	slices.Sort(silences)
	at := make([]float64, len(times))
	for i := 1; i < len(times); i++ {
		at[i] = at[i-1]
		if g := times[i] - times[i-1]; g > 0 {
			at[i] += math.Log2(1+g/silences[len(silences)/2]) + 0.15
		}
	}
	return at
}

// extend makes room for the half arrows of messages that do not arrive. It chooses their
// length if no message of the run has one. last is where the last of them was sent, and
// flights are the lengths of the messages that arrive.
func (a *axis) extend(flights []float64, last float64) {
	slices.Sort(flights)
	a.flight = a.length / 12
	if len(flights) > 0 {
		a.flight = flights[len(flights)/2]
	}
	if a.flight == 0 {
		a.flight = 1
	}
	if a.length == 0 {
		a.length = a.flight
	}
	if last >= 0 {
		a.length = max(a.length, last+0.6*a.flight)
	}
}

// place is a place of the axis, from 0 to 1.
func (a *axis) place(at float64) float64 { return max(0, min(1, at/a.length)) }

// label adds the axis with its ticks to a diagram.
func (a *axis) label(d *spacetime.Diagram, v *view) {
	switch {
	case a.kind == Gaps:
		d.Axis = a.words() + ", silences shortened"
		d.Ticks = a.ticks(v)
		return
	case a.unit.name == "event":
		d.Axis = "event"
	default:
		d.Axis = a.words()
	}
	d.Begin, d.End = a.begin, a.begin+a.length/float64(a.unit.length)
	d.Whole = true
	for i := range a.at {
		now := a.begin + a.at[i]/float64(a.unit.length)
		d.Whole = d.Whole && math.Abs(now-math.Round(now)) < 1e-6
	}
}

func (a *axis) words() string {
	if a.unit.name == "step" {
		return "step of the schedule"
	}
	return "time (" + a.unit.name + ")"
}

// ticks are at the first event of each place.
func (a *axis) ticks(v *view) (ticks []spacetime.Tick) {
	last := -1.0
	for i, at := range a.at {
		if at == last {
			continue
		}
		last = at
		number := v.instant(&v.events()[i]) / float64(a.unit.length)
		ticks = append(ticks, spacetime.Tick{At: a.place(at), Label: shortNumber(number)})
	}
	return ticks
}

// shortNumber prints a number with four significant digits or, if it is larger, without
// decimals.
func shortNumber(v float64) string {
	if v >= 1000 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}
