package plots

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"bullring/internal/pattern"
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

// nameOf names a part of the figure in errors.
func nameOf(kind string, i int, label string) string {
	if label == "" {
		return fmt.Sprintf("%s %d", kind, i+1)
	}
	return fmt.Sprintf("%s %d (%s)", kind, i+1, Plain(label))
}

var validName = pattern.Of(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// validateData checks everything but the texts.
func (f *Figure) validateData() error {
	var errs []error
	check := func(err error) {
		if err != nil {
			errs = append(errs, f.errorf("%w", err))
		}
	}
	if !validName().MatchString(f.Name) {
		check(errors.New("the name is not a file name of letters, digits, '.', '_' and '-'"))
	}
	check(validSize("width", f.Width, 4))
	check(validSize("height", f.Height, 3))
	check(f.X.validate("x"))
	check(f.Y.validate("y"))
	if f.Y.Categories != nil {
		check(errors.New("the y axis has categories; the x axis may"))
	}
	for i, s := range f.Series {
		check(errorIn(nameOf("series", i, s.Label), f.validateSeries(s)))
	}
	for i, c := range f.Curves {
		check(errorIn(nameOf("curve", i, c.Label), f.validateCurve(c)))
	}
	for i, h := range f.Histograms {
		check(errorIn(nameOf("histogram", i, h.Label), f.validateHistogram(h)))
	}
	for i, b := range f.Boxes {
		check(errorIn(nameOf("boxes", i, b.Label), f.validateBoxes(b)))
	}
	for i, r := range f.References {
		check(errorIn(nameOf("reference", i, r.Label), f.X.accept("x", r.X)))
	}
	for i, s := range f.Scatters {
		check(errorIn(nameOf("scatter", i, s.Label), f.validateScatter(s)))
	}
	validateMeta(f.metadata(), check)
	if f.HeatMap != nil {
		for _, err := range f.validateHeatMap() {
			check(err)
		}
		return errors.Join(errs...)
	}
	if len(f.Series)+len(f.Curves)+len(f.Histograms)+len(f.Boxes)+len(f.Scatters) == 0 {
		check(errors.New("nothing to draw"))
	}
	if len(errs) == 0 {
		check(f.validateLimits())
	}
	return errors.Join(errs...)
}

// validateMeta checks the metadata.
func validateMeta(entries []Meta, check func(error)) {
	seen, size := make(map[string]bool), 0
	for _, m := range entries {
		size += len(m.Value)
		check(m.validate())
		if seen[m.Key] {
			check(fmt.Errorf("metadata key %q twice", m.Key))
		}
		seen[m.Key] = true
	}
	if size > largestReceipt {
		check(fmt.Errorf("metadata of %d bytes; a picture carries %d at most", size, largestReceipt))
	}
}

// errorIn adds the place to an error, if there is one.
func errorIn(where string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", where, err)
}

// validSize checks a width or height: large enough for axes with labels, and
// small enough for a poster.
func validSize(what string, v, least float64) error {
	if v != 0 && !(v >= least && v <= 100) {
		return fmt.Errorf("%s %v cm outside [%v, 100]", what, v, least)
	}
	return nil
}

func (a Axis) validate(name string) error {
	for _, bound := range []*float64{a.Min, a.Max} {
		if bound != nil {
			if err := a.accept("bound", *bound); err != nil {
				return errorIn(name+" axis", err)
			}
		}
	}
	if a.Categories != nil && (a.Log || a.Min != nil || a.Max != nil) {
		return fmt.Errorf("%s axis: categories on an axis with a logarithm or a bound", name)
	}
	return nil
}

// validateLimits checks that the axes, as the data and the bounds make them,
// run upwards.
func (f *Figure) validateLimits() error {
	x, y := f.spans()
	if lo, hi := f.X.limits(x); !(lo < hi) || tooNarrow(lo, hi) {
		return fmt.Errorf("x axis runs from %v to %v", lo, hi)
	}
	if lo, hi := f.Y.limits(y); !(lo < hi) || tooNarrow(lo, hi) {
		return fmt.Errorf("y axis runs from %v to %v", lo, hi)
	}
	return nil
}

// Values beyond these are no measurements; arithmetic with them would overflow.
const (
	largest  = 1e100
	smallest = 1e-100
)

// accept checks that a value can be drawn along the axis.
func (a Axis) accept(name string, v float64) error {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return fmt.Errorf("%s is %v", name, v)
	case math.Abs(v) > largest:
		return fmt.Errorf("%s is %v, beyond %v", name, v, largest)
	case a.Log && v <= 0:
		return fmt.Errorf("%s is %v on a logarithmic axis", name, v)
	case len(a.Categories) > 0 && !(v == math.Trunc(v) && v >= 0 && v < float64(len(a.Categories))):
		return fmt.Errorf("%s is %v; the places of the %d categories are 0 to %d", name, v, len(a.Categories), len(a.Categories)-1)
	case a.Log && v < smallest:
		return fmt.Errorf("%s is %v, below %v on a logarithmic axis", name, v, smallest)
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

func (f *Figure) validateSeries(s Series) error {
	if len(s.Points) == 0 {
		return errors.New("no points")
	}
	previous := math.Inf(-1)
	return acceptAll(s.Points, func(p Point) error {
		err := f.acceptPoint(p.X, p.Y, previous)
		if err == nil && p.hasInterval() {
			err = f.acceptInterval(p)
		}
		previous = p.X
		return err
	})
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

func (f *Figure) acceptInterval(p Point) error {
	if err := f.Y.accept("low end of the interval", p.YLow); err != nil {
		return err
	}
	if err := f.Y.accept("high end of the interval", p.YHigh); err != nil {
		return err
	}
	if p.YLow > p.YHigh {
		return fmt.Errorf("interval from %v down to %v", p.YLow, p.YHigh)
	}
	return nil
}

func (f *Figure) validateCurve(c Curve) error {
	if len(c.Points) < 2 {
		return fmt.Errorf("%d points; a curve needs two", len(c.Points))
	}
	previous := math.Inf(-1)
	return acceptAll(c.Points, func(p XY) error {
		err := f.acceptPoint(p.X, p.Y, previous)
		previous = p.X
		return err
	})
}

func (f *Figure) validateHistogram(h Histogram) error {
	if len(h.Values) == 0 || len(h.Edges) != len(h.Values)+1 {
		return fmt.Errorf("%d values between %d edges", len(h.Values), len(h.Edges))
	}
	for i, e := range h.Edges {
		if err := f.X.accept("edge", e); err != nil {
			return fmt.Errorf("edge %d: %w", i, err)
		}
		if i > 0 && e <= h.Edges[i-1] {
			return fmt.Errorf("edge %d: %v after %v; the edges must ascend", i, e, h.Edges[i-1])
		}
	}
	for i, v := range h.Values {
		if !(v >= 0 && v <= largest) {
			return fmt.Errorf("value %d is %v", i, v)
		}
	}
	return nil
}

func (f *Figure) validateScatter(s Scatter) error {
	if s.Mark < Dot || s.Mark > Filled {
		return fmt.Errorf("mark %d; allowed are %d to %d", s.Mark, Dot, Filled)
	}
	if len(s.Points) == 0 {
		return errors.New("no points")
	}
	return acceptAll(s.Points, func(p XY) error { return f.acceptPoint(p.X, p.Y, math.Inf(-1)) })
}

// validate checks that all three formats can hold the entry. PNG is the strictest about
// keys, SVG about values.
func (m Meta) validate() error {
	if len(m.Key) == 0 || len(m.Key) > 79 || strings.TrimSpace(m.Key) != m.Key {
		return fmt.Errorf("metadata key %q: not 1 to 79 characters without blanks at the ends", m.Key)
	}
	for _, r := range m.Key {
		if r < ' ' || r > '~' {
			return fmt.Errorf("metadata key %q: %q is not printable ASCII", m.Key, r)
		}
	}
	if !utf8.ValidString(m.Value) {
		return fmt.Errorf("metadata %s: the value is not UTF-8", m.Key)
	}
	if at := strings.IndexFunc(m.Value, notXML); at >= 0 {
		r, _ := utf8.DecodeRuneInString(m.Value[at:])
		return fmt.Errorf("metadata %s: character %U at byte %d of the value, which XML cannot hold", m.Key, r, at)
	}
	return nil
}

// notXML reports whether XML has no way to write a character.
func notXML(r rune) bool {
	return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF
}
