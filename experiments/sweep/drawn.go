package sweep

import (
	"errors"

	"bullring/experiments"
	"bullring/experiments/results"
	"bullring/experiments/spec"
)

// checkDrawn reports what would keep the tables and figures of a sweep from being
// written when all its trials have run: a metric that no algorithm measures, a text that
// does not fit, a bound without a value.
func (s *Sweep) checkDrawn(cells []spec.Cell, l results.Layout) error {
	if _, err := s.Registry.Papers(l.Algorithms); err != nil {
		return err
	}
	var found spec.Errors
	report := func(at spec.Pos, err error) {
		e, ok := errors.AsType[spec.Error](err)
		if !ok {
			e = spec.Error{Pos: at, Message: err.Error(), Cause: err}
		}
		e.Source = results.SourceLine(s.Spec, s.Text, e.Pos)
		found = append(found, e)
	}
	if u := s.Spec.Until; u != nil {
		for _, name := range u.Metrics {
			if err := s.unmeasured(l.Algorithms, name); err != nil {
				report(u.Pos, err)
			}
		}
	}
	for _, c := range s.Spec.Compare {
		for _, name := range c.Metrics {
			if err := s.unmeasured(l.Algorithms, name); err != nil {
				report(c.Pos, err)
			}
		}
	}
	if s.Rehearse != nil {
		rehearse := s.Rehearse(s.archive(cells), s.outsideModel())
		for i := range s.Spec.Figures {
			f := &s.Spec.Figures[i]
			if err := rehearse(f); err != nil {
				report(f.Pos, err)
			}
		}
	}
	if found == nil {
		return nil
	}
	return found
}

// unmeasured reports why the sweep has no value of the metric of a name.
func (s *Sweep) unmeasured(algorithms []*experiments.Algorithm, name string) error {
	m, err := results.MetricOf(s.Registry, s.Spec, name)
	if err != nil {
		return err
	}
	return results.Unmeasured(algorithms, m)
}
