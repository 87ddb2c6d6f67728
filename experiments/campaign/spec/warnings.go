package spec

import (
	"fmt"
)

// mostSeries is the number of series that colours and markers tell apart at a glance.
const mostSeries = 8

// Warnings returns advice on figures that are right but hard to read, each with its place
// in the file.
func (s *Spec) Warnings() []Error {
	var all []Error
	var cells []Cell
	for i := range s.Figures {
		f := &s.Figures[i]
		row := f.Kind.row()
		if row.lacks != nil {
			continue
		}
		if cells == nil {
			cells = s.Cells()
		}
		drawn := f.Select(cells)
		if n := f.countSeries(drawn); n > mostSeries {
			all = append(all, Error{Pos: f.Pos, Message: fmt.Sprintf(
				"figure %s has %d series, and colours and markers tell %d apart at a glance: choose some by where, make several figures, or draw kind: heatmap",
				f.Name, n, mostSeries)})
		}
		if row.advice == nil {
			continue
		}
		if advice := row.advice(f, drawn); advice != "" {
			all = append(all, Error{Pos: f.Pos, Message: fmt.Sprintf("figure %s %s", f.Name, advice)})
		}
	}
	return all
}

// countSeries counts the series of the cells.
func (f *Figure) countSeries(drawn []Cell) int {
	series := make([]string, len(drawn))
	for _, field := range f.Series {
		join(series, drawn, field)
	}
	seen := map[string]bool{}
	for _, one := range series {
		seen[one] = true
	}
	return len(seen)
}
