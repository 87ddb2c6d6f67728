package figures

import (
	"fmt"
	"slices"
	"strings"

	"bullring/experiments/campaign/spec"
	"bullring/plots"
)

// conditionWords says under which conditions the trials of a figure ran, as far as its
// axes and its legend do not: what all have in common, or most, then what is otherwise
// in some series, what varies along them, and what differs at one place.
func (c caption) conditionWords() string {
	var common, along, pooled []string
	others := make([][]string, len(c.lines))
	for _, field := range append([]string{"algorithm"}, spec.Axes()...) {
		if c.shown(field) {
			continue
		}
		values, how := c.valuesOf(field)
		switch how {
		case variesAtOnePlace:
			pooled = append(pooled, field)
			continue
		case variesAlong:
			along = append(along, field)
			continue
		}
		usual := mostCommon(values)
		if matters(field, usual) {
			common = append(common, conditionOf(field, usual))
		}
		for i, v := range values {
			if v != usual {
				others[i] = append(others[i], conditionOf(field, v))
			}
		}
	}
	text := ""
	if common != nil {
		text = "Conditions: " + strings.Join(common, ", ") + "."
	}
	var apart []string
	for i, l := range c.lines {
		if others[i] != nil {
			apart = append(apart, l.label+" ("+strings.Join(others[i], ", ")+")")
		}
	}
	if apart != nil {
		text += " Otherwise: " + strings.Join(apart, "; ") + "."
	}
	if along != nil {
		text += " Along x vary also: " + plots.Escape(strings.Join(along, ", ")) + "."
	}
	if pooled != nil {
		text += " Pooled over " + plots.Escape(strings.Join(pooled, ", ")) + "."
	}
	return strings.TrimSpace(text)
}

// shown reports whether axes or legend tell the values of a field.
func (c caption) shown(field string) bool {
	return c.x != nil && field == c.X.Name || c.y != nil && field == c.Y.Name ||
		slices.Contains(c.Series, field) || field == "algorithm" && c.named()
}

// named reports whether the legend, or the names along x, are algorithms.
func (c caption) named() bool {
	for _, l := range c.lines {
		if l.label == "" {
			return false
		}
	}
	return slices.Contains(c.Series, "label") && len(c.lines) > 1
}

// How a field varies in the series of a figure.
const (
	fixed            = iota // each series has one value of it
	variesAlong             // each place of a series has
	variesAtOnePlace        // values that are drawn as one differ in it
)

// valuesOf are the values of a field in the cells of each line, and how it varies.
func (c caption) valuesOf(field string) (values []string, how int) {
	type point struct {
		*line
		x float64
	}
	first, places := map[*line]string{}, map[point]string{}
	for _, cell := range c.drawn() {
		p := c.places[cell]
		v, _ := c.Cells[cell].Field(field)
		if other, ok := first[p.line]; !ok {
			first[p.line] = v
		} else if other != v {
			how = max(how, variesAlong)
		}
		at := point{line: p.line, x: p.x}
		if other, ok := places[at]; ok && other != v {
			how = variesAtOnePlace
		}
		places[at] = v
	}
	for _, l := range c.lines {
		values = append(values, first[l])
	}
	return values, how
}

// mostCommon is the first of the values that there are most of.
func mostCommon(values []string) string {
	best, most := "", 0
	for _, v := range values {
		times := 0
		for _, other := range values {
			if other == v {
				times++
			}
		}
		if times > most {
			best, most = v, times
		}
	}
	return best
}

// matters reports whether a condition is worth telling: what is left to the algorithm,
// or is not there, is not.
func matters(field, value string) bool {
	switch field {
	case "dead":
		return value != "none"
	case "fifo":
		return value != "true"
	}
	return value != ""
}

// conditionOf is a condition in words.
func conditionOf(field, value string) string {
	switch {
	case field == "n" || field == "fifo" || field == "delay" || field == "fault" && value == "" || field == "dead" && value == "none":
		return fieldWords(field, value)
	case value == "" && field == "link":
		return "links that only delay"
	case value == "":
		value = "default"
	}
	return plots.Escape(strings.ReplaceAll(fmt.Sprintf("%s %s", field, value), "\n", "; "))
}
