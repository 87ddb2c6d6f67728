package view

import (
	"fmt"
	"io"
	"slices"

	"bullring/experiments/show/export"
	"bullring/experiments/show/history"
)

// Why is the explanation of a verdict.
type Why struct {
	*history.History
	Page string // the command that shows the run as a page
}

// whyReport is a Why as JSON.
type whyReport struct {
	What    string        `json:"what"`
	Outcome string        `json:"outcome"`
	Failed  *string       `json:"failed"` // how a handler panicked
	Records int           `json:"records"`
	View    string        `json:"view"`
	Steps   []causeReport `json:"steps"`
}

// causeReport is a record with its number and the numbers of those that it follows from.
type causeReport struct {
	Record int   `json:"record"`
	After  []int `json:"after"`
	Target bool  `json:"target"`
	Absent bool  `json:"absent"`
	export.Event
}

// JSON implements View.
func (v Why) JSON() any {
	r := whyReport{
		What: v.What, Outcome: string(v.Result.Outcome), Failed: errorText(v.Result.Failed), Records: len(v.Events), View: v.Page, Steps: []causeReport{},
	}
	for i, wanted := range v.Slice() {
		if e := &v.Events[i]; wanted {
			r.Steps = append(r.Steps, causeReport{e.Order, orEmpty(e.After), slices.Contains(v.Targets, e.Order), e.Absent, export.NewEvent(e.Record, e.News)})
		}
	}
	return r
}

// Text implements View.
func (v Why) Text(w io.Writer) error {
	if v.Result.Panicked() {
		fmt.Fprintln(w, v.Result.Failed)
	}
	if err := v.WriteWhy(w); err != nil {
		return err
	}
	fmt.Fprintln(w)
	return writePageLine(w, v.Page)
}
