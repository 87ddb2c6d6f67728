package figures

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/spec"
	"bullring/experiments/campaign/stats"
	"bullring/experiments/trial"
	"bullring/plots"
)

// theory draws the curves of a figure: declared bounds, and powers of x.
type theory struct{ *drawing }

// addCurves adds the curves to a figure with an x.
func (t theory) addCurves(f *plots.Figure) error {
	for i := range t.Curves {
		c, err := t.curve(&t.Curves[i])
		if err != nil {
			return spec.Error{Pos: t.Curves[i].Pos, Message: err.Error(), Cause: err}
		}
		f.Marks = append(f.Marks, &c)
	}
	return nil
}

// addReferences adds the bounds to a figure without an x, as vertical lines.
func (t theory) addReferences(f *plots.Figure) error {
	for i := range t.Curves {
		c := &t.Curves[i]
		r, err := t.boundReference(c)
		if err != nil {
			return spec.Error{Pos: c.Pos, Message: err.Error(), Cause: err}
		}
		f.Marks = append(f.Marks, &r)
	}
	return nil
}

// curve draws a curve of theory over the measured range.
func (t theory) curve(c *spec.Curve) (plots.Curve, error) {
	if c.Bound == "" {
		return t.power(c), nil
	}
	return t.boundCurve(c)
}

// curveSamples is the largest number of samples of a curve, roughly: several a millimetre,
// so that straight pieces look smooth.
const curveSamples = 300

// shape is the power of x of a curve, possibly with a logarithm or an exponential.
func (theory) shape(c *spec.Curve, x float64) float64 {
	y := math.Pow(x, c.Power) * math.Pow(math.Log2(x), c.Lg)
	if c.Base != 0 {
		y *= math.Pow(c.Base, x)
	}
	return y
}

// factorOf is the factor of a power. Without one, the curve goes through the measured point at
// the largest x, or the highest of several.
func (t theory) factorOf(c *spec.Curve) float64 {
	if c.Factor != 0 {
		return c.Factor
	}
	_, hi := t.xRange()
	through := 0.0
	for _, l := range t.lines {
		for _, p := range t.points(l) {
			if p.X == hi {
				through = max(through, p.Y)
			}
		}
	}
	return through / t.shape(c, hi)
}

// power is a power of x.
func (t theory) power(c *spec.Curve) plots.Curve {
	lo, hi := t.xRange()
	factor := t.factorOf(c)
	curve := plots.Curve{Label: c.Label, Key: t.keyOf(c)}
	if c.Label == "" {
		curve.Label = powerWords(c, t.X.Name)
	}
	for i := range curveSamples + 1 {
		x := lo + (hi-lo)*float64(i)/curveSamples
		if t.X.Log {
			x = lo * math.Pow(hi/lo, float64(i)/curveSamples)
		}
		if y := factor * t.shape(c, x); x > 0 && !math.IsNaN(y) && !math.IsInf(y, 0) && (y > 0 || !t.Y.Log) {
			curve.Points = append(curve.Points, plots.XY{X: x, Y: y})
		}
	}
	return curve
}

// powerWords is the label of a power of x.
func powerWords(c *spec.Curve, axis string) string {
	x := "*x*"
	if axis == "n" {
		x = "*n*"
	}
	var words []string
	if c.Factor != 0 && (c.Factor != 1 || c.Power == 0 && c.Lg == 0 && c.Base == 0) {
		words = append(words, strings.ReplaceAll(fmt.Sprint(c.Factor), "-", "−"))
	}
	switch c.Power {
	case 0:
	case 1:
		words = append(words, x)
	default:
		words = append(words, fmt.Sprintf("%s^{%v}", x, c.Power))
	}
	if c.Base != 0 {
		words = append(words, fmt.Sprintf("%v^{%s}", c.Base, x))
	}
	switch c.Lg {
	case 0:
	case 1:
		words = append(words, "lg "+x)
	default:
		words = append(words, fmt.Sprintf("lg^{%v} %s", c.Lg, x))
	}
	switch {
	case words == nil:
		return "a constant"
	case c.Factor == 0:
		return "slope of " + strings.Join(words, " ")
	}
	return strings.Join(words, " ")
}

// boundCurve is a bound as a curve.
func (t theory) boundCurve(c *spec.Curve) (plots.Curve, error) {
	bound, err := t.bound(c)
	if err != nil {
		return plots.Curve{}, err
	}
	label := c.Label
	if label == "" {
		label = plots.Escape(c.Algorithm + ", " + bound.Name)
	}
	curve := plots.Curve{Label: label, Key: t.keyOf(c)}
	var first error // of the points without a value
	for _, cell := range t.curveCells(c) {
		y, err := t.boundAt(bound, &cell)
		if err != nil {
			if first == nil {
				first = fmt.Errorf("at %s: %w", results.CellName(&cell), err)
			}
			continue
		}
		x, err := t.xOf(&cell)
		if err != nil {
			return curve, err
		}
		if t.Y.Log && y <= 0 {
			continue
		}
		curve.Points = append(curve.Points, plots.XY{X: x, Y: y})
		if t.rehearsal && len(curve.Points) == 2 {
			break
		}
	}
	if len(curve.Points) < 2 {
		return curve, errors.Join(fmt.Errorf("bound %s of %s has a value at fewer than two points", c.Bound, c.Algorithm), first)
	}
	return curve, nil
}

// boundReference is a bound as a vertical line.
func (t theory) boundReference(c *spec.Curve) (plots.Reference, error) {
	bound, err := t.bound(c)
	if err != nil {
		return plots.Reference{}, err
	}
	cell, _ := t.base(c)
	x, err := t.boundAt(bound, &cell)
	if err != nil {
		return plots.Reference{}, fmt.Errorf("bound %s of %s at %s: %w", bound.Name, c.Algorithm, results.CellName(&cell), err)
	}
	label := c.Label
	if label == "" {
		label = plots.Escape(c.Algorithm+", "+bound.Name+" ") + results.ShortNumber(x)
	}
	return plots.Reference{Label: label, Key: t.keyOf(c), X: x}, nil
}

// bound returns the bound of a curve, which must limit the metric of the figure.
func (t theory) bound(c *spec.Curve) (*trial.Bound, error) {
	a, err := t.Registry.Find(c.Algorithm)
	if err != nil {
		return nil, err
	}
	bound, err := a.Bound(c.Bound)
	if err == nil && bound.Metric != t.Y.Name && bound.Metric != t.measured.Of {
		err = fmt.Errorf("bound %s of %s is one of %s, but the figure draws %s", bound.Name, a.Name, bound.Metric, t.Y.Name)
	}
	return bound, err
}

var errSilent = errors.New("the bound has no value there")

// sameBounds is the number of trials after which a bound that was the same in all of them
// is taken to be constant.
const sameBounds = 8

// boundAt returns the bound in a cell, in the unit of the figure. If it depends on chance,
// such as the placement, it is the mean over the trials.
func (t theory) boundAt(b *trial.Bound, c *spec.Cell) (float64, error) {
	key := c.Key()
	var values []float64
	for k := 1; k <= t.Spec.Replicates; k++ {
		v, err := t.boundOfTrial(b, c, results.TrialSeed(t.Spec.Seed, key, k))
		if err != nil {
			return 0, err
		}
		if values = append(values, v); k == sameBounds && slices.Min(values) == slices.Max(values) {
			break
		}
	}
	return stats.Summarize(values).Mean, nil
}

// boundOfTrial returns the bound in one trial, in the unit of the figure.
func (t theory) boundOfTrial(b *trial.Bound, c *spec.Cell, seed uint64) (float64, error) {
	in, err := results.InstanceOf(t.Registry, c, seed, false)
	if err != nil {
		return 0, err
	}
	if of, err := in.Algorithm.Bound(b.Name); err == nil {
		b = of // as the variant declares it
	}
	value := b.At
	if b.Curve != nil {
		value = b.Curve
	}
	v, ok := value(in)
	if !ok {
		return 0, errSilent
	}
	if b.Metric != t.Y.Name {
		v /= t.measured.Per(in)
	}
	if !in.Algorithm.IsTime(b.Metric) {
		return v, nil
	}
	unit, constant := in.Unit()
	if t.unit == results.Delays && !constant {
		return 0, errors.New("the bound is in seconds there, but the figure in message delays")
	}
	return v * results.RowUnit{Length: unit, Constant: constant}.Factor(t.unit), nil
}

// curveCells are the cells in which a bound is computed, by x.
func (t theory) curveCells(c *spec.Curve) []spec.Cell {
	base, _ := t.base(c)
	at := func(value string) spec.Cell {
		x := spec.Curve{With: []spec.Setting{{Axis: t.X.Name, Value: value}}}
		return x.Apply(base)
	}
	var cells []spec.Cell
	if values := t.texts(); !slices.ContainsFunc(values, notWhole) {
		lo, hi := t.xRange()
		for _, x := range wholeNumbers(int(lo), int(hi)) {
			cells = append(cells, at(strconv.Itoa(x)))
		}
		return cells
	}
	for _, text := range t.texts() { // the spec has no value between random:2 and random:4
		cells = append(cells, at(text))
	}
	return cells
}

func notWhole(text string) bool {
	_, err := strconv.Atoi(text)
	return err != nil
}

// base returns the cell whose conditions a curve takes where it sets none: the first drawn
// cell of its algorithm, if possible one whose conditions the curve does not change. same
// reports whether it is such a cell.
func (t theory) base(c *spec.Curve) (cell spec.Cell, same bool) {
	drawn := t.Select(t.Cells)
	best, most := drawn[0], -1
	for _, cell := range drawn {
		score := 0
		if cell.Algorithm == c.Algorithm {
			score = 2
		}
		if t.normal(c.Apply(cell)) == t.normal(cell) {
			score++
		}
		if score > most {
			best, most = cell, score
		}
	}
	if best.Algorithm != c.Algorithm {
		best.Algorithm, best.Variant, best.Topology = c.Algorithm, "", ""
	}
	return c.Apply(best), most == 3
}

// normal is the cell with its variant written out, if the variant is known.
func (t theory) normal(c spec.Cell) spec.Cell {
	if a, err := t.Registry.Find(c.Algorithm); err == nil {
		if v, err := a.Variant(c.Variant); err == nil {
			c.Variant = strings.Join(v, ",")
		}
	}
	return c
}

// keyOf returns the colour key of a curve of theory. It is that of the algorithm's only
// line, or of the line under the conditions of the curve. It is empty if there is no such
// line.
func (t theory) keyOf(c *spec.Curve) string {
	switch {
	case !t.shared[c.Algorithm]:
		return c.Algorithm
	case c.With == nil:
		return ""
	}
	cell, same := t.base(c)
	if l := t.lineOf(&cell); same && l != nil {
		return l.key
	}
	return ""
}

// wholeNumbers are the numbers from lo to hi. Of many numbers it takes about curveSamples,
// in equal ratios.
func wholeNumbers(lo, hi int) []int {
	if hi-lo <= curveSamples {
		numbers := make([]int, 0, hi-lo+1)
		for x := lo; x <= hi; x++ {
			numbers = append(numbers, x)
		}
		return numbers
	}
	first := max(lo, 1)
	var numbers []int
	if lo < first {
		numbers = append(numbers, lo)
	}
	for i := range curveSamples + 1 {
		x := float64(first) * math.Pow(float64(hi)/float64(first), float64(i)/curveSamples)
		numbers = append(numbers, int(math.Round(x)))
	}
	return slices.Compact(numbers)
}
