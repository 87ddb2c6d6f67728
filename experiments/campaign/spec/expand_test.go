package spec

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"bullring/experiments/trial/setting"
)

// drawnAxes are axes with values that conditions and zips can be made of.
var drawnAxes = []struct {
	name   string
	values []string
}{
	{"placement", []string{"increasing", "decreasing", "random"}},
	{"dead", []string{"none", "0", "1", "2", "7"}},
	{"delay", []string{"1ms", "2ms", "3ms"}},
	{"max_time", []string{"1s", "2s", "3s", "4s"}},
	{"fifo", []string{"true", "false"}},
	{"n", []string{"2", "3", "4", "8"}},
}

// plainLevel is a level in the model: columns of axes that vary together, with rows of
// values.
type plainLevel []plainColumn

type plainColumn struct {
	axes []string
	rows [][]string
}

// drawLevel draws columns over some of the axes.
func drawLevel(t *rapid.T, names []string) plainLevel {
	var l plainLevel
	for len(names) > 0 {
		width := min(rapid.IntRange(1, 3).Draw(t, "width"), len(names))
		c := plainColumn{axes: names[:width]}
		names = names[width:]
		for range rapid.IntRange(1, 3).Draw(t, "rows") {
			row := make([]string, width)
			for i, name := range c.axes {
				row[i] = rapid.SampledFrom(valuesOf(name)).Draw(t, name)
			}
			if !slices.ContainsFunc(c.rows, func(r []string) bool { return slices.Equal(r, row) }) {
				c.rows = append(c.rows, row)
			}
		}
		l = append(l, c)
	}
	return l
}

func valuesOf(name string) []string {
	for _, a := range drawnAxes {
		if a.name == name {
			return a.values
		}
	}
	return nil
}

// alone writes the axes that vary by themselves, and zips the zipped ones.
func (l plainLevel) alone() string {
	var keys []string
	for _, c := range l {
		if len(c.axes) == 1 {
			keys = append(keys, c.text(0))
		}
	}
	return strings.Join(keys, ", ")
}

func (l plainLevel) zips() string {
	var groups []string
	for _, c := range l {
		if len(c.axes) > 1 {
			keys := make([]string, len(c.axes))
			for i := range c.axes {
				keys[i] = c.text(i)
			}
			groups = append(groups, "{"+strings.Join(keys, ", ")+"}")
		}
	}
	return strings.Join(groups, ", ")
}

func (c plainColumn) text(i int) string {
	values := make([]string, len(c.rows))
	for k, row := range c.rows {
		values[k] = row[i]
	}
	return c.axes[i] + ": [" + strings.Join(values, ", ") + "]"
}

// plainCondition is a field and the values to match.
type plainCondition map[string][]string

// drawConditions draws conditions of values that cells have and, rarely, of any.
func drawConditions(t *rapid.T, what string, cells []Cell) []plainCondition {
	var list []plainCondition
	for range rapid.IntRange(0, 2).Draw(t, what) {
		c := plainCondition{}
		for range rapid.IntRange(1, 2).Draw(t, "fields") {
			a := rapid.SampledFrom(drawnAxes).Draw(t, "field")
			values := Values(cells, a.name)
			if len(values) == 0 || rapid.IntRange(0, 9).Draw(t, "any") == 9 {
				values = a.values
			}
			c[a.name] = rapid.SliceOfNDistinct(rapid.SampledFrom(values), 1, min(2, len(values)), rapid.ID).Draw(t, "values")
		}
		list = append(list, c)
	}
	return list
}

func conditionsText(list []plainCondition) string {
	items := make([]string, len(list))
	for i, c := range list {
		var keys []string
		for _, a := range drawnAxes {
			if values := c[a.name]; values != nil {
				keys = append(keys, a.name+": ["+strings.Join(values, ", ")+"]")
			}
		}
		items[i] = "{" + strings.Join(keys, ", ") + "}"
	}
	return "[" + strings.Join(items, ", ") + "]"
}

func (c plainCondition) matches(cell Cell) bool {
	for name, values := range c {
		if v, _ := cell.Field(name); !slices.Contains(values, v) {
			return false
		}
	}
	return true
}

// expand is the naive expansion: an odometer over the rows of the columns. The
// columns turn in the order of their first axis, the last one fastest.
func expand(entry int, algorithm string, l plainLevel) []Cell {
	l = slices.Clone(l)
	first := func(c plainColumn) int {
		least := len(axes)
		for _, name := range c.axes {
			least = min(least, axisIndex(name))
		}
		return least
	}
	slices.SortFunc(l, func(a, b plainColumn) int { return first(a) - first(b) })
	at := make([]int, len(l))
	var cells []Cell
	for {
		c := Cell{Entry: entry, Label: algorithm, Setting: setting.Setting{Algorithm: algorithm, Placement: "increasing", Dead: "none", Delay: "1ms"}}
		for i, column := range l {
			for j, name := range column.axes {
				axes[axisIndex(name)].set(&c, column.rows[at[i]][j])
			}
		}
		cells = append(cells, c)
		i := len(l) - 1
		for ; i >= 0; i-- {
			if at[i]++; at[i] < len(l[i].rows) {
				break
			}
			at[i] = 0
		}
		if i < 0 {
			return cells
		}
	}
}

// over is the model of overriding; false when a group would be torn.
func (l plainLevel) overlay(below plainLevel) (plainLevel, bool) {
	all := slices.Clone(l)
	for _, c := range below {
		replaced := 0
		for _, name := range c.axes {
			if slices.ContainsFunc(l, func(own plainColumn) bool { return slices.Contains(own.axes, name) }) {
				replaced++
			}
		}
		switch replaced {
		case 0:
			all = append(all, c)
		case len(c.axes):
		default:
			return nil, false
		}
	}
	return all, true
}

// drawOrder draws the axes in some order.
func drawOrder(t *rapid.T) []string {
	names := make([]string, len(drawnAxes))
	for i, a := range drawnAxes {
		names[i] = a.name
	}
	return rapid.Permutation(names).Draw(t, "order")
}

// drawOverridden draws axes that an entry overrides: whole columns and, rarely, the
// first axis of one that may have more.
func drawOverridden(t *rapid.T, shared plainLevel) []string {
	var names []string
	for _, c := range shared {
		switch pick := rapid.IntRange(0, 9).Draw(t, "override"); {
		case pick == 9:
			names = append(names, c.axes[0])
		case pick >= 5:
			names = append(names, c.axes...)
		}
	}
	return names
}

// With any zips, overrides and conditions, the cells are those of an odometer. The sweep is
// refused if a group is torn, a condition is idle or no cell is left.
func TestCellsAgreeWithNaiveExpansion(t *testing.T) {
	accepted := 0
	rapid.Check(t, func(t *rapid.T) {
		shared := drawLevel(t, drawOrder(t))
		own := drawLevel(t, drawOverridden(t, shared))
		all := expansion(shared, own)
		exclude, only := drawConditions(t, "exclude", all), drawConditions(t, "only", all)
		text := fmt.Sprintf("name: a\nalgorithms: [lcr, {algorithm: hs%s%s}]\naxes: {%s}\n",
			after(own.alone(), ", %s"), after(own.zips(), ", zip: [%s]"), shared.alone())
		text += after(shared.zips(), "zip: [%s]\n")
		if exclude != nil {
			text += "exclude: " + conditionsText(exclude) + "\n"
		}
		if only != nil {
			text += "only: " + conditionsText(only) + "\n"
		}
		want, right := model(all, exclude, only)

		s, err := Parse("a.yaml", []byte(text), Checker{})
		if (err == nil) != right {
			t.Fatalf("%s\nis right: %v; the error is %v", text, right, err)
		}
		if err != nil {
			return
		}
		accepted++
		if got := s.Cells(); !slices.Equal(got, want) {
			t.Fatalf("%s\nhas the cells\n%v, want\n%v", text, got, want)
		}
		if s.cellCount() != int64(len(want)) {
			t.Fatalf("%s\ncounts %d cells, want %d", text, s.cellCount(), len(want))
		}
	})
	if accepted == 0 {
		t.Error("no sweep that was drawn is right")
	}
}

func after(text, format string) string {
	if text == "" {
		return ""
	}
	return fmt.Sprintf(format, text)
}

// expansion returns the cells of both entries, or none if a group is torn.
func expansion(shared, own plainLevel) []Cell {
	merged, whole := own.overlay(shared)
	if !whole {
		return nil
	}
	return append(expand(0, "lcr", shared), expand(1, "hs", merged)...)
}

// model returns the cells that are left, and whether the sweep is right.
func model(all []Cell, exclude, only []plainCondition) ([]Cell, bool) {
	for _, c := range slices.Concat(exclude, only) {
		if !slices.ContainsFunc(all, c.matches) {
			return nil, false
		}
		for name, values := range c { // each value has to occur
			for _, v := range values {
				if !slices.Contains(Values(all, name), v) {
					return nil, false
				}
			}
		}
	}
	var kept []Cell
	for _, cell := range all {
		matches := func(c plainCondition) bool { return c.matches(cell) }
		if (only == nil || slices.ContainsFunc(only, matches)) && !slices.ContainsFunc(exclude, matches) {
			kept = append(kept, cell)
		}
	}
	return kept, len(kept) > 0
}
