package sweep_test

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/spec"
	"bullring/experiments/campaign/sweep"
	"bullring/experiments/campaign/verify"
	"bullring/experiments/catalog"
	"bullring/experiments/internal/sweeptest"
	"bullring/internal/counts"
	"bullring/netem"
)

// steps are versions of a sweep, each larger than the one before: more replicates and values,
// an axis that was not given, an algorithm of another family with columns of its own, a metric
// of one's own, and other figures.
var steps = []string{
	`name: grown
replicates: 3
algorithms: [maekawa]
axes: {n: [4, 6], placement: random}
figures: [{name: cost, y: messages}, {name: gone, y: time}]
`,
	`name: grown
replicates: 5
algorithms: [lcr, {algorithm: maekawa, label: mutex}]
axes: {n: [4, 5, 6], placement: random, delay: [1ms, "uniform(0,2ms)"]}
compare: {baseline: lcr, metrics: messages}
figures: [{name: cost, y: messages}]
`,
	`name: grown
replicates: 6
metrics: {sent: messages + overhead}
algorithms: [{algorithm: changroberts, initiators: [all, "random:2"]}, {algorithm: maekawa, label: permission}, {algorithm: lcr, link: ["", "delay 1ms 20ms 10%"]}]
axes: {placement: random, n: [6, 5, 4, 7], delay: ["uniform(0,2ms)", 1ms]}
outside_model: true
figures: [{name: cost, y: messages}, {name: own, y: sent}]
`,
}

// inCatalog is a sweep of the catalog in a folder.
func inCatalog(t testing.TB, dir, text string) *sweep.Sweep {
	t.Helper()
	s := sweeptest.Sweep(t, catalog.New(), text)
	if dir != "" {
		s.Dir = dir
	}
	return s
}

// fresh is the folder of a sweep of the catalog that ran in one go.
func fresh(t testing.TB, text string) string {
	t.Helper()
	s := inCatalog(t, "", text)
	sweeptest.Run(t, s)
	draw(t, s)
	return s.Dir
}

// A sweep that grows in three steps runs the trials that are missing, and leaves the folder
// of a sweep that ran in one go. So does one that is stopped on its way, even by a kill that
// leaves nothing but the journal.
func TestSweepGrows(t *testing.T) {
	want := fresh(t, steps[2])
	for name, before := range map[string]func(t *testing.T, s *sweep.Sweep){
		"complete": func(t *testing.T, s *sweep.Sweep) {
			sweeptest.Run(t, s)
			draw(t, s)
		},
		"stopped": half,
		"killed": func(t *testing.T, s *sweep.Sweep) {
			half(t, s)
			for name := range folderFiles(t, s.Dir) {
				if name != sweep.JournalFile {
					if err := os.Remove(filepath.Join(s.Dir, name)); err != nil {
						t.Fatal(err)
					}
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "out")
			for _, text := range steps[:2] {
				before(t, inCatalog(t, dir, text))
			}
			s := inCatalog(t, dir, steps[2])
			report := sweeptest.Run(t, s)
			draw(t, s)
			sameFolder(t, dir, want)
			g := report.Growth
			if g == nil || g.Kept == 0 || g.Again > 0 || g.Dropped > 0 || report.Stored != g.Kept {
				t.Errorf("%+v, growth %+v", report, g)
			}
			if name == "complete" && g.Kept != 2*3*2*5 {
				t.Errorf("%d trials were kept", g.Kept)
			}
			verified, err := (&verify.Verifier{Registry: s.Registry, Path: dir, All: true}).Run(t.Context())
			if err != nil || !verified.Identical() {
				t.Errorf("%v, %+v", err, verified)
			}
			if report := sweeptest.Run(t, noTrials(t, s)); !report.Already || report.Outdated {
				t.Errorf("a second time: %+v", report)
			}
		})
	}
}

// Each step in shards, in the folder of the step before or in another division.
func TestSweepGrowsByShards(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	for i, text := range steps {
		of := []int{2, 2, 3}[i]
		if missing, joined, err := inCatalog(t, dir, text).MissingShards(of); len(missing) != of || joined || err != nil {
			t.Errorf("step %d: the shards %v are missing, %v, %v", i, missing, joined, err)
		}
		for k := range of {
			s := inCatalog(t, dir, text)
			s.Shard = sweep.Shard{Index: k, Of: of}
			report := sweeptest.Run(t, s)
			if g := report.Growth; i > 0 && (g == nil || report.Stored == 0 || report.Stored == report.Done) {
				t.Errorf("step %d, shard %d: %+v", i, k, report)
			}
			if report := sweeptest.Run(t, noTrials(t, s)); report.Stored != report.Done {
				t.Errorf("step %d, shard %d, a second time: %+v", i, k, report)
			}
			if i == 2 { // as a kill leaves it while it takes trials from the tables
				tearJournal(t, filepath.Join(dir, fmt.Sprintf("shard-%d-of-%d.journal", k, of)))
				s = inCatalog(t, dir, text)
				s.Shard = sweep.Shard{Index: k, Of: of}
				if again := sweeptest.Run(t, s); again.Growth == nil || again.Growth.Kept != report.Growth.Kept || again.Stored < again.Growth.Kept {
					t.Errorf("shard %d, torn: %+v, %+v", k, again, again.Growth)
				}
			}
		}
		if got := statusIn(t, dir); got.Of != of || got.State != sweep.Complete {
			t.Errorf("step %d: %+v", i, got)
		}
		join(t, catalog.New(), dir)
		draw(t, inCatalog(t, dir, text))
		files := folderFiles(t, fresh(t, text))
		for name, content := range folderFiles(t, dir) {
			if !strings.HasSuffix(name, ".journal") && !bytes.Equal(content, files[name]) {
				t.Errorf("step %d: %s differs from that of a sweep that ran so", i, name)
			}
		}
	}
	s := inCatalog(t, dir, steps[2]+"seed: 1\n")
	if got, _ := filepath.Glob(filepath.Join(s.Dir, "shard-*-of-2.journal")); got != nil {
		t.Errorf("shards of earlier divisions are left: %v", got)
	}
	// A whole sweep grows beside shards that were joined.
	more := strings.Replace(steps[2], "replicates: 6", "replicates: 7", 1)
	s = inCatalog(t, dir, more)
	sweeptest.Run(t, s)
	draw(t, s)
	sameFolder(t, dir, fresh(t, more))
}

// Shards that drop trials of an earlier version are joined only where that is allowed, and the folder
// is that of a sweep that ran so.
func TestShardsDropTrials(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	sweeptest.Run(t, inCatalog(t, dir, steps[1]))
	fewer := strings.Replace(steps[1], "replicates: 5", "replicates: 2", 1)
	for k := range 2 {
		s := inCatalog(t, dir, fewer)
		s.Shard = sweep.Shard{Index: k, Of: 2}
		if _, err := s.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "--drop to drop them") {
			t.Errorf("shard %d: %v", k, err)
		}
		s.Drop = true
		if g := sweeptest.Run(t, s).Growth; g == nil || g.Dropped == 0 || g.Kept == 0 {
			t.Errorf("shard %d: %+v", k, g)
		}
	}
	for _, drop := range []bool{false, true} {
		j := &sweep.Join{Registry: catalog.New(), Paths: []string{dir}, Drop: drop}
		s, err := j.Sweep()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Run(t.Context()); (err == nil) != drop || err != nil && !strings.Contains(err.Error(), "would be lost") {
			t.Errorf("drop %v: %v", drop, err)
		}
	}
	draw(t, inCatalog(t, dir, fewer))
	files := folderFiles(t, fresh(t, fewer))
	for name, content := range folderFiles(t, dir) {
		if !strings.HasSuffix(name, ".journal") && !bytes.Equal(content, files[name]) {
			t.Errorf("%s differs from that of a sweep that ran so", name)
		}
	}
}

// A sweep grows along each axis: from an entry with a value of the axis to one without it
// besides, and the other way round. The trials and their seeds stay.
func TestSweepGrowsAlongEachAxis(t *testing.T) {
	for _, axis := range spec.GivenAxes() {
		sample := sweeptest.SampleOf(t, axis)
		given := fmt.Sprintf("{algorithm: %s, label: given, %s}", sample.Algorithm, sample.Axes(axis))
		plain := fmt.Sprintf("{algorithm: %s, label: plain, placement: random}", sample.Algorithm)
		text := func(replicates int, entries ...string) string {
			return fmt.Sprintf("name: axis\noutside_model: true\nreplicates: %d\naxes: {n: 4}\nalgorithms: [%s]\n", replicates, strings.Join(entries, ", "))
		}
		want := inCatalog(t, "", text(3, plain, given))
		sweeptest.Run(t, want)
		for _, first := range []string{given, plain} {
			s := inCatalog(t, "", text(2, first))
			sweeptest.Run(t, s)
			s = inCatalog(t, s.Dir, text(3, plain, given))
			if g := sweeptest.Run(t, s).Growth; g.Kept != 2 || g.Again > 0 {
				t.Errorf("%s: %+v", axis, g)
			}
			sameFolder(t, s.Dir, want.Dir)
		}
	}
}

// tearJournal cuts a journal off after a third.
func tearJournal(t *testing.T, path string) {
	t.Helper()
	info, err := os.Stat(path)
	if err == nil {
		err = os.Truncate(path, info.Size()/3)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A shard takes no trials from results that are not complete.
func TestShardsOfAnUnfinishedVersion(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	half(t, inCatalog(t, dir, steps[0]))
	s := inCatalog(t, dir, steps[1])
	s.Shard = sweep.Shard{Index: 0, Of: 2}
	if _, err := s.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "which is not complete") {
		t.Error(err)
	}
}

// A metric that only running a trial can tell: the trials that lack it run again, and no
// others. An algorithm that does not measure it keeps its rows.
func TestMetricThatRowsLack(t *testing.T) {
	const base = `name: named
replicates: 4
algorithms:
  - {algorithm: raft, variant: heartbeats, n: [4, 5], initiators: first, fault: "at 200ms crash leader", until: 1s}
  - {algorithm: maekawa, n: [3, 4]}
`
	for _, kill := range []bool{false, true} {
		s := inCatalog(t, "", base)
		if kill {
			half(t, s)
		} else {
			sweeptest.Run(t, s)
		}
		asks := base + "metrics: {alone: leaderless * 2}\nfigures: {y: leaderless, where: {algorithm: raft}}\n"
		s = inCatalog(t, s.Dir, asks)
		report := sweeptest.Run(t, s)
		draw(t, s)
		sameFolder(t, s.Dir, fresh(t, asks))
		if g := report.Growth; g == nil || g.Again == 0 || fmt.Sprint(g.Lacking) != "[leaderless]" || !kill && (g.Kept != 8 || g.Again != 8) {
			t.Errorf("%+v", g)
		}
		// Without the figure, the column goes, and no trial runs.
		sweeptest.Run(t, noTrials(t, inCatalog(t, s.Dir, base)))
		sameFolder(t, s.Dir, fresh(t, base))
	}
}

// A stopping rule that becomes tighter keeps all trials. One that becomes looser would lose
// some, and drops them if it may.
func TestStoppingRuleGrows(t *testing.T) {
	const rule = "name: rule\nreplicates: {min: 4, max: 40, half_width: %s}\nalgorithms: [lcr, changroberts]\naxes: {n: [4, 9], placement: random}\n"
	loose, tight := fmt.Sprintf(rule, "40%"), fmt.Sprintf(rule, "10%")
	s := inCatalog(t, "", loose)
	before := sweeptest.Run(t, s).Done
	s = inCatalog(t, s.Dir, tight)
	report := sweeptest.Run(t, s)
	draw(t, s)
	sameFolder(t, s.Dir, fresh(t, tight))
	if report.Stored != before || report.Growth.Kept != before || report.Done <= before {
		t.Errorf("%d trials, then %+v of %+v", before, report.Growth, report)
	}
	held := folderFiles(t, s.Dir)
	s = inCatalog(t, s.Dir, loose)
	if _, err := s.Run(t.Context()); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%d trials would be lost", report.Done-before)) {
		t.Error(err)
	}
	unchanged(t, s.Dir, held)
	s.Drop = true
	if again := sweeptest.Run(t, noTrials(t, s)); again.Growth.Dropped != report.Done-before || again.Done != before {
		t.Errorf("%+v", again.Growth)
	}
	draw(t, s)
	sameFolder(t, s.Dir, fresh(t, loose))
}

// A version that is smaller and larger drops what it may, and keeps the rest.
func TestDrop(t *testing.T) {
	s := inCatalog(t, "", steps[1])
	sweeptest.Run(t, s)
	draw(t, s)
	other := strings.NewReplacer("[4, 5, 6]", "[5, 9]", "replicates: 5", "replicates: 4").Replace(steps[1])
	s = inCatalog(t, s.Dir, other)
	s.Drop = true
	if g := sweeptest.Run(t, s).Growth; g.Kept != 2*2*4 || g.Dropped != 60-16 {
		t.Errorf("%+v", g)
	}
	draw(t, s)
	sameFolder(t, s.Dir, fresh(t, other))
}

// The version before is refused while its folder grows: the journal has trials that it has
// not. The growing one goes on.
func TestBackToTheVersionBefore(t *testing.T) {
	s := inCatalog(t, "", steps[0])
	sweeptest.Run(t, s)
	draw(t, s)
	half(t, inCatalog(t, s.Dir, steps[2]))
	before := folderFiles(t, s.Dir)
	if _, err := s.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "would be lost") {
		t.Error(err)
	}
	unchanged(t, s.Dir, before)
	s = inCatalog(t, s.Dir, steps[2])
	sweeptest.Run(t, s)
	draw(t, s)
	sameFolder(t, s.Dir, fresh(t, steps[2]))
}

// Growing may be killed between any two files that it writes. The same version goes on from
// there, and so does a third one, even if it is killed as soon as it has a journal.
func TestGrowingWasKilledAtTheEnd(t *testing.T) {
	was, second := fresh(t, steps[0]), folderFiles(t, fresh(t, steps[1]))
	journalOf := func(text string) []byte {
		s := inCatalog(t, "", text)
		half(t, s)
		return sweeptest.Read(t, s, sweep.JournalFile)
	}
	order := []string{"spec.yaml", "results.csv", "summary.csv", "growth.csv", "differences.csv", "README.md"}
	for _, c := range []struct {
		journal []byte
		text    string // of the sweep that goes on
		trials  int
	}{
		{journalOf(steps[1]), steps[1], 5 * 3 * 2 * 2},
		{journalOf(steps[1]), steps[2], 5 * 3 * 2 * 2},
		{journalOf(steps[2]), steps[2], 6 * 4 * 2 * 5},
	} {
		want := fresh(t, c.text)
		for upTo := range len(order) + 1 {
			dir := filepath.Join(t.TempDir(), "out")
			if err := os.CopyFS(dir, os.DirFS(was)); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, sweep.JournalFile), c.journal, 0o644); err != nil {
				t.Fatal(err)
			}
			for _, name := range order[:upTo] {
				if err := os.WriteFile(filepath.Join(dir, name), second[name], 0o644); err != nil {
					t.Fatal(err)
				}
			}
			claim(t, dir, order)
			if got := statusIn(t, dir); got.Complete || got.Done == 0 || got.Trials != c.trials {
				t.Errorf("after %v: %+v", order[:upTo], got)
			}
			s := inCatalog(t, dir, c.text)
			sweeptest.Run(t, s)
			draw(t, s)
			sameFolder(t, dir, want)
		}
	}
}

// A join into the folder of a larger version would lose trials, and cannot drop them.
func TestJoinIntoALargerVersion(t *testing.T) {
	s := inCatalog(t, "", steps[1])
	sweeptest.Run(t, s)
	before := folderFiles(t, s.Dir)
	part := inCatalog(t, filepath.Join(t.TempDir(), "parts"), strings.Replace(steps[1], "replicates: 5", "replicates: 4", 1))
	for k := range 2 {
		part.Shard = sweep.Shard{Index: k, Of: 2}
		sweeptest.Run(t, part)
	}
	joined, err := (&sweep.Join{Registry: s.Registry, Paths: []string{part.Dir}, Dir: s.Dir}).Sweep()
	if err == nil {
		_, err = joined.Run(t.Context())
	}
	if err == nil || !strings.Contains(err.Error(), "12 trials would be lost") || !strings.Contains(err.Error(), "--drop") {
		t.Error(err)
	}
	unchanged(t, s.Dir, before)
}

// Rows of another epoch, and rows that were changed, are not kept, and stay where they are.
func TestRowsThatCannotBeKept(t *testing.T) {
	for name, c := range map[string]struct{ file, old, changed, want string }{
		"another epoch": {results.ManifestFile, fmt.Sprintf("\"epoch\": %d,", netem.Epoch), fmt.Sprintf("\"epoch\": %d,", netem.Epoch+1), "the same seed means another run"},
		"changed rows":  {results.ResultsFile, "served", "saved", "results.csv was changed since"},
		"no manifest":   {results.ManifestFile, "{", "", "its trials cannot be kept"},
	} {
		t.Run(name, func(t *testing.T) {
			s := inCatalog(t, "", steps[0])
			sweeptest.Run(t, s)
			text := sweeptest.Read(t, s, c.file)
			changed := bytes.Replace(text, []byte(c.old), []byte(c.changed), 1)
			if bytes.Equal(text, changed) {
				t.Fatalf("%s has no %s", c.file, c.old)
			}
			if err := os.WriteFile(filepath.Join(s.Dir, c.file), changed, 0o644); err != nil {
				t.Fatal(err)
			}
			before := contents(t, s.Dir)
			if _, err := inCatalog(t, s.Dir, steps[1]).Run(t.Context()); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v; want %q", err, c.want)
			}
			if !maps.Equal(contents(t, s.Dir), before) || !bytes.Equal(sweeptest.Read(t, s, c.file), changed) {
				t.Error("the folder was changed")
			}
		})
	}
}

// All of a larger version can be run again.
func TestGrownAgain(t *testing.T) {
	s := inCatalog(t, "", steps[0])
	sweeptest.Run(t, s)
	draw(t, s)
	s = inCatalog(t, s.Dir, steps[1])
	s.Again = true
	if report := sweeptest.Run(t, s); report.Stored != 0 || report.Growth != nil {
		t.Errorf("%+v", report)
	}
	draw(t, s)
	sameFolder(t, s.Dir, fresh(t, steps[1]))
}

// statusIn is the status of the sweep of the catalog that is being run in a folder. Tables of
// an earlier version may be there, too.
func statusIn(t *testing.T, dir string) *sweep.Status {
	t.Helper()
	all, err := sweep.StatusOf(catalog.New(), []string{dir})
	if err != nil || len(all) == 0 {
		t.Fatal(all, err)
	}
	return all[0]
}

// drawnAxes are axes with values of which drawn sweeps have some. The first is the default, or
// what a sweep without the axis has.
var drawnAxes = []struct {
	name   string
	values []string
}{
	{"algorithms", []string{"lcr", "bully", "maekawa", "changroberts"}},
	{"n", []string{"3", "4", "6"}},
	{"placement", []string{"random", "increasing"}},
	{"delay", []string{"1ms", `"uniform(0,2ms)"`}},
	{"fault", []string{`""`, `"random failures mttf exp(20ms) mttr exp(5ms) until 60ms"`}},
	{"link", []string{`""`, `"loss 20%"`}},
	{"transport", []string{"plain", `"reliable(5ms,3)"`}},
	{"detector", []string{"perfect", `"heartbeat(10ms,30ms)"`}},
	{"dead", []string{"none", `"0"`}},
}

// drawnSweep is a small sweep. has tells which values of drawnAxes it has, in a drawn order.
type drawnSweep struct {
	least, most, width int // width is that of a stopping rule in percent, 0 for none
	has                [][]string
}

func (d drawnSweep) String() string {
	replicates := fmt.Sprint(d.most)
	if d.width > 0 {
		replicates = fmt.Sprintf("{min: %d, max: %d, half_width: %d%%}", d.least, d.most, d.width)
	}
	axes := ""
	for i, values := range d.has[1:] {
		if len(values) > 1 || i < 1 {
			axes += fmt.Sprintf(", %s: [%s]", drawnAxes[i+1].name, strings.Join(values, ", "))
		}
	}
	return fmt.Sprintf("name: drawn\noutside_model: true\nreplicates: %s\nalgorithms: [%s]\naxes: {%s}\n", replicates, strings.Join(d.has[0], ", "), axes[2:])
}

// drawSweep draws a sweep with few values.
func drawSweep(chance *rand.Rand) drawnSweep {
	d := drawnSweep{least: 2, most: 2 + chance.IntN(4)}
	if chance.IntN(3) == 0 {
		d.width = 20 + chance.IntN(60)
	}
	for _, a := range drawnAxes {
		d.has = append(d.has, a.values[:1])
	}
	return d.edited(chance, 3)
}

// edited changes a sweep in up to so many places. Most changes add something.
func (d drawnSweep) edited(chance *rand.Rand, places int) drawnSweep {
	d.has = slices.Clone(d.has)
	for range 1 + chance.IntN(places) {
		i := chance.IntN(len(drawnAxes))
		value := drawnAxes[i].values[chance.IntN(len(drawnAxes[i].values))]
		at := slices.Index(d.has[i], value)
		switch kind := chance.IntN(6); {
		case at < 0:
			d.has[i] = slices.Insert(slices.Clone(d.has[i]), chance.IntN(len(d.has[i])+1), value)
		case kind == 0 && len(d.has[i]) > 1 && drawnAxes[i].values[0] != value:
			d.has[i] = slices.Delete(slices.Clone(d.has[i]), at, at+1)
		case kind == 1 && d.width > 0:
			d.width = 20 + chance.IntN(60)
		case kind == 2 && d.most > 2:
			d.most--
		default:
			d.most++
		}
	}
	return d
}

// Of two sweeps that were drawn, the second keeps the rows of the first that it has, and its
// folder is that of a fresh run. If rows would be lost, it is refused until it may drop them.
func TestGrownIsFresh(t *testing.T) {
	pairs := 90
	if testing.Short() {
		pairs = 30
	}
	chance := rand.New(rand.NewPCG(26, 4))
	kept, refused := 0, 0
	for i := range pairs {
		first := drawSweep(chance)
		a, b := first.String(), first.edited(chance, 3).String()
		want, s := inCatalog(t, "", b), inCatalog(t, "", a)
		sweeptest.Run(t, want)
		grown := inCatalog(t, s.Dir, b)
		if i%3 == 0 { // stopped half-way, if it takes that long
			s.Workers = 1
			stopAfter(t, s, 1)
			grown.Drop = true
		} else {
			sweeptest.Run(t, s)
			missing := lost(t, s.Dir, want.Dir)
			refused += refusesLoss(t, grown, missing)
			grown.Drop = missing > 0
		}
		if g := sweeptest.Run(t, grown).Growth; g != nil {
			kept += g.Kept
		}
		sameFolder(t, s.Dir, want.Dir)
		if t.Failed() {
			t.Fatalf("from\n%sto\n%s", a, b)
		}
	}
	t.Logf("%d trials were kept, and %d of %d pairs refused", kept, refused, pairs)
	if kept == 0 || refused == 0 || refused == pairs {
		t.Error("the pairs try one thing only")
	}
}

// refusesLoss checks that a sweep is refused if it would lose so many trials, says so, and
// leaves its folder as it was. It returns 1 if it is refused.
func refusesLoss(t *testing.T, s *sweep.Sweep, trials int) int {
	t.Helper()
	if trials == 0 {
		return 0
	}
	before := folderFiles(t, s.Dir)
	_, err := s.Run(t.Context())
	if says := counts.Several(trials, "trial") + " would be lost"; err == nil || !strings.Contains(err.Error(), says) {
		t.Errorf("%s: %v", says, err)
	}
	unchanged(t, s.Dir, before)
	return 1
}

// unchanged compares the files of a folder with those that it held.
func unchanged(t *testing.T, dir string, before map[string][]byte) {
	t.Helper()
	now := folderFiles(t, dir)
	for name, content := range now {
		if !bytes.Equal(content, before[name]) {
			t.Errorf("%s was changed", name)
		}
	}
	if len(now) != len(before) {
		t.Errorf("the folder had %d files, and has %d", len(before), len(now))
	}
}

// lost counts the rows of a folder that another one lacks, apart from what a sweep decides:
// the number of the row, and the columns.
func lost(t *testing.T, from, in string) int {
	t.Helper()
	key := func(row map[string]string) string {
		var words []string
		for _, axis := range append([]string{"algorithm", "replicate", "seed", "fingerprint"}, spec.Axes()...) {
			words = append(words, row[axis])
		}
		return strings.Join(words, "|")
	}
	there := map[string]bool{}
	for _, row := range rowsIn(t, in) {
		there[key(row)] = true
	}
	missing := 0
	for _, row := range rowsIn(t, from) {
		if !there[key(row)] {
			missing++
		}
	}
	return missing
}

func rowsIn(t *testing.T, dir string) []map[string]string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(dir, results.ResultsFile))
	if err != nil {
		t.Fatal(err)
	}
	return sweeptest.Rows(t, content)
}
