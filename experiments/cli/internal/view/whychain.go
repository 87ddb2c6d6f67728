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
// a row. They show what leaves only if nothing else differs.
func chainRows(c reason.Chain) (rows [][2][]string) {
	real, saved := c.Real, c.Saved
	for len(real)+len(saved) > 0 {
		var cells [2]string
		order := sooner(real, saved)
		if order <= 0 {
			cells[0] = chainText(real[0], false)
		}
		if order >= 0 {
			cells[1] = chainText(saved[0], false)
		}
		if cells[0] == cells[1] {
			cells = [2]string{chainText(real[0], true), chainText(saved[0], true)}
		}
		if order <= 0 {
			real = real[1:]
		}
		if order >= 0 {
			saved = saved[1:]
		}
		rows = append(rows, [2][]string{cellLines(cells[0]), cellLines(cells[1])})
	}
	return rows
}

// sooner is negative if the next event is of the real run, positive if it is of the saved one,
// and 0 if both have one at that time.
func sooner(real, saved []*history.Event) int {
	switch {
	case len(real) == 0:
		return 1
	case len(saved) == 0:
		return -1
	}
	return cmp.Compare(real[0].At, saved[0].At)
}

// cellLines breaks the text of a cell. Its lines after the first are indented.
func cellLines(text string) []string {
	lines := wrapped(text, chainColumns-2)
	if width(text) <= chainColumns {
		lines = []string{text}
	}
	for i := range lines[1:] {
		lines[i+1] = "  " + lines[i+1]
	}
	return lines
}

// chainText is an event in a chain with what the process decided and, if asked, what it sent.
func chainText(e *history.Event, sends bool) string {
	r := e.Record
	r.Choices = nil
	if !sends {
		r.Sent = nil
	}
	text := strings.Join(strings.Fields(r.Text("")), " ")
	if e.What == "timeout" && e.Name != "" { // its number says less
		text = strings.Replace(text, fmt.Sprintf("%d timer %d (%s)", e.Who, e.Timer, e.Name), fmt.Sprintf("%d (%s)", e.Who, e.Name), 1)
	}
	if e.News != "" {
		text += ", " + e.News
	}
	text += strings.ReplaceAll(e.Written(), "  | ", ", ")
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
