package spec

import "strings"

// Kind is a kind of figure.
type Kind uint8

// The kinds of figures. A figure that names none is of the first.
const (
	Line      Kind = iota // y over x, a line a series
	Histogram             // the distribution of y
	ECDF                  // the same, as the share of the trials with at most so much
	Box                   // the quartiles and outliers of y over x, a box a series
	Heatmap               // the mean of z as the colour of the cells of x and y
	Diagram               // one trial of one cell, chosen by y, as a space-time diagram
	Grid                  // several figures as panels
	Kinds                 // how many there are
)

// figureKinds is the grammar of figures, a row for each kind. Each row is in the file of its
// kind.
var figureKinds = [Kinds]figureKind{
	Line:      lineKind,
	Histogram: histogramKind,
	ECDF:      ecdfKind,
	Box:       boxKind,
	Heatmap:   heatmapKind,
	Diagram:   diagramKind,
	Grid:      gridKind,
}

// figureKind is what the figures of a kind have, and what they refuse.
type figureKind struct {
	name    string
	x, y, z side
	lacks   []string // keys that other kinds have
	because string   // why it lacks them
	needs   string   // one of its own keys; "" for none
	alone   bool     // it is no panel of a grid
	width   string   // by default; "" for narrow

	// own are the keys that no other kind has; nil for none.
	own func(words, *Figure) []field
	// usual gives keys that the figure does not have their values; nil if there are none.
	usual func(*Figure)
	// complete sets the series, and refuses cells that cannot be drawn in one figure.
	complete func(r *report, f *Figure, drawn []Cell)
	// advice says what makes the figure hard to read, or ""; nil for none.
	advice func(f *Figure, drawn []Cell) string
}

// shows is what stands along a side.
type shows uint8

const (
	nothing shows = iota // the kind has no such side
	anAxis               // an axis of numbers
	aField               // any field: numbers or categories
	aMetric
)

// side is a side of a figure, or its colours.
type side struct {
	shows shows
	keys  []string // of its mapping
	why   string   // why there is none; of z: what it is needed for
}

// without is a side that the kind does not have. It is read like an axis and refused.
func without(why string) side { return side{keys: axisSide().keys, why: why} }

func axisSide() side {
	return side{shows: anAxis, keys: []string{"label", "unit", "log", "min", "max", "number"}}
}

func fieldSide() side {
	return side{shows: aField, keys: []string{"label", "unit", "log", "number", "ordinal"}}
}

// metricSide is a side of numbers that were measured. more are keys beyond the usual.
func metricSide(more ...string) side {
	return side{shows: aMetric, keys: append([]string{"label", "unit", "log", "min", "max"}, more...)}
}

func (s side) neededFor(why string) side {
	s.why = why
	return s
}

// hasCells reports whether cells stand along the side, by an axis or a field of them.
func (s side) hasCells() bool { return s.shows == anAxis || s.shows == aField }

// names are what may stand along a side of an axis or a field.
func (s side) names() []string {
	if s.shows == aField {
		return Fields()
	}
	return Axes()
}

// lineKeys are the keys of kinds with series.
var lineKeys = []string{"series", "curves"}

func (k Kind) row() *figureKind { return &figureKinds[k] }

// String names the kind, as a sweep does.
func (k Kind) String() string { return k.row().name }

// article names the kind with its article.
func (k Kind) article() string {
	if strings.ContainsAny(k.String()[:1], "aeiou") {
		return "an " + k.String()
	}
	return "a " + k.String()
}

func kindNames() []string {
	names := make([]string, Kinds)
	for k := range Kinds {
		names[k] = k.String()
	}
	return names
}

// ownKeys are the fields that no other kind has.
func (row *figureKind) ownKeys(r words, f *Figure) []field {
	if row.own == nil {
		return nil
	}
	return row.own(r, f)
}

// keys are the names of these fields.
func (k Kind) keys() (keys []string) {
	for _, f := range k.row().ownKeys(words{}, nil) {
		keys = append(keys, f.key)
	}
	return keys
}
