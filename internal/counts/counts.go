// Package counts prints numbers of things: with thousands separators, and with the plural of
// the thing.
package counts

import (
	"fmt"
	"strings"
)

// Grouped prints a number that is not negative with thousands separators.
func Grouped[T ~int | ~int64 | ~uint32 | ~uint64](v T) string { return Digits(fmt.Sprint(v)) }

// Digits puts thousands separators between the digits of a whole number.
func Digits(digits string) string {
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}

// Several prints a number of things, with the plural of their name.
func Several(count int, thing string) string {
	switch {
	case count == 1:
	case strings.HasSuffix(thing, "s") || strings.HasSuffix(thing, "h"):
		thing += "es"
	default:
		thing += "s"
	}
	return Grouped(count) + " " + thing
}
