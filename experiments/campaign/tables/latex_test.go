package tables

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// counted is a column of whole numbers.
func counted(values ...float64) (cells []cell) {
	for _, v := range values {
		cells = append(cells, cellOf(number{value: v, ok: true}, false))
	}
	return cells
}

// wide is the width of a page.
var wide = width{345, "text of 345 pt"}

func TestLaTeX(t *testing.T) {
	mean := func(v, half float64, mark bool) cell {
		return cellOf(number{value: v, lo: v - half, hi: v + half, ok: true, interval: true}, mark)
	}
	table := &Table{
		Name: "sweep_1", Caption: "Messages of two elections, *n*^{2} & more.", Notes: []string{dagger + " outside."}, limit: wide,
		stubs:  []stub{{head: "algorithm"}, {head: "*n*", numbers: true}},
		levels: [][]span{{{"delay 1ms", 2}, {"delay_2", 1}}},
		heads:  []string{"messages", "time (ms)", "max"},
		rows: []row{
			{[]string{"lcr", "8"}, []cell{mean(54.2, 1.3, false), counted(16)[0], counted(-7.5)[0]}},
			{[]string{"lcr", "16"}, []cell{mean(154.2, 0.23, true), {}, {}}},
			{[]string{"[tel]_x", "8"}, []cell{{}, cellOf(number{value: 12.5, ok: true}, true), counted(1)[0]}},
		},
	}
	want := `% Written by bullring. Needs \usepackage[utf8]{inputenc}, \usepackage[T1]{fontenc}, \usepackage{booktabs}, \usepackage{siunitx}.
% About 239 pt wide in the default font at 10 pt, and made for text of 345 pt.
\begin{table}
  \centering
  \caption{Messages of two elections, $n^{2}$ \& more.}
  \label{tab:sweep-1}
  \begin{tabular}{@{}lrS[table-format=3.2]@{\,}lS[table-format=2.1, table-space-text-post={\textsuperscript{\dag}}]S[table-format=-1.1]@{}}
    \toprule
    & & \multicolumn{3}{c}{delay 1ms} & {delay\_2} \\
    \cmidrule(lr){3-5} \cmidrule(lr){6-6}
    algorithm & $n$ & \multicolumn{2}{c}{messages} & {time (ms)} & {max} \\
    \midrule
    lcr & 8 & 54.2 & $\pm$\,\num{1.3} & 16 & -7.5 \\
     & 16 & 154.20 & $\pm$\,\num{0.23}\textsuperscript{\dag} & {--} & {--} \\
    \addlinespace
    {}[tel]\_x & 8 & \multicolumn{2}{c}{--} & 12.5\textsuperscript{\dag} & 1 \\
    \bottomrule
  \end{tabular}
  \par\smallskip{\footnotesize\raggedright \textsuperscript{\dag} outside.\par}
\end{table}
`
	if got := LaTeX(table); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	const text = "Messages of two elections, n^2 & more.\n\n" +
		"| algorithm | n | delay 1ms, messages | delay 1ms, time (ms) | delay\\_2, max |\n| --- | --- | --: | --: | --: |\n" +
		"| lcr | 8 | 54.2 ± 1.3 | 16 | −7.5 |\n| lcr | 16 | 154.20 ± 0.23† | -- | -- |\n| [tel]\\_x | 8 | -- | 12.5† | 1 |\n\n† outside.\n"
	if got := table.Markdown(); got != text {
		t.Errorf("got:\n%s\nwant:\n%s", got, text)
	}
	const numbers = `algorithm,n,"delay 1ms, messages","delay 1ms, messages lo","delay 1ms, messages hi","delay 1ms, messages outside","delay 1ms, time (ms)","delay 1ms, time (ms) outside","delay_2, max"
lcr,8,54.2,52.900000000000006,55.5,false,16,false,-7.5
lcr,16,154.2,153.97,154.42999999999998,true,,false,
[tel]_x,8,,,,false,12.5,true,1
`
	if got := table.CSV(); got != numbers {
		t.Errorf("got:\n%s\nwant:\n%s", got, numbers)
	}
}

// A table of more than 40 rows breaks over pages, with its head on each.
func TestLaTeXBreaks(t *testing.T) {
	for _, tc := range []struct {
		rows int
		want string
	}{{40, "tabular"}, {41, "longtable"}} {
		table := &Table{Name: "many", Caption: "many", heads: []string{"seed"}, limit: wide}
		for i := range tc.rows {
			table.rows = append(table.rows, row{nil, counted(float64(i))})
		}
		got := LaTeX(table)
		if !strings.Contains(got, `\begin{`+tc.want+`}{@{}S[table-format=2.0]@{}}`) || !strings.Contains(got, `\end{`+tc.want+`}`) {
			t.Errorf("%d rows are no %s:\n%s", tc.rows, tc.want, got)
		}
		if n := strings.Count(got, `    {seed} \\`); tc.want == "longtable" && n != 2 {
			t.Errorf("the head is there %d times:\n%s", n, got)
		}
		first, _, _ := strings.Cut(got, "\n")
		if !strings.HasPrefix(first, "%") || strings.Contains(first, `\usepackage{longtable}`) != (tc.want == "longtable") {
			t.Errorf("%d rows: the first line is %q", tc.rows, first)
		}
	}
}

// Lines count, and not rows, where texts break.
func TestLaTeXBreaksWithLongTexts(t *testing.T) {
	for words, want := range map[int]bool{10: false, 60: true} {
		table := &Table{Name: "few", Caption: "few", stubs: []stub{{head: "fault", wrap: 60}}, heads: []string{"seed"}, limit: wide}
		for i := range 5 {
			table.rows = append(table.rows, row{[]string{strings.Repeat("word ", words)}, counted(float64(i))})
		}
		if got := strings.Contains(LaTeX(table), `\begin{longtable}{@{}>{\raggedright\arraybackslash}p{60.0pt}S`); got != want {
			t.Errorf("%d words a row: a longtable is %v", words, got)
		}
	}
}

// Whatever the stubs, a row of a table has as many cells as its head and ends once, and neither
// it nor what stands before it takes text for a command.
func TestLaTeXKeepsItsShape(t *testing.T) {
	cell := rapid.StringOf(rapid.RuneFrom([]rune("a1 &%$#_{}~^\\<>[]*\n-–é")))
	separator := regexp.MustCompile(`(^|[^\\])&`)
	rapid.Check(t, func(t *rapid.T) {
		table := &Table{Name: "a", Caption: "caption", stubs: []stub{{head: "a"}, {head: "b"}}, heads: []string{"c"}, limit: wide}
		for i, stubs := range rapid.SliceOfN(rapid.SliceOfN(cell, 2, 2), 0, 45).Draw(t, "rows") {
			table.rows = append(table.rows, row{stubs, counted(float64(i))})
		}
		heads := 1
		if len(table.rows) > longTable {
			heads = 2
		}
		found := 0
		for line := range strings.Lines(LaTeX(table)) {
			text, ok := strings.CutSuffix(line, " \\\\\n")
			if !ok || strings.Contains(text, `\label{`) {
				continue
			}
			found++
			text = strings.TrimPrefix(text, "    ")
			if n := len(separator.FindAllString(text, -1)); n != 2 || strings.HasPrefix(text, "[") || strings.HasPrefix(text, "*") {
				t.Fatalf("the row %q has %d separators", text, n)
			}
		}
		if found != len(table.rows)+heads {
			t.Fatalf("%d rows became %d lines:\n%s", len(table.rows)+heads, found, LaTeX(table))
		}
	})
}

func TestLaTeXLabel(t *testing.T) {
	if got := LaTeXLabel("azAZ09:-./+ {_é@[`"); got != "azAZ09:-./+-------" {
		t.Error(got)
	}
}

// The widths of texts and numbers, as pdfLaTeX measures them with Latin Modern and siunitx 3.1, in
// points. The estimate is no smaller, but for kerning.
func TestWidthsThatLaTeXMeasures(t *testing.T) {
	for text, measured := range map[string]float64{"a long head": 50.54321, "WWW": 30.83, "*n*": 6.00235, "0123456789": 50, "a–b": 15.5555} {
		if got := widthOf(text); got < measured-0.01 || got > measured+0.7 {
			t.Errorf("%s is %.3f, measured %.3f", text, got, measured)
		}
	}
	for digits, measured := range map[string]float64{"5": 5.00003, "55555": 26.66672, "555.5": 22.77786, "555.55555": 44.44455, "-555.5": 30.55566} {
		if got := shapeOf(digits).width(); fmt.Sprintf("%.2f", got) != fmt.Sprintf("%.2f", measured) {
			t.Errorf("%s is %.3f, measured %.3f", digits, got, measured)
		}
	}
}
