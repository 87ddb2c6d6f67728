package results

import (
	"math"
	"time"
)

// TimeScale is a unit in which a figure or a table shows times. The zero value is for numbers that are
// no times.
type TimeScale struct {
	Name   string        // on an axis or in a head
	Length time.Duration // 0 for the constant delay of a message, which may differ between rows
}

// Delays is the unit of times counted in the constant delay of a message.
var Delays = TimeScale{Name: "message delays"}

// timeScales are the other units, from long to short, with their names in a spec.
var timeScales = []struct {
	word string
	TimeScale
}{
	{"s", TimeScale{"s", time.Second}},
	{"ms", TimeScale{"ms", time.Millisecond}},
	{"us", TimeScale{"µs", time.Microsecond}},
	{"ns", TimeScale{"ns", time.Nanosecond}},
}

// ScaleNamed is the unit with that name in a spec, which was checked.
func ScaleNamed(word string) TimeScale {
	for _, s := range timeScales {
		if s.word == word {
			return s.TimeScale
		}
	}
	return Delays
}

// scaleFor is the longest unit that is no longer than a time in seconds.
func scaleFor(seconds float64) TimeScale {
	for _, s := range timeScales {
		if seconds >= s.Length.Seconds() {
			return s.TimeScale
		}
	}
	return timeScales[len(timeScales)-1].TimeScale
}

// ScaleOfAll is the unit for times in seconds along an axis. The largest time decides or,
// on a logarithmic axis, the middle of the range.
func ScaleOfAll(times []float64, log bool) TimeScale {
	least, most := math.Inf(1), 0.0
	for _, v := range times {
		if v = math.Abs(v); v > 0 {
			least, most = min(least, v), max(most, v)
		}
	}
	switch {
	case most == 0:
		return timeScales[0].TimeScale
	case log:
		return scaleFor(math.Sqrt(least) * math.Sqrt(most))
	}
	return scaleFor(most)
}

// WithUnit adds a unit to a label.
func (s TimeScale) WithUnit(words string) string {
	if s.Name == "" {
		return words
	}
	return words + " (" + s.Name + ")"
}

// Convert converts a time from seconds, rounded to nanoseconds. Numbers that are no times
// stay as they are.
func (s TimeScale) Convert(seconds float64) float64 {
	if s.Length == 0 {
		return seconds
	}
	return math.Round(seconds*1e9) / float64(s.Length)
}

// Factor converts times in the unit of a row to another unit.
func (u RowUnit) Factor(to TimeScale) float64 {
	if to.Length == 0 {
		return 1
	}
	return float64(u.Length) / float64(to.Length)
}
