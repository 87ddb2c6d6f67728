package trial

import (
	"fmt"
	"slices"
	"strings"
)

// Bibliography holds the sources of algorithms as BibTeX entries. Its zero value is empty.
type Bibliography struct {
	keys    []string
	entries map[string]string // without the @
}

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
	line := 0
	for i, part := range strings.Split("\n"+text, "\n@") {
		if i > 0 {
			if err := b.add(strings.TrimSpace(part)); err != nil {
				return fmt.Errorf("line %d: %w", line, err)
			}
		}
		line += 1 + strings.Count(part, "\n")
	}
	return nil
}

// add adds an entry, given its text without the @.
func (b *Bibliography) add(entry string) error {
	key, ok := keyOf(entry)
	switch {
	case !ok:
		begin, _, _ := strings.Cut("@"+entry, "\n")
		return fmt.Errorf("no entry begins with %q; allowed is @type{key, with a type in small letters", begin)
	case b.entries[key] != "":
		return fmt.Errorf("the key %q is taken", key)
	case ClosingBrace(entry) != len(entry)-1:
		return fmt.Errorf("the braces of %q do not close where the entry ends", key)
	}
	b.keys = append(b.keys, key)
	b.entries[key] = entry
	return nil
}

// keyOf returns the key of an entry that begins with type{key, as it has to.
func keyOf(entry string) (key string, ok bool) {
	kind, rest, _ := strings.Cut(entry, "{")
	key, _, found := strings.Cut(rest, ",")
	return key, found && kind != "" && strings.Trim(kind, "abcdefghijklmnopqrstuvwxyz") == "" &&
		key != "" && !strings.ContainsAny(key, " \t\n\f\r{}\"")
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
	entry, ok := b.entries[key]
	if !ok {
		return "", false
	}
	return "@" + entry, true
}
