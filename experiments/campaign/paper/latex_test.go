package paper

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestLatexTable(t *testing.T) {
	got := latexTable("Messages of two elections, *n*^{2} & more", "tab:sweep_1",
		[]string{"algorithm", "*n*", "messages (mean)", "95 % interval", "outcome"},
		[][]string{
			{"lcr", "16", "54.2", "[52.9, 55.5]", "elected"},
			{"[tel]_x", "16", "-1e-05", "", "100 %"},
		})
	want := `% Written by bullring. Needs \usepackage[utf8]{inputenc}, \usepackage[T1]{fontenc}, \usepackage{booktabs}.
\begin{table}
  \centering
  \caption{Messages of two elections, $n^{2}$ \& more}
  \label{tab:sweep-1}
  \begin{tabular}{lrrrl}
    \toprule
    algorithm & $n$ & messages (mean) & 95 \% interval & outcome \\
    \midrule
    lcr & 16 & 54.2 & [52.9, 55.5] & elected \\
    {}[tel]\_x & 16 & $-$1e$-$05 & -- & 100 \% \\
    \bottomrule
  \end{tabular}
\end{table}
`
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

// A table of more than 40 rows breaks over pages, with its head on each.
func TestLatexTableBreaks(t *testing.T) {
	for _, tc := range []struct {
		rows int
		want string
	}{{40, "tabular"}, {41, "longtable"}} {
		var rows [][]string
		for i := range tc.rows {
			rows = append(rows, []string{fmt.Sprint(i)})
		}
		got := latexTable("many", "many", []string{"seed"}, rows)
		if !strings.Contains(got, `\begin{`+tc.want+`}{r}`) || !strings.Contains(got, `\end{`+tc.want+`}`) {
			t.Errorf("%d rows are no %s:\n%s", tc.rows, tc.want, got)
		}
		if n := strings.Count(got, `    seed \\`); tc.want == "longtable" && n != 2 {
			t.Errorf("the head is there %d times:\n%s", n, got)
		}
		first, _, _ := strings.Cut(got, "\n")
		if !strings.HasPrefix(first, "%") || strings.Contains(first, `\usepackage{longtable}`) != (tc.want == "longtable") {
			t.Errorf("%d rows: the first line is %q", tc.rows, first)
		}
	}
}

func TestIsNumeric(t *testing.T) {
	for cell, want := range map[string]bool{
		"12": true, "-1.5e-07": true, "[1.5, 2.5]": true, "1.5–2.5": true, "3 ± 1": true, "99.5 %": true, "<= 4": true, "−2": true,
		"": false, "n": false, "3-5": false, "v1": false, "()": false, "3 of 5": false,
	} {
		if got := isNumeric(cell); got != want {
			t.Errorf("isNumeric(%q) = %v", cell, got)
		}
	}
}

// Whatever the cells, a row of a table has as many as its head and ends once, and
// neither it nor what stands before it takes text for a command.
func TestLatexTableKeepsItsShape(t *testing.T) {
	cell := rapid.StringOf(rapid.RuneFrom([]rune("a1 &%$#_{}~^\\<>[]*\n-–é")))
	separator := regexp.MustCompile(`(^|[^\\])&`)
	rapid.Check(t, func(t *rapid.T) {
		head := []string{"a", "b", "c"}
		rows := rapid.SliceOfN(rapid.SliceOfN(cell, 3, 3), 0, 45).Draw(t, "rows")
		text := latexTable("caption", "label", head, rows)
		// The heads of the table, and its caption that ends like a row, are rows, too.
		extra := 1
		if len(rows) > longTable {
			extra = 2
		}
		found := 0
		for line := range strings.Lines(text) {
			row, ok := strings.CutSuffix(line, " \\\\\n")
			if !ok || strings.Contains(row, `\label{`) {
				continue
			}
			found++
			row = strings.TrimLeft(row, " ")
			if n := len(separator.FindAllString(row, -1)); n != len(head)-1 || strings.HasPrefix(row, "[") || strings.HasPrefix(row, "*") {
				t.Fatalf("the row %q has %d separators", row, n)
			}
		}
		if found != len(rows)+extra {
			t.Fatalf("%d rows became %d lines:\n%s", len(rows)+extra, found, text)
		}
	})
}
