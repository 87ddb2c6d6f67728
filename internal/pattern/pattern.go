// Package pattern compiles regular expressions when they are first needed. A program starts
// sooner if it does not compile those of all its commands.
package pattern

import (
	"regexp"
	"sync"
)

// Of returns a function that returns the regular expression of a text. It panics if the text
// is none.
func Of(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
