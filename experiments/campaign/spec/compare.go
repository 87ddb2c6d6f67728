package spec

import (
	"fmt"
	"slices"
	"strings"
)

// Comparison compares cells with a baseline, replicate by replicate. The partner of a cell
// is the cell of the baseline with the same Key.
type Comparison struct {
	Baseline string   // the label of the cells to compare with
	Metrics  []string // to compare
	Pos      Pos
}

// comparisonReader reads what is compared.
type comparisonReader struct{ metricReader }

// comparisons reads `compare`.
func (r comparisonReader) comparisons(n *node, s *Spec, cells []Cell) {
	first := map[string]Pos{}
	r.each(n, "compare", func(item *node) {
		c := r.comparison(item, s, cells)
		earlier, dup := first[c.Baseline]
		switch {
		case c.Baseline == "": // reported already
		case dup:
			r.add(Error{Pos: item.pos, Other: earlier,
				Message: fmt.Sprintf("two comparisons have the baseline %q, the first at %s; put all metrics into one", c.Baseline, placeIn(earlier, item.pos))})
		default:
			first[c.Baseline] = item.pos
		}
		s.Compare = append(s.Compare, c)
	})
}

// comparison reads one comparison.
func (r comparisonReader) comparison(n *node, s *Spec, cells []Cell) Comparison {
	c := Comparison{Metrics: []string{"messages"}, Pos: n.pos}
	r.mapping(n, "a comparison", r.comparisonFields(&c, s, cells))
	return c
}

func (r comparisonReader) comparisonFields(c *Comparison, s *Spec, cells []Cell) []field {
	return []field{
		{"baseline", true, line().About("label of the entry to compare with"), func(n *node) { c.Baseline = r.baseline(n, s, cells) }},
		{"metrics", false, oneOrMore(ref("shown")).About("to compare; default: messages"), func(n *node) { c.Metrics = r.metrics(n, "metrics", true) }},
	}
}

// baseline reads the label of a baseline; "" after an error. Without sound cells only its
// text is checked.
func (r comparisonReader) baseline(n *node, s *Spec, cells []Cell) string {
	label := r.line(n, "baseline")
	if label == "" || len(cells) == 0 {
		return label
	}
	labels := s.labels()
	if !slices.Contains(labels, label) {
		r.hintf(n.pos, didYouMean(label, labels), "baseline is %q, but no entry has that label; the labels are %s",
			shorten(label), shorten(strings.Join(labels, ", ")))
		return ""
	}
	r.partners(n.pos, label, cells)
	return label
}

// partners refuses a baseline if the partner of a cell is not unique, or if no cell has a
// partner.
func (r comparisonReader) partners(at Pos, label string, cells []Cell) {
	var own []Cell
	var keys []string
	isOwn := map[string]bool{}
	for _, c := range cells {
		if c.Label == label {
			own, keys = append(own, c), append(keys, c.Key())
			isOwn[c.Key()] = true
		}
	}
	if fields := tellApart(own, keys, "label"); len(fields) > 0 {
		r.errorf(at, "cells of the baseline %q run under the same conditions and differ in %s, so the partner of another cell is ambiguous: give them different labels",
			shorten(label), strings.Join(fields, ", "))
		return
	}
	if !slices.ContainsFunc(cells, func(c Cell) bool { return c.Label != label && isOwn[c.Key()] }) {
		r.errorf(at, "no other cell runs under the conditions of a cell of the baseline %q: there is nothing to compare", shorten(label))
	}
}
