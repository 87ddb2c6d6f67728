package paper

import (
	"strconv"
	"strings"

	"bullring/plots"
)

// longTable is the number of rows beyond which a table may break across pages.
const longTable = 40

// latexTable returns a table of LaTeX with the rules of booktabs; it is a longtable if it
// has more than longTable rows. The caption and the head are in the markup of labels, rows
// are plain text. Empty cells become dashes. Columns of numbers and intervals are aligned
// right.
func latexTable(caption, label string, head []string, rows [][]string) string {
	t := tableWriter{columns: columnTypes(head, rows), caption: plots.LaTeX(caption), label: LatexLabel(label)}
	titles := make([]string, len(head))
	for i, h := range head {
		titles[i] = plots.LaTeX(strings.TrimSpace(h))
	}
	t.head = tableRow(titles)
	for _, row := range rows {
		cells := make([]string, len(head))
		for i := range head {
			cells[i] = latexCell(row[i])
		}
		t.rows = append(t.rows, tableRow(cells))
	}
	if len(rows) > longTable {
		return t.long()
	}
	return t.short()
}

// tableWriter is a table whose parts are LaTeX.
type tableWriter struct {
	columns        string
	caption, label string
	head           string
	rows           []string
}

// TablePreamble lists the packages of LaTeX that a table needs.
const TablePreamble = `\usepackage[utf8]{inputenc}, \usepackage[T1]{fontenc}, \usepackage{booktabs}`

func (t *tableWriter) short() string {
	return `% Written by bullring. Needs ` + TablePreamble + `.
\begin{table}
  \centering
  \caption{` + t.caption + `}
  \label{` + t.label + `}
  \begin{tabular}{` + t.columns + `}
    \toprule
    ` + t.head + `
    \midrule
` + indented(t.rows) + `    \bottomrule
  \end{tabular}
\end{table}
`
}

func (t *tableWriter) long() string {
	return `% Written by bullring. Needs ` + TablePreamble + `, \usepackage{longtable}.
\begin{longtable}{` + t.columns + `}
    \caption{` + t.caption + `}
    \label{` + t.label + `} \\
    \toprule
    ` + t.head + `
    \midrule
  \endfirsthead
    \toprule
    ` + t.head + `
    \midrule
  \endhead
    \bottomrule
  \endfoot
` + indented(t.rows) + `\end{longtable}
`
}

func indented(rows []string) string {
	var b strings.Builder
	for _, row := range rows {
		b.WriteString("    " + row + "\n")
	}
	return b.String()
}

// tableRow joins cells. A row that begins with [ or * gets {} in front: the \\ or \midrule
// before it would take the character as its argument.
func tableRow(cells []string) string {
	row := strings.Join(cells, " & ") + ` \\`
	if strings.HasPrefix(row, "[") || strings.HasPrefix(row, "*") {
		return "{}" + row
	}
	return row
}

// latexCell escapes a cell. It prints the hyphens of a number as minus signs.
func latexCell(s string) string {
	s = strings.TrimSpace(s)
	switch {
	case s == "":
		return "--"
	case isNumeric(s):
		s = strings.ReplaceAll(s, "-", "−")
	}
	return latexText(s)
}

// latexText escapes text without markup.
func latexText(s string) string { return plots.LaTeX(plots.Escape(s)) }

// columnTypes aligns a column right if it has numbers and nothing else.
func columnTypes(head []string, rows [][]string) string {
	types := []byte(strings.Repeat("l", len(head)))
	for i := range head {
		numbers, others := 0, 0
		for _, row := range rows {
			switch {
			case strings.TrimSpace(row[i]) == "":
			case isNumeric(row[i]):
				numbers++
			default:
				others++
			}
		}
		if numbers > 0 && others == 0 {
			types[i] = 'r'
		}
	}
	return string(types)
}

// isNumeric reports whether a cell is a number, possibly with a relation or a percent sign,
// or an interval.
func isNumeric(s string) bool {
	fields := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" \u00a0\u2009()[],;–±%<>=≤≥", r) })
	for _, f := range fields {
		if _, err := strconv.ParseFloat(strings.ReplaceAll(f, "−", "-"), 64); err != nil {
			return false
		}
	}
	return len(fields) > 0
}

// LatexLabel replaces characters that a label of LaTeX cannot have.
func LatexLabel(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 128 && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune(":-./+", r)) {
			return r
		}
		return '-'
	}, s)
}
