package results

import (
	"fmt"
	"time"

	"bullring/des"
)

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
