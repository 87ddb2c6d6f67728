package view

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"bullring/experiments/campaign/grade"
	"bullring/experiments/real/foreign"
	"bullring/internal/counts"
)

// Grade is the points of submissions.
type Grade struct {
	*grade.Grades
	Out string // the folder that they were written to; "" for none
}

// JSON implements View.
func (v Grade) JSON() any { return v.Grades }

// Text implements View.
func (v Grade) Text(w io.Writer) error {
	fmt.Fprintf(w, "%s: %s, %s points\n\n", v.Title, counts.Several(len(v.Graded), "submission"), grade.Text(v.Most()))
	t := newTable(w)
	t.row("PART", "POINTS", "NAME")
	for i, p := range v.Parts {
		t.row(strconv.Itoa(i+1), grade.Text(p.Points), p.Name)
	}
	fmt.Fprintln(w)
	v.writePoints(w)
	v.writeReasons(w)
	if v.Sandbox != "" {
		fmt.Fprintf(w, "\nSandbox: %s.\n", v.Sandbox)
	}
	if v.Out != "" {
		fmt.Fprintf(w, "\nwritten to %s: %s, %s, %s, and a page for each submission\n", v.Out, grade.PointsCSV, grade.PointsJSON, grade.JUnitXML)
	}
	return nil
}

// writePoints prints a row for each submission.
func (v Grade) writePoints(w io.Writer) {
	t := newTable(w)
	head := []string{"SUBMISSION"}
	for i := range v.Parts {
		head = append(head, strconv.Itoa(i+1))
	}
	t.row(append(head, "TOTAL")...)
	for i := range v.Graded {
		g := &v.Graded[i]
		row := []string{g.Name}
		for k := range g.Marks {
			row = append(row, g.Marks[k].Cell())
		}
		t.row(append(row, grade.Text(g.Points))...)
	}
}

// writeReasons prints why points are missing.
func (v Grade) writeReasons(w io.Writer) {
	t, told := newTable(w), false
	for _, g := range v.Graded {
		for k, m := range g.Marks {
			if m.Why == "" {
				continue
			}
			if !told {
				told = true
				fmt.Fprintln(w)
				t.row("SUBMISSION", "PART", "WHY")
			}
			t.row(g.Name, strconv.Itoa(k+1), m.Why)
		}
	}
}

// Parting is where the run of a program parts from that of an algorithm, both side by side.
func Parting(c *foreign.Comparison) string {
	var b strings.Builder
	Form{Columns: partingColumns}.Print(&b, func(w io.Writer) error {
		writeParting(w, c)
		return nil
	})
	return b.String()
}

// partingColumns is the width of the text on a page.
const partingColumns = 100
