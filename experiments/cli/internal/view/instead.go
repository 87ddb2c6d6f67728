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
	Changes     []string          `json:"changes"`
	Effect      string            `json:"effect"`
	Outcome     string            `json:"outcome"`
	Checks      []protocols.Check `json:"checks"`
	Fingerprint string            `json:"fingerprint"`
}

// JSON implements View.
func (v Instead) JSON() any {
	return insteadReport{v.Texts(), v.Effect.String(), string(v.Result.Outcome), orEmpty(v.Result.Checks), fmt.Sprintf("%016x", v.Result.Fingerprint)}
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
