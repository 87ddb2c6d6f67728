package spec

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Pos is a place in a file: line and column count from 1, columns in characters.
type Pos struct {
	File         string
	Line, Column int
}

// String returns file:line:column, which editors and terminals jump to.
func (p Pos) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column) }

// Error is a mistake in a sweep.
type Error struct {
	Pos     Pos
	Message string // what was given, and what is allowed
	Hint    string // what was probably meant; may be empty
	Source  string // the line of the file, in printable characters
	Other   Pos    // the first place of something that occurs twice; else zero
	Cause   error  // the error of the Checker; nil for errors of this package
}

// Error returns the position, the message and the hint, and below them the line
// with a caret under the column.
func (e Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", e.Pos, e.Message)
	if e.Hint != "" {
		fmt.Fprintf(&b, "; %s", e.Hint)
	}
	if e.Source != "" {
		excerpt, caret := window(e.Source, e.Pos.Column-1)
		number := fmt.Sprintf("%5d", e.Pos.Line)
		fmt.Fprintf(&b, "\n%s | %s\n%s | %s^", number, excerpt, strings.Repeat(" ", len(number)), strings.Repeat(" ", caret))
	}
	return b.String()
}

// Unwrap returns the error of the Checker.
func (e Error) Unwrap() error { return e.Cause }

// Errors are all mistakes of a sweep, in the order of the file.
type Errors []Error

// Error returns the errors below each other.
func (es Errors) Error() string {
	texts := make([]string, len(es))
	for i, e := range es {
		texts[i] = e.Error()
	}
	return strings.Join(texts, "\n")
}

// Unwrap returns the single errors.
func (es Errors) Unwrap() []error {
	list := make([]error, len(es))
	for i, e := range es {
		list[i] = e
	}
	return list
}

// report gathers the errors of a sweep and of the file it includes.
type report struct {
	file  string              // the file that is being read
	lines map[string][]string // by file
	found Errors
}

func newReport(file string, data []byte) *report {
	return &report{file: file, lines: map[string][]string{file: strings.Split(string(data), "\n")}}
}

// pos returns a place in the file that is being read.
func (r *report) pos(line, column int) Pos { return Pos{File: r.file, Line: line, Column: column} }

// clean reports whether there is no error so far.
func (r *report) clean() bool { return len(r.found) == 0 }

// sound runs f and reports whether it found no error.
func (r *report) sound(f func()) bool {
	before := len(r.found)
	f()
	return len(r.found) == before
}

// add records an error, completed with its line of source.
func (r *report) add(e Error) {
	lines := r.lines[e.Pos.File]
	if at := e.Pos.Line - 1; at >= 0 && at < len(lines) {
		e.Source = printable(strings.TrimSuffix(lines[at], "\r"))
	}
	e.Message = printable(e.Message)
	r.found = append(r.found, e)
}

// errorf records an error without a hint.
func (r *report) errorf(at Pos, format string, args ...any) {
	r.add(Error{Pos: at, Message: fmt.Sprintf(format, args...)})
}

// hintf records an error with a hint, which may be empty.
func (r *report) hintf(at Pos, hint, format string, args ...any) {
	r.add(Error{Pos: at, Hint: hint, Message: fmt.Sprintf(format, args...)})
}

// errors returns the errors in the order of the file, those of an included file last, or
// nil. An error is reported once a place, although a word of a shared axis is checked for
// each algorithm that inherits it.
func (r *report) errors() error {
	if r.clean() {
		return nil
	}
	slices.SortStableFunc(r.found, func(a, b Error) int {
		return cmp.Or(cmp.Compare(r.rank(a), r.rank(b)), cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Column, b.Pos.Column))
	})
	return slices.CompactFunc(r.found, func(a, b Error) bool {
		return a.Pos == b.Pos && a.Message == b.Message
	})
}

// rank is 0 for an error of the sweep itself, 1 for one of an included file.
func (r *report) rank(e Error) int {
	if e.Pos.File == r.file {
		return 0
	}
	return 1
}

// placeIn names a place in an error at another place.
func placeIn(p, other Pos) string {
	if p.File != other.File {
		return p.String()
	}
	return fmt.Sprintf("%d:%d", p.Line, p.Column)
}

// printable replaces characters that do not print. A tab or an end of line becomes one
// space, as wide as its column.
func printable(s string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c == '\t' || c == '\n':
			return ' '
		case unicode.IsPrint(c):
			return c
		}
		return unicode.ReplacementChar
	}, s)
}

// window cuts a long line to the part around the caret. It counts in characters.
func window(line string, caret int) (string, int) {
	const before, width = 80, 120
	runes := []rune(line)
	caret = min(max(caret, 0), len(runes))
	start := 0
	if caret > before {
		start = caret - before
	}
	end := min(len(runes), start+width)
	text := string(runes[start:end])
	caret -= start
	if start > 0 {
		text, caret = "..."+text, caret+3
	}
	if end < len(runes) {
		text += "..."
	}
	return text, caret
}
