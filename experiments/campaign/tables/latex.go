package tables

import (
	"fmt"
	"math"
	"strings"

	"bullring/plots"
)

// longTable is the number of lines beyond which a table may break across pages.
const longTable = 40

// isLong reports whether a table has more lines than stand on a page with its caption.
func isLong(t *Table) bool {
	lines := 0
	for _, r := range t.rows {
		most := 1
		for i, s := range t.stubs {
			if s.wrap > 0 { // ragged lines are seldom full
				most = max(most, int(math.Ceil(1.2*widthOf(r.stubs[i])/s.wrap)))
			}
		}
		lines += most
	}
	return lines > longTable
}

// Preamble lists the packages of LaTeX that figures and tables need, and packages those of tables
// besides.
const (
	Preamble = `\usepackage[utf8]{inputenc}, \usepackage[T1]{fontenc}`
	packages = `\usepackage{booktabs}, \usepackage{siunitx}`
)

// LaTeX returns tables as one file for LaTeX with the rules of booktabs and the columns of
// siunitx. A table is a longtable if it has more lines.
func LaTeX(parts ...*Table) string {
	var b strings.Builder
	b.WriteString("% Written by bullring. Needs " + Preamble + ", " + packages)
	long, wrapped := false, false
	for _, t := range parts {
		long = long || isLong(t)
		for _, s := range t.stubs {
			wrapped = wrapped || s.wrap > 0
		}
	}
	if long {
		b.WriteString(`, \usepackage{longtable}`)
	}
	if wrapped {
		b.WriteString(`, \usepackage{array}`)
	}
	b.WriteString(".\n")
	for i, t := range parts {
		label := "tab:" + t.Name
		if len(parts) > 1 {
			label += fmt.Sprintf("-%d", i+1)
		}
		latexWriter{t, t.estimate()}.write(&b, label)
	}
	return b.String()
}

// latexWriter writes a table for LaTeX.
type latexWriter struct {
	*Table
	estimate estimate
}

func (w latexWriter) write(b *strings.Builder, label string) {
	p := func(format string, args ...any) { fmt.Fprintf(b, format+"\n", args...) }
	p("%% About %.0f pt wide in the default font at 10 pt, and made for %s.", w.estimate.total, w.limit.name)
	head := w.headLines()
	caption := fmt.Sprintf("\\caption{%s}\n  \\label{%s}", plots.LaTeX(w.Caption), LaTeXLabel(label))
	if isLong(w.Table) {
		p("\\begin{longtable}{%s}\n  %s \\\\\n    \\toprule\n%s    \\midrule\n  \\endfirsthead\n    \\toprule\n%s    \\midrule\n  \\endhead\n    \\bottomrule\n  \\endfoot\n%s\\end{longtable}",
			w.columns(), caption, head, head, w.rowLines())
		for _, n := range w.Notes {
			p("{\\footnotesize\\noindent %s\\par}", latexText(n))
		}
		return
	}
	p("\\begin{table}\n  \\centering\n  %s\n  \\begin{tabular}{%s}\n    \\toprule\n%s    \\midrule\n%s    \\bottomrule\n  \\end{tabular}", caption, w.columns(), head, w.rowLines())
	for _, n := range w.Notes {
		p("  \\par\\smallskip{\\footnotesize\\raggedright %s\\par}", latexText(n))
	}
	p("\\end{table}")
}

// columns are the types of the columns.
func (w latexWriter) columns() string {
	var b strings.Builder
	b.WriteString("@{}")
	for i, s := range w.stubs {
		if s.wrap > 0 {
			fmt.Fprintf(&b, `>{\raggedright\arraybackslash}p{%.1fpt}`, w.estimate.columns[i])
			continue
		}
		if s.numbers {
			b.WriteByte('r')
		} else {
			b.WriteByte('l')
		}
	}
	for i := range w.heads {
		var s shape
		for k := range w.rows {
			if c := &w.rows[k].cells[i]; c.ok {
				s = s.and(shapeOf(c.digits))
			}
		}
		negative := ""
		if s.negative {
			negative = "-"
		}
		fmt.Fprintf(&b, "S[table-format=%s%d.%d", negative, max(s.whole, 1), s.decimals)
		switch {
		case w.paired(i):
			b.WriteString(`]@{\,}l`)
		case w.marked(i):
			b.WriteString(`, table-space-text-post={` + raisedDagger + `}]`)
		default:
			b.WriteByte(']')
		}
	}
	b.WriteString("@{}")
	return b.String()
}

const raisedDagger = `\textsuperscript{\dag}`

// headLines are the lines of the head.
func (w latexWriter) headLines() string {
	var b strings.Builder
	for _, level := range w.levels {
		b.WriteString("    " + strings.Repeat("& ", len(w.stubs)))
		var rules []string
		at, column := 0, len(w.stubs)+1
		for i, s := range level {
			if i > 0 {
				b.WriteString(" & ")
			}
			wide := 0
			for k := range s.columns {
				wide += w.physical(at + k)
			}
			b.WriteString(w.over(at, s.columns, plots.LaTeX(s.head)))
			rules = append(rules, fmt.Sprintf(`\cmidrule(lr){%d-%d}`, column, column+wide-1))
			at, column = at+s.columns, column+wide
		}
		b.WriteString(" \\\\\n    " + strings.Join(rules, " ") + "\n")
	}
	var cells []string
	for _, s := range w.stubs {
		cells = append(cells, plots.LaTeX(s.head))
	}
	for i, head := range w.heads {
		cells = append(cells, w.over(i, 1, plots.LaTeX(head)))
	}
	b.WriteString("    " + rowOf(cells) + "\n")
	return b.String()
}

// physical is the number of columns of LaTeX that a column has.
func (w latexWriter) physical(column int) int {
	if w.paired(column) {
		return 2
	}
	return 1
}

// over puts text in the middle of some columns.
func (w latexWriter) over(from, columns int, text string) string {
	wide := 0
	for k := range columns {
		wide += w.physical(from + k)
	}
	if wide == 1 {
		return "{" + text + "}"
	}
	left, right := "", ""
	if from == 0 && len(w.stubs) == 0 {
		left = "@{}"
	}
	if from+columns == len(w.heads) {
		right = "@{}"
	}
	return fmt.Sprintf(`\multicolumn{%d}{%sc%s}{%s}`, wide, left, right, text)
}

// rowLines are the lines of the rows. Equal stubs stand once, in the first of their rows.
func (w latexWriter) rowLines() string {
	var b strings.Builder
	for i, r := range w.rows {
		if i > 0 && len(w.stubs) > 1 && !w.repeats(i, 0) {
			b.WriteString("    \\addlinespace\n")
		}
		var cells []string
		for k, text := range r.stubs {
			if w.repeats(i, k) && k < len(r.stubs)-1 {
				text = ""
			}
			cells = append(cells, plots.LaTeX(text))
		}
		for k := range r.cells {
			cells = append(cells, w.cell(&r.cells[k], k))
		}
		b.WriteString("    " + rowOf(cells) + "\n")
	}
	return b.String()
}

// cell is a number in its columns.
func (w latexWriter) cell(c *cell, column int) string {
	if !c.ok {
		return w.over(column, 1, "--")
	}
	mark := ""
	if c.mark {
		mark = raisedDagger
	}
	switch {
	case !w.paired(column):
		return c.digits + mark
	case c.half != "":
		return c.digits + ` & $\pm$\,\num{` + c.half + `}` + mark
	case c.ends[0] != "":
		return c.digits + ` & \,[\num{` + c.ends[0] + `}, \num{` + c.ends[1] + `}]` + mark
	}
	return c.digits + " & " + mark
}

// rowOf joins cells. A row that begins with [ or * gets {} in front: the \\ or \midrule before it
// would take the character as its argument.
func rowOf(cells []string) string {
	row := strings.Join(cells, " & ") + ` \\`
	if strings.HasPrefix(row, "[") || strings.HasPrefix(row, "*") {
		return "{}" + row
	}
	return row
}

// latexText is markup for LaTeX. Fonts for pdfLaTeX have the dagger in formulas only.
func latexText(markup string) string {
	return strings.ReplaceAll(plots.LaTeX(markup), dagger, raisedDagger)
}

// LaTeXLabel replaces characters that a label of LaTeX cannot have.
func LaTeXLabel(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 128 && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune(":-./+", r)) {
			return r
		}
		return '-'
	}, s)
}
