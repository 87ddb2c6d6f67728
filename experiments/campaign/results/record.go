package results

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"bullring/des"
	"bullring/experiments/trial"
	"bullring/experiments/trial/setting"
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

// Field returns the text in a column.
func (r *Record) Field(name string) (string, error) {
	i := slices.Index(r.columns, name)
	if i < 0 {
		return "", fmt.Errorf("%s: the results have no column %q", r.Where, name)
	}
	return r.Fields[i], nil
}

// Text returns the value of a metric as results.csv prints it; "" if the trial has none. It
// is an error if a column is missing that the metric is computed from.
func (r *Record) Text(m *trial.Metric) (string, error) {
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

// Unit returns the unit of the times in a row: the constant delay of its messages, or a
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
	Length   time.Duration // 0 before the first row is read
	Constant bool          // the unit is the delay of a message
}

// Setting returns the setting in the row. It may be outside the algorithm's model, as the
// recorded trial was.
func (r *Record) Setting() (trial.Setting, error) {
	s := trial.Setting{OutsideModel: true}
	text, err := r.Field("algorithm")
	if err != nil {
		return s, err
	}
	s.Algorithm = text
	for i := range setting.Conditions {
		c := &setting.Conditions[i]
		if c.Column.Optional && !slices.Contains(r.columns, c.Name) {
			continue
		}
		if text, err = r.Field(c.Name); err != nil {
			return s, err
		}
		if !c.Set(&s, text) {
			return s, r.Wrong(c.Name, text, c.Kind.String())
		}
	}
	if text, err = r.Field("seed"); err != nil {
		return s, err
	}
	if s.Seed, err = strconv.ParseUint(text, 10, 64); err != nil {
		return s, r.Wrong("seed", text, "a whole number from 0 to 2^64-1")
	}
	return s, nil
}

// Parted says at which event the recorded run and another part, as far as the record tells.
func (r *Record) Parted(now *trial.Result) string {
	print, err := r.Field("fingerprint")
	switch {
	case err != nil:
		return ""
	case print == fmt.Sprintf("%016x", now.Fingerprint):
		return "the events are the same, only the record differs"
	}
	trail, err := r.Field("trail")
	if err != nil || trail == "" || now.Trail == "" {
		return ""
	}
	return now.PartsFrom(trail)
}

// has reports whether the row has all columns that a metric is computed from.
func (r *Record) has(m *trial.Metric) bool {
	return !slices.ContainsFunc(operands(m), func(name string) bool { return !slices.Contains(r.columns, name) })
}

// Clone copies a record, which then outlives the call of Rows.
func (r *Record) Clone() *Record {
	c := *r
	c.Fields = slices.Clone(r.Fields)
	return &c
}

// Wrong returns an error about a field: takes says what the column takes.
func (r *Record) Wrong(name, text, takes string) error {
	return fmt.Errorf("%s: column %s holds %q, which is not %s", r.Where, name, text, takes)
}
