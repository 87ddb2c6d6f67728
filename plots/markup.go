package plots

import "bullring/plots/internal/page"

// Escape returns s with a backslash before every character that has a meaning
// in the markup.
func Escape(s string) string { return page.Escape(s) }

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

// LaTeX converts markup to LaTeX: italics and scripts become formulas, and every character
// with a meaning in LaTeX is escaped. Text that is no markup is taken literally. The
// result can stand in a paragraph, a caption or a cell of a table. It needs the input
// encoding UTF-8, and the font encoding T1 for characters such as < and |.
func LaTeX(markup string) string { return page.LaTeX(markup) }
