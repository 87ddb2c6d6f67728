package figures

import (
	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/spec"
	"bullring/experiments/trial"
	"bullring/plots"
)

// CheckReceipt reads the receipt in the metadata of a figure, with its digests.
func CheckReceipt(r *trial.Registry, meta map[string]string) error {
	p, err := receiptOf(r, "figure.svg", meta)
	if err == nil {
		_, err = p.Blocks()
	}
	return err
}

// Rehearsed is a figure from values that are made up, as its reader has it.
type Rehearsed struct {
	*spec.Figure
	Caption string
	Points  []Point
	Chart   *plots.Figure
}

// Point is a cell in a figure: the label of its series, and its place as the axis names it.
type Point struct {
	Label, Place string
	Cell         spec.Cell
}

// RehearseAll makes the figures of a sweep.
func RehearseAll(folder *results.Folder) ([]Rehearsed, error) {
	var all []Rehearsed
	r := &rehearsal{folder, true, map[int]results.RowUnit{}}
	for i := range folder.Spec.Figures {
		d, err := r.drawing(&folder.Spec.Figures[i])
		if err != nil {
			return nil, err
		}
		if _, err := d.kind.picture(0, nil); err != nil {
			return nil, err
		}
		one := Rehearsed{Figure: d.Figure, Caption: plots.Plain(caption{d}.text()), Chart: d.chart}
		of := conditionsOf(d)
		for _, cell := range d.drawn() {
			p := d.places[cell]
			one.Points = append(one.Points, Point{Label: plots.Plain(p.line.label), Place: of.placeName(p.x), Cell: d.Cells[cell]})
		}
		all = append(all, one)
	}
	return all, nil
}
