package plots

import (
	"html"
	"strings"

	"bullring/plots/internal/page"
)

// HTML converts markup to HTML: italics and scripts become elements, and characters with a
// meaning in HTML are escaped. Text that is no markup is taken literally.
func HTML(markup string) string {
	runs, err := page.ParseMarkup(markup)
	if err != nil {
		runs = []page.Run{{Text: markup}}
	}
	tags := map[rune]string{'^': "sup", '_': "sub"}
	var b strings.Builder
	for _, r := range runs {
		text := html.EscapeString(strings.ToValidUTF8(r.Text, "?"))
		if r.Italic {
			text = "<i>" + text + "</i>"
		}
		for i := len(r.Level) - 1; i >= 0; i-- {
			tag := tags[rune(r.Level[i])]
			text = "<" + tag + ">" + text + "</" + tag + ">"
		}
		b.WriteString(text)
	}
	return b.String()
}
