// Package view prints what the subcommands of package cli have found: a run, an
// exploration, an estimate, a verification. Each file turns the values of one subcommand
// into text for people and, where the subcommand has a flag for it, into JSON.
//
// A value comes in, and text goes out. [Form.Print] lays the text out; views know no widths.
// Nothing here runs, reads a file, looks up an algorithm, or knows a flag: the subcommand
// does that first, and hands over the value.
package view

import (
	"encoding/json"
	"io"
)

// A View is something that a subcommand prints, for people or as JSON.
type View interface {
	// Text writes the text that [Form.Print] lays out.
	Text(w io.Writer) error
	// JSON returns the value to be encoded. A field that a view may lack is null or an
	// empty list.
	JSON() any
}

// Write prints a view as text of a form, or as one indented JSON value.
func Write(w io.Writer, v View, asJSON bool, form Form) error {
	if !asJSON {
		return form.Print(w, v.Text)
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false) // "<=" stays as it is
	e.SetIndent("", "  ")
	return e.Encode(v.JSON())
}
