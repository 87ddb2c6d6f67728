package motion

import (
	"bytes"
	"fmt"
	"strings"

	"bullring/des"
	"bullring/protocols"
)

// record is a line of a file, cut into fields.
type record struct {
	file   string
	line   int
	fields []word
}

// records cuts a text into lines with fields, at white space and at what else separates them. Empty
// lines and those that begin with # are left out.
func records(file string, text []byte, also string) (all []record) {
	for i, line := range strings.Split(string(bytes.TrimPrefix(text, []byte("\ufeff"))), "\n") {
		r := record{file: file, line: i + 1}
		start := -1
		for at, c := range line + " " {
			switch separates := c == ' ' || c == '\t' || c == '\r' || strings.ContainsRune(also, c); {
			case separates && start >= 0:
				r.fields = append(r.fields, word{line[start:at], start + 1})
				start = -1
			case !separates && start < 0:
				start = at
			}
		}
		if len(r.fields) > 0 && !strings.HasPrefix(r.fields[0].text, "#") {
			all = append(all, r)
		}
	}
	return all
}

// fail returns an error that names file, line and column of a field.
func (r *record) fail(field int, format string, args ...any) error {
	w := r.fields[min(field, len(r.fields)-1)]
	return fmt.Errorf("%s, line %d, column %d: %q %s", r.file, r.line, w.column, w.text, fmt.Sprintf(format, args...))
}

// number reads a number in units of 10^-decimals, from least to most units.
func (r *record) number(field, decimals int, what string, least, most int64) (int64, error) {
	v, ok := parseDecimal(r.fields[field].text, decimals)
	if !ok || v < least || v > most {
		unit := int64(1)
		for range decimals {
			unit *= 10
		}
		return 0, r.fail(field, "is not valid as %s: allowed are numbers from %d to %d", what, least/unit, most/unit)
	}
	return v, nil
}

// mostSeconds is the last instant in a file: 73 years.
const mostSeconds = 640_000 * 3600

// instant reads a time in seconds, as microseconds.
func (r *record) instant(field int) (micros int64, err error) {
	return r.number(field, 6, "a time in seconds", 0, mostSeconds*second)
}

// coordinate reads a coordinate in metres, as picometres.
func (r *record) coordinate(field int) (int64, error) {
	return r.number(field, 12, "a coordinate in metres", -mostLength/2, mostLength/2)
}

// address reads an address of a process.
func (r *record) address(field int) (protocols.ID, error) {
	v, err := r.number(field, 0, "an address", 0, 1<<23)
	return protocols.ID(v), err
}

// tooFew says that a file has not as many processes as it takes.
func tooFew(has string, n int) error {
	return fmt.Errorf("the file has %s, and there are %d processes", has, n)
}

func instantOf(micros int64) des.Time { return des.Time(micros) * microsecond }
