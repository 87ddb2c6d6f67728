package report

import (
	"fmt"
	"html"
	"strings"
)

// writer collects a page. Only text of the type markup gets into it unescaped.
type writer struct {
	strings.Builder
	embed   bool
	version string // that writes the page
}

// markup is text that is HTML already.
type markup string

// put writes a format with its arguments. It escapes strings.
func (w *writer) put(format string, args ...any) {
	for i, a := range args {
		switch a := a.(type) {
		case string:
			args[i] = html.EscapeString(strings.ToValidUTF8(a, "?"))
		case markup, int:
		default:
			panic(fmt.Sprintf("report: %T is neither text nor a number", a))
		}
	}
	fmt.Fprintf(w, format, args...)
}
