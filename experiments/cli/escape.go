package cli

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"bullring/experiments/cli/internal/view"
)

// escaper writes text and escapes what a terminal would act upon: control characters other
// than newlines and tabs, characters that turn the direction of the text around them, and
// bytes that are no UTF-8. They come from messages, panics, programs and names of files. An
// escape has the form of JSON, \u001b, so that JSON stays what it was.
//
// Commands write to escapers, since execute sets them. What a command itself tells a terminal,
// such as to erase the rest of a line, goes to the writer beneath.
type escaper struct {
	beneath io.Writer
	colours bool // pass on the colours of views

	mu   sync.Mutex
	rest []byte // the beginning of a character whose other bytes have not come yet
}

// Write implements io.Writer.
func (e *escaper) Write(text []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.rest) == 0 && plainText(text) {
		return e.beneath.Write(text)
	}
	all := append(e.rest, text...)
	whole := wholeCharacters(all)
	e.rest = append([]byte(nil), all[whole:]...)
	safe := escaped(string(all[:whole]))
	if e.colours {
		safe = view.Coloured(safe)
	}
	if _, err := io.WriteString(e.beneath, safe); err != nil {
		return 0, err
	}
	return len(text), nil
}

// beneath returns the writer to which an escaper writes, and other writers as they are.
func beneath(w io.Writer) io.Writer {
	if e, ok := w.(*escaper); ok {
		return e.beneath
	}
	return w
}

// flush writes the beginning of a character that never ended.
func (e *escaper) flush() {
	e.mu.Lock()
	defer e.mu.Unlock()
	io.WriteString(e.beneath, escaped(string(e.rest)))
	e.rest = nil
}

// plainText reports whether a text is ASCII without control characters.
func plainText(text []byte) bool {
	for _, b := range text {
		if (b < ' ' || b > '~') && b != '\n' && b != '\t' {
			return false
		}
	}
	return true
}

// wholeCharacters is the number of bytes up to a character at the end that is not whole.
func wholeCharacters(text []byte) int {
	for i := len(text) - 1; i >= max(0, len(text)-utf8.UTFMax); i-- {
		if utf8.RuneStart(text[i]) {
			if !utf8.FullRune(text[i:]) {
				return i
			}
			break
		}
	}
	return len(text)
}

// escaped returns a text in which a terminal acts upon newlines and tabs alone.
func escaped(text string) string {
	if !strings.ContainsFunc(text, actedUpon) {
		return text
	}
	var b strings.Builder
	for i, r := range text {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(text[i:], string(utf8.RuneError)):
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case actedUpon(r) && r != utf8.RuneError:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// actedUpon reports whether a terminal may act upon a character; a byte that is no UTF-8
// counts as utf8.RuneError.
func actedUpon(r rune) bool {
	return r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == utf8.RuneError)
}
