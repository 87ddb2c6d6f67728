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

// JSON implements View.
func (v Outside) JSON() any {
	list := func(notes []string) []string { return append([]string{}, notes...) }
	return struct {
		As      string   `json:"as"`
		Script  string   `json:"script"`
		Missing []string `json:"not_exported"`
		Rounded []string `json:"rounded"`
		Differs []string `json:"differs"`
	}{v.As, v.Script, list(v.Notes.Missing), list(v.Notes.Rounded), list(v.Notes.Differs)}
}

// Text implements View.
func (v Outside) Text(w io.Writer) error {
	_, err := io.WriteString(w, fixed(v.Script))
	return err
}
