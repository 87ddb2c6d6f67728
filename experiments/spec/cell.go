package spec

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Cell is one point of a sweep: what a trial runs, apart from its seed. The zero
// values of Variant, Topology, Initiators and Fault mean the algorithm's own
// default or, for a fault, none. Cells are comparable.
type Cell struct {
	Entry      int // index into Spec.Entries
	Algorithm  string
	Variant    string
	Label      string // the entry's label; by default the algorithm's name
	N          int
	Placement  string
	Initiators string
	Dead       string
	Topology   string
	Delay      string
	Link       string
	LinkMode   string
	Delta      string
	GST        string
	Transport  string
	Detector   string
	Assume     string
	Until      string
	MaxTime    string
	Fault      string
	Param      string // parameters of the algorithm
	FIFO       bool
}

// keyFields are the axes that decide a trial apart from the algorithm, in the
// order of the key. They are not taken from the table of axes: seeds are derived
// from keys, and results that were published must not change when the order of
// cells does.
var keyFields = []string{"n", "placement", "initiators", "dead", "topology", "delay", "fifo", "fault"}

// laterFields came when results had been published. They are in the key where
// they are given, and in this order. What is put between the algorithm and the
// network, what it assumes and for how long it is observed is not: seeds are
// common to what is compared, and these are.
var laterFields = []string{"link", "link_mode", "delta", "gst"}

// Key returns the conditions of the cell as canonical text: everything that
// decides a trial except the algorithm, its variant and its parameters. Seeds derived from it are
// common to all algorithms and do not depend on where in the sweep the cell
// stands. Values that differ give keys that differ.
func (c Cell) Key() string {
	var b strings.Builder
	for i, name := range keyFields {
		if i > 0 {
			b.WriteByte(' ')
		}
		v, _ := c.Field(name)
		b.WriteString(name)
		b.WriteByte('=')
		b.WriteString(quoteIfNeeded(v))
	}
	for _, name := range laterFields {
		if v, _ := c.Field(name); v != "" {
			b.WriteString(" " + name + "=" + quoteIfNeeded(v))
		}
	}
	return b.String()
}

// Canonical returns the algorithm and all conditions of the cell as text: everything
// that decides a trial but its seed. What is the default of its axis is left out, so
// that the text stays the same when there are new axes.
func (c Cell) Canonical() string {
	var b strings.Builder
	b.WriteString(quoteIfNeeded(c.Algorithm))
	for i := range axes {
		if v := axes[i].get(&c); v != axes[i].fallback {
			b.WriteString(" " + axes[i].name + "=" + quoteIfNeeded(v))
		}
	}
	return b.String()
}

// bareWord is text that stands in a key without quotes. It holds no space and no
// quote, so quoted and bare values cannot be mistaken for each other.
var bareWord = regexp.MustCompile(`^[A-Za-z0-9_.,:;()+*/%@<>-]*$`)

func quoteIfNeeded(s string) string {
	if bareWord.MatchString(s) {
		return s
	}
	return strconv.Quote(s)
}

// Fields returns the names that Field and a figure's series and filters know:
// algorithm, label, and the axes in canonical order.
func Fields() []string { return append([]string{"algorithm", "label"}, Axes()...) }

// Field returns a field of the cell as text, and false for a name it does not
// know.
func (c Cell) Field(name string) (string, bool) {
	get := getter(name)
	if get == nil {
		return "", false
	}
	return get(&c), true
}

// getter returns the function that reads a field, or nil for an unknown name.
func getter(name string) func(*Cell) string {
	switch name {
	case "algorithm":
		return func(c *Cell) string { return c.Algorithm }
	case "label":
		return func(c *Cell) string { return c.Label }
	}
	if i := axisIndex(name); i >= 0 {
		return axes[i].get
	}
	return nil
}

// Cells returns the points of the sweep in canonical order: entry by entry, and
// within an entry the product of its axes with the last axis of the table, n,
// varying fastest. Axes that vary together do so where the first of them stands.
// What exclude and only leave out is left out.
func (s *Spec) Cells() []Cell {
	cells := s.product()
	if len(s.exclude)+len(s.only) == 0 {
		return cells
	}
	return slices.DeleteFunc(cells, func(c Cell) bool { return !s.keeps(&c) })
}

// product returns the points of the sweep with those that are left out.
func (s *Spec) product() []Cell {
	var cells []Cell
	for i, e := range s.Entries {
		cells = append(cells, e.cells(i)...)
	}
	return cells
}

// cells expands one entry.
func (e *Entry) cells(index int) []Cell {
	product := []Cell{{Entry: index, Algorithm: e.Algorithm, Label: e.Label}}
	for i := range axes {
		together := e.together(i)
		if together == nil {
			continue
		}
		wider := make([]Cell, 0, len(product)*len(e.values[i]))
		for _, c := range product {
			for k := range e.values[i] {
				wider = append(wider, c)
				for _, j := range together {
					axes[j].set(&wider[len(wider)-1], e.values[j][k].text)
				}
			}
		}
		product = wider
	}
	return product
}

// together returns the axes that vary where this one stands: itself and those that
// it is zipped with, or none if it varies where an earlier one stands.
func (e *Entry) together(axis int) []int {
	for _, g := range e.groups {
		switch {
		case g.axes[0] == axis:
			return g.axes
		case slices.Contains(g.axes, axis):
			return nil
		}
	}
	return []int{axis}
}

// cellCount counts the cells without making them.
func (s *Spec) cellCount() int64 {
	if len(s.exclude)+len(s.only) > 0 {
		return s.left
	}
	return s.productCount()
}

// productCount counts the points of the product without making them, and stops
// counting just above MaxCells. An int may have 32 bits, too few for the products
// on the way.
func (s *Spec) productCount() int64 {
	total := int64(0)
	for _, e := range s.Entries {
		cells := int64(1)
		for i, values := range e.values {
			if e.together(i) != nil {
				cells = min(cells*int64(len(values)), MaxCells+1)
			}
		}
		total = min(total+cells, MaxCells+1)
	}
	return total
}

// Entry is one of the algorithms of a sweep, with the axes it runs over.
type Entry struct {
	Algorithm string
	Label     string // default: the algorithm's name
	Pos       Pos

	values valueSets
	groups []group // of axes that vary together
}

// Values returns the values of an axis for this entry, as the cells hold them; of
// an axis that varies with others, value by value.
func (e *Entry) Values(axis string) []string {
	i := axisIndex(axis)
	if i < 0 {
		return nil
	}
	texts := make([]string, len(e.values[i]))
	for j, v := range e.values[i] {
		texts[j] = v.text
	}
	return slices.Clip(texts)
}
