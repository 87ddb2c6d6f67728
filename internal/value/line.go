package value

import (
	"strconv"
	"strings"
	"unicode"
)

// OneLine returns a text in which what would not stay in its line or place, such as a line
// break, is an escape sequence.
func OneLine(text string) string {
	var b strings.Builder
	for _, letter := range text {
		if unicode.IsPrint(letter) {
			b.WriteRune(letter)
		} else {
			b.WriteString(strings.Trim(strconv.QuoteRune(letter), "'"))
		}
	}
	return b.String()
}
