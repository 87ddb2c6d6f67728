package experiments

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"bullring/experiments/spec"
)

// rehearse reports what would keep the tables and figures of a sweep from being
// written when all its trials have run: a metric that no algorithm measures, a text that
// does not fit, a bound without a value. Every figure is laid out, from made-up values.
func (s *Sweep) rehearse(cells []spec.Cell, l layout) error {
	if _, err := s.Registry.papers(l.algorithms); err != nil {
		return err
	}
	var found spec.Errors
	report := func(at spec.Pos, err error) {
		e, ok := errors.AsType[spec.Error](err)
		if !ok {
			e = spec.Error{Pos: at, Message: err.Error(), Cause: err}
		}
		e.Source = s.sourceLine(e.Pos)
		found = append(found, e)
	}
	if u := s.Spec.Until; u != nil {
		for _, name := range u.Metrics {
			if err := s.unmeasured(l.algorithms, name); err != nil {
				report(u.Pos, err)
			}
		}
	}
	for _, c := range s.Spec.Compare {
		for _, name := range c.Metrics {
			if err := s.unmeasured(l.algorithms, name); err != nil {
				report(c.Pos, err)
			}
		}
	}
	units := map[int]rowUnit{}
	for i := range s.Spec.Figures {
		f := &s.Spec.Figures[i]
		if err := s.rehearseFigure(f, cells, units); err != nil {
			report(f.Pos, err)
		}
	}
	if found == nil {
		return nil
	}
	return found
}

// unmeasured reports why the sweep has no value of the metric of a name.
func (s *Sweep) unmeasured(algorithms []*Algorithm, name string) error {
	m, err := s.Registry.metricOf(s.Spec, name)
	if err != nil {
		return err
	}
	return unmeasured(algorithms, m)
}

// longestFigureName is the most bytes in the name of a figure. With an extension, and
// what a temporary file has besides, it stays below the 255 that file systems take.
const longestFigureName = 200

// rehearseFigure reports why a figure cannot be drawn, whatever comes of the trials. It
// looks up, and enters, the units of the times of cells.
func (s *Sweep) rehearseFigure(figure *spec.Figure, cells []spec.Cell, units map[int]rowUnit) error {
	if len(figure.Name) > longestFigureName {
		return fmt.Errorf("the figure's name has %d letters; the names of its files take %d at most", len(figure.Name), longestFigureName)
	}
	if figure.Y.Deviation && s.Spec.Replicates < 2 {
		return spec.Error{Pos: figure.Y.Pos, Message: "a standard deviation takes two replicates at least, and there is 1"}
	}
	f := *figure
	f.Y.Min, f.Y.Max, f.Z.Min, f.Z.Max = nil, nil, nil, nil // values may come to lie between them
	once := *s.Spec
	once.Replicates = 1 // of which bounds are computed
	d, err := newDrawing(&archive{
		registry: s.Registry, text: s.Text, spec: &once, cells: cells, trials: s.trialsHash(), manifest: &Manifest{Complete: true}, results: hashOf(nil),
	}, &f)
	if err != nil {
		return err
	}
	d.rehearsal = true
	if err := d.makeUp(s.Spec.Replicates); err != nil {
		return spec.Error{Pos: f.Metric().Pos, Message: err.Error()}
	}
	if d.measured.inTime() {
		if err := s.unitsOf(d, units); err != nil {
			return err
		}
	}
	drawn, err := d.plot(0)
	if err == nil {
		err = drawn.Validate()
	}
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[spec.Error](err); ok {
		return e
	}
	return errors.New(strings.ReplaceAll(err.Error(), fmt.Sprintf("plots: figure %q", f.Name), "figure "+f.Name))
}

// makeUp gives the cells that are drawn, and measure the metric, a value: a positive
// one, which every axis takes, and a second one where a deviation is drawn. The digests
// are as many as those of so many replicates.
func (d *drawing) makeUp(replicates int) error {
	values := []float64{1}
	if d.Y.Deviation {
		values = append(values, 0)
	}
	digests := make([]uint32, replicates)
	var algorithms []*Algorithm
	for i, p := range d.places {
		a, err := d.registry.Find(d.cells[i].Algorithm)
		if err != nil {
			return err
		}
		if !slices.Contains(algorithms, a) {
			algorithms = append(algorithms, a)
		}
		if a.measures(d.measured) {
			p.values = slices.Clone(values)
			d.digests[i] = digests
		}
	}
	slices.SortFunc(algorithms, func(a, b *Algorithm) int { return strings.Compare(a.Name, b.Name) })
	return unmeasured(algorithms, d.measured)
}

// unitsOf enters the units that the rows of a figure of times will have.
func (s *Sweep) unitsOf(d *drawing, units map[int]rowUnit) error {
	for i, p := range d.places {
		if unit, ok := units[i]; ok && d.measured.IsTime() {
			p.unit = unit
			continue
		}
		p.unit = rowUnit{length: time.Second}
		if !d.measured.IsTime() {
			continue
		}
		in, err := s.instance(&d.cells[i], trialSeed(s.Spec.Seed, d.cells[i].Key(), 1))
		if err != nil {
			return err
		}
		p.unit.length, p.unit.constant = in.Unit()
		units[i] = p.unit
	}
	return nil
}
