package figures

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/spec"
	"bullring/experiments/trial"
	"bullring/internal/wholefile"
)

// Rehearse returns a function that checks a figure before its sweep runs. It lays out the
// figure from made-up values, and returns an error if the figure could not be drawn
// whatever the results are.
func Rehearse(folder *results.Folder, outside bool) func(*spec.Figure) error {
	r := &rehearsal{folder, outside, map[int]results.RowUnit{}}
	return r.figure
}

// rehearsal checks the figures of a sweep.
type rehearsal struct {
	*results.Folder
	outside bool                    // cells may lie outside the model of their algorithm
	units   map[int]results.RowUnit // of times, by cell, as far as they are known
}

// longestFigureName is the largest length of a figure's name, in bytes. With an extension
// and the affixes of a temporary file, it stays below the 255 bytes that file systems
// allow.
const longestFigureName = 200

// figure checks a figure.
func (r *rehearsal) figure(figure *spec.Figure) error {
	if len(figure.Name) > longestFigureName {
		return fmt.Errorf("the figure's name has %d letters; the names of its files take %d at most", len(figure.Name), longestFigureName)
	}
	if figure.Y.Deviation && r.Spec.Replicates < 2 {
		return spec.Error{Pos: figure.Y.Pos, Message: "a standard deviation takes two replicates at least, and there is 1"}
	}
	d, err := r.drawing(figure)
	if err != nil {
		return err
	}
	drawn, err := d.kind.picture(0, nil)
	if err == nil {
		err = drawn.Validate()
	}
	if err == nil && figure.TeX {
		err = drawn.TikZ(io.Discard) // a heat map can have more cells than TeX has room for
	}
	if err == nil {
		err = answer{d}.rehearse()
	}
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[spec.Error](err); ok {
		return e
	}
	return errors.New(strings.ReplaceAll(err.Error(), fmt.Sprintf("plots: figure %q", figure.Name), "figure "+figure.Name))
}

// drawing makes a figure from values that are made up.
func (r *rehearsal) drawing(figure *spec.Figure) (*drawing, error) {
	f := *figure
	boundless(&f)
	f.Panels = slices.Clone(f.Panels)
	for i := range f.Panels {
		boundless(&f.Panels[i])
	}
	once := *r.Spec
	once.Replicates = 1 // bounds are computed for one trial
	d, err := newDrawing(&results.Folder{
		Registry: r.Registry, Text: r.Text, Spec: &once, Cells: r.Cells, Trials: r.TrialsHash(), Manifest: &results.Manifest{Complete: true}, Results: wholefile.Hash(nil),
	}, &f)
	if err != nil {
		return nil, err
	}
	for _, one := range append([]*drawing{d}, d.panels...) {
		if err := r.fill(one); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// boundless leaves out the ends of the scales of metrics: the values may lie between them.
func boundless(f *spec.Figure) { f.Y.Min, f.Y.Max, f.Z.Min, f.Z.Max = nil, nil, nil, nil }

// fill gives a drawing values and units.
func (r *rehearsal) fill(d *drawing) error {
	d.rehearsal = true
	if err := d.makeUp(r.Spec.Replicates); err != nil {
		return spec.Error{Pos: cmp.Or(d.Metric().Pos, d.Pos), Message: err.Error()}
	}
	if !d.measured.InTime() {
		return nil
	}
	return r.unitsOf(d)
}

// makeUp gives a value to each drawn cell whose algorithm measures the metric: a positive
// one, which every axis takes, and a second one if a deviation is drawn. There are as many
// digests as for so many replicates.
func (d *drawing) makeUp(replicates int) error {
	values := []float64{1}
	if d.Y.Deviation {
		values = append(values, 0)
	}
	digests := make([]uint32, replicates)
	var algorithms []*trial.Algorithm
	for i, p := range d.places {
		a, err := d.Registry.Find(d.Cells[i].Algorithm)
		if err != nil {
			return err
		}
		if !slices.Contains(algorithms, a) {
			algorithms = append(algorithms, a)
		}
		if results.Measures(a, d.measured) {
			p.values = slices.Clone(values)
			d.digests[i] = digests
		}
	}
	slices.SortFunc(algorithms, func(a, b *trial.Algorithm) int { return strings.Compare(a.Name, b.Name) })
	return results.Unmeasured(algorithms, d.measured)
}

// unitsOf sets the units that the rows of the figure will have.
func (r *rehearsal) unitsOf(d *drawing) error {
	for i, p := range d.places {
		if unit, ok := r.units[i]; ok && d.measured.IsTime() {
			p.unit = unit
			continue
		}
		p.unit = results.RowUnit{Length: time.Second}
		if !d.measured.IsTime() {
			continue
		}
		in, err := results.InstanceOf(r.Registry, &d.Cells[i], results.TrialSeed(r.Spec.Seed, d.Cells[i].Key(), 1), r.outside)
		if err != nil {
			return err
		}
		p.unit.Length, p.unit.Constant = in.Unit()
		r.units[i] = p.unit
	}
	return nil
}
