package sweep_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/sweep"
	"bullring/experiments/campaign/verify"
	"bullring/experiments/catalog"
	"bullring/experiments/internal/sweeptest"
	"bullring/internal/wholefile"
	"bullring/netem"
)

// united is a sweep, and two sweeps with some of its trials: other values of an axis, another
// algorithm, fewer replicates, other labels, a metric of its own, another order.
const united = `name: grown
replicates: 4
metrics: {sent: messages + overhead}
algorithms: [lcr, {algorithm: maekawa, label: mutex}, changroberts]
axes: {n: [4, 5, 6], placement: random}
figures: [{name: cost, y: messages}]
`

var halves = []string{
	`name: one
replicates: 4
algorithms: [{algorithm: changroberts, label: cr}, lcr]
axes: {placement: random, n: [6, 4, 5]}
`,
	`name: two
replicates: 4
algorithms: [maekawa, lcr]
axes: {n: [4, 5, 6], placement: random}
figures: [{name: other, y: time}]
`,
}

// unionOf is the union of folders, in a folder that is made if it is "". text is its sweep, "" for
// that of one of the folders.
func unionOf(t testing.TB, text, dir string, dirs ...string) (*sweep.Sweep, error) {
	t.Helper()
	if dir == "" {
		dir = filepath.Join(t.TempDir(), "union")
	}
	u := &sweep.Union{Registry: catalog.New(), Paths: dirs, Dir: dir}
	if text != "" {
		u.Source = &inCatalog(t, dir, text).Source
	}
	return u.Sweep()
}

// runUnion runs the union of folders, in which no trial may run.
func runUnion(t testing.TB, text, dir string, dirs ...string) (*sweep.Sweep, error) {
	t.Helper()
	s, err := unionOf(t, text, dir, dirs...)
	if err != nil {
		return s, err
	}
	s.Workers = 2
	report, err := s.Run(t.Context())
	if err == nil && !report.Already && report.Stored != report.Done {
		t.Errorf("%d of %d trials were run", report.Done-report.Stored, report.Done)
	}
	return s, err
}

// Two folders give the folder of a sweep with the trials of both, in either order, and into one of
// them. A second time nothing changes.
func TestUnion(t *testing.T) {
	want := fresh(t, united)
	for name, order := range map[string][]int{"one first": {0, 1}, "two first": {1, 0}} {
		for _, into := range []string{"another", "the first"} {
			t.Run(name+", into "+into, func(t *testing.T) {
				var dirs []string
				for _, i := range order {
					dirs = append(dirs, fresh(t, halves[i]))
				}
				dir := ""
				if into == "the first" {
					dir = dirs[0]
				}
				s, err := runUnion(t, united, dir, dirs...)
				if err != nil {
					t.Fatal(err)
				}
				draw(t, s)
				sameFolder(t, s.Dir, want)
				m, err := results.ReadManifest(s.Dir)
				if err != nil || len(m.Attempts) != 2 && into == "another" {
					t.Errorf("%v, %+v", err, m.Attempts)
				}
				verified, err := (&verify.Verifier{Registry: s.Registry, Path: s.Dir, All: true}).Run(t.Context())
				if err != nil || !verified.Identical() {
					t.Errorf("%v, %+v", err, verified)
				}
				again, err := runUnion(t, united, s.Dir, dirs[1], s.Dir)
				if err != nil {
					t.Fatal(err)
				}
				draw(t, again)
				sameFolder(t, again.Dir, want)
			})
		}
	}
}

// Without a sweep for the union it is that of the folder whose sweep has the trials of all others. A
// folder may be stopped half-way. If no sweep has all trials, or trials of one folder are not in the
// sweep, that is an error which names them.
func TestUnionOfOneWithTheTrialsOfAll(t *testing.T) {
	stopped := filepath.Join(t.TempDir(), "stopped")
	half(t, inCatalog(t, stopped, halves[0]))
	one, two, all := fresh(t, halves[0]), fresh(t, halves[1]), fresh(t, united)
	for _, dirs := range [][]string{{one, all}, {all, two, stopped}, {stopped, one}} {
		s, err := runUnion(t, "", "", dirs...)
		if err != nil {
			t.Fatalf("%v: %v", dirs, err)
		}
		draw(t, s)
		want := all
		if dirs[0] == stopped {
			want = one
		}
		sameFolder(t, s.Dir, want)
	}
	for _, c := range []struct{ text, want string }{
		{"", "no folder has a sweep with the trials of all others: with the sweep of " + one + ", of " + two + " 12 trials would be lost: 4 of maekawa"},
		{halves[0], two + " has trials that the sweep of the union does not have, and 12 trials would be lost: 4 of maekawa"},
		{united + "seed: 7\n", one + " has trials that the sweep of the union does not have, and 24 trials would be lost, because its seed was "},
	} {
		dir := filepath.Join(t.TempDir(), "union")
		if _, err := runUnion(t, c.text, dir, one, two); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
		if _, err := os.Stat(filepath.Join(dir, sweep.JournalFile)); err == nil {
			t.Error("a journal was written")
		}
	}
	s, err := unionOf(t, halves[0], "", one, two)
	if err != nil {
		t.Fatal(err)
	}
	s.Drop = true
	sweeptest.Run(t, s)
	draw(t, s)
	sameFolder(t, s.Dir, one)
}

// Trials that no folder has are named. The folder keeps the others, and the sweep runs there what
// is missing.
func TestUnionLacksTrials(t *testing.T) {
	one, two := fresh(t, halves[0]), fresh(t, halves[1])
	more := strings.Replace(united, "replicates: 4", "replicates: 6", 1)
	dir := filepath.Join(t.TempDir(), "union")
	_, err := runUnion(t, more, dir, one, two)
	lacking, ok := errors.AsType[*sweep.LackingError](err)
	if !ok || lacking.Trials != 18 || lacking.AtMost != 54 || len(lacking.Cells) != 9 || !strings.HasPrefix(lacking.Cells[0], "2 of lcr") {
		t.Fatalf("%v", err)
	}
	s := inCatalog(t, dir, more)
	report := sweeptest.Run(t, s)
	draw(t, s)
	if report.Stored != 36 || report.Done != 54 {
		t.Errorf("%+v", report)
	}
	sameFolder(t, dir, fresh(t, more))
}

// A trial that has another row in one folder than in another is named, with the column. So is a folder of
// another epoch, or a table with other columns. Nothing is written.
func TestUnionOfFoldersThatDiffer(t *testing.T) {
	one := fresh(t, halves[0])
	for _, c := range []struct {
		name   string
		tamper func(t *testing.T, dir string)
		want   string
	}{
		{"row", func(t *testing.T, dir string) { forge(t, dir) }, "differ in trial 2 of lcr placement=random n=4: its messages is "},
		{"epoch", func(t *testing.T, dir string) {
			replaceIn(t, filepath.Join(dir, results.ManifestFile), fmt.Sprintf(`"epoch": %d`, netem.Epoch), fmt.Sprintf(`"epoch": %d`, netem.Epoch+1))
		}, "the same seed means another run; leave that folder out, or run its sweep again"},
		{"changed", func(t *testing.T, dir string) {
			replaceIn(t, filepath.Join(dir, results.ResultsFile), "\n1,", "\n0,")
		}, results.ResultsFile + " was changed since"},
	} {
		two := fresh(t, halves[1])
		c.tamper(t, two)
		dir := filepath.Join(t.TempDir(), "union")
		_, err := runUnion(t, united, dir, one, two)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
		if left := folderFiles(t, dir); len(left) > 0 {
			t.Errorf("%s: %v is left", c.name, left)
		}
	}
}

// With a stopping rule the union has as many trials of a cell as a sweep that runs so; if a folder
// has more than the rule wants, they are not lost unnoticed.
func TestUnionWithAStoppingRule(t *testing.T) {
	text := func(algorithms, width string) string {
		return fmt.Sprintf("name: rule\nreplicates: {min: 4, max: 40, half_width: %s}\nalgorithms: %s\naxes: {n: [4, 9], placement: random}\n", width, algorithms)
	}
	tight, loose := fresh(t, text("[lcr]", "10%")), fresh(t, text("[changroberts, lcr]", "40%"))
	s, err := runUnion(t, text("[lcr]", "10%"), "", tight, fresh(t, text("[lcr]", "40%")))
	if err != nil {
		t.Fatal(err)
	}
	draw(t, s)
	sameFolder(t, s.Dir, tight)
	if _, err := runUnion(t, text("[changroberts, lcr]", "40%"), "", loose, tight); err == nil || !strings.Contains(err.Error(), "would be lost") {
		t.Error(err)
	}
	both := text("[changroberts, lcr]", "10%")
	dir := filepath.Join(t.TempDir(), "union")
	_, err = runUnion(t, both, dir, loose, tight)
	if lacking, ok := errors.AsType[*sweep.LackingError](err); !ok || len(lacking.Cells) != 2 {
		t.Fatal(err)
	}
	grown := inCatalog(t, dir, both)
	sweeptest.Run(t, grown)
	draw(t, grown)
	sameFolder(t, dir, fresh(t, both))
}

// replaceIn replaces the first occurrence of a text in a file.
func replaceIn(t testing.TB, path, old, now string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil || !bytes.Contains(text, []byte(old)) {
		t.Fatalf("%s has no %s: %v", path, old, err)
	}
	if err := os.WriteFile(path, bytes.Replace(text, []byte(old), []byte(now), 1), 0o666); err != nil {
		t.Fatal(err)
	}
}

// forge gives the second trial of lcr with n=4 another number of messages, and the manifest the
// hash of the table that is then there.
func forge(t testing.TB, dir string) {
	t.Helper()
	path := filepath.Join(dir, results.ResultsFile)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(before), "\n")
	column := slices.Index(strings.Split(lines[0], ","), "messages")
	row := slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, ",lcr,") })
	fields := strings.Split(lines[row+1], ",")
	fields[column] = "99"
	lines[row+1] = strings.Join(fields, ",")
	after := []byte(strings.Join(lines, "\n"))
	if err := os.WriteFile(path, after, 0o666); err != nil {
		t.Fatal(err)
	}
	replaceIn(t, filepath.Join(dir, results.ManifestFile), wholefile.Hash(before), wholefile.Hash(after))
}
