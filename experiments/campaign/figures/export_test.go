package figures

import (
	"io"

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
	Charts  []*plots.Figure       // one, or the panels
	SVG     func(io.Writer) error // writes the picture
	Parts   []Rehearsed           // of a grid: its panels, with the bodies of their captions
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
		drawn, err := d.kind.picture(0, nil)
		if err != nil {
			return nil, err
		}
		if err := (answer{d}).rehearse(); err != nil {
			return nil, err
		}
		one := rehearsed(d)
		one.Caption, one.SVG = plots.Plain(caption{d}.text()), drawn.(interface{ SVG(io.Writer) error }).SVG
		all = append(all, one)
	}
	return all, nil
}

func rehearsed(d *drawing) Rehearsed {
	one := Rehearsed{Figure: d.Figure, Caption: plots.Plain(caption{d}.body())}
	if d.panels != nil {
		for _, panel := range d.panels {
			part := rehearsed(panel)
			one.Parts, one.Charts = append(one.Parts, part), append(one.Charts, part.Charts...)
		}
		return one
	}
	one.Charts = []*plots.Figure{d.chart}
	of := conditionsOf(d)
	for _, cell := range d.drawn() {
		p := d.places[cell]
		one.Points = append(one.Points, Point{Label: plots.Plain(p.line.label), Place: of.placeName(p.x), Cell: d.Cells[cell]})
	}
	return one
}

// AnswersOf are the ends of the captions of a sweep that ran, by figure, as if it
// were complete or not. It draws nothing.
func AnswersOf(folder *results.Folder, complete bool) (map[string]string, error) {
	ends := map[string]string{}
	m, err := results.ReadManifest(folder.Dir)
	if err != nil {
		return nil, err
	}
	m.Complete = complete
	folder.Manifest, folder.Results = m, m.HashOf(results.ResultsFile)
	for i := range folder.Spec.Figures {
		d, err := newDrawing(folder, &folder.Spec.Figures[i])
		if err != nil {
			return nil, err
		}
		count, err := folder.Rows(func(row *results.Record) (bool, error) { return true, d.add(row) })
		if err != nil {
			return nil, err
		}
		if _, err := d.kind.picture(count, folder); err != nil {
			return nil, err
		}
		ends[d.Name] = plots.Plain(answer{d}.text())
	}
	return ends, nil
}
