package results

import (
	"slices"
	"strings"
)

// OutsideCell says why trials of a cell lie outside the model of their algorithm.
type OutsideCell struct {
	Trials  int // of the cell, outside or not
	Outside int
	Reasons []string // each once, in order of appearance
}

// Outside returns the cells with trials outside the model, by their index. It reads the rows, once.
func (f *Folder) Outside() (map[int]*OutsideCell, error) {
	if f.outside != nil {
		return f.outside, nil
	}
	all := map[int]*OutsideCell{}
	trials := make([]int, len(f.Cells))
	_, err := f.Rows(func(r *Record) (bool, error) {
		trials[r.Cell]++
		text, err := r.Field("outside")
		if err != nil || text == "" {
			return err == nil, err
		}
		c := all[r.Cell]
		if c == nil {
			c = &OutsideCell{}
			all[r.Cell] = c
		}
		c.Outside++
		for reason := range strings.SplitSeq(text, "; ") {
			if !slices.Contains(c.Reasons, reason) {
				c.Reasons = append(c.Reasons, strings.Clone(reason))
			}
		}
		return true, nil
	})
	for cell, c := range all {
		c.Trials = trials[cell]
	}
	if err != nil {
		return nil, err
	}
	f.outside = all
	return all, nil
}
