package results

import (
	"slices"
	"strings"
)

// OutsideCell says why trials of a cell lie outside the model of their algorithm.
type OutsideCell struct {
	Trials  int // of the cell, outside or not
	Outside int
	// Reasons are those of the trials, each once, in order of appearance. If the sweep keeps a
	// summary, they are those of the first trial.
	Reasons []string
}

// Outside returns the cells of a folder with trials outside the model, by their index. It reads the
// rows or the digests, once.
func Outside(f *Folder) (map[int]*OutsideCell, error) {
	if f.outside != nil {
		return f.outside, nil
	}
	read := outsideInRows
	if f.Spec.Keep.Summary {
		read = outsideInDigests
	}
	all, err := read(f)
	if err != nil {
		return nil, err
	}
	f.outside = all
	return all, nil
}

func outsideInDigests(f *Folder) (map[int]*OutsideCell, error) {
	l, err := LayoutOf(f.Registry, f.Spec)
	if err != nil {
		return nil, err
	}
	all := map[int]*OutsideCell{}
	err = f.Digests(l, func(cell int, d *Digest) error {
		if d.Outside == 0 {
			return nil
		}
		in, err := f.input(cell, true)
		if err == nil {
			all[cell] = &OutsideCell{d.Trials, d.Outside, in.Outside}
		}
		return err
	})
	return all, err
}

func outsideInRows(f *Folder) (map[int]*OutsideCell, error) {
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
	return all, err
}
