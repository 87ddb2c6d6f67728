package plots

import (
	"html"
	"strings"
)

// HTML converts markup to HTML: italics and scripts become elements, and characters with a
// meaning in HTML are escaped. Text that is no markup is taken literally.
func HTML(markup string) string {
	runs, err := parseMarkup(markup)
	if err != nil {
		runs = []run{{text: markup}}
	}
	tags := map[rune]string{'^': "sup", '_': "sub"}
	var b strings.Builder
	for _, r := range runs {
		text := html.EscapeString(strings.ToValidUTF8(r.text, "?"))
		if r.italic {
			text = "<i>" + text + "</i>"
		}
		for i := len(r.level) - 1; i >= 0; i-- {
			tag := tags[rune(r.level[i])]
			text = "<" + tag + ">" + text + "</" + tag + ">"
		}
		b.WriteString(text)
	}
	return b.String()
}
