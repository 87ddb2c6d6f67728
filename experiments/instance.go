package experiments

import (
	"strings"
	"time"

	"bullring/des"
	"bullring/netem/explore"
)

// Unit is the unit of times. It is the delay of a message if that is constant, and then
// ok is true; else a second, or a step of a schedule without time.
func (in *Instance) Unit() (unit time.Duration, ok bool) {
	if in.Script != nil && in.Script.timers == FreeTimers {
		return time.Nanosecond, false // instants are numbers of steps
	}
	unit, longest, bounded := in.Delay.Bounds()
	ok = bounded && unit == longest && unit > 0 && in.Delta == 0
	for _, l := range in.Lines {
		least, most, bounded := in.whole(l.Line).Bounds()
		ok = ok && bounded && least == unit && most == unit
	}
	if !ok || in.Script != nil {
		return time.Second, false
	}
	return unit, true
}

// Units converts an instant into units of [Instance.Unit].
func (in *Instance) Units(t des.Time) float64 {
	unit, _ := in.Unit()
	return float64(t) / float64(unit)
}

// Timeless reports whether the instance follows a schedule with free timers. Instants are
// then the numbers of its steps.
func (in *Instance) Timeless() bool { return in.Script != nil && in.Script.timers == FreeTimers }

// Steps is the length of the instance's schedule, 0 without one.
func (in *Instance) Steps() int {
	if in.Script == nil {
		return 0
	}
	return len(in.Script.steps)
}

// Calm reports whether nothing fails after the start.
func (in *Instance) Calm() bool {
	return len(in.Plan) == 0 && (in.Script == nil || in.Script.budget == explore.Budget{})
}

// Seeded names what the seed decides about the instance and no field of the setting
// shows, such as its topology, or "". What processes draw in a run does not count.
func (in *Instance) Seeded() string {
	var what []string
	if f, named := familyOf(in.Setting.Topology); named && f.Random {
		what = append(what, "topology")
	}
	if in.Algorithm.Seeded != nil {
		if own := in.Algorithm.Seeded(in); own != "" {
			what = append(what, own)
		}
	}
	return strings.Join(what, " and the ")
}
