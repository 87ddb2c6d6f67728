package tables

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bullring/plots"
)

// Markdown returns the table in Markdown, with one row of heads.
func (t *Table) Markdown() string {
	head, rows := t.Flat("--")
	var b strings.Builder
	line := func(cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	fmt.Fprintf(&b, "%s\n\n", markdown(plots.Plain(t.Caption)))
	rules := make([]string, len(head))
	for i := range head {
		head[i] = markdown(plots.Plain(head[i]))
		if rules[i] = "---"; i >= len(t.stubs) {
			rules[i] = "--:"
		}
	}
	line(head)
	line(rules)
	for _, r := range rows {
		for i := range r {
			r[i] = markdown(r[i])
		}
		line(r)
	}
	for _, n := range t.Notes {
		fmt.Fprintf(&b, "\n%s\n", markdown(plots.Plain(n)))
	}
	return b.String()
}

// markdown escapes characters that a table or emphasis would interpret.
func markdown(text string) string {
	return strings.NewReplacer(`\`, `\\`, "|", `\|`, "*", `\*`, "<", "&lt;", "_", `\_`, "`", "\\`", "\n", " ").Replace(text)
}

// CSV returns the table as CSV, with all digits: a value, the ends of its interval if a number of
// the column has one, and whether trials are outside the model if some of the column are.
func (t *Table) CSV() string {
	var head []string
	for _, s := range t.stubs {
		head = append(head, plots.Plain(s.head))
	}
	for i, h := range t.flatHeads() {
		name := plots.Plain(h)
		head = append(head, name)
		if t.paired(i) {
			head = append(head, name+" lo", name+" hi")
		}
		if t.marked(i) {
			head = append(head, name+" outside")
		}
	}
	records := [][]string{head}
	for _, r := range t.rows {
		var fields []string
		for _, text := range r.stubs {
			fields = append(fields, plots.Plain(text))
		}
		for i := range r.cells {
			fields = slices.Concat(fields, t.fieldsOf(&r.cells[i], i))
		}
		records = append(records, fields)
	}
	var text bytes.Buffer
	_ = csv.NewWriter(&text).WriteAll(records) // a buffer takes all
	return text.String()
}

// fieldsOf are the fields of a number in CSV.
func (t *Table) fieldsOf(c *cell, column int) (fields []string) {
	field := func(v float64, there bool) {
		text := ""
		if there {
			text = strconv.FormatFloat(v, 'g', -1, 64)
		}
		fields = append(fields, text)
	}
	field(c.value, c.ok)
	if t.paired(column) {
		field(c.lo, c.interval)
		field(c.hi, c.interval)
	}
	if t.marked(column) {
		fields = append(fields, strconv.FormatBool(c.mark))
	}
	return fields
}
