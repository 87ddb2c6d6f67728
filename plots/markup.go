package plots

import (
	"strings"

	"bullring/plots/internal/page"
)

// Escape returns s with a backslash before every character that has a meaning
// in the markup.
func Escape(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune(page.Special, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Markup returns s if it is markup, and escapes it otherwise.
func Markup(s string) string {
	if _, err := page.ParseMarkup(s); err != nil {
		return Escape(s)
	}
	return s
}

// CheckText returns the reason why markup cannot be typeset: a mistake in it, or a
// character that the font lacks.
func CheckText(markup string) error {
	_, err := page.NewTypesetter().Set(markup, page.LabelSize)
	return err
}

// Plain returns s without its markup, for places that show only characters.
// Scripts keep their mark: "n^{2}" becomes "n^2".
func Plain(s string) string { return page.Plain(s) }
