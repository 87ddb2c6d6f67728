package catalogtest

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"go/format"
	"go/parser"
	"go/token"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
	"bullring/netem/explore"
	"bullring/protocols"
)

var (
	allDefects    = flag.Bool("defects", false, "hunt all seeded defects, not only one of each algorithm (a minute)")
	updateDefects = flag.Bool("update-defects", false, "hunt all and rewrite the section of docs/defects.md; read the diff")
)

// Defect is a small programming error: a change of the source of an algorithm.
type Defect struct {
	Algorithm   string // and after a blank the variant, if that is a program of its own
	Name        string // unique within the algorithm
	Says        string // what is wrong, in words
	File        string // of the algorithm's package
	Is, Becomes string // the text that stands there once, and what takes its place
}

// Defects are those of a room, and where they are looked for.
type Defects struct {
	Section    string // of docs/defects.md
	Registry   *trial.Registry
	Algorithms []*trial.Algorithm // each of which has to have some
	// Those of an algorithm stand together, the one that is hunted in every test first.
	Table    []Defect
	Searches func(algorithm, variant string) []Search
	Runs     func(algorithm, variant string) iter.Seq[trial.Setting]
	// Within are algorithms that are made of another's package, whose defects they have, too.
	Within map[string]string
	// Alone has each defect hunted by itself, since it is in what several algorithms share.
	Alone bool
	// Lowest is an algorithm of whose package the others are made, too. Its defects are hunted in it
	// alone.
	Lowest string
	// Quick has the small form hunt, too: the package of the test compiles in a few seconds.
	Quick bool
	// Spares reports whether no defect of an algorithm need violate a property.
	Spares func(algorithm, property string) bool
}

// Explored adds the explorations in which the defects of an algorithm are looked for, all inside
// its model: small ones first, and those without a fault before those with one.
type Explored func(add Add)

// Add adds an exploration with that many crashes. Without initiators it is one of every set.
type Add func(crashes int, s trial.Setting) *Search

// Sizes are the explorations of settings for each size from least to most.
func Sizes(least, most int, settings ...trial.Setting) Explored {
	return func(add Add) {
		for n := least; n <= most; n++ {
			for _, s := range settings {
				s.N = n
				add(0, s)
			}
		}
	}
}

// Searches returns the explorations of algorithms by their names, for [Defects]. The placement is
// that of all.
func Searches(placement string, rooms ...map[string]Explored) func(algorithm, variant string) []Search {
	return func(algorithm, variant string) (all []Search) {
		for _, explored := range rooms {
			if explored[algorithm] == nil {
				continue
			}
			explored[algorithm](func(crashes int, s trial.Setting) *Search {
				s.Algorithm, s.Variant, s.Placement = algorithm, cmp.Or(variant, s.Variant), placement
				s.Initiators = cmp.Or(s.Initiators, search.Every)
				all = append(all, Search{Setting: s, Budget: explore.Budget{Crashes: crashes}})
				return &all[len(all)-1]
			})
		}
		return all
	}
}

// Hunted shows that the explorer and the checks can fail: each of the seeded defects is
// caught in a search or a run in which nothing is wrong with the algorithm as it is, and
// docs/defects.md says in which. The small form shows that each defect is a change of the
// source as it is, and that the page has it.
func (d Defects) Hunted(t *testing.T, short bool) {
	d.tabled(t)
	columns, all := d.columns(), *allDefects || *updateDefects
	for _, column := range columns {
		d.overlay(t, t.TempDir(), column)
	}
	switch {
	case all:
	case short && !d.Quick:
		columns = nil
	default:
		columns = columns[:1]
	}
	var rows []row
	for _, column := range columns {
		rows = append(rows, d.hunted(t, column)...)
	}
	subjects := d.subjects()
	slices.SortStableFunc(rows, func(a, b row) int {
		return slices.Index(subjects, a.Defect.Algorithm) - slices.Index(subjects, b.Defect.Algorithm)
	})
	var lines []string
	for _, r := range rows {
		r.check(t, d.Registry)
		lines = append(lines, r.line())
	}
	page := readPage(t)
	if *updateDefects {
		page = page.with(d.Section, lines)
		page.write(t)
	}
	page.check(t, d.Section, lines, all)
	page.lists(t, d.Section, d.Table)
	if all {
		d.checkSpread(t, rows)
	}
}

// checkSpread: of the defects of each algorithm exploration finds one that breaks safety
// and one that breaks liveness.
func (d Defects) checkSpread(t *testing.T, rows []row) {
	t.Helper()
	for _, subject := range d.subjects() {
		for _, property := range d.algorithm(subject).Checks[:2] {
			if d.Spares != nil && d.Spares(subject, property) {
				continue
			}
			if !slices.ContainsFunc(rows, func(r row) bool {
				return r.Defect.Algorithm == subject && r.By == byExploration && r.Breaks == property
			}) {
				t.Errorf("no defect of %s has exploration find that %s is violated", subject, property)
			}
		}
	}
}

// tabled: every algorithm has three to five defects, each with a name of its own.
func (d Defects) tabled(t *testing.T) {
	t.Helper()
	count, seen := map[string]int{}, map[string]bool{}
	for _, defect := range d.Table {
		count[defect.Algorithm]++
		if key := defect.Algorithm + ": " + defect.Name; seen[key] {
			t.Errorf("%s stands there twice", key)
		} else {
			seen[key] = true
		}
	}
	for _, subject := range d.subjects() {
		if k := count[subject]; k < 3 || k > 5 {
			t.Errorf("%s has %d defects; want 3 to 5", subject, k)
		}
	}
}

// subjects are what has defects: the algorithms, and after each its variants that are
// programs of their own.
func (d Defects) subjects() []string {
	var all []string
	for _, a := range d.Algorithms {
		all = append(all, a.Name)
		for _, defect := range d.Table {
			if of, variant := variantOf(defect.Algorithm); of == a.Name && variant != "" && !slices.Contains(all, defect.Algorithm) {
				all = append(all, defect.Algorithm)
			}
		}
	}
	return all
}

// variantOf takes a subject apart.
func variantOf(subject string) (algorithm, variant string) {
	algorithm, variant, _ = strings.Cut(subject, " ")
	return algorithm, variant
}

// algorithm is the algorithm of a subject.
func (d Defects) algorithm(subject string) *trial.Algorithm {
	name, _ := variantOf(subject)
	a, err := d.Registry.Find(name)
	if err != nil {
		panic(err)
	}
	return a
}

// columns puts the k-th defects of all packages together, so that one binary can have
// them all.
func (d Defects) columns() [][]Defect {
	var columns, alone [][]Defect
	count := map[string]int{}
	for _, defect := range d.Table {
		if defect.Algorithm == d.Lowest {
			alone = append(alone, []Defect{defect})
			continue
		}
		in := cmp.Or(d.Within[defect.Algorithm], defect.Algorithm)
		k := count[in]
		count[in]++
		if d.Alone || k == len(columns) {
			columns = append(columns, []Defect{defect})
			continue
		}
		columns[k] = append(columns[k], defect)
	}
	return append(columns, alone...)
}

// row is a defect and how it was found.
type row struct {
	Defect
	finding
	d Defects
}

// hunted compiles the package of the test with the defects of a column, and has it hunt.
func (d Defects) hunted(t *testing.T, column []Defect) []row {
	t.Helper()
	dir := t.TempDir()
	binary, found := filepath.Join(dir, "hunt.test"), filepath.Join(dir, "found.json")
	only := ""
	if d.Alone || column[0].Algorithm == d.Lowest {
		only = column[0].Algorithm
	}
	// Without what a debugger wants it takes the compiler half as long.
	execute(t, "go", "test", "-c", "-gcflags=bullring/experiments/catalog/...=-dwarf=false", "-ldflags=-w", "-overlay", d.overlay(t, dir, column), "-o", binary, ".")
	execute(t, binary, "-test.run", "^TestHunt$", "-test.timeout", "30m", "-hunt", found, "-hunted", only)
	text, err := os.ReadFile(found)
	if err != nil {
		t.Fatal(err)
	}
	var findings []finding
	if err := json.Unmarshal(text, &findings); err != nil {
		t.Fatal(err)
	}
	var rows []row
	for _, defect := range column {
		i := slices.IndexFunc(findings, func(f finding) bool { return f.Subject == defect.Algorithm })
		if i < 0 {
			t.Fatalf("there is no algorithm %s", defect.Algorithm)
		}
		rows = append(rows, row{defect, findings[i], d})
	}
	return rows
}

func execute(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, err := exec.CommandContext(t.Context(), name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}

// overlay writes the sources with the defects, and the file that tells the go command
// to take them.
func (d Defects) overlay(t *testing.T, dir string, column []Defect) string {
	t.Helper()
	replace := map[string]string{}
	for _, defect := range column {
		algorithm := d.algorithm(defect.Algorithm)
		path := filepath.Join(root(t), "protocols", algorithm.Family, algorithm.Name, defect.File)
		source := uncommented(t, path)
		if k := strings.Count(source, defect.Is); k != 1 {
			t.Errorf("%s, %s: %s has %d times, and not once,\n%s", defect.Algorithm, defect.Name, defect.File, k, defect.Is)
		}
		replace[path] = filepath.Join(dir, defect.Algorithm+".go")
		defective := strings.Replace(source, defect.Is, defect.Becomes, 1)
		if _, err := parser.ParseFile(token.NewFileSet(), defect.File, defective, 0); err != nil {
			t.Fatalf("%s, %s: %v", defect.Algorithm, defect.Name, err)
		}
		if err := os.WriteFile(replace[path], []byte(defective), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// uncommented is a source file without its comments, which are no part of a defect.
func uncommented(t *testing.T, path string) string {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var source strings.Builder
	if err := format.Node(&source, files, file); err != nil {
		t.Fatal(err)
	}
	return source.String()
}

// root is the folder of the module.
func root(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	for ; err == nil; dir = filepath.Dir(dir) {
		if _, missing := os.Stat(filepath.Join(dir, "go.mod")); missing == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	t.Fatalf("no go.mod above %s: %v", dir, err)
	return ""
}

// check reports a defect that was not caught, or only where the algorithm as it is
// does not do better.
func (r row) check(t *testing.T, registry *trial.Registry) {
	t.Helper()
	switch {
	case r.By == byNothing:
		t.Errorf("%s, %s: not caught", r.Defect.Algorithm, r.Name)
	case r.By == byExploration:
		e, err := search.Explore(context.Background(), registry, r.search())
		if err != nil {
			t.Fatal(err)
		}
		outside := slices.Clone(e.Outside)
		for _, in := range e.Instances {
			outside = append(outside, in.Outside...)
		}
		for _, p := range e.Properties {
			cut := e.Cut > 0 && p.Kind != explore.Always && p.Verdict == protocols.Undecided
			if p.Verdict != protocols.Holds && !cut || len(outside) > 0 {
				t.Errorf("%s without a defect, %s: %s %v, outside the model %q", r.Defect.Algorithm, r.where(), p.Name, p.Verdict, outside)
			}
		}
	case r.By == byRuns:
		if what, err := amiss(registry, new(trial.Worker), r.setting()); what != "" || err != nil {
			t.Errorf("%s without a defect, %s: %s, %v", r.Defect.Algorithm, r.where(), what, err)
		}
	}
}

func (r row) search() search.Search { return r.d.searches(r.Defect.Algorithm)[r.At] }

// setting is that of the run.
func (r row) setting() trial.Setting {
	i := 0
	for s := range r.d.Runs(variantOf(r.Defect.Algorithm)) {
		if i == r.At {
			return s
		}
		i++
	}
	panic(r.Defect.Algorithm + " has fewer runs than were made")
}

// where says in what the defect was found.
func (r row) where() string {
	if r.By == byRuns {
		return describe(search.Search{Setting: r.setting()})
	}
	return describe(r.search())
}
