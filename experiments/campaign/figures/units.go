package figures

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/spec"
)

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
		if factor := p.unit.Factor(d.unit); factor != 1 {
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
		d.unit = results.ScaleNamed(named)
	case constant:
		d.unit = results.Delays
	case asGiven(d.Figure, scale):
		d.unit = results.ScaleNamed("s")
	default:
		d.unit = results.ScaleOfAll(times, scale.Log)
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
	return d.unit.WithUnit(words)
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
