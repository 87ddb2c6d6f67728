package figures

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"bullring/experiments"
	"bullring/experiments/results"
	"bullring/experiments/spec"
	"bullring/experiments/stats"
	"bullring/plots"
)

// curve draws a curve of theory over the measured range.
func (d *drawing) curve(c *spec.Curve) (plots.Curve, error) {
	if c.Bound == "" {
		return d.power(c), nil
	}
	return d.boundCurve(c)
}

// curveSamples is the largest number of samples of a curve, roughly: several a millimetre,
// so that straight pieces look smooth.
const curveSamples = 300

// power is a power of x, possibly with a logarithm. Without a factor, it goes through the
// measured point at the largest x, or the highest of several.
func (d *drawing) power(c *spec.Curve) plots.Curve {
	lo, hi := d.xRange()
	shape := func(x float64) float64 { return math.Pow(x, c.Power) * math.Pow(math.Log2(x), c.Lg) }
	factor := c.Factor
	if factor == 0 {
		through := 0.0
		for _, l := range d.lines {
			for _, p := range d.points(l) {
				if p.X == hi {
					through = max(through, p.Y)
				}
			}
		}
		factor = through / shape(hi)
	}
	curve := plots.Curve{Label: c.Label, Key: d.keyOf(c)}
	if c.Label == "" {
		curve.Label = powerWords(c, d.X.Name)
	}
	for i := range curveSamples + 1 {
		x := lo + (hi-lo)*float64(i)/curveSamples
		if d.X.Log {
			x = lo * math.Pow(hi/lo, float64(i)/curveSamples)
		}
		if y := factor * shape(x); x > 0 && !math.IsNaN(y) && !math.IsInf(y, 0) && (y > 0 || !d.Y.Log) {
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
	if c.Factor != 0 && (c.Factor != 1 || c.Power == 0 && c.Lg == 0) {
		words = append(words, strings.ReplaceAll(fmt.Sprint(c.Factor), "-", "−"))
	}
	switch c.Power {
	case 0:
	case 1:
		words = append(words, x)
	default:
		words = append(words, fmt.Sprintf("%s^{%v}", x, c.Power))
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

// xRange is the measured range of x.
func (d *drawing) xRange() (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, l := range d.lines {
		for x := range l.values {
			lo, hi = min(lo, x), max(hi, x)
		}
	}
	return lo, hi
}

// boundCurve is a bound as a curve.
func (d *drawing) boundCurve(c *spec.Curve) (plots.Curve, error) {
	bound, err := d.bound(c)
	if err != nil {
		return plots.Curve{}, err
	}
	label := c.Label
	if label == "" {
		label = plots.Escape(c.Algorithm + ", " + bound.Name)
	}
	curve := plots.Curve{Label: label, Key: d.keyOf(c)}
	var first error // of the points without a value
	for _, cell := range d.curveCells(c) {
		y, err := d.boundAt(bound, &cell)
		if err != nil {
			if first == nil {
				first = fmt.Errorf("at %s: %w", results.CellName(&cell), err)
			}
			continue
		}
		x, err := d.xOf(&cell)
		if err != nil {
			return curve, err
		}
		if d.Y.Log && y <= 0 {
			continue
		}
		curve.Points = append(curve.Points, plots.XY{X: x, Y: y})
		if d.rehearsal && len(curve.Points) == 2 {
			break
		}
	}
	if len(curve.Points) < 2 {
		return curve, errors.Join(fmt.Errorf("bound %s of %s has a value at fewer than two points", c.Bound, c.Algorithm), first)
	}
	return curve, nil
}

// bound returns the bound of a curve, which must limit the metric of the figure.
func (d *drawing) bound(c *spec.Curve) (*experiments.Bound, error) {
	a, err := d.Registry.Find(c.Algorithm)
	if err != nil {
		return nil, err
	}
	bound, err := a.Bound(c.Bound)
	if err == nil && bound.Metric != d.Y.Name && bound.Metric != d.measured.Of {
		err = fmt.Errorf("bound %s of %s is one of %s, but the figure draws %s", bound.Name, a.Name, bound.Metric, d.Y.Name)
	}
	return bound, err
}

var errSilent = errors.New("the bound has no value there")

// sameBounds is the number of trials after which a bound that was the same in all of them
// is taken to be constant.
const sameBounds = 8

// boundAt returns the bound in a cell, in the unit of the figure. If it depends on chance,
// such as the placement, it is the mean over the trials.
func (d *drawing) boundAt(b *experiments.Bound, c *spec.Cell) (float64, error) {
	key := c.Key()
	var values []float64
	for k := 1; k <= d.Spec.Replicates; k++ {
		v, err := d.boundOfTrial(b, c, results.TrialSeed(d.Spec.Seed, key, k))
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
func (d *drawing) boundOfTrial(b *experiments.Bound, c *spec.Cell, seed uint64) (float64, error) {
	in, err := results.InstanceOf(d.Registry, c, seed, false)
	if err != nil {
		return 0, err
	}
	if of, err := in.Algorithm.Bound(b.Name); err == nil {
		b = of // as the variant declares it
	}
	value := b.Value
	if b.Curve != nil {
		value = b.Curve
	}
	v, ok := value(in)
	if !ok {
		return 0, errSilent
	}
	if b.Metric != d.Y.Name {
		v /= d.measured.Per(in)
	}
	if !in.Algorithm.IsTime(b.Metric) {
		return v, nil
	}
	unit, constant := in.Unit()
	if d.unit == delays && !constant {
		return 0, errors.New("the bound is in seconds there, but the figure in message delays")
	}
	return v * factor(results.RowUnit{Length: unit, Constant: constant}, d.unit), nil
}

// curveCells are the cells in which a bound is computed, by x.
func (d *drawing) curveCells(c *spec.Curve) []spec.Cell {
	base, _ := d.base(c)
	at := func(value string) spec.Cell {
		x := spec.Curve{With: []spec.Setting{{Axis: d.X.Name, Value: value}}}
		return x.Apply(base)
	}
	var cells []spec.Cell
	if values := d.texts(); !slices.ContainsFunc(values, notWhole) {
		lo, hi := d.xRange()
		for _, x := range wholeNumbers(int(lo), int(hi)) {
			cells = append(cells, at(strconv.Itoa(x)))
		}
		return cells
	}
	for _, text := range d.texts() { // the spec has no value between random:2 and random:4
		cells = append(cells, at(text))
	}
	return cells
}

// texts are the measured values of x by size, as the spec prints them.
func (d *drawing) texts() []string {
	type point struct {
		x    float64
		text string
	}
	var points []point
	for i, p := range d.places {
		text, _ := d.Cells[i].Field(d.X.Name)
		points = append(points, point{x: p.x, text: text})
	}
	slices.SortFunc(points, func(a, b point) int {
		return cmp.Or(cmp.Compare(a.x, b.x), cmp.Compare(a.text, b.text))
	})
	points = slices.CompactFunc(points, func(a, b point) bool { return a.x == b.x })
	texts := make([]string, len(points))
	for i, p := range points {
		texts[i] = p.text
	}
	return texts
}

func notWhole(text string) bool {
	_, err := strconv.Atoi(text)
	return err != nil
}

// base returns the cell whose conditions a curve takes where it sets none: the first drawn
// cell of its algorithm, if possible one whose conditions the curve does not change. same
// reports whether it is such a cell.
func (d *drawing) base(c *spec.Curve) (cell spec.Cell, same bool) {
	drawn := d.Select(d.Cells)
	best, most := drawn[0], -1
	for _, cell := range drawn {
		score := 0
		if cell.Algorithm == c.Algorithm {
			score = 2
		}
		if d.normal(c.Apply(cell)) == d.normal(cell) {
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
func (d *drawing) normal(c spec.Cell) spec.Cell {
	if a, err := d.Registry.Find(c.Algorithm); err == nil {
		if v, err := a.Variant(c.Variant); err == nil {
			c.Variant = strings.Join(v, ",")
		}
	}
	return c
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
