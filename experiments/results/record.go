package results

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"bullring/des"
	"bullring/experiments"
)

// Record is a row of results.csv.
type Record struct {
	Number    int // from 1
	Cell      int // from 0
	Replicate int // from 1
	columns   []string
	Fields    []string
	Where     string // file and line, for errors
}

// Field is the text in the column of that name.
func (r *Record) Field(name string) (string, error) {
	i := slices.Index(r.columns, name)
	if i < 0 {
		return "", fmt.Errorf("%s: the results have no column %q", r.Where, name)
	}
	return r.Fields[i], nil
}

// has reports whether the results have what a metric is computed from.
func (r *Record) has(m *experiments.Metric) bool {
	return !slices.ContainsFunc(operands(m), func(name string) bool { return !slices.Contains(r.columns, name) })
}

// Text is a metric of a row, as results have it; "" if there is none. It is an error if
// the results do not have what it is computed from.
func (r *Record) Text(m *experiments.Metric) (string, error) {
	if m.Formula == nil {
		return r.Field(m.Name)
	}
	var wrong error
	v := evaluate(m, func(name string) float64 {
		text, err := r.Field(name)
		v, none := 0.0, text == ""
		if err == nil && !none {
			if v, err = strconv.ParseFloat(text, 64); err != nil {
				err = r.Wrong(name, text, "a number")
			}
		}
		if wrong == nil {
			wrong = err
		}
		if none {
			return math.NaN()
		}
		return v
	})
	return formatNumber(v), wrong
}

// Unit is the unit of the times in a row: the constant delay of its messages, or a
// second.
func (r *Record) Unit() (RowUnit, error) {
	text, err := r.Field("time_unit")
	switch {
	case err != nil:
		return RowUnit{}, err
	case text == "s":
		return RowUnit{Length: time.Second}, nil
	case text != "delay":
		return RowUnit{}, r.Wrong("time_unit", text, "delay or s")
	}
	if text, err = r.Field("delay"); err != nil {
		return RowUnit{}, err
	}
	delay, err := des.ParseDistribution(text)
	if err != nil {
		return RowUnit{}, fmt.Errorf("%s: %w", r.Where, err)
	}
	shortest, longest, bounded := delay.Bounds()
	if !bounded || shortest != longest || shortest <= 0 {
		return RowUnit{}, r.Wrong("delay", text, "the constant delay that time_unit tells of")
	}
	return RowUnit{longest, true}, nil
}

// RowUnit is the unit of the times in the rows of a cell.
type RowUnit struct {
	Length   time.Duration // 0 before the first row
	Constant bool          // it is the delay of a message
}

// Clone is a record that outlives the call that it was made for.
func (r *Record) Clone() *Record {
	c := *r
	c.Fields = slices.Clone(r.Fields)
	return &c
}

// Wrong is an error about a field.
func (r *Record) Wrong(name, text, takes string) error {
	return fmt.Errorf("%s: column %s holds %q, which is not %s", r.Where, name, text, takes)
}
