package spec

import (
	"fmt"

	"bullring/internal/suggest"
)

// didYouMean words a suggestion as a hint, or returns "".
func didYouMean(word string, known []string) string {
	if s := suggest.Word(word, known); s != "" {
		return fmt.Sprintf("did you mean %q?", s)
	}
	return ""
}
