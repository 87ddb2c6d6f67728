package plots

import (
	"errors"
	"fmt"
	"math"

	"bullring/plots/internal/page"
)

// Validate returns all mistakes in the data or, if there are none, all mistakes in the
// texts. Errors name the series and the value.
func (f *Figure) Validate() error {
	_, err := f.layout()
	return err
}

// errorf returns an error that begins with the figure's name.
func (f *Figure) errorf(format string, args ...any) error {
	return fmt.Errorf("plots: figure %q: "+format, append([]any{f.Name}, args...)...)
}

// mistakes collects the mistakes in a figure.
type mistakes struct {
	figure *Figure
	errs   []error
}

// add adds a mistake, if there is one, with its place in the figure.
func (m *mistakes) add(where string, err error) { m.addFigure(page.ErrorIn(where, err)) }

// addFigure adds a mistake in the figure as a whole.
func (m *mistakes) addFigure(err error) {
	if err != nil {
		m.errs = append(m.errs, m.figure.errorf("%w", err))
	}
}

// validateData checks everything but the texts.
func (f *Figure) validateData() error {
	m := &mistakes{figure: f}
	if !page.ValidName().MatchString(f.Name) {
		m.addFigure(errors.New("the name is not a file name of letters, digits, '.', '_' and '-'"))
	}
	m.addFigure(page.ValidSize("width", f.Width, 4))
	m.addFigure(page.ValidSize("height", f.Height, 3))
	m.addFigure(f.X.validate("x"))
	m.addFigure(f.Y.validate("y"))
	if f.Y.Categories != nil {
		m.addFigure(errors.New("the y axis has categories; the x axis may"))
	}
	for _, p := range f.parts() {
		p.check(m, p.name)
	}
	page.ValidateMeta(f.metadata(), m.addFigure)
	if len(m.errs) == 0 {
		m.addFigure(f.validateLimits())
	}
	return errors.Join(m.errs...)
}

func (a Axis) validate(name string) error {
	for _, bound := range []*float64{a.Min, a.Max} {
		if bound != nil {
			if err := a.accept("bound", *bound); err != nil {
				return page.ErrorIn(name+" axis", err)
			}
		}
	}
	if a.Categories != nil && (a.Log || a.Min != nil || a.Max != nil) {
		return fmt.Errorf("%s axis: categories on an axis with a logarithm or a bound", name)
	}
	return nil
}

// validateLimits checks that there are data, and that the axes, as the data and the bounds
// make them, run upwards.
func (f *Figure) validateLimits() error {
	x, y := f.spans()
	if y.lo > y.hi {
		return errors.New("nothing to draw")
	}
	if lo, hi := f.X.limits(x); !(lo < hi) || page.TooNarrow(lo, hi) {
		return fmt.Errorf("x axis runs from %v to %v", lo, hi)
	}
	if lo, hi := f.Y.limits(y); !(lo < hi) || page.TooNarrow(lo, hi) {
		return fmt.Errorf("y axis runs from %v to %v", lo, hi)
	}
	return nil
}

// accept checks that a value can be drawn along the axis.
func (a Axis) accept(name string, v float64) error {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return fmt.Errorf("%s is %v", name, v)
	case math.Abs(v) > page.Largest:
		return fmt.Errorf("%s is %v, beyond %v", name, v, page.Largest)
	case a.Log && v <= 0:
		return fmt.Errorf("%s is %v on a logarithmic axis", name, v)
	case len(a.Categories) > 0 && !(v == math.Trunc(v) && v >= 0 && v < float64(len(a.Categories))):
		return fmt.Errorf("%s is %v; the places of the %d categories are 0 to %d", name, v, len(a.Categories), len(a.Categories)-1)
	case a.Log && v < page.Smallest:
		return fmt.Errorf("%s is %v, below %v on a logarithmic axis", name, v, page.Smallest)
	}
	return nil
}

// acceptPoint checks a point, which must not lie left of the previous one.
func (f *Figure) acceptPoint(x, y, previous float64) error {
	if err := f.X.accept("x", x); err != nil {
		return err
	}
	if err := f.Y.accept("y", y); err != nil {
		return err
	}
	if x < previous {
		return fmt.Errorf("x is %v after %v; the points must ascend", x, previous)
	}
	return nil
}

// acceptInterval checks an interval along y.
func (f *Figure) acceptInterval(low, high float64) error {
	if err := f.Y.accept("low end of the interval", low); err != nil {
		return err
	}
	if err := f.Y.accept("high end of the interval", high); err != nil {
		return err
	}
	if low > high {
		return fmt.Errorf("interval from %v down to %v", low, high)
	}
	return nil
}

// acceptAll checks points one after another.
func acceptAll[P any](points []P, accept func(P) error) error {
	for i, p := range points {
		if err := accept(p); err != nil {
			return fmt.Errorf("point %d: %w", i, err)
		}
	}
	return nil
}
