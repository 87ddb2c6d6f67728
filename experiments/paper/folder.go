package paper

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"bullring/experiments/results"
	"bullring/experiments/spec"
	"bullring/internal/build"
	"bullring/internal/regular"
	"bullring/internal/wholefile"
	"bullring/plots"
)

// Document is a file of text.
type Document struct{ Name, Text string }

// WriteDocuments writes the documents of the folder and enters them, and the figures, into
// its manifest. They hold nothing that is not the same on every machine.
func WriteDocuments(a *results.Folder, m *results.Manifest, figures []results.FileInfo) error {
	m.Figures, m.Documents, m.Writer = figures, nil, &results.Writer{Program: build.ThisProgram(), Machine: build.ThisMachine()}
	l, err := results.LayoutOf(a.Registry, a.Spec)
	if err != nil {
		return err
	}
	table, err := latexSummary(a)
	if err != nil {
		return err
	}
	papers, err := a.Registry.Papers(l.Algorithms)
	if err != nil {
		return err
	}
	for _, d := range []Document{
		{results.TableFile, table},
		{results.PapersFile, bibTeX(papers, m.Program)},
		{results.CitationFile, citationCFF(plots.Plain(a.Spec.Title), m.Program, papers)},
		{results.ReproduceFile, reproduce(a, m)},
		{results.ReadmeFile, readme(a, m)},
	} {
		info, err := wholefile.Write(filepath.Join(a.Dir, d.Name), []byte(d.Text))
		if err != nil {
			return err
		}
		m.Documents = append(m.Documents, results.FileInfo{Info: info})
	}
	if err := os.Chmod(filepath.Join(a.Dir, results.ReproduceFile), 0o755); err != nil {
		return err
	}
	return m.Write(a.Dir)
}

// readTable reads a table of the folder that has a row a cell at most; no rows if it is
// not there.
func readTable(a *results.Folder, name string) (columns []string, rows [][]string, err error) {
	f, err := regular.Open(filepath.Join(a.Dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	in := results.NewTableReader(f)
	for {
		row, err := in.Read()
		switch {
		case err == io.EOF:
			return columns, rows, nil
		case err != nil:
			return nil, nil, fmt.Errorf("%s: %w", f.Name(), err)
		case columns == nil:
			for _, header := range row {
				columns = append(columns, results.ColumnName(header))
			}
		case len(rows) == len(a.Cells):
			return nil, nil, fmt.Errorf("%s has rows of more than the %d cells of the sweep", f.Name(), len(a.Cells))
		default:
			rows = append(rows, row)
		}
	}
}

// reproduce is the script that makes the tables again and compares.
func reproduce(a *results.Folder, m *results.Manifest) string {
	flags := ""
	if m.Outside && !a.Spec.OutsideModel {
		flags = " --outside-model"
	}
	var hashes, names strings.Builder
	for _, f := range m.Files {
		fmt.Fprintf(&hashes, "#   %s  %s\n", f.SHA256, f.Name)
		names.WriteString(" " + results.QuoteShell(f.Name))
	}
	return fmt.Sprintf(`#!/bin/sh
# Makes the results of the sweep %[1]s again, and says whether they are the same.
#
#   ./reproduce.sh            all %[2]d trials, into ../%[1]s-again, and compares the tables
#   ./reproduce.sh DIR        into another folder
#   ./reproduce.sh --smoke    20 trials or 1 %% of them, compared one by one
#
# It ends with status 0 if they are.
#
# It takes bullring %[3]s, or another version of epoch %[4]d, in the path, or
# BULLRING=/path/of/bullring. %[5]s tells how long it took.
# Expected, by SHA-256:
%[6]sset -eu
case ${1:-} in
	"" | --smoke | /*) out=${1:-../%[1]s-again} ;;
	*) out=$PWD/$1 ;;
esac
cd "$(dirname "$0")"
bullring=${BULLRING:-bullring}
if [ "${1:-}" = --smoke ]; then
	exec "$bullring" verify . --sample 1%%
fi
# Statuses 1 and 3 are of checks that are violated or undecided: so are the recorded ones.
ran=0
"$bullring" sweep %[7]s -o "$out"%[8]s || ran=$?
case $ran in
	0 | 1 | 3) ;;
	*) exit $ran ;;
esac
status=0
for file in%[9]s; do
	if cmp "./$file" "$out/$file"; then
		echo "same       $file"
	else
		status=1
	fi
done
exit $status
`, a.Spec.Name, m.Rows, m.Program, m.Epoch, results.ManifestFile, hashes.String(), results.SpecFile, flags, names.String())
}

// latexSummary is summary.csv as a table of LaTeX: what tells cells apart, and of
// each metric that a figure draws the mean with its interval.
func latexSummary(a *results.Folder) (string, error) {
	columns, rows, err := readTable(a, results.SummaryFile)
	if err != nil {
		return "", err
	}
	var head []string
	var cells []func(row []string) string
	at := func(name string) int { return slices.Index(columns, name) }
	add := func(title string, cell func(row []string) string) {
		head, cells = append(head, title), append(cells, cell)
	}
	for _, name := range varying(columns, rows) {
		i := at(name)
		add(headOf(name), func(row []string) string { return strings.ReplaceAll(row[i], "\n", "; ") })
	}
	times, unit := timeWords(a, columns, rows)
	if times == inBoth {
		add("unit of times", func(row []string) string { return row[unit] })
	}
	trials := at("trials")
	add("trials", func(row []string) string { return row[trials] })
	for _, metric := range tabulatedColumns(a, columns) {
		mean, lo, hi := at(metric+"_mean"), at(metric+"_lo"), at(metric+"_hi")
		title := strings.ReplaceAll(metric, "_", " ")
		add(title+" (95 % interval)", func(row []string) string {
			if row[lo] == "" {
				return digits(row[mean])
			}
			return digits(row[mean]) + " (" + digits(row[lo]) + "; " + digits(row[hi]) + ")"
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
	caption := plots.Markup(a.Spec.Title) + ". Means with their 95 % intervals: Student's *t*, of proportions Wilson's."
	if times != "" {
		caption += " Times are in " + times + "."
	}
	return latexTable(caption, "tab:"+a.Spec.Name, head, text), nil
}

// headOf is a field's name above a column.
func headOf(field string) string {
	if field == "n" {
		return "*n*"
	}
	return strings.ReplaceAll(field, "_", " ")
}

// varying are the fields of cells that differ between rows; a label says what
// algorithm and variant say.
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

// tabulatedColumns are the metrics of the table: those that figures draw, else messages.
func tabulatedColumns(a *results.Folder, columns []string) []string {
	var names []string
	for i := range a.Spec.Figures {
		name := a.Spec.Figures[i].Metric().Name
		if !slices.Contains(names, name) && slices.Contains(columns, name+"_mean") {
			names = append(names, name)
		}
	}
	if names == nil {
		names = []string{"messages"}
	}
	return names
}

// inBoth is what times are counted in where delays are constant in some rows alone.
const inBoth = "message delays where the unit of times is delay, else in seconds"

// timeWords is what times of the rows are counted in, "" if the table has none, and the
// column that tells.
func timeWords(a *results.Folder, columns []string, rows [][]string) (words string, unit int) {
	unit = slices.Index(columns, "time_unit")
	if unit < 0 || !slices.ContainsFunc(tabulatedColumns(a, columns), func(name string) bool {
		m, err := results.MetricOf(a.Registry, a.Spec, name)
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

// digits is a number for people: of a fraction, four digits that count.
func digits(text string) string {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return text
	}
	if math.Abs(v) >= 1000 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return results.ShortNumber(v)
}
