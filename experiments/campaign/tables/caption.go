package tables

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/spec"
	"bullring/plots"
)

// caption is the caption of a table: the words of the spec, what its numbers are, and the
// conditions of its trials that neither rows nor columns tell.
func (m *making) caption(t *Table) string {
	parts := []string{sentence(cmp.Or(m.asked.Caption, m.Spec.Title)), m.measureWords(), t.statisticWords(), m.trialWords(), m.conditionWords()}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), " ")
}

// measureWords explain the heads of metrics and bounds, each once.
func (m *making) measureWords() string {
	var words []string
	for k := range m.measures {
		one := &m.measures[k]
		text := ""
		switch {
		case one.Kind == spec.OfBound:
			text = "“" + one.words() + "” is for " + strings.Join(one.theory, "; for ")
		case one.Kind == spec.OfMetric && one.metric.Formula == nil && one.Label == "" && one.metric.Axis != escaped(one.Name):
			text = escaped(one.Name) + " is " + one.metric.Axis
		}
		if text != "" && !slices.Contains(words, text) {
			words = append(words, text)
		}
	}
	if words == nil {
		return ""
	}
	return "Here " + strings.Join(words, "; ") + "."
}

// statisticWords explain what stands beside the values.
func (t *Table) statisticWords() string {
	halves, ends := false, false
	for _, r := range t.rows {
		for i := range r.cells {
			halves, ends = halves || r.cells[i].half != "", ends || r.cells[i].ends[0] != ""
		}
	}
	switch {
	case halves && ends:
		return "Means ± half of their 95 % intervals (Student's *t*); of proportions the intervals are in brackets (Wilson)."
	case halves:
		return "Means ± half of their 95 % intervals (Student's *t*)."
	case ends:
		return "Proportions with their 95 % intervals in brackets (Wilson)."
	}
	return ""
}

// trialWords say how many trials a cell has.
func (m *making) trialWords() string {
	least, most := -1, 0
	for _, at := range m.at {
		r := m.records[at]
		if r == nil {
			continue
		}
		if n, ok, err := numberIn(r, trialsColumn); ok && err == nil {
			if least < 0 || int(n) < least {
				least = int(n)
			}
			most = max(most, int(n))
		}
	}
	switch {
	case least < 0:
		return ""
	case least < most:
		return fmt.Sprintf("%d to %d trials a cell.", least, most)
	case most == 1:
		return "1 trial a cell."
	}
	return fmt.Sprintf("%d trials a cell.", most)
}

// conditionWords say under which conditions the trials ran: those that all cells have in common, or
// most, what names of values stand for, and what some rows or columns have of their own.
func (m *making) conditionWords() string {
	var common, named []string
	own := &owners{making: m, words: map[string][]string{}}
	shown := slices.Concat(m.asked.Rows, m.asked.Columns)
	for _, field := range append([]string{"algorithm"}, spec.Axes()...) {
		values := spec.Values(m.cells, field)
		switch {
		case slices.Contains(shown, field):
			for _, v := range values {
				if name := m.Spec.NameOf(field, v); name != "" {
					named = append(named, plots.Escape(name)+" is "+condition(field, v))
				}
			}
		case len(values) > 1:
			if usual, there := own.tell(field, shown); there && matters(field, usual) {
				common = append(common, condition(field, usual))
			}
		case matters(field, values[0]):
			common = append(common, condition(field, values[0]))
		}
	}
	var parts []string
	for _, part := range []struct {
		head, separator string
		words           []string
	}{{"Conditions: ", ", ", common}, {"", "; ", named}, {"Of their own: ", "; ", own.list()}} {
		if part.words != nil {
			parts = append(parts, part.head+strings.Join(part.words, part.separator)+".")
		}
	}
	return strings.Join(parts, " ")
}

// owners are the rows or columns that have conditions of their own.
type owners struct {
	*making
	names []string // in order
	words map[string][]string
}

// list names each with its conditions in brackets.
func (o *owners) list() (all []string) {
	for _, name := range o.names {
		all = append(all, name+" ("+strings.Join(o.words[name], ", ")+")")
	}
	return all
}

// tell notes which rows or columns have which value of a field that is not shown: by the first
// shown field that decides it, or by all of them. Those with the usual value, which most have, are
// left out; of algorithms none is usual.
func (o *owners) tell(field string, shown []string) (usual string, there bool) {
	by := shown
	for _, one := range shown {
		if o.decides([]string{one}, field) {
			by = []string{one}
			break
		}
	}
	var names, values []string
	seen := map[string]bool{}
	for i := range o.cells {
		who := o.keyOf(i, by)
		if seen[who.text] {
			continue
		}
		seen[who.text] = true
		v, _ := o.cells[i].Field(field)
		names, values = append(names, o.nameOf(by, who.values)), append(values, v)
	}
	if there = field != "algorithm"; there {
		usual = mostCommon(values)
	}
	for i, v := range values {
		if there && v == usual || field == "algorithm" && names[i] == plots.Escape(v) {
			continue
		}
		if o.words[names[i]] == nil {
			o.names = append(o.names, names[i])
		}
		o.words[names[i]] = append(o.words[names[i]], strings.TrimPrefix(condition(field, v), "algorithm "))
	}
	return usual, there
}

// nameOf names a row or a column by the values of some fields.
func (o *owners) nameOf(fields, values []string) string {
	names := make([]string, len(fields))
	for k, field := range fields {
		names[k] = results.CategoryWords(o.Spec, field, values[k])
		if field == "n" {
			names[k] = results.FieldWords(field, values[k])
		}
	}
	return strings.Join(names, ", ")
}

// mostCommon is the first of the values that there are most of.
func mostCommon(values []string) (usual string) {
	times, most := map[string]int{}, 0
	for _, v := range values {
		times[v]++
	}
	for _, v := range values {
		if times[v] > most {
			usual, most = v, times[v]
		}
	}
	return usual
}

// condition is a condition in words.
func condition(field, value string) string {
	return results.ConditionWords(field, plots.Escape(value))
}

// matters reports whether a condition that all cells have is worth telling.
func matters(field, value string) bool {
	return value != "" && (field != "dead" || value != "none") && (field != "fifo" || value != "true")
}

// decides reports whether cells with equal values of some fields have equal ones of another.
func (m *making) decides(fields []string, other string) bool {
	first := map[string]string{}
	for i := range m.cells {
		who := m.keyOf(i, fields).text
		v, _ := m.cells[i].Field(other)
		if earlier, seen := first[who]; seen && earlier != v {
			return false
		}
		first[who] = v
	}
	return true
}

// mostReasons is the largest number of reasons that a note tells.
const mostReasons = 4

// notes explain the marks of a table.
func (m *making) notes(t *Table) []string {
	if !slices.ContainsFunc(t.rows, func(r row) bool { return slices.ContainsFunc(r.cells, func(c cell) bool { return c.mark }) }) {
		return nil
	}
	var reasons []string
	some := false
	for _, at := range m.at {
		o := m.outside[at]
		if o == nil {
			continue
		}
		some = some || o.Outside < o.Trials
		for _, reason := range o.Reasons {
			if !slices.Contains(reasons, reason) {
				reasons = append(reasons, reason)
			}
		}
	}
	if more := len(reasons) - mostReasons; more > 0 {
		reasons = append(reasons[:mostReasons], fmt.Sprintf("%d more reasons", more))
	}
	who := "Trials"
	if some {
		who = "Trials, or some of them,"
	}
	return []string{dagger + " " + who + " outside the model of the algorithm, which promises nothing there: " + plots.Escape(strings.Join(reasons, "; ")) + "."}
}
