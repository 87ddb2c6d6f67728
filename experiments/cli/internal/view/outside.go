package view

import (
	"encoding/json"
	"io"

	"bullring/netem/impair"
)

// Outside is a link or a plan for another program.
type Outside struct {
	As     string         // the program
	Script string         // for tc, with the notes as comments
	Toxics []impair.Toxic // for Toxiproxy
	Notes  impair.Notes
}

// JSON implements View.
func (v Outside) JSON() any {
	list := func(notes []string) []string { return append([]string{}, notes...) }
	return struct {
		As      string         `json:"as"`
		Script  string         `json:"script"`
		Toxics  []impair.Toxic `json:"toxics"`
		Missing []string       `json:"not_exported"`
		Rounded []string       `json:"rounded"`
		Differs []string       `json:"differs"`
	}{v.As, v.Script, v.Toxics, list(v.Notes.Missing), list(v.Notes.Rounded), list(v.Notes.Differs)}
}

// Text implements View.
func (v Outside) Text(w io.Writer) error {
	if _, err := io.WriteString(w, v.Script); err != nil {
		return err
	}
	for _, toxic := range v.Toxics {
		if err := json.NewEncoder(w).Encode(toxic); err != nil {
			return err
		}
	}
	return nil
}
