package view

import (
	"fmt"
	"io"

	"bullring/experiments/search"
)

// Why is the explanation of a verdict.
type Why struct{ *search.Explanation }

// whyReport is a Why as JSON.
type whyReport struct {
	What    string        `json:"what"`
	Outcome string        `json:"outcome"`
	Failed  *string       `json:"failed"` // how a handler panicked
	Records int           `json:"records"`
	Steps   []causeReport `json:"steps"`
}

// causeReport is a record with its number and the numbers of those that it follows from.
type causeReport struct {
	Record int   `json:"record"`
	After  []int `json:"after"`
	Target bool  `json:"target"`
	Absent bool  `json:"absent"`
	recordReport
}

// JSON implements View.
func (v Why) JSON() any {
	r := whyReport{
		What: v.What, Outcome: string(v.Result.Outcome), Failed: errorText(v.Result.Failed), Records: v.Total, Steps: []causeReport{},
	}
	for _, c := range v.Steps {
		r.Steps = append(r.Steps, causeReport{c.Number, orEmpty(c.After), c.Target, c.Absent, newRecordReport(c.Record, c.News)})
	}
	return r
}

// Text implements View.
func (v Why) Text(w io.Writer) error {
	if v.Result.Panicked() {
		fmt.Fprintln(w, v.Result.Failed)
	}
	return v.Write(w)
}
