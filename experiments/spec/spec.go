package spec

import (
	"fmt"
	"slices"
)

// Limits of a sweep. They keep a slip of the finger (a factor forgotten, a zero
// too many) from filling the memory or the week.
const (
	MaxFile    = 64 << 10    // bytes; the YAML parser's time grows with their square
	MaxCells   = 1_000_000   // cells
	MaxTrials  = 100_000_000 // cells times replicates
	MaxEntries = 1_000       // entries of `algorithms`
	MaxN       = 1<<31 - 1   // processes
)

// Spec is a sweep.
type Spec struct {
	Name       string
	Title      string
	Seed       uint64
	Replicates int    // that a cell has, or with Until may have
	Until      *Until // when the replicates of a cell stop before that; nil: they do not
	Bootstrap  int    // resamples that an interval is made of; 0: none is made so
	// OutsideModel runs cells even if the assumptions of their algorithm do not
	// hold, labelled so.
	OutsideModel bool
	Entries      []Entry
	Metrics      []Metric // of its own, by formulas
	Compare      []Comparison
	Figures      []Figure
	Included     *Included // nil for none

	exclude, only []condition
	left          int64 // cells that these leave
}

// Trials returns how many runs the sweep asks for; with Until, the most there may
// be.
func (s *Spec) Trials() int { return int(s.cellCount()) * s.Replicates }

// Checker says what the words of a sweep mean to the caller. A nil function
// accepts everything; what one returns is reported at the word it was given.
type Checker struct {
	// Algorithm checks the name of an algorithm. When it is nil and Algorithms is
	// not, the names in Algorithms are those accepted.
	Algorithm func(name string) error
	// Variant checks a value of the axis variant for each algorithm that gets it.
	Variant func(algorithm, variant string) error
	// Value checks a value of any axis, as it will stand in the cell. It is not
	// asked about the empty fault.
	Value func(axis, value string) error
	// Metric checks what is drawn, compared or waited for; Metrics is to it what Algorithms is to
	// Algorithm.
	Metric func(name string) error
	// Timed reports whether a metric is a time, of which a figure may choose the unit.
	Timed func(metric string) bool
	// Formula checks a metric of the sweep's own, and tells whether it is a time.
	Formula func(m *Metric) (timed bool, err error)
	// Bound checks the name of a declared bound of an algorithm.
	Bound func(algorithm, bound string) error
	// Text checks a title or a label that is drawn, which is in the markup of figures.
	Text func(markup string) error
	// Include reads the file of that plain name beside the sweep. When it is nil, a
	// sweep may not include.
	Include func(name string) (text []byte, err error)

	// Algorithms and Metrics are the names to suggest for a misspelt one.
	Algorithms []string
	Metrics    []string
}

// Parse reads a sweep. The name of the file is for positions only: a file that it
// includes is read by the Checker. The error, if
// any, is of type Errors and holds everything that is wrong with the file.
func Parse(file string, data []byte, check Checker) (*Spec, error) {
	r := &reader{report: newReport(file, data), check: check}
	root := r.document(data, "a sweep has at least a name and algorithms")
	if root == nil {
		return nil, r.errors()
	}
	s := r.sweep(root)
	if err := r.errors(); err != nil {
		return nil, err
	}
	return s, nil
}

// reader decodes a sweep and gathers what is wrong with it.
type reader struct {
	*report
	check Checker
	own   *Spec // of which the metrics are known
}

// sweep reads the whole file. Axes come before the entries that inherit them,
// and both before what is about cells, wherever they stand in the file.
func (r *reader) sweep(root *node) *Spec {
	s := &Spec{Seed: 1, Replicates: 1}
	r.own = s
	root, base, ok := r.include(root, s)
	if !ok {
		return s // whatever else seems to be missing may be in that file
	}
	size := root.pos // where to say that the sweep is too large
	shared, own := r.over(&level{values: defaults()}, r.included(base, &size)), &level{}
	sound := r.clean()
	// cells is for keys that decide on the cells: if anything is wrong there, what
	// depends on the cells is not judged.
	cells := func(read func(*node)) func(*node) {
		return func(n *node) { sound = r.sound(func() { read(n) }) && sound }
	}
	given := r.mapping(root, "a sweep", []field{
		{key: "name", required: true, read: func(n *node) { s.Name = r.stem(n, "name") }},
		{key: "title", read: func(n *node) { s.Title = r.line(n, "title") }},
		{key: "seed", read: func(n *node) { s.Seed = r.seed(n) }},
		{key: "metrics", read: func(n *node) { r.ownMetrics(n, s) }},
		{key: "replicates", read: func(n *node) { r.replicates(n, s) }},
		{key: "bootstrap", read: func(n *node) { s.Bootstrap = r.bootstrap(n) }},
		{key: "outside_model", read: func(n *node) { s.OutsideModel = r.truth(n, "outside_model") }},
		{key: "axes", read: cells(func(n *node) {
			size = n.pos
			r.mapping(n, "axes", r.axisFields(own))
		})},
		{key: "zip", read: cells(func(n *node) { r.zip(n, own) })},
		{key: "algorithms", required: true, read: cells(func(n *node) {
			s.Entries = r.entries(n, r.over(shared, own))
		})},
	}, "exclude", "only", "compare", "figures", "include")

	if s.Title == "" {
		s.Title = s.Name
	}
	// A key left out of given was refused and may have been meant to be `axes`: the
	// cells are not judged then. The rest of what is said of them is.
	sound = sound && len(given) == len(root.pairs) && given["algorithms"] != nil
	sound = sound && r.sound(func() { r.haveN(s) }) && r.fits(s, size)
	sound = r.leaveOut(given, s, sound) && sound && r.fitTrials(s, size)
	if sound {
		r.noDuplicates(s)
	}
	r.figures(given["figures"], s, sound)
	if list := given["compare"]; list != nil {
		r.comparisons(list, s, s.cellsIf(sound))
	}
	return s
}

// cellsIf returns the cells, if they are sound.
func (s *Spec) cellsIf(sound bool) []Cell {
	if !sound {
		return nil
	}
	return s.Cells()
}

// haveN refuses entries for which nothing says how many processes there are. It
// is the one axis without a default: there is no usual size.
func (r *reader) haveN(s *Spec) {
	for _, e := range s.Entries {
		if slices.Equal(e.Values("n"), []string{""}) {
			r.errorf(e.Pos, "nothing says how many processes %s runs with: give n under axes, or in this entry", e.Label)
		}
	}
}

// seed reads the seed: all of uint64, which integer covers.
func (r *reader) seed(n *node) uint64 { return r.integer(n, "seed", 0, 1<<64-1) }

// fits reports whether the sweep has no more cells than there may be.
func (r *reader) fits(s *Spec, at Pos) bool {
	if s.productCount() <= MaxCells {
		return true
	}
	r.errorf(at, "this sweep has more than %d cells, the most there may be: shorten an axis", MaxCells)
	return false
}

// fitTrials reports whether it has no more trials than there may be.
func (r *reader) fitTrials(s *Spec, at Pos) bool {
	cells := s.cellCount()
	if trials := cells * int64(s.Replicates); trials > MaxTrials {
		r.errorf(at, "%d cells of %d replicates are %d trials; there may be %d at most",
			cells, s.Replicates, trials, MaxTrials)
		return false
	}
	return true
}

// noDuplicates refuses cells that two entries share. One error a pair of entries
// is enough: it names the first such cell.
func (r *reader) noDuplicates(s *Spec) {
	if len(s.Entries) < 2 {
		return // the values of one axis are distinct already
	}
	first := map[Cell]int{}
	told := map[[2]int]bool{}
	for _, c := range s.Cells() {
		entry := c.Entry
		c.Entry, c.Label = 0, ""
		earlier, dup := first[c]
		if !dup {
			first[c] = entry
			continue
		}
		if pair := [2]int{earlier, entry}; !told[pair] {
			told[pair] = true
			other := s.Entries[earlier].Pos
			r.add(Error{Pos: s.Entries[entry].Pos, Other: other,
				Message: fmt.Sprintf("this entry asks for a cell that the one at %s has already: %s", beside(other, s.Entries[entry].Pos), describe(c))})
		}
	}
}

// describe names a cell for people.
func describe(c Cell) string {
	text := c.Algorithm
	if c.Variant != "" {
		text += " variant=" + quoteIfNeeded(c.Variant)
	}
	return fmt.Sprintf("%s %s", text, c.Key())
}
