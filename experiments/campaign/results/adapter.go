package results

import (
	"fmt"
	"slices"
	"strconv"

	"bullring/experiments/trial"
	"bullring/internal/counts"
)

// RowAdapter turns rows of an earlier version of a sweep into rows of this version. The
// tables of the two may have different columns.
type RowAdapter struct {
	columns  []TextColumn[*Trial]
	inputs   []TextColumn[Input] // the first of columns
	from     []int               // the place of each column in an earlier row, -1 for none
	measured []*trial.Metric     // the metric of each column, nil for none
	outcome  int                 // the place in an earlier row
	length   int                 // of an earlier row

	in     Input // of the current cell
	texts  []string
	fields []string

	Lacks []bool // the columns whose value the last row did not tell; nil if it told all
}

// NewRowAdapter returns an adapter for rows that have the columns of an earlier layout. All
// rows are without their number.
func NewRowAdapter(earlier, l Layout) *RowAdapter {
	a := &RowAdapter{columns: l.trialColumns(), inputs: l.inputColumns()}
	columns := earlier.trialColumns()
	find := func(name string) int {
		return slices.IndexFunc(columns, func(c TextColumn[*Trial]) bool { return c.Name == name })
	}
	a.outcome, a.length = find("outcome"), len(columns)
	for i := range a.columns {
		a.from = append(a.from, find(a.columns[i].Name))
		a.measured = append(a.measured, l.metric(a.columns[i].Name))
	}
	a.fields = make([]string, len(a.columns))
	return a
}

// Cell enters the cell of the next rows. The input is that of one of its trials.
func (a *RowAdapter) Cell(in Input) {
	a.in, a.texts = in, a.texts[:0]
	for i := range a.inputs {
		a.texts = append(a.texts, a.inputs[i].Text(in))
	}
}

// Row returns the fields of a row of the cell, which are valid until the next call. If only
// running the trial can tell the value of a column, lacking is its name, and Lacks tells all
// such columns.
func (a *RowAdapter) Row(earlier []string) (fields []string, lacking string, err error) {
	if len(earlier) != a.length {
		return nil, "", fmt.Errorf("a row has %s, and its table %d columns", counts.Several(len(earlier), "field"), a.length)
	}
	a.Lacks = nil
	for i, from := range a.from {
		name := a.columns[i].Name
		switch {
		case i < len(a.texts):
			a.fields[i] = a.texts[i]
			if from >= 0 && name != "label" && earlier[from] != a.texts[i] {
				return nil, "", fmt.Errorf("a row has %s %q, and its trial would now have %q", name, earlier[from], a.texts[i])
			}
		case from >= 0:
			a.fields[i] = earlier[from]
		case a.measured[i] != nil && a.in.Algorithm.Measures(name):
			if a.Lacks == nil {
				lacking, a.Lacks = name, make([]bool, len(a.columns))
			}
			a.fields[i], a.Lacks[i] = "", true
		default:
			a.fields[i] = ""
			if m := a.measured[i]; m != nil && m.Zero && earlier[a.outcome] != string(trial.Inconclusive) {
				a.fields[i] = "0"
			}
		}
	}
	return a.fields, lacking, nil
}

// IsTrial reports whether a row of the adapter is of the replicate with this seed.
func (a *RowAdapter) IsTrial(fields []string, replicate int, seed uint64) bool {
	at := len(a.inputs)
	return fields[at] == strconv.Itoa(replicate) && fields[at+1] == strconv.FormatUint(seed, 10)
}
