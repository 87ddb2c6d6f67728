package figures

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/spec"
)

// timeScale is a unit in which a figure shows times. The zero value is for numbers that are
// no times.
type timeScale struct {
	name   string        // on the axis
	length time.Duration // 0 for the constant delay of a message, which may differ between rows
}

// delays is the unit of times counted in the constant delay of a message.
var delays = timeScale{name: "message delays"}

// timeScales are the other units, from long to short, with their names in a spec.
var timeScales = []struct {
	word string
	timeScale
}{
	{"s", timeScale{"s", time.Second}},
	{"ms", timeScale{"ms", time.Millisecond}},
	{"us", timeScale{"µs", time.Microsecond}},
	{"ns", timeScale{"ns", time.Nanosecond}},
}

// scaleNamed is the unit with that name in a spec, which was checked.
func scaleNamed(word string) timeScale {
	for _, s := range timeScales {
		if s.word == word {
			return s.timeScale
		}
	}
	return delays
}

// scaleFor is the longest unit that is no longer than a time in seconds.
func scaleFor(seconds float64) timeScale {
	for _, s := range timeScales {
		if seconds >= s.length.Seconds() {
			return s.timeScale
		}
	}
	return timeScales[len(timeScales)-1].timeScale
}

// scaleOfAll is the unit for times in seconds along an axis. The largest time decides or,
// on a logarithmic axis, the middle of the range.
func scaleOfAll(times []float64, log bool) timeScale {
	least, most := math.Inf(1), 0.0
	for _, v := range times {
		if v = math.Abs(v); v > 0 {
			least, most = min(least, v), max(most, v)
		}
	}
	switch {
	case most == 0:
		return timeScales[0].timeScale
	case log:
		return scaleFor(math.Sqrt(least) * math.Sqrt(most))
	}
	return scaleFor(most)
}

// withUnit adds a unit to the label of an axis.
func (s timeScale) withUnit(words string) string {
	if s.name == "" {
		return words
	}
	return words + " (" + s.name + ")"
}

// convert converts a time from seconds, rounded to nanoseconds. Numbers that are no times
// stay as they are.
func (s timeScale) convert(seconds float64) float64 {
	if s.length == 0 {
		return seconds
	}
	return math.Round(seconds*1e9) / float64(s.length)
}

// factor converts times in the unit of a row to another unit.
func factor(u results.RowUnit, to timeScale) float64 {
	if to.length == 0 {
		return 1
	}
	return float64(u.Length) / float64(to.length)
}

// convertTimes chooses the unit of the metric, and hands the converted values to their
// lines. Lines without a value are left out.
func (d *drawing) convertTimes() error {
	if d.measured.InTime() {
		if err := d.chooseUnit(); err != nil {
			return err
		}
	}
	for _, cell := range d.drawn() {
		p := d.places[cell]
		if len(p.values) == 0 {
			continue
		}
		if factor := factor(p.unit, d.unit); factor != 1 {
			for i := range p.values {
				p.values[i] *= factor
			}
		}
		p.line.values[p.x] = append(p.line.values[p.x], p.values...)
		p.values = nil
	}
	d.lines = slices.DeleteFunc(d.lines, func(l *line) bool { return len(l.values) == 0 })
	return nil
}

// chooseUnit chooses the unit of a metric that is a time: the unit that the spec names;
// message delays if all rows count in them; otherwise a unit that suits the numbers.
func (d *drawing) chooseUnit() error {
	var times []float64
	constant, odd := true, ""
	for _, cell := range d.drawn() {
		p := d.places[cell]
		if len(p.values) == 0 {
			continue
		}
		for _, v := range p.values {
			times = append(times, v*p.unit.Length.Seconds())
		}
		if !p.unit.Constant && constant {
			constant, odd = false, results.CellName(&d.Cells[cell])
		}
		d.mixed = d.mixed || p.unit.Constant
	}
	d.mixed = d.mixed && !constant
	scale := d.Metric()
	switch named := scale.NamedUnit(); {
	case named == spec.Delays && !constant:
		return spec.Error{Pos: scale.Pos, Message: fmt.Sprintf("the label %q says message delays, but the times of %s are in seconds: choose cells of constant delay by where, or let the label name s, ms or us", scale.Label, odd)}
	case named != "":
		d.unit = scaleNamed(named)
	case constant:
		d.unit = delays
	case asGiven(d.Figure, scale):
		d.unit = scaleNamed("s")
	default:
		d.unit = scaleOfAll(times, scale.Log)
	}
	return nil
}

// asGiven reports whether the spec has a label or numbers that assume the usual unit of a
// scale.
func asGiven(f *spec.Figure, s spec.Scale) bool {
	return s.Label != "" || s.Min != nil || s.Max != nil ||
		slices.ContainsFunc(f.Curves, func(c spec.Curve) bool { return c.Bound == "" && (c.Factor != 0 || c.Lg != 0) })
}

// drawn are the indices of the cells in the figure, in order.
func (d *drawing) drawn() []int {
	var all []int
	for i := range d.Cells {
		if d.places[i] != nil {
			all = append(all, i)
		}
	}
	return all
}

// metricWords is the label of the axis of the metric.
func (d *drawing) metricWords() string {
	words := d.measured.Axis
	if d.Y.Deviation {
		words = "standard deviation of " + words
	}
	return d.unit.withUnit(words)
}

// measuredWords name the metric, and the axes along which the cells stand.
func (d *drawing) measuredWords() string {
	return cmp.Or(d.Metric().Label, d.metricWords()) + d.overWords()
}

// overWords names the axes along which the cells stand.
func (d *drawing) overWords() string {
	var words []string
	for _, s := range []*side{d.x, d.y} {
		if s == nil {
			continue
		}
		if name := cmp.Or(s.Label, s.words()); name != "" {
			words = append(words, name)
		}
	}
	if words == nil {
		return ""
	}
	return " over " + strings.Join(words, " and ")
}
