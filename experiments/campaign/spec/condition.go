package spec

import (
	"slices"
	"strconv"
	"strings"

	"bullring/experiments/trial/setting"
)

// maxConditions limits the mappings of exclude and of only. Each is compared with every
// cell.
const maxConditions = 100

// condition is a conjunction of tests.
type condition []test

// test requires that a field is one of the values or, without values, an integer from lo
// to hi.
type test struct {
	get    func(*Cell) string
	values map[string]bool
	lo, hi uint64
}

// selection has the conditions on the cells of a sweep: no cell matches one of exclude and, if
// there are any of only, each matches one of these.
type selection struct{ exclude, only []condition }

// all reports whether every cell is kept.
func (s *selection) all() bool { return len(s.exclude)+len(s.only) == 0 }

// keeps reports whether a cell is kept.
func (s *selection) keeps(c *Cell) bool {
	matches := func(cond condition) bool { return cond.matches(c) }
	return (len(s.only) == 0 || slices.ContainsFunc(s.only, matches)) && !slices.ContainsFunc(s.exclude, matches)
}

// matches reports whether the cell passes all tests.
func (cond condition) matches(c *Cell) bool {
	for _, t := range cond {
		if !t.passes(t.get(c)) {
			return false
		}
	}
	return true
}

func (t *test) passes(v string) bool {
	if len(t.values) > 0 {
		return t.values[v]
	}
	number, err := strconv.ParseUint(v, 10, 64)
	return err == nil && t.lo <= number && number <= t.hi
}

// conditionReader reads which cells are left out.
type conditionReader struct{ axisReader }

// leaveOut reads `exclude` and `only`, and reports whether cells are left.
func (r conditionReader) leaveOut(given map[string]*node, s *Spec, soundCells bool) bool {
	exclude, only := given["exclude"], given["only"]
	if exclude == nil && only == nil {
		return true
	}
	cells := s.cellsIf(soundCells)
	all := &scope{cells: cells, present: map[string]*presence{}}
	sound := r.sound(func() {
		if exclude != nil {
			s.exclude = r.conditions(exclude, "exclude", all)
		}
		if only != nil {
			s.only = r.conditions(only, "only", all)
		}
	})
	if !sound {
		return false
	}
	for i := range cells {
		if s.keeps(&cells[i]) {
			s.left++
		}
	}
	// Each condition of only keeps a cell. So exclude has left out the last one.
	if soundCells && s.left == 0 {
		r.errorf(exclude.pos, "exclude leaves no cell of the sweep")
		return false
	}
	return true
}

// scope is the cells that conditions are compared with; none if they are not sound.
type scope struct {
	cells   []Cell
	present map[string]*presence
}

// presence has the values of a field, in order of appearance.
type presence struct {
	values []string
	has    map[string]bool
}

// valuesOf returns the presence of a field. It takes a pass over all cells, once.
func (sc *scope) valuesOf(field string) *presence {
	p := sc.present[field]
	if p == nil {
		p = &presence{values: Values(sc.cells, field), has: map[string]bool{}}
		for _, v := range p.values {
			p.has[v] = true
		}
		sc.present[field] = p
	}
	return p
}

// idle reports whether the condition matches none of the cells.
func (sc *scope) idle(cond condition) bool {
	for i := range sc.cells {
		if cond.matches(&sc.cells[i]) {
			return false
		}
	}
	return len(sc.cells) > 0
}

// conditions reads `exclude` or `only`.
func (r conditionReader) conditions(n *node, what string, all *scope) []condition {
	if n.kind == sequence && len(n.items) > maxConditions {
		r.errorf(n.pos, "%s has %d conditions; there may be %d at most", what, len(n.items), maxConditions)
		return nil
	}
	var list []condition
	r.each(n, what, func(item *node) {
		var cond condition
		sound := r.sound(func() { cond = r.condition(item, what, all) })
		if item.kind == refused || !sound {
			return
		}
		list = append(list, cond)
		if all.idle(cond) {
			r.errorf(item.pos, "this condition of %s matches no cell", what)
		}
	})
	return list
}

// condition reads one mapping from fields to values.
func (r conditionReader) condition(n *node, what string, all *scope) condition {
	given := r.keys(n, "a condition of "+what, Fields())
	if n.kind == mapping && len(n.pairs) == 0 {
		r.errorf(n.pos, "a condition of %s names no field; it would match every cell", what)
	}
	var cond condition
	for _, name := range Fields() {
		if v, ok := given[name]; ok {
			cond = append(cond, r.test(v, name, what, all))
		}
	}
	return cond
}

// test reads a test: one or several values, which have to occur in the sweep, or a range.
func (r conditionReader) test(n *node, field, what string, all *scope) test {
	a := fieldAxis(field)
	t := test{get: getter(field)}
	if n.kind == mapping && a.kind.numeric() {
		t.lo, t.hi = r.between(n, field)
		return t
	}
	t.values = map[string]bool{}
	for _, v := range r.axisValues(r.valued(n, field), a) {
		t.values[v.text] = true
		if len(all.cells) == 0 || all.valuesOf(field).has[v.text] {
			continue
		}
		present := firstOf(all.valuesOf(field).values)
		r.hintf(v.pos, didYouMean(v.text, present), "%s names %s %q, which this sweep does not have: it has %s",
			what, field, shorten(v.text), shorten(strings.Join(present, ", ")))
	}
	return t
}

// firstOf returns the first values, for an error: a long list does not help.
func firstOf(values []string) []string { return values[:min(len(values), 100)] }

// fieldAxis returns the axis of a field. Algorithm and label are read like an axis of
// words.
func fieldAxis(field string) axis {
	if i := axisIndex(field); i >= 0 {
		return axes[i]
	}
	return axis{&setting.Condition{Name: field}, wordAxis}
}

func (r conditionReader) betweenFields(lo, hi *uint64) []field {
	return []field{
		{"from", false, integers(0, maxN).About("the least that matches"), func(n *node) { *lo = r.integer(n, "from", 0, maxN) }},
		{"to", false, integers(0, maxN).About("the most that matches"), func(n *node) { *hi = r.integer(n, "to", 0, maxN) }},
	}
}

// between reads a range of integers; either end may be missing.
func (r conditionReader) between(n *node, axis string) (lo, hi uint64) {
	what := "a range of " + axis + " in a condition"
	hi = maxN
	given := r.mapping(n, what, r.betweenFields(&lo, &hi))
	switch {
	case anyRefused(given): // reported already
	case len(n.pairs) == 0:
		r.errorf(n.pos, "%s has neither from nor to; it takes one of them at least", what)
	case lo > hi:
		r.errorf(given["from"].pos, "%s goes from %d to %d; from may not be above to", what, lo, hi)
	}
	return lo, hi
}
