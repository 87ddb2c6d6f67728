package view

import (
	"fmt"
	"io"

	"bullring/experiments/show/reason"
	"bullring/experiments/trial"
	"bullring/protocols"
)

// Instead is the run that a reason saves.
type Instead struct {
	*reason.Reason
	Result *trial.Result
}

// insteadReport is an Instead as JSON.
type insteadReport struct {
	Changes     list[string]          `json:"changes"`
	Effect      word[reason.Effect]   `json:"effect"`
	Outcome     trial.Outcome         `json:"outcome"`
	Checks      list[protocols.Check] `json:"checks"`
	Fingerprint hash                  `json:"fingerprint"`
}

// JSON implements View.
func (v Instead) JSON() any {
	return insteadReport{v.Texts(), wordOf(v.Effect), v.Result.Outcome, v.Result.Checks, fingerprint(v.Result)}
}

// Text implements View.
func (v Instead) Text(w io.Writer) error {
	fmt.Fprintln(w)
	for _, change := range v.Texts() {
		fmt.Fprintln(w, "instead: "+change)
	}
	fmt.Fprintln(w)
	t := newTable(w)
	writeMeasured(t, v.Result)
	fmt.Fprintln(w)
	writeChecks(t, v.Result)
	return nil
}
