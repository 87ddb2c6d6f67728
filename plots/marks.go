package plots

import (
	"cmp"
	"slices"

	"gonum.org/v1/plot/vg"

	"bullring/plots/internal/page"
)

// A Mark is a part of a figure's data: a [Series], a [Curve], a [Histogram], an [ECDF], a
// [BoxSeries], a [Reference], a [Scatter] or a [HeatMap], by pointer. Each kind has a file of
// its own.
type Mark interface {
	// about says what the figure needs to know of every mark.
	about() about

	// check adds the mistakes in the data. name names the mark in errors.
	check(to *mistakes, name string)

	// span adds the data to the ranges of the axes.
	span(f *Figure, x, y *span)

	// rows adds the rows of the CSV.
	rows(t *table)

	// style chooses colours, markers and dashes.
	style(f *Figure, looks *looker) styled
}

// A styled mark is ready to be drawn.
type styled interface {
	// draw draws the part of the mark that belongs to a pass.
	draw(p *painter, at pass)

	// sample draws the sample of the legend: from x to x+sampleWidth around the height y.
	sample(p *painter, x, y vg.Length)
}

// A placed mark stands at certain x. The ticks then stand there if their labels fit.
type placed interface{ places() []float64 }

// A tabled mark has other columns in the CSV than usual.
type tabled interface{ columns() []string }

// about describes a mark.
type about struct {
	kind     string // one of kinds
	label    string // in the legend; empty for no entry
	key      string // chooses the colour
	theory   bool   // else a measurement: the legend keeps the two apart
	quantity string // what its colours show, in markup; empty for nothing
}

// kinds are the kinds of marks, in the order of errors, CSV and legend.
var kinds = []string{"series", "curve", "histogram", "ecdf", "boxes", "reference", "scatter", "heat map"}

// A pass is a step in drawing a figure. Theory lies on the measured lines, and the measured
// points, which come later, lie on theory: where the two coincide, both are visible.
type pass int

// The passes, from the back to the front.
const (
	passBands pass = iota
	passBandEdges
	passGrid // drawn by the figure
	passAreas
	passOutlines // so that those of hidden areas are visible
	passBoxes
	passReferences
	passLines
	passCurves
	passErrorBars
	passAxes // drawn by the figure
	passScatters
	passMeans // above the curves that explain them
	passMarkers
	passes = int(passMarkers) + 1
)

// A part is a mark in its figure.
type part struct {
	Mark
	about
	id   identity
	name string // in errors
}

// An identity tells the marks of a figure apart. Marks with the same identity in several
// panels look the same, whatever their kinds, and have one entry in the legend.
type identity struct {
	label, key string
	theory     bool
	nth        int // among those of the figure with these words
}

// parts returns the marks in the order of their kinds.
func (f *Figure) parts() []part {
	parts := make([]part, len(f.Marks))
	for i, m := range f.Marks {
		parts[i] = part{Mark: m, about: m.about()}
	}
	slices.SortStableFunc(parts, func(a, b part) int {
		return cmp.Compare(slices.Index(kinds, a.kind), slices.Index(kinds, b.kind))
	})
	ofKind, same := map[string]int{}, map[identity]int{}
	for i, p := range parts {
		parts[i].name = page.NameOf(p.kind, ofKind[p.kind], p.label)
		ofKind[p.kind]++
		id := identity{label: p.label, key: normalKey(p.key), theory: p.theory}
		parts[i].id = id
		parts[i].id.nth = same[id]
		same[id]++
	}
	return parts
}

// keys returns the keys of the marks in the order in which they choose colours.
func keys(parts []part) (keys []string) {
	for _, theory := range []bool{false, true} {
		for _, p := range parts {
			if p.theory == theory {
				keys = append(keys, p.key)
			}
		}
	}
	return keys
}

// marksOf returns the marks of one kind.
func marksOf[M Mark](f *Figure) (marks []M) {
	for _, m := range f.Marks {
		if m, ok := m.(M); ok {
			marks = append(marks, m)
		}
	}
	return marks
}

// keyOf is the key of a measurement: its label if it has none.
func keyOf(key, label string) string {
	if normalKey(key) == "" {
		return Plain(label)
	}
	return key
}

// spans returns the ranges of everything in the figure.
func (f *Figure) spans() (x, y span) {
	x, y = emptySpan(), emptySpan()
	for _, m := range f.Marks {
		m.span(f, &x, &y)
	}
	return x, y
}

// places returns the x where marks stand, each once, in ascending order.
func (f *Figure) places() (places []float64) {
	for _, m := range f.Marks {
		if m, ok := m.(placed); ok {
			places = append(places, m.places()...)
		}
	}
	slices.Sort(places)
	return slices.Compact(places)
}
