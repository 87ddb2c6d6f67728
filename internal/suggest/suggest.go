// Package suggest finds the known word that is most similar to a misspelt one.
package suggest

import (
	"fmt"
	"strings"
)

// DidYouMean returns a suggestion for the end of a sentence, with a space in front, or "".
func DidYouMean(word string, known []string) string {
	if s := Word(word, known); s != "" {
		return fmt.Sprintf(" (did you mean %q?)", s)
	}
	return ""
}

// Many is the largest number of known words that are listed beside a suggestion.
const Many = 8

// Among returns a suggestion and the known words, unless they are more than Many, for the end of
// a sentence.
func Among(word string, known []string) string {
	meant := DidYouMean(word, known)
	if meant != "" && len(known) > Many {
		return meant
	}
	return meant + "; allowed are " + strings.Join(known, ", ")
}

// Word returns the known word that was probably meant, or "". A known word is near if one letter, or
// up to a third of the letters, would have to change (be inserted, deleted, replaced, or swapped
// with the neighbour). Of equally near words the first wins. If none is near, Word returns the only
// known word that begins with the given one.
func Word(word string, known []string) string {
	word = strings.ToLower(word)
	best, bestDistance := "", 0
	for _, k := range known {
		lower := strings.ToLower(k)
		longest, shortest := max(len(word), len(lower)), min(len(word), len(lower))
		limit := max(1, longest/3)
		if longest-shortest > limit || longest < 2 {
			continue // too far apart to measure, or no letter in common
		}
		if d := distance(word, lower); d <= limit && (best == "" || d < bestDistance) {
			best, bestDistance = k, d
		}
	}
	if best == "" {
		best = completion(word, known)
	}
	return best
}

// completion returns the only known word that begins with the given one, which has at least two
// letters.
func completion(word string, known []string) string {
	found := ""
	for _, k := range known {
		if len(word) >= 2 && strings.HasPrefix(strings.ToLower(k), word) {
			if found != "" {
				return ""
			}
			found = k
		}
	}
	return found
}

// distance is the optimal string alignment distance: Levenshtein's, with a swap of neighbours as one
// step.
func distance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			substitute := last[j-1]
			if a[i-1] != b[j-1] {
				substitute++
			}
			row[j] = min(last[j]+1, row[j-1]+1, substitute)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
