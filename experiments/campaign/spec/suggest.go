package spec

import (
	"fmt"

	"bullring/internal/suggest"
)

// didYouMean returns a suggestion as a hint, or "".
func didYouMean(word string, known []string) string {
	if s := suggest.Word(word, known); s != "" {
		return fmt.Sprintf("did you mean %q?", s)
	}
	return ""
}
