package catalog_test

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bullring/experiments"
	"bullring/experiments/catalog"
	"bullring/netem/explore"
	"bullring/protocols"
)

var (
	allDefects    = flag.Bool("defects", false, "hunt all seeded defects, not only one of each algorithm (a minute)")
	updateDefects = flag.Bool("update-defects", false, "hunt all and rewrite docs/defects.md; read the diff")
)

const defectsPage = "../../docs/defects.md"

// TestDefects shows that the explorer and the checks can fail: each of the seeded
// defects is caught in a search or a run in which nothing is wrong with the algorithm
// as it is, and docs/defects.md says in which.
func TestDefects(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the package anew")
	}
	columns, all := columnsOf(defects), *allDefects || *updateDefects
	if !all {
		columns = columns[:1]
	}
	var rows []row
	for _, column := range columns {
		rows = append(rows, hunted(t, column)...)
	}
	registry, names := catalog.New(), subjects()
	slices.SortStableFunc(rows, func(a, b row) int {
		return slices.Index(names, a.algorithm) - slices.Index(names, b.algorithm)
	})
	for _, r := range rows {
		r.check(t, registry)
	}
	if *updateDefects {
		if err := os.WriteFile(defectsPage, []byte(pageOf(rows)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(defectsPage)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if !strings.Contains(string(kept), r.line()) {
			t.Errorf("docs/defects.md does not have what came out (-update-defects):\n%s", r.line())
		}
	}
	if all && string(kept) != pageOf(rows) {
		t.Error("docs/defects.md is not what comes out now; see the diff after -update-defects")
	}
	if all {
		checkSpread(t, rows, names)
	}
}

// checkSpread: of the defects of each algorithm exploration finds one that breaks safety
// and one that breaks liveness. Clients of the decentralized algorithm can get into each
// other's way for ever, so that of more than one nothing can be proven. In what is explored
// all clocks are right. Of a composition the safety that a change of coordinators puts at
// risk is order; integrity is that of the sequencer alone.
func checkSpread(t *testing.T, rows []row, algorithms []string) {
	t.Helper()
	for _, a := range algorithms {
		for _, property := range algorithmOf(a).Checks[:2] {
			if a == "decentralized" && property == "ME1" || a == "berkeley" && property == "synchronized" ||
				a == "sequencer-failover" && property == "integrity" {
				continue
			}
			if !slices.ContainsFunc(rows, func(r row) bool {
				return r.algorithm == a && r.By == byExploration && r.Breaks == property
			}) {
				t.Errorf("no defect of %s has exploration find that %s is violated", a, property)
			}
		}
	}
}

// within are algorithms that are made of another's package, whose defects they have, too.
var within = map[string]string{"majority": "maekawa"}

// columnsOf puts the k-th defects of all packages together, so that one binary can have
// them all. Behind them each defect of a composition stands alone.
func columnsOf(all []defect) [][]defect {
	var columns, alone [][]defect
	count := map[string]int{}
	for _, d := range all {
		if slices.Contains(compositions, d.algorithm) {
			alone = append(alone, []defect{d})
			continue
		}
		in := cmp.Or(within[d.algorithm], d.algorithm)
		k := count[in]
		count[in]++
		if k == len(columns) {
			columns = append(columns, nil)
		}
		columns[k] = append(columns[k], d)
	}
	return append(columns, alone...)
}

// programs are variants that are algorithms of their own, with sources of their own.
var programs = []string{"peterson first", "peterson improved"}

// compositions are algorithms made of others: a defect of one of those is theirs, too,
// so that each of their defects is hunted alone.
var compositions = []string{"centralized-failover", "sequencer-failover"}

// subjects are what has defects: the algorithms, and after each its programs.
func subjects() []string {
	var all []string
	for _, a := range catalog.New().Names() {
		all = append(all, a)
		for _, p := range programs {
			if of, _ := variantOf(p); of == a {
				all = append(all, p)
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

// algorithmOf is the algorithm of a subject.
func algorithmOf(subject string) *experiments.Algorithm {
	name, _ := variantOf(subject)
	a, err := catalog.New().Find(name)
	if err != nil {
		panic(err)
	}
	return a
}

// TestDefectsTable: every algorithm has three to five defects, each with a name of its
// own.
func TestDefectsTable(t *testing.T) {
	count, seen := map[string]int{}, map[string]bool{}
	for _, d := range defects {
		count[d.algorithm]++
		if key := d.algorithm + ": " + d.name; seen[key] {
			t.Errorf("%s stands there twice", key)
		} else {
			seen[key] = true
		}
	}
	for _, a := range subjects() {
		if k := count[a]; k < 3 || k > 5 {
			t.Errorf("%s has %d defects; want 3 to 5", a, k)
		}
	}
}

// row is a defect and how it was found.
type row struct {
	defect
	finding
}

// hunted compiles this package with the defects of a column, and has it hunt.
func hunted(t *testing.T, column []defect) []row {
	t.Helper()
	dir := t.TempDir()
	binary, found := filepath.Join(dir, "catalog.test"), filepath.Join(dir, "found.json")
	// Without what a debugger wants it takes the compiler half as long.
	execute(t, "go", "test", "-c", "-gcflags=bullring/experiments/catalog=-dwarf=false", "-ldflags=-w", "-overlay", overlay(t, dir, column), "-o", binary, ".")
	execute(t, binary, "-test.run", "^TestHunt$", "-test.timeout", "5m", "-hunt", found, "-hunted", huntedIn(column))
	text, err := os.ReadFile(found)
	if err != nil {
		t.Fatal(err)
	}
	var findings []finding
	if err := json.Unmarshal(text, &findings); err != nil {
		t.Fatal(err)
	}
	var rows []row
	for _, d := range column {
		i := slices.IndexFunc(findings, func(f finding) bool { return f.Algorithm == d.algorithm })
		if i < 0 {
			t.Fatalf("there is no algorithm %s", d.algorithm)
		}
		rows = append(rows, row{d, findings[i]})
	}
	return rows
}

// huntedIn is the algorithm in which a column is hunted, "" if it is all but the
// compositions.
func huntedIn(column []defect) string {
	if slices.Contains(compositions, column[0].algorithm) {
		return column[0].algorithm
	}
	return ""
}

func execute(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, err := exec.CommandContext(t.Context(), name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}

// overlay writes the sources with the defects, and the file that tells the go command
// to take them.
func overlay(t *testing.T, dir string, column []defect) string {
	t.Helper()
	replace := map[string]string{}
	for _, d := range column {
		algorithm := algorithmOf(d.algorithm)
		path, err := filepath.Abs(filepath.Join("../../protocols", algorithm.Family, algorithm.Name, d.file))
		if err != nil {
			t.Fatal(err)
		}
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if k := strings.Count(string(source), d.is); k != 1 {
			t.Fatalf("%s, %s: %s has %d times, and not once,\n%s", d.algorithm, d.name, d.file, k, d.is)
		}
		replace[path] = filepath.Join(dir, d.algorithm+".go")
		if err := os.WriteFile(replace[path], []byte(strings.Replace(string(source), d.is, d.becomes, 1)), 0o644); err != nil {
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

// check reports a defect that was not caught, or only where the algorithm as it is
// does not do better.
func (r row) check(t *testing.T, registry *experiments.Registry) {
	t.Helper()
	switch {
	case r.By == byNothing:
		t.Errorf("%s, %s: not caught", r.algorithm, r.name)
	case r.By == byExploration:
		e, err := experiments.Explore(context.Background(), registry, r.search())
		if err != nil {
			t.Fatal(err)
		}
		outside := slices.Clone(e.Outside)
		for _, in := range e.Instances {
			outside = append(outside, in.Outside...)
		}
		for _, p := range e.Properties {
			if p.Verdict != protocols.Holds || len(outside) > 0 {
				t.Errorf("%s without a defect, %s: %s %v, outside the model %q", r.algorithm, r.where(), p.Name, p.Verdict, outside)
			}
		}
	case r.By == byRuns:
		if what, err := amiss(registry, new(experiments.Worker), r.setting()); what != "" || err != nil {
			t.Errorf("%s without a defect, %s: %s, %v", r.algorithm, r.where(), what, err)
		}
	}
}

func (r row) search() experiments.Search { return searches(r.algorithm)[r.At] }

// setting is that of the run.
func (r row) setting() (found experiments.Setting) {
	i := 0
	for s := range runs(r.algorithm) {
		if i == r.At {
			return s
		}
		i++
	}
	panic(fmt.Sprintf("%s has no run %d", r.algorithm, r.At))
}

// where says in what the defect was found.
func (r row) where() string {
	if r.By == byRuns {
		return describe(r.setting(), explore.Budget{})
	}
	return describe(r.search().Setting, r.search().Budget)
}
