package spec

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// group is axes that vary together: the k-th values of all of them belong together.
type group struct {
	axes []int // places in the table of axes, ascending
	pos  Pos
}

// level has the axes of one place: the included file, the sweep, or an entry of
// `algorithms`.
type level struct {
	values valueSets
	at     [len(axes)]Pos // the places of the values; zero if the level has none
	groups []group
}

// gives reports whether the level has values of the axis.
func (l *level) gives(axis int) bool { return l.at[axis] != Pos{} }

// overlay lays one level over another: values of an axis replace those below. A group below
// goes if all of its axes are replaced. It is an error to replace some of them: the rest
// would have nothing to vary with.
func (r axisReader) overlay(below, above *level) *level {
	merged := &level{values: below.values, at: below.at, groups: slices.Clone(above.groups)}
	for i := range axes {
		if above.gives(i) {
			merged.values[i], merged.at[i] = above.values[i], above.at[i]
		}
	}
	for _, g := range below.groups {
		var replaced, left []int
		for _, i := range g.axes {
			if above.gives(i) {
				replaced = append(replaced, i)
			} else {
				left = append(left, i)
			}
		}
		switch {
		case len(replaced) == 0:
			merged.groups = append(merged.groups, g)
		case len(left) > 0:
			at := above.at[replaced[0]]
			r.add(Error{Pos: at, Other: g.pos,
				Message: fmt.Sprintf("%s varies with %s, by the zip at %s: set %s here too, or neither",
					axes[replaced[0]].Name, axisNames(left), placeIn(g.pos, at), axisNames(left))})
		}
	}
	return merged
}

func axisNames(indices []int) string {
	names := make([]string, len(indices))
	for k, i := range indices {
		names[k] = axes[i].Name
	}
	return strings.Join(names, ", ")
}

// zip reads groups of axes that vary together. The axes of the level that vary by
// themselves have been read before.
func (r axisReader) zip(n *node, l *level) {
	r.each(n, "zip", func(item *node) {
		if g := r.group(item, l); g != nil {
			l.groups = append(l.groups, *g)
		}
	})
}

// group reads one group; nil after an error.
func (r axisReader) group(n *node, l *level) *group {
	g := &group{pos: n.pos}
	var given map[string]*node
	sound := r.sound(func() {
		given = r.keys(n, "a group of zip", GivenAxes())
		for i, a := range axes {
			v, ok := given[a.Name]
			if !ok {
				continue
			}
			if l.gives(i) {
				r.add(Error{Pos: v.pos, Other: l.at[i],
					Message: fmt.Sprintf("%s has values at %s already; an axis is either zipped, once, or varies by itself", a.Name, placeIn(l.at[i], v.pos))})
				continue
			}
			l.at[i], l.values[i] = v.pos, r.axis(v, a, r.listed)
			g.axes = append(g.axes, i)
		}
	})
	if !sound || anyRefused(given) || !r.sound(func() { r.vary(g, l, given) }) {
		return nil
	}
	return g
}

// vary refuses a group that cannot vary together.
func (r axisReader) vary(g *group, l *level, given map[string]*node) {
	if len(g.axes) < 2 {
		r.errorf(g.pos, "a group of zip takes two axes at least, which vary together; this one has %s", cmp.Or(axisNames(g.axes), "none"))
		return
	}
	first := g.axes[0]
	count := len(l.values[first])
	for _, i := range g.axes[1:] {
		if n := len(l.values[i]); n != count {
			r.errorf(given[axes[i].Name].pos, "%s has %d values and %s has %d; axes that vary together have equally many",
				axes[i].Name, n, axes[first].Name, count)
			return
		}
	}
	seen := map[string]bool{}
	for k, v := range l.values[first] {
		point := g.point(&l.values, k)
		if seen[point] {
			r.errorf(v.pos, "the group has %s twice", shorten(point))
		}
		seen[point] = true
	}
}

// point names the k-th point of the group. Different points have different names.
func (g *group) point(values *valueSets, k int) string {
	words := make([]string, len(g.axes))
	for j, i := range g.axes {
		words[j] = axes[i].Name + "=" + quoteIfNeeded(values[i][k].text)
	}
	return strings.Join(words, " ")
}
