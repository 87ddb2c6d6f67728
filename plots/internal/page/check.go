package page

import (
	"fmt"
	"strconv"

	"bullring/internal/pattern"
)

// NameOf names a part of the figure in errors.
func NameOf(kind string, i int, label string) string {
	if label == "" {
		return fmt.Sprintf("%s %d", kind, i+1)
	}
	return fmt.Sprintf("%s %d (%s)", kind, i+1, Plain(label))
}

var ValidName = pattern.Of(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// ErrorIn adds the place to an error, if there is one.
func ErrorIn(where string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", where, err)
}

// ValidSize checks a width or height: large enough for axes with labels, and
// small enough for a poster.
func ValidSize(what string, v, least float64) error {
	if v != 0 && !(v >= least && v <= 100) {
		return fmt.Errorf("%s %v cm outside [%v, 100]", what, v, least)
	}
	return nil
}

// Number formats v with as many digits as it takes to read it back exactly.
func Number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
