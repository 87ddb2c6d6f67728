package experiments

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Bibliography holds the sources of algorithms as BibTeX entries. Its zero value is empty.
type Bibliography struct {
	keys    []string
	entries map[string]string
}

// An entry begins with an @ at the start of a line. Its type and key follow.
var (
	entryStart = regexp.MustCompile(`(?m)^@`)
	entryHead  = regexp.MustCompile(`^@[a-z]+\{([^\s,{}"]+),`)
)

// ParseBibliography reads a BibTeX file, given its text. See [Bibliography.Add].
func ParseBibliography(text string) (*Bibliography, error) {
	b := &Bibliography{}
	if err := b.Add(text); err != nil {
		return nil, err
	}
	return b, nil
}

// Add adds the entries of a BibTeX file, given its text. An entry begins with an @ at the
// start of a line; text before the first is a comment. The error names the line of an entry
// that has no key, has the key of another, or whose braces do not close at its end. The
// entries before it have been added. Nothing else of an entry is checked.
func (b *Bibliography) Add(text string) error {
	if b.entries == nil {
		b.entries = map[string]string{}
	}
	starts := entryStart.FindAllStringIndex(text, -1)
	for i, start := range starts {
		end := len(text)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		line := 1 + strings.Count(text[:start[0]], "\n")
		entry := strings.TrimSpace(text[start[0]:end])
		head := entryHead.FindStringSubmatch(entry)
		switch {
		case head == nil:
			begin, _, _ := strings.Cut(entry, "\n")
			return fmt.Errorf("line %d: no entry begins with %q; allowed is @type{key, with a type in small letters", line, begin)
		case b.entries[head[1]] != "":
			return fmt.Errorf("line %d: the key %q is taken", line, head[1])
		case ClosingBrace(entry) != len(entry)-1:
			return fmt.Errorf("line %d: the braces of %q do not close where the entry ends", line, head[1])
		}
		b.keys = append(b.keys, head[1])
		b.entries[head[1]] = entry
	}
	return nil
}

// ClosingBrace returns the index of the brace that closes the first one, or -1. As in
// BibTeX, a backslash before a brace changes nothing.
func ClosingBrace(s string) int {
	depth := 0
	for i, c := range []byte(s) {
		switch c {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// Keys returns the keys of the entries, in the order of the file.
func (b *Bibliography) Keys() []string { return slices.Clone(b.keys) }

// Entry returns the text of an entry, without a line break at its end.
func (b *Bibliography) Entry(key string) (text string, ok bool) {
	if b == nil {
		return "", false
	}
	text, ok = b.entries[key]
	return text, ok
}
