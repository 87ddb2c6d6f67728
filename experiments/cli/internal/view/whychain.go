package view

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"bullring/experiments/show/history"
	"bullring/experiments/show/reason"
)

// mostChain is the largest number of rows of a chain. A longer one is cut in the middle.
const mostChain = 12

// chainColumns is the width of each of the two columns of a chain.
const chainColumns = 38

// writeChain prints how two runs differ, side by side, in the order of time.
func writeChain(w io.Writer, c reason.Chain) {
	rows := chainRows(c)
	if len(rows) == 0 {
		return
	}
	row := func(cells [2][]string) {
		for i := range max(len(cells[0]), len(cells[1])) {
			line := fmt.Sprintf("%s | %s", padded(at(cells[0], i), chainColumns), at(cells[1], i))
			fmt.Fprintln(w, strings.TrimRight(line, " "))
		}
	}
	row([2][]string{{"in the real run"}, {"in the saved run"}})
	for i, cells := range rows {
		switch {
		case len(rows) <= mostChain || i < mostChain/2 || i > len(rows)-mostChain/2:
			row(cells)
		case i == mostChain/2:
			fmt.Fprintf(w, "... %d more\n", len(rows)-mostChain+1)
		}
	}
	fmt.Fprintln(w)
}

// chainRows are the rows of a chain, each of two cells of lines. Events of the same time share
// a row.
func chainRows(c reason.Chain) (rows [][2][]string) {
	real, saved := c.Real, c.Saved
	for len(real)+len(saved) > 0 {
		var cells [2][]string
		order := 0
		switch {
		case len(real) == 0:
			order = 1
		case len(saved) == 0:
			order = -1
		default:
			order = cmp.Compare(real[0].At, saved[0].At)
		}
		if order <= 0 {
			cells[0], real = wrapped(chainText(real[0]), chainColumns), real[1:]
		}
		if order >= 0 {
			cells[1], saved = wrapped(chainText(saved[0]), chainColumns), saved[1:]
		}
		for i := range cells {
			for k := range cells[i] {
				if k > 0 {
					cells[i][k] = "  " + cells[i][k]
				}
			}
		}
		rows = append(rows, cells)
	}
	return rows
}

// chainText is an event in a chain, with what the process decided and without what it sent.
func chainText(e *history.Event) string {
	r := e.Record
	r.Sent, r.Choices = nil, nil
	text := strings.Join(strings.Fields(r.Text("")), " ")
	if e.What == "timeout" && e.Name != "" { // its number says less
		text = fmt.Sprintf("%s timeout %d (%s)", r.When(), e.Who, e.Name)
	}
	if e.News != "" {
		text += ", " + e.News
	}
	return text
}

// at is a line of a cell, "" below its last.
func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}

// padded fills a text with spaces up to a width.
func padded(text string, columns int) string {
	return text + strings.Repeat(" ", max(0, columns-width(text)))
}
