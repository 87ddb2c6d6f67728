package conjecture

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// maxValues is the largest number of values of a variable.
const maxValues = 1000

// ParseValues reads the values of a variable: integers and ranges of them, as in 2..8,16.
func ParseValues(text string) (values []int64, err error) {
	for part := range strings.SplitSeq(text, ",") {
		low, high, isRange := strings.Cut(strings.TrimSpace(part), "..")
		if !isRange {
			high = low
		}
		first, err := strconv.ParseInt(low, 10, 32)
		last, err2 := strconv.ParseInt(high, 10, 32)
		if err != nil || err2 != nil || first < 0 || last < first || last-first >= maxValues {
			return nil, fmt.Errorf("%q: it takes integers from 0 and ranges, as in 2..8,16, up to %d", part, maxValues)
		}
		for v := first; v <= last; v++ {
			values = append(values, v)
		}
	}
	slices.Sort(values)
	if len(slices.Compact(slices.Clone(values))) < len(values) {
		return nil, fmt.Errorf("%q has a value twice", text)
	}
	return values, nil
}

// ParseVariable reads a variable with its values, as in k=1..4.
func ParseVariable(text string) (v Variable, err error) {
	name, values, found := strings.Cut(text, "=")
	v.Name = strings.TrimSpace(name)
	if !found || !isName(v.Name) {
		return v, fmt.Errorf("%q: it takes a name of letters and values, as in k=1..4", text)
	}
	v.Values, err = ParseValues(values)
	return v, err
}

// isName reports whether a name has letters of English only.
func isName(name string) bool {
	return name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}
