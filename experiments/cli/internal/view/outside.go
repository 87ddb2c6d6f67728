package view

import (
	"io"

	"bullring/netem/impair"
)

// Outside is a link or a plan for another program.
type Outside struct {
	As     string // the program
	Script string // with the notes as comments
	Notes  impair.Notes
}

// outsideReport is an Outside as JSON.
type outsideReport struct {
	As      string       `json:"as"`
	Script  string       `json:"script"`
	Missing list[string] `json:"not_exported"`
	Rounded list[string] `json:"rounded"`
	Differs list[string] `json:"differs"`
}

// JSON implements View.
func (v Outside) JSON() any {
	return outsideReport{v.As, v.Script, v.Notes.Missing, v.Notes.Rounded, v.Notes.Differs}
}

// Text implements View.
func (v Outside) Text(w io.Writer) error {
	_, err := io.WriteString(w, fixed(v.Script))
	return err
}
