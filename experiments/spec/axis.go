package spec

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
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
	name     string
	kind     axisKind
	fallback string
	about    string // its values and its default, for authors of sweeps
	get      func(*Cell) string
	set      func(*Cell, string)
}

// axes lists the dimensions in canonical order: the first varies slowest.
var axes = [...]axis{
	wordOf("variant", wordAxis, "",
		"words of the algorithm, such as A; default: the first of each group",
		func(c *Cell) *string { return &c.Variant }),
	wordOf("topology", wordAxis, "",
		"such as ring, complete, er(0.3) or file:net.txt; default: what the algorithm is made for",
		func(c *Cell) *string { return &c.Topology }),
	wordOf("placement", wordAxis, "increasing",
		"where the identities stand: increasing, decreasing, alternating or random; default: increasing",
		func(c *Cell) *string { return &c.Placement }),
	wordOf("initiators", addressAxis, "",
		"who begins: all, addresses, first, last, last-1, or random:K; default: what the algorithm is made for",
		func(c *Cell) *string { return &c.Initiators }),
	wordOf("dead", addressAxis, "none",
		"who is dead from the start: none, or as initiators; default: none",
		func(c *Cell) *string { return &c.Dead }),
	wordOf("delay", wordAxis, "1ms",
		"of a message on a link, such as 1ms, uniform(0,2ms) or exp(1ms); default: 1ms",
		func(c *Cell) *string { return &c.Delay }),
	wordOf("link", faultAxis, "",
		"what links do besides, such as loss 5%; none for nothing; default: nothing",
		func(c *Cell) *string { return &c.Link }),
	wordOf("link_mode", wordAxis, "",
		"how close to Linux the links are: exact or compat; default: exact",
		func(c *Cell) *string { return &c.LinkMode }),
	wordOf("delta", wordAxis, "",
		"bound on delay from gst on, such as 2ms; default: none",
		func(c *Cell) *string { return &c.Delta }),
	wordOf("gst", wordAxis, "",
		"global stabilisation time, such as 30ms, with delta; default: 0s",
		func(c *Cell) *string { return &c.GST }),
	wordOf("transport", wordAxis, "",
		"between algorithm and links: plain, or such as reliable(5ms,0); default: plain",
		func(c *Cell) *string { return &c.Transport }),
	wordOf("detector", wordAxis, "",
		"of failures: perfect, none, or such as heartbeat(10ms,25ms); default: perfect",
		func(c *Cell) *string { return &c.Detector }),
	wordOf("assume", wordAxis, "",
		"bound on delay that the algorithm assumes, such as 2ms, or p99, a quantile of the delay; default: the real one",
		func(c *Cell) *string { return &c.Assume }),
	wordOf("until", wordAxis, "",
		"how long a run goes on at least, such as 1s; default: as long as the algorithm runs",
		func(c *Cell) *string { return &c.Until }),
	wordOf("max_time", wordAxis, "",
		"when a run ends at the latest, such as 10s; default: 73 years",
		func(c *Cell) *string { return &c.MaxTime }),
	{name: "fifo", kind: flagAxis, fallback: "true",
		about: "whether messages of a link stay in order: true or false; default: true",
		get:   func(c *Cell) string { return strconv.FormatBool(c.FIFO) },
		set:   func(c *Cell, v string) { c.FIFO = v == "true" }},
	wordOf("fault", faultAxis, "",
		"plan of faults, such as at 5ms crash 3; none for no fault; default: no fault",
		func(c *Cell) *string { return &c.Fault }),
	wordOf("param", wordAxis, "",
		"parameters of the algorithm, such as requests=20; default: their own",
		func(c *Cell) *string { return &c.Param }),
	{name: "n", kind: countAxis, fallback: "", // has to be given
		about: "number of processes; required",
		get:   func(c *Cell) string { return strconv.Itoa(c.N) },
		set:   func(c *Cell, v string) { c.N, _ = strconv.Atoi(v) }}, // v was read as an integer
}

// wordOf is an axis whose value is a string of the cell.
func wordOf(name string, kind axisKind, fallback, about string, at func(*Cell) *string) axis {
	return axis{name: name, kind: kind, fallback: fallback, about: about,
		get: func(c *Cell) string { return *at(c) },
		set: func(c *Cell, v string) { *at(c) = v }}
}

// Axes returns the names of the axes in canonical order.
func Axes() []string {
	names := make([]string, len(axes))
	for i, a := range axes {
		names[i] = a.name
	}
	return names
}

// axisIndex returns the place of an axis in the table, or -1.
func axisIndex(name string) int {
	return slices.IndexFunc(axes[:], func(a axis) bool { return a.name == name })
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
		sets[i] = []value{{text: a.fallback}}
	}
	return sets
}

// axisFields returns the fields that read axes into the level. Without a level they have
// schemas, which Parse does not need: it asks for these fields once an entry.
func (r *reader) axisFields(l *level) []field {
	fields := make([]field, len(axes))
	for i, a := range axes {
		var takes *schema
		if l == nil {
			takes = a.schema()
		}
		fields[i] = field{a.name, false, takes, func(n *node) {
			l.at[i], l.values[i] = n.pos, r.axis(n, a, r.axisValues)
		}}
	}
	return fields
}

// schema is a value of the axis, a list, or a range.
func (a axis) schema() *schema {
	values := oneOrMore(ref(valueName(a.name)))
	if a.kind.numeric() {
		span := objectOf((*reader)(nil).spanFields(&ends{}, a))
		span.OneOf = []*schema{{Required: []string{"step"}}, {Required: []string{"factor"}}}
		values.AnyOf = append(values.AnyOf, span)
	}
	return values.about(a.about)
}

// axis reads and checks the values of one axis: a range, or values read by list.
func (r *reader) axis(n *node, a axis, list func(*node, axis) []value) []value {
	if n.kind == mapping && a.kind.numeric() {
		values := r.span(n, a)
		for _, v := range values {
			if !r.sound(func() { r.checkValue(a, v) }) {
				break // the rest of the range stands at the same place
			}
		}
		return values
	}
	values := list(n, a)
	for _, v := range values {
		r.checkValue(a, v)
	}
	return values
}

// checkValue asks the caller about a value.
func (r *reader) checkValue(a axis, v value) {
	if r.check.Value == nil || v.text == "" {
		return
	}
	if err := r.check.Value(a.name, v.text); err != nil {
		r.add(Error{Pos: v.pos, Message: fmt.Sprintf("%s: %v", a.name, err), Cause: err})
	}
}

// axisValues reads a value or a list of values, each once.
func (r *reader) axisValues(n *node, a axis) []value {
	var values []value
	first := map[string]Pos{}
	for _, v := range r.listed(n, a) {
		if earlier, dup := first[v.text]; dup {
			r.add(Error{Pos: v.pos, Other: earlier,
				Message: fmt.Sprintf("%s has the value %q twice, first at %s", a.name, shorten(v.text), placeIn(earlier, v.pos))})
			continue
		}
		first[v.text] = v.pos
		values = append(values, v)
	}
	return values
}

// listed reads a value or a list of values.
func (r *reader) listed(n *node, a axis) []value {
	var values []value
	r.each(n, a.name, func(item *node) {
		if t, ok := r.axisValue(item, a); ok {
			values = append(values, value{text: t, pos: item.pos})
		}
	})
	return values
}

// axisValue reads one value of an axis, as the text that a cell has.
func (r *reader) axisValue(n *node, a axis) (string, bool) {
	v := ""
	ok := r.sound(func() {
		switch {
		case n.kind == sequence || n.kind == mapping:
			r.unwanted(n, a.name, a.kind.takes(), "")
		case a.kind == countAxis, a.kind == addressAxis && (n.kind == number || n.isInteger()):
			v = strconv.FormatUint(r.integer(n, a.name, a.kind.lowest(), maxN), 10)
		case a.kind == flagAxis:
			v = strconv.FormatBool(r.truth(n, a.name))
		case a.kind == faultAxis:
			v = r.fault(n, a.name)
		default:
			v = r.line(n, a.name)
		}
	})
	return v, ok && n.kind != refused
}

// fault reads a fault plan: text that may have several lines. none and "" are no plan.
func (r *reader) fault(n *node, what string) string {
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
