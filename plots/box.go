package plots

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
)

// A BoxSeries is samples shown by their quartiles, a box each. Several series
// share a place: their boxes stand side by side there, in order.
type BoxSeries struct {
	Label string // as in Series
	Key   string // as in Series
	Boxes []Box  // in ascending order of X, no two at one place
}

// A Box is a sample in five ascending numbers, which the caller computes: the box reaches
// from Q1 to Q3 with a line at the median, and the whiskers reach to the two ends. Values
// beyond them are drawn one by one.
type Box struct {
	X                                       float64
	LowWhisker, Q1, Median, Q3, HighWhisker float64

	Outliers []float64 // beyond the whiskers, in any order; all are drawn
	Mean     *float64  // a diamond; nil for none
	N        int       // values in the sample, for the CSV; 0 for unknown
}

// hasMean reports whether a box of the series shows its mean.
func (s BoxSeries) hasMean() bool {
	return slices.ContainsFunc(s.Boxes, func(b Box) bool { return b.Mean != nil })
}

// Widths of boxes in points.
const (
	widestBox   = vg.Length(14)
	narrowest   = vg.Length(2.5) // boxes rather overlap than vanish
	boxGap      = vg.Length(0.8) // between boxes of one place
	placeFilled = 0.75           // part of the distance of two places that boxes may take
)

// places returns where boxes stand, each once, in ascending order.
func (f *Figure) places() []float64 {
	var places []float64
	for _, s := range f.Boxes {
		for _, b := range s.Boxes {
			places = append(places, b.X)
		}
	}
	slices.Sort(places)
	return slices.Compact(places)
}

// boxesAt returns the indices of the series that have a box at x.
func (f *Figure) boxesAt(x float64) []int {
	var series []int
	for i, s := range f.Boxes {
		if slices.ContainsFunc(s.Boxes, func(b Box) bool { return b.X == x }) {
			series = append(series, i)
		}
	}
	return series
}

// mostBoxes returns the number of boxes at the fullest place.
func (f *Figure) mostBoxes() int {
	most := 0
	for _, x := range f.places() {
		most = max(most, len(f.boxesAt(x)))
	}
	return most
}

// addBoxes adds the boxes to the ranges of the data. Along x they also need the room of
// half a place at either end.
func (f *Figure) addBoxes(x, y *span) {
	for _, s := range f.Boxes {
		for _, b := range s.Boxes {
			y.add(b.LowWhisker)
			y.add(b.HighWhisker)
			if b.Mean != nil {
				y.add(*b.Mean)
			}
			for _, v := range b.Outliers {
				y.add(v)
			}
		}
	}
	places := f.places()
	if len(places) == 0 {
		return
	}
	lo, hi := places[0], places[len(places)-1]
	if len(places) > 1 {
		lo, hi = f.X.widen(places, float64(vg.Length(f.mostBoxes())*(narrowest+boxGap)/centimetres(f.Width, ColumnWidth)))
	}
	x.add(lo)
	x.add(hi)
}

// widen returns the range of places extended at either end by half of their least
// distance, or by half of the given part of the range if that is more.
func (a Axis) widen(places []float64, part float64) (lo, hi float64) {
	first, last := places[0], places[len(places)-1]
	if a.Log {
		least := last / first
		for i := 1; i < len(places); i++ {
			least = min(least, places[i]/places[i-1])
		}
		room := max(math.Sqrt(least), math.Pow(last/first, part/2))
		return max(first/room, smallest), min(last*room, largest) // beyond, the quotient would overflow
	}
	least := last - first
	for i := 1; i < len(places); i++ {
		least = min(least, places[i]-places[i-1])
	}
	room := max(least, part*(last-first)) / 2
	return first - room, last + room
}

// validateBoxes checks a series of boxes.
func (f *Figure) validateBoxes(s BoxSeries) error {
	if len(s.Boxes) == 0 {
		return errors.New("no boxes")
	}
	for i, b := range s.Boxes {
		err := f.validateBox(b)
		if err == nil && i > 0 && b.X <= s.Boxes[i-1].X {
			err = fmt.Errorf("x is %v after %v; the boxes must ascend", b.X, s.Boxes[i-1].X)
		}
		if err != nil {
			return fmt.Errorf("box %d: %w", i, err)
		}
	}
	return nil
}

func (f *Figure) validateBox(b Box) error {
	if err := f.X.accept("x", b.X); err != nil {
		return err
	}
	numbers := []struct {
		name string
		v    float64
	}{
		{"low whisker", b.LowWhisker},
		{"first quartile", b.Q1},
		{"median", b.Median},
		{"third quartile", b.Q3},
		{"high whisker", b.HighWhisker},
	}
	for i, n := range numbers {
		if err := f.Y.accept(n.name, n.v); err != nil {
			return err
		}
		if i > 0 && n.v < numbers[i-1].v {
			return fmt.Errorf("%s is %v, below the %s, %v", n.name, n.v, numbers[i-1].name, numbers[i-1].v)
		}
	}
	for i, v := range b.Outliers {
		if err := f.Y.accept(fmt.Sprintf("outlier %d", i), v); err != nil {
			return err
		}
	}
	if b.N < 0 {
		return fmt.Errorf("a sample of %d values", b.N)
	}
	if b.Mean == nil {
		return nil
	}
	return f.Y.accept("mean", *b.Mean)
}
