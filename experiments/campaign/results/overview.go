package results

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"bullring/experiments/campaign/spec"
	"bullring/plots"
)

// Overview is a table of cells for readers. Caption and Head are in the markup of labels,
// Rows are plain text. Columns and Fields are summary.csv itself.
type Overview struct {
	Caption string
	Head    []string
	Rows    [][]string

	Columns []string
	Fields  [][]string
}

// Overview returns what readers want of summary.csv: the fields in which cells differ, and
// the mean with its interval for each metric that a figure draws.
func (f *Folder) Overview() (*Overview, error) {
	columns, rows, err := f.summary()
	if err != nil {
		return nil, err
	}
	var head []string
	var cells []func(row []string) string
	at := func(name string) int { return slices.Index(columns, name) }
	add := func(title string, cell func(row []string) string) {
		head, cells = append(head, title), append(cells, cell)
	}
	for _, name := range varying(columns, rows) {
		i := at(name)
		add(headOf(name), func(row []string) string {
			return cmp.Or(f.Spec.NameOf(name, row[i]), strings.ReplaceAll(row[i], "\n", "; "))
		})
	}
	times, unit := f.timeWords(columns, rows)
	if times == inBoth {
		add("unit of times", func(row []string) string { return row[unit] })
	}
	trials := at("trials")
	add("trials", func(row []string) string { return row[trials] })
	for _, metric := range f.tabulated(columns) {
		mean, lo, hi := at(metric+"_mean"), at(metric+"_lo"), at(metric+"_hi")
		title := strings.ReplaceAll(metric, "_", " ")
		add(title+" (95 % interval)", func(row []string) string {
			if row[lo] == "" {
				return Digits(row[mean])
			}
			return Digits(row[mean]) + " (" + Digits(row[lo]) + "; " + Digits(row[hi]) + ")"
		})
		if counted := at(metric + "_n"); slices.ContainsFunc(rows, func(row []string) bool { return row[counted] != row[trials] }) {
			add("of trials", func(row []string) string { return row[counted] })
		}
	}
	text := make([][]string, len(rows))
	for i, row := range rows {
		for _, cell := range cells {
			text[i] = append(text[i], cell(row))
		}
	}
	caption := plots.Markup(f.Spec.Title) + ". Means with their 95 % intervals: Student's *t*, of proportions Wilson's."
	if times != "" {
		caption += " Times are in " + times + "."
	}
	return &Overview{caption, head, text, columns, rows}, nil
}

// summary reads summary.csv, and checks that it has what the overview shows.
func (f *Folder) summary() (columns []string, rows [][]string, err error) {
	path := filepath.Join(f.Dir, SummaryFile)
	columns, rows, more, err := f.Table(SummaryFile, len(f.Cells))
	if err == nil && more {
		err = fmt.Errorf("%s has rows of more than the %d cells of the sweep", path, len(f.Cells))
	}
	needed := []string{"trials"}
	for _, metric := range f.tabulated(columns) {
		needed = append(needed, metric+"_mean", metric+"_lo", metric+"_hi", metric+"_n")
	}
	for _, name := range needed {
		if err == nil && rows != nil && !slices.Contains(columns, name) {
			err = fmt.Errorf("%s has no column %s", path, name)
		}
	}
	return columns, rows, err
}

// headOf is the head of a field's column.
func headOf(field string) string {
	if field == "n" {
		return "*n*"
	}
	return strings.ReplaceAll(field, "_", " ")
}

// varying are the fields in which cells differ. A label stands for algorithm and variant.
func varying(columns []string, rows [][]string) []string {
	var names []string
	for _, name := range spec.Fields() {
		i := slices.Index(columns, name)
		if i < 0 || !slices.ContainsFunc(rows, func(row []string) bool { return row[i] != rows[0][i] }) {
			continue
		}
		names = append(names, name)
	}
	if slices.Contains(names, "label") {
		names = slices.DeleteFunc(names, func(name string) bool { return name == "algorithm" })
	}
	return names
}

// tabulated are the metrics of the table: those of the figures, or messages if there are
// none.
func (f *Folder) tabulated(columns []string) []string {
	var names []string
	for i := range f.Spec.Figures {
		for _, name := range f.Spec.Figures[i].Metrics() {
			if !slices.Contains(names, name) && slices.Contains(columns, name+"_mean") {
				names = append(names, name)
			}
		}
	}
	if names == nil {
		names = []string{"messages"}
	}
	return names
}

// inBoth is the unit of times if delays are constant in some rows only.
const inBoth = "message delays where the unit of times is delay, else in seconds"

// timeWords returns the unit of the times in the table, and the index of the column that
// holds it. words is "" if the table has no times.
func (f *Folder) timeWords(columns []string, rows [][]string) (words string, unit int) {
	unit = slices.Index(columns, "time_unit")
	if unit < 0 || !slices.ContainsFunc(f.tabulated(columns), func(name string) bool {
		m, err := MetricOf(f.Registry, f.Spec, name)
		return err == nil && m.IsTime()
	}) {
		return "", unit
	}
	delays := func(row []string) bool { return row[unit] == "delay" }
	switch {
	case !slices.ContainsFunc(rows, delays):
		return "seconds", unit
	case slices.IndexFunc(rows, func(row []string) bool { return !delays(row) }) < 0:
		return "message delays", unit
	}
	return inBoth, unit
}

// Digits shortens a number for readers: a fraction has four significant digits. Other text
// stays.
func Digits(text string) string {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return text
	}
	if math.Abs(v) >= 1000 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return ShortNumber(v)
}
