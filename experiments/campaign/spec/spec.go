package spec

import (
	"cmp"
	"fmt"
	"slices"
)

// Limits of a sweep. They keep a slip (a factor forgotten, a zero too many) from filling
// the memory or the week.
const (
	MaxFile    = 64 << 10    // bytes; the YAML parser's time grows with their square
	maxCells   = 100_000     // cells; a dry run of so many took 330 MB
	maxTrials  = 100_000_000 // cells times replicates
	maxEntries = 1_000       // entries of `algorithms`
	maxN       = 1<<31 - 1   // processes
)

// Spec is a sweep.
type Spec struct {
	Name       string
	Title      string
	Seed       uint64
	Replicates int        // of a cell; with Until the largest number
	Until      *Until     // the stopping rule; nil for none
	Bootstrap  int        // resamples of a bootstrap interval; 0 for none
	Keep       Keep       // what is kept of the trials
	Rare       *RareAsked // what trials estimate; nil for nothing
	// OutsideModel runs cells, labelled so, even if the assumptions of their algorithm
	// do not hold.
	OutsideModel bool
	Entries      []Entry
	Metrics      []Metric // of its own
	Compare      []Comparison
	Figures      []Figure
	Tables       []Table
	Included     *Included // nil for none

	named valueNames
	selection
	left int64 // cells that the selection keeps
}

// Trials returns the number of trials; with Until the largest possible number.
func (s *Spec) Trials() int { return int(s.cellCount()) * s.Replicates }

// Checker checks the words of a sweep for the caller. A nil function accepts everything.
// An error of a function is reported at the word.
type Checker struct {
	// Algorithm checks the name of an algorithm. If it is nil, the names in Algorithms
	// are accepted, or all names if that is empty.
	Algorithm func(name string) error
	// Variant checks a value of the axis variant for each algorithm that gets it.
	Variant func(algorithm, variant string) error
	// Value checks a value of any axis, as the cell has it. It is not asked about the
	// empty fault.
	Value func(axis, value string) error
	// Metric checks the name of a metric. If it is nil, Metrics has the names.
	Metric func(name string) error
	// Timed reports whether a metric is a time: a figure may then choose its unit.
	Timed func(metric string) bool
	// Formula checks a metric of the sweep's own, and tells whether it is a time.
	Formula func(m *Metric) (timed bool, err error)
	// Reach checks how high a level of a rare event gets.
	Reach func(level, value string) error
	// Estimated reports whether a metric is one of estimates: only sweeps with rare have it.
	Estimated func(metric string) bool
	// Bound checks the name of a declared bound of an algorithm.
	Bound func(algorithm, bound string) error
	// Text checks a title or a label in the markup of figures.
	Text func(markup string) error
	// Include reads the file of that plain name beside the sweep. If it is nil, a sweep
	// may not include.
	Include func(name string) (text []byte, err error)

	// Algorithms and Metrics are also the suggestions for a misspelt name.
	Algorithms []string
	Metrics    []string
}

// Parse reads a sweep. The name of the file is used in positions only. The error, if any,
// is of type Errors and has all mistakes of the file.
func Parse(file string, data []byte, check Checker) (*Spec, error) {
	r := newReader(newReport(file, data), &check)
	root := yamlReader{r.report}.document(data, "a sweep has at least a name and algorithms")
	if root == nil {
		return nil, r.errors()
	}
	s := r.sweep(root)
	if err := r.errors(); err != nil {
		return nil, err
	}
	return s, nil
}

// reader decodes a sweep and gathers its errors.
type reader struct {
	axisReader
	metrics metricReader
}

func newReader(errors *report, check *Checker) *reader {
	names := names{words{errors}, check}
	return &reader{axisReader{names, valueNames{}}, metricReader{names: names}}
}

// sweep reads the whole file. Whatever the order of the file, it reads axes before the
// entries that inherit them, and both before keys about cells.
func (r *reader) sweep(root *node) *Spec {
	s := &Spec{Seed: 1, Replicates: 1, named: r.named}
	r.metrics.own = s
	root, base, ok := r.include(root, s)
	if !ok {
		return s // keys that seem to be missing may be in that file
	}
	size := root.pos // the place of an error about the size of the sweep
	shared, own := r.overlay(&level{values: defaults()}, r.included(base, &size)), &level{}
	// sound: nothing is wrong with the keys that determine the cells. Otherwise keys
	// that depend on the cells are not judged.
	sound := r.clean()
	fields := r.sweepFields(s, shared, own, &size)
	for i, f := range fields {
		switch f.key {
		case "axes", "zip", "algorithms":
			fields[i].read = func(n *node) { sound = r.sound(func() { f.read(n) }) && sound }
		}
	}
	given := r.mapping(root, "a sweep", fields)

	s.Title = cmp.Or(s.Title, s.Name)
	r.needRows(given, s)
	rareReader{r.axisReader}.fit(given, s)
	// A refused key may have been meant to be `axes`: then the cells are not judged.
	sound = sound && len(given) == len(root.pairs) && given["algorithms"] != nil
	sound = sound && r.sound(func() { r.haveN(s) }) && r.fits(s, size)
	sound = conditionReader{r.axisReader}.leaveOut(given, s, sound) && sound && r.fitTrials(s, size)
	if sound {
		r.noDuplicates(s)
	}
	figureReader{scaleReader{r.metrics}, r.axisReader}.figures(given["figures"], s, sound)
	tableReader{figureReader{scaleReader{r.metrics}, r.axisReader}}.tables(given["tables"], s, sound)
	if list := given["compare"]; list != nil {
		comparisonReader{r.metrics}.comparisons(list, s, s.cellsIf(sound))
	}
	return s
}

// sweepFields are the keys of a sweep. Axes come before the entries that inherit them.
func (r *reader) sweepFields(s *Spec, shared, own *level, size *Pos) []field {
	return []field{
		{"name", true, like(stemPattern()).About("the stem of the files written"), func(n *node) { s.Name = r.stem(n, "name") }},
		{"title", false, line().About("of the sweep; default: the name"), func(n *node) { s.Title = r.line(n, "title") }},
		{"seed", false, integers(0, 1<<64-1).About("that all chance comes from; default: 1"), func(n *node) { s.Seed = r.integer(n, "seed", 0, 1<<64-1) }},
		{"rare", false, rareSchema(), func(n *node) { rareReader{r.axisReader}.rare(n, s, own) }},
		{"metrics", false, ownMetricsSchema().About("metrics of the sweep's own: names, and formulas of what trials measure"),
			func(n *node) { r.metrics.ownMetrics(n, s) }},
		{"replicates", false, replicatesSchema(), func(n *node) { r.metrics.replicates(n, s) }},
		{"bootstrap", false, anyOf(integers(0, 0), integers(minBootstrap, maxBootstrap)).About("resamples of bootstrap intervals; default: 0, none"),
			func(n *node) { s.Bootstrap = r.metrics.bootstrap(n) }},
		{"keep", false, keepSchema(), func(n *node) { s.Keep = r.words.keep(n) }},
		{"outside_model", false, truth().About("run what algorithms promise nothing of; default: false"),
			func(n *node) { s.OutsideModel = r.truth(n, "outside_model") }},
		{"axes", false, objectOf(r.axisFields(nil)).About("the values of each axis; the cells are their product"),
			func(n *node) {
				*size = n.pos
				r.mapping(n, "axes", r.axisFields(own))
			}},
		{"zip", false, oneOrMore(ref("zip")).About("axes that vary together"), func(n *node) { r.zip(n, own) }},
		{"algorithms", true, oneOrMore(ref("entry")).About("names, or mappings that set axes of their own"),
			func(n *node) { s.Entries = r.entries(n, r.overlay(shared, own)) }},
		{"exclude", false, oneOrMore(ref("condition")).About("cells that match one of these are left out"), nil},
		{"only", false, oneOrMore(ref("condition")).About("cells that match none of these are left out"), nil},
		{"compare", false, oneOrMore(objectOf(comparisonReader{}.comparisonFields(nil, nil, nil))).About("cells set beside those of a baseline, replicate by replicate"), nil},
		{"figures", false, oneOrMore(ref("figure")).About("what is drawn"), nil},
		{"tables", false, oneOrMore(ref("table")).About("tables for a paper"), nil},
		{"include", false, like(includePattern()).About("a file beside this one, whose keys are defaults"), nil},
	}
}

// cellsIf returns the cells, if they are sound.
func (s *Spec) cellsIf(sound bool) []Cell {
	if !sound {
		return nil
	}
	return s.Cells()
}

// haveN refuses entries without n, the only axis without a default.
func (r *reader) haveN(s *Spec) {
	for _, e := range s.Entries {
		if slices.Equal(e.texts("n"), []string{""}) {
			r.errorf(e.Pos, "nothing says how many processes %s runs with: give n under axes, or in this entry", e.Label)
		}
	}
}

// fits reports whether the sweep has at most maxCells cells.
func (r *reader) fits(s *Spec, at Pos) bool {
	cells := s.productCount()
	if cells <= maxCells {
		return true
	}
	about := ""
	if cells == mostCounted {
		about = " or more"
	}
	r.errorf(at, "this sweep has %d cells%s; there may be %d at most: shorten an axis", cells, about, maxCells)
	return false
}

// fitTrials reports whether the sweep has no more trials than it may.
func (r *reader) fitTrials(s *Spec, at Pos) bool {
	cells := s.cellCount()
	if trials := cells * int64(s.Replicates); trials > s.Keep.mostTrials() {
		r.errorf(at, "%d cells of %d replicates are %d trials; there may be %d at most",
			cells, s.Replicates, trials, s.Keep.mostTrials())
		return false
	}
	return true
}

// noDuplicates refuses cells that two entries share: one error a pair of entries, with the
// first such cell.
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
				Message: fmt.Sprintf("this entry repeats a cell of the entry at %s: %s", placeIn(other, s.Entries[entry].Pos), describe(c))})
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
