package spec

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"bullring/experiments/trial/setting"
)

// axisKind is the type of the values of an axis.
type axisKind int

const (
	wordAxis    axisKind = iota // text
	addressAxis                 // text, or an address: an integer from 0
	flagAxis                    // true or false
	faultAxis                   // text, which may be empty (none) or have several lines
	countAxis                   // an integer from 1
)

// axisKinds are the types of axes whose conditions have a kind: durations, for one, are
// read as text.
var axisKinds = [...]axisKind{
	setting.Word: wordAxis, setting.Choice: wordAxis, setting.Duration: wordAxis, setting.Addresses: addressAxis,
	setting.Lines: faultAxis, setting.Truth: flagAxis, setting.Count: countAxis, setting.Number: addressAxis,
}

// takes names the type in errors.
func (k axisKind) takes() string {
	return [...]string{"text", "text or an integer", "true or false", "text", "an integer"}[k]
}

// numeric reports whether values can be integers: the axis then takes ranges, and a
// figure can scale it.
func (k axisKind) numeric() bool { return k == addressAxis || k == countAxis }

// lowest returns the least integer value of the axis.
func (k axisKind) lowest() uint64 {
	if k == countAxis {
		return 1
	}
	return 0
}

// axis is one dimension of a sweep.
type axis struct {
	*setting.Condition
	kind axisKind
}

// get returns the value in a cell, set gives the cell one. The reader made sure that it is
// of the kind.
func (a *axis) get(c *Cell) string {
	if a.Condition == &reach {
		return c.Rare.Reach
	}
	return a.Get(&c.Setting)
}

func (a *axis) set(c *Cell, value string) {
	if a.Condition == &reach {
		c.Rare.Reach = value
		return
	}
	a.Set(&c.Setting, value)
}

// axes lists the conditions of a trial in canonical order: the first varies slowest. The
// order of results, and the hash of a sweep, depend on it. The last but one is that of rare.
var axes = func() (all [len(setting.Conditions) + 1]axis) {
	conditions := setting.InOrder("variant", "topology", "placement", "initiators", "dead", "delay", "link",
		"link_mode", "delta", "gst", "transport", "detector", "assume", "until", "max_time", "fifo", "fault", "param", "n")
	for i, c := range conditions {
		all[i] = axis{c, axisKinds[c.Kind]}
	}
	last := len(conditions)
	all[last] = all[last-1]
	all[last-1] = axis{&reach, axisKinds[reach.Kind]}
	return all
}()

// Axes returns the names of the axes in canonical order.
func Axes() []string {
	names := make([]string, len(axes))
	for i, a := range axes {
		names[i] = a.Name
	}
	return names
}

// axisIndex returns the place of an axis in the table, or -1.
func axisIndex(name string) int {
	return slices.IndexFunc(axes[:], func(a axis) bool { return a.Name == name })
}

// value is a value of an axis, as text, with its place in the file.
type value struct {
	text string
	pos  Pos
}

// valueSets holds the values of every axis.
type valueSets [len(axes)][]value

// defaults returns the values of axes that a sweep does not mention.
func defaults() valueSets {
	var sets valueSets
	for i, a := range axes {
		sets[i] = []value{{text: a.Usual}}
	}
	return sets
}

// axisReader reads values of axes.
type axisReader struct {
	names
	named valueNames
}

// axisFields returns the fields that read axes into the level. Without a level they have
// schemas, which Parse does not need: it asks for these fields once an entry.
func (r axisReader) axisFields(l *level) []field {
	var fields []field
	for i, a := range axes {
		if a.Condition == &reach {
			continue // of rare
		}
		var takes *schema
		if l == nil {
			takes = a.schema()
		}
		fields = append(fields, field{a.Name, false, takes, func(n *node) {
			l.at[i], l.values[i] = n.pos, r.axis(n, a, r.axisValues)
		}})
	}
	return fields
}

// schema is a value of the axis, a list, or a range.
func (a axis) schema() *schema {
	values := oneOrMore(anyOf(ref(valueName(a.Name)), namedSchema()))
	if a.kind.numeric() {
		span := objectOf(axisReader{}.spanFields(&ends{}, a))
		span.OneOf = []*schema{{Required: []string{"step"}}, {Required: []string{"factor"}}}
		values.AnyOf = append(values.AnyOf, span)
	}
	return values.About(a.Axis)
}

// axis reads and checks the values of one axis: a range, or values read by list.
func (r axisReader) axis(n *node, a axis, list func(*node, axis) []value) []value {
	if n.kind == mapping && a.kind.numeric() {
		values := r.span(n, a)
		for _, v := range values {
			if !r.sound(func() { r.checkValue(a, v) }) {
				break // the rest of the range stands at the same place
			}
		}
		return values
	}
	n, given := unnamed(n)
	values := list(n, a)
	for _, v := range values {
		r.checkValue(a, v)
		r.setName(a, v, given[v.pos])
	}
	return values
}

// axisValues reads a value or a list of values, each once.
func (r axisReader) axisValues(n *node, a axis) []value {
	var values []value
	first := map[string]Pos{}
	for _, v := range r.listed(n, a) {
		if earlier, dup := first[v.text]; dup {
			r.add(Error{Pos: v.pos, Other: earlier,
				Message: fmt.Sprintf("%s has the value %q twice, first at %s", a.Name, shorten(v.text), placeIn(earlier, v.pos))})
			continue
		}
		first[v.text] = v.pos
		values = append(values, v)
	}
	return values
}

// listed reads a value or a list of values.
func (r axisReader) listed(n *node, a axis) []value {
	var values []value
	r.each(n, a.Name, func(item *node) {
		if t, ok := r.axisValue(item, a); ok {
			values = append(values, value{text: t, pos: item.pos})
		}
	})
	return values
}

// axisValue reads one value of an axis, as the text that a cell has.
func (r axisReader) axisValue(n *node, a axis) (string, bool) {
	v := ""
	ok := r.sound(func() {
		switch {
		case n.kind == sequence || n.kind == mapping:
			r.unwanted(n, a.Name, a.kind.takes(), "")
		case a.kind == countAxis, a.kind == addressAxis && (n.kind == number || n.isInteger()):
			v = strconv.FormatUint(r.integer(n, a.Name, a.kind.lowest(), maxN), 10)
		case a.kind == flagAxis:
			v = strconv.FormatBool(r.truth(n, a.Name))
		case a.kind == faultAxis:
			v = r.fault(n, a.Name)
		default:
			v = r.line(n, a.Name)
		}
	})
	return v, ok && n.kind != refused
}

// fault reads a fault plan: text that may have several lines. none and "" are no plan.
func (r axisReader) fault(n *node, what string) string {
	if n.kind != text {
		return r.line(n, what) // which says what is wrong
	}
	plan := strings.TrimSpace(n.text)
	if plan == "none" {
		return ""
	}
	for _, c := range plan {
		if !unicode.IsPrint(c) && c != '\n' {
			r.errorf(n.pos, "%s holds %q; it takes text that prints", what, c)
			return ""
		}
	}
	return plan
}
