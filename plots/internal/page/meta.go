package page

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Meta is an entry of the metadata.
type Meta struct{ Key, Value string }

// validate checks that all three formats can hold the entry. PNG is the strictest about
// keys, SVG about values.
func (m Meta) validate() error {
	if len(m.Key) == 0 || len(m.Key) > 79 || strings.TrimSpace(m.Key) != m.Key {
		return fmt.Errorf("metadata key %q: not 1 to 79 characters without blanks at the ends", m.Key)
	}
	for _, r := range m.Key {
		if r < ' ' || r > '~' {
			return fmt.Errorf("metadata key %q: %q is not printable ASCII", m.Key, r)
		}
	}
	if !utf8.ValidString(m.Value) {
		return fmt.Errorf("metadata %s: the value is not UTF-8", m.Key)
	}
	if at := strings.IndexFunc(m.Value, notXML); at >= 0 {
		r, _ := utf8.DecodeRuneInString(m.Value[at:])
		return fmt.Errorf("metadata %s: character %U at byte %d of the value, which XML cannot hold", m.Key, r, at)
	}
	return nil
}

// notXML reports whether XML has no way to write a character.
func notXML(r rune) bool {
	return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF
}

// ValidateMeta checks the metadata.
func ValidateMeta(entries []Meta, check func(error)) {
	seen, size := make(map[string]bool), 0
	for _, m := range entries {
		size += len(m.Value)
		check(m.validate())
		if seen[m.Key] {
			check(fmt.Errorf("metadata key %q twice", m.Key))
		}
		seen[m.Key] = true
	}
	if size > largestReceipt {
		check(fmt.Errorf("metadata of %d bytes; a picture carries %d at most", size, largestReceipt))
	}
}
