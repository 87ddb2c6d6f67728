package spec

import (
	"slices"
	"strconv"
	"strings"

	"bullring/experiments/trial/setting"
	"bullring/internal/pattern"
)

// Cell is one point of a sweep: the setting of a trial without its seed. An empty
// Variant, Topology or Initiators is the algorithm's own default; an empty Fault is none.
// Cells are comparable.
type Cell struct {
	setting.Setting
	Entry int    // index into Spec.Entries
	Label string // the entry's label; by default the algorithm's name
	Rare  Rare   // the probability that its trials estimate
}

// Key returns the conditions of the cell as canonical text, without the algorithm, its
// variant and its parameters. Seeds that are derived from it are common to all algorithms
// and do not depend on the cell's place in the sweep. Different conditions have different
// keys. Published results must not change, so the conditions of the first key come first,
// and later ones are in it only where they are given. Transport, detector, assumptions and
// limits of time are not in it: cells that differ in them are compared, and cells that are
// compared have common seeds.
func (c Cell) Key() string {
	var words []string
	for _, seeding := range []setting.Seeding{setting.Always, setting.Given} {
		for i := range setting.Conditions {
			a := &setting.Conditions[i]
			if v := a.Get(&c.Setting); a.Seed == seeding && (v != "" || seeding == setting.Always) {
				words = append(words, a.Name+"="+quoteIfNeeded(v))
			}
		}
	}
	if c.Rare.Reach != "" {
		words = append(words, ReachAxis+"="+quoteIfNeeded(c.Rare.Reach))
	}
	return strings.Join(words, " ")
}

// Canonical returns the algorithm and the values of all axes as text: a trial is this text
// and a seed. Default values are left out, so that new axes do not change the text.
func (c Cell) Canonical() string {
	var b strings.Builder
	b.WriteString(quoteIfNeeded(c.Algorithm))
	for i := range axes {
		if v := axes[i].get(&c); v != axes[i].Usual {
			b.WriteString(" " + axes[i].Name + "=" + quoteIfNeeded(v))
		}
	}
	if c.Rare.Asked() {
		b.WriteString(" rare=" + quoteIfNeeded(c.Rare.String()))
	}
	return b.String()
}

// bareWord is text that needs no quotes in a key. It has no space and no quote, so it
// cannot be mistaken for a quoted value.
var bareWord = pattern.Of(`^[A-Za-z0-9_.,:;()+*/%@<>-]*$`)

func quoteIfNeeded(s string) string {
	if bareWord().MatchString(s) {
		return s
	}
	return strconv.Quote(s)
}

// Fields returns the names of the fields: algorithm, label, and the axes in canonical
// order.
func Fields() []string { return append([]string{"algorithm", "label"}, Axes()...) }

// Field returns a field of the cell as text, and false for an unknown name.
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

// Cells returns the points of the sweep in canonical order: entry by entry, and within an
// entry the product of its axes, where the last axis of the table, n, varies fastest.
// Zipped axes vary in the place of the first of them. exclude and only are applied.
func (s *Spec) Cells() []Cell {
	cells := s.product()
	if s.all() {
		return cells
	}
	return slices.DeleteFunc(cells, func(c Cell) bool { return !s.keeps(&c) })
}

// product returns the points of the sweep before exclude and only.
func (s *Spec) product() []Cell {
	var cells []Cell
	for i, e := range s.Entries {
		cells = append(cells, e.cells(i, s.Rare)...)
	}
	return cells
}

// cells expands one entry. If rare is not nil, each cell estimates that.
func (e *Entry) cells(index int, rare *RareAsked) []Cell {
	product := []Cell{{Entry: index, Label: e.Label, Setting: setting.Setting{Algorithm: e.Algorithm}}}
	if rare != nil {
		product[0].Rare = rare.Rare
	}
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

// together returns the axes that vary in the place of this one: itself and those zipped
// with it, or none if it varies in the place of an earlier axis.
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
	if !s.all() {
		return s.left
	}
	return s.productCount()
}

// productCount counts the points of the product without making them, up to mostCounted.
func (s *Spec) productCount() int64 {
	total := int64(0)
	for _, e := range s.Entries {
		cells := int64(1)
		for i, values := range e.values {
			if e.together(i) != nil {
				cells = min(cells*int64(len(values)), mostCounted)
			}
		}
		total = min(total+cells, mostCounted)
	}
	return total
}

// mostCounted is the largest number of cells that is told, far above maxCells. An axis has
// few enough values for a product with it to be an int64.
const mostCounted = 1 << 40

// Entry is an algorithm of a sweep with its axes.
type Entry struct {
	Algorithm string
	Label     string // default: the algorithm's name
	Pos       Pos

	values valueSets
	groups []group // of axes that vary together
}

// Gives reports whether an entry has a value of the axis that is not the usual one.
func (s *Spec) Gives(axis string) bool {
	usual := axes[axisIndex(axis)].Usual
	return slices.ContainsFunc(s.Entries, func(e Entry) bool {
		return slices.ContainsFunc(e.texts(axis), func(text string) bool { return text != usual })
	})
}

// labels returns the labels of the entries, each once.
func (s *Spec) labels() []string {
	var labels []string
	for _, e := range s.Entries {
		if !slices.Contains(labels, e.Label) {
			labels = append(labels, e.Label)
		}
	}
	return labels
}

// texts returns the values of an axis in this entry, as cells have them. A zipped axis
// may have a value several times.
func (e *Entry) texts(axis string) []string {
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
