package sweep_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/stats"
	"bullring/experiments/campaign/sweep"
	"bullring/experiments/campaign/verify"
	"bullring/experiments/catalog"
	"bullring/experiments/internal/sweeptest"
	"bullring/internal/wholefile"
)

// summarised is a sweep of three families, with violations outside and inside the model, cells of
// which some metrics have no value, and a metric of its own.
const summarised = `name: kept
replicates: 60
%s
metrics: {sent: messages + overhead}
outside_model: true
algorithms:
  - {algorithm: bully, assume: 2ms, initiators: "random:2", delay: ["uniform(0,6ms)", 1ms], n: [3, 6]}
  - {algorithm: changroberts, label: ring, placement: random, n: [3, 5, 40], link: ["", "loss 20%%"]}
  - {algorithm: maekawa, placement: random, n: [4, 7]}
`

// keeping is the sweep, and what it keeps.
func keeping(keep string) string { return fmt.Sprintf(summarised, keep) }

const keepSome = "keep: {rows: [violations, extremes, 1 in 25]}"

// A sweep that keeps a summary has the counts and extremes of one that keeps rows, its means and
// deviations but for the last digits, quantiles within the error that is stated, and of the rows
// those that are asked for.
func TestSummaryAgainstRows(t *testing.T) {
	rows, some := inCatalog(t, "", keeping("")), inCatalog(t, "", keeping(keepSome))
	a, b := sweeptest.Run(t, rows), sweeptest.Run(t, some)
	a.Files, b.Files = nil, nil
	if fmt.Sprintf("%+v", a) != fmt.Sprintf("%+v", b) || a.Outside == 0 {
		t.Errorf("reported is\n%+v and not\n%+v", b, a)
	}
	want := sweeptest.Rows(t, sweeptest.Read(t, rows, results.SummaryFile))
	seeds := map[string]string{} // by number of a trial
	all := sweeptest.Rows(t, sweeptest.Read(t, rows, results.ResultsFile))
	for _, row := range all {
		seeds[row["row"]] = row["seed"]
	}
	kept := map[string]bool{}
	for i, got := range sweeptest.Rows(t, sweeptest.Read(t, some, results.SummaryFile)) {
		for column, text := range want[i] {
			compareSummary(t, i, column, got[column], text)
		}
		for column, seed := range got {
			of, is := strings.CutSuffix(column, "_seed")
			if !is {
				continue
			}
			place, number := extremeOf(all[60*i:60*(i+1)], of)
			if place >= 0 && seed != all[60*i+place]["seed"] || place < 0 && seed != "" {
				t.Errorf("cell %d: %s is %s, and the trial is number %s", i+1, column, seed, number)
			}
			kept[number] = true
		}
	}
	violations := 0
	for i, row := range all {
		violated := false
		for _, text := range row {
			violated = violated || text == "violated"
		}
		if violated {
			violations++
		}
		if violated || i%60%25 == 0 {
			kept[row["row"]] = true
		}
	}
	delete(kept, "")
	left := sweeptest.Rows(t, sweeptest.Read(t, some, results.ResultsFile))
	for _, row := range left {
		number, _ := strconv.Atoi(row["row"])
		if !kept[row["row"]] || fmt.Sprint(row) != fmt.Sprint(all[number-1]) {
			t.Errorf("the row of trial %d is kept, or another than it was", number)
		}
	}
	if len(left) != len(kept) || violations == 0 {
		t.Errorf("%d rows are kept, and asked for are %d, %d of violations", len(left), len(kept), violations)
	}
}

// compareSummary compares a field of two tables of cells.
func compareSummary(t *testing.T, cell int, column, got, want string) {
	t.Helper()
	x, _ := strconv.ParseFloat(got, 64)
	y, err := strconv.ParseFloat(want, 64)
	within := func(share float64) bool { return math.Abs(x-y) <= share*math.Abs(y) }
	same := got == want
	if err == nil {
		switch words := strings.Split(column, "_"); words[len(words)-1] {
		case "q1", "median", "q3", "p95":
			same = x <= y && within(stats.SketchError)
		case "mean", "sd", "lo", "hi":
			same = within(1e-12)
		default:
			same = same || strings.HasPrefix(column, "bound_") && within(1e-12) || strings.HasPrefix(column, "ratio_") && within(1e-12)
		}
	}
	if !same {
		t.Errorf("cell %d: %s is %s, and %s with rows", cell+1, column, got, want)
	}
}

// extremeOf finds the first trial with the extreme value of a metric, such as messages_min; -1 if
// none has a value.
func extremeOf(rows []map[string]string, of string) (place int, number string) {
	metric, least := strings.CutSuffix(of, "_min")
	metric = strings.TrimSuffix(metric, "_max")
	best := math.NaN()
	place = -1
	for i, row := range rows {
		text := ""
		for column, field := range row {
			if results.ColumnName(column) == metric {
				text = field
			}
		}
		if metric == "sent" {
			messages, _ := strconv.Atoi(row["messages"])
			overhead, _ := strconv.Atoi(row["overhead"])
			text = strconv.Itoa(messages + overhead)
		}
		v, err := strconv.ParseFloat(text, 64)
		if err == nil && (math.IsNaN(best) || least && v < best || !least && v > best) {
			best, place, number = v, i, row["row"]
		}
	}
	return place, number
}

// withoutShards are the files of a folder, without journals of shards.
func withoutShards(t testing.TB, dir string) map[string][]byte {
	t.Helper()
	files := folderFiles(t.(*testing.T), dir)
	for name := range files {
		if strings.HasPrefix(name, "shard-") {
			delete(files, name)
		}
	}
	return files
}

// A sweep that keeps a summary writes the same bytes with one worker and with eight, by shards,
// stopped half-way, and grown from fewer cells and replicates. It can be verified.
func TestSummaryIsTheSameHoweverItRan(t *testing.T) {
	text := keeping(keepSome)
	fewer := strings.NewReplacer("replicates: 60", "replicates: 23", "[3, 5, 40]", "[40, 5]", "n: [3, 6]", "n: 3").Replace(text)
	one := inCatalog(t, "", text)
	one.Workers = 1
	sweeptest.Run(t, one)
	want := withoutShards(t, one.Dir)
	for name, run := range map[string]func(t *testing.T, dir string){
		"workers": func(t *testing.T, dir string) {
			s := inCatalog(t, dir, text)
			s.Workers = 8
			sweeptest.Run(t, s)
		},
		"shards": func(t *testing.T, dir string) {
			for k := range 3 {
				s := inCatalog(t, dir, text)
				s.Shard = sweep.Shard{Index: k, Of: 3}
				sweeptest.Run(t, s)
			}
			join(t, catalog.New(), dir)
		},
		"stopped": func(t *testing.T, dir string) {
			half(t, inCatalog(t, dir, text))
			if report := sweeptest.Run(t, inCatalog(t, dir, text)); report.Stored == 0 || report.Stored == report.Done {
				t.Errorf("%+v", report)
			}
		},
		"grown": func(t *testing.T, dir string) {
			sweeptest.Run(t, inCatalog(t, dir, fewer))
			if g := sweeptest.Run(t, inCatalog(t, dir, text)).Growth; g == nil || g.Kept != 23*(2+4+2) || g.Again > 0 {
				t.Errorf("%+v", g)
			}
		},
		"grown half-way": func(t *testing.T, dir string) {
			half(t, inCatalog(t, dir, fewer))
			if g := sweeptest.Run(t, inCatalog(t, dir, text)).Growth; g == nil || g.Kept == 0 || g.Dropped > 0 {
				t.Errorf("%+v", g)
			}
		},
		"relabelled": func(t *testing.T, dir string) {
			sweeptest.Run(t, inCatalog(t, dir, strings.Replace(text, "label: ring", "label: CR", 1)))
			if report := sweeptest.Run(t, noTrials(t, inCatalog(t, dir, text))); !report.Outdated {
				t.Errorf("%+v", report)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "out")
			run(t, dir)
			got := withoutShards(t, dir)
			for file, content := range want {
				if !bytes.Equal(got[file], content) {
					t.Errorf("%s differs from that of a sweep that ran so", file)
				}
			}
			if len(got) != len(want) {
				t.Errorf("there are %d files, and not %d", len(got), len(want))
			}
			if report := sweeptest.Run(t, noTrials(t, inCatalog(t, dir, text))); !report.Already || report.Outdated {
				t.Errorf("a second time: %+v", report)
			}
			if got := statusIn(t, dir); got.State != sweep.Complete || got.Done != 60*12 {
				t.Errorf("%+v", got)
			}
		})
	}
	report, err := (&verify.Verifier{Registry: catalog.New(), Path: one.Dir, All: true}).Run(t.Context())
	if err != nil || !report.Identical() || report.Unkept == 0 || report.Trials+report.Unkept != 60*12 {
		t.Errorf("%v, %+v", err, report)
	}
}

// What cannot be taken over is refused, and the folder stays as it is: other things that are kept,
// fewer replicates, shards, a metric that digests do not have, a union; changed digests are found.
func TestSummaryThatCannotBeKept(t *testing.T) {
	s := inCatalog(t, "", keeping(keepSome))
	sweeptest.Run(t, s)
	held := folderFiles(t, s.Dir)
	for want, text := range map[string]string{
		"keeps a summary, and the rows of: violations, extremes, 1 in 25, and this one keeps rows":      keeping(""),
		"and this one keeps a summary: trials cannot be taken over; give another directory, or --again": keeping("keep: summary"),
		"60 trials of bully initiators=random:2 delay=uniform(0,6ms) assume=2ms n=3, and this version":  strings.Replace(keeping(keepSome), "replicates: 60", "replicates: 59", 1),
		"the digest lacks the metric bits2, which only running the trials again can tell":               strings.Replace(keeping(keepSome), "{sent:", "{bits2: messages * 2, sent:", 1),
		"60 trials would be lost: 60 of maekawa placement=random n=4":                                   strings.Replace(keeping(keepSome), "n: [4, 7]", "n: 7", 1),
	} {
		if _, err := inCatalog(t, s.Dir, text).Run(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %s", err, want)
		}
	}
	part := inCatalog(t, s.Dir, strings.Replace(keeping(keepSome), "replicates: 60", "replicates: 61", 1))
	part.Shard = sweep.Shard{Index: 1, Of: 2}
	if _, err := part.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "a digest cannot be dealt to shards") {
		t.Error(err)
	}
	if _, err := unionOf(t, keeping(keepSome), "", s.Dir, s.Dir); err == nil || !strings.Contains(err.Error(), "digests that overlap cannot be told apart") {
		t.Error(err)
	}
	missing := 1
	for _, row := range sweeptest.Rows(t, sweeptest.Read(t, s, results.ResultsFile)) {
		if row["row"] == strconv.Itoa(missing) {
			missing++
		}
	}
	if _, err := verify.RowSetting(s.Registry, s.Dir, missing); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("has no row of trial %d, since the sweep keeps a summary", missing)) {
		t.Error(err)
	}
	unchanged(t, s.Dir, held)
	path := filepath.Join(s.Dir, results.DigestsFile)
	replaceIn(t, path, `{"n":60,`, `{"n":59,`)
	if _, err := inCatalog(t, s.Dir, strings.Replace(keeping(keepSome), "replicates: 60", "replicates: 61", 1)).Run(t.Context()); err == nil || !strings.Contains(err.Error(), "digests.jsonl was changed since") {
		t.Error(err)
	}
	report, err := (&verify.Verifier{Registry: s.Registry, Path: s.Dir}).Run(t.Context())
	if err != nil || report.Identical() {
		t.Errorf("%v, %+v", err, report)
	}
}

// Without rows that are asked for there are none, and with a metric of its own the sweep runs its
// trials again if it is told to.
func TestSummaryWithoutRows(t *testing.T) {
	s := inCatalog(t, "", keeping("keep: summary"))
	sweeptest.Run(t, s)
	if rows := sweeptest.Rows(t, sweeptest.Read(t, s, results.ResultsFile)); len(rows) > 0 {
		t.Errorf("%d rows are kept", len(rows))
	}
	more := inCatalog(t, s.Dir, strings.Replace(keeping("keep: summary"), "{sent:", "{bits2: messages * 2, sent:", 1))
	more.Again = true
	sweeptest.Run(t, more)
	sameFolder(t, s.Dir, func() string {
		s := inCatalog(t, "", strings.Replace(keeping("keep: summary"), "{sent:", "{bits2: messages * 2, sent:", 1))
		sweeptest.Run(t, s)
		return s.Dir
	}())
}

// A trial that breaks a bound stops the sweep, and stops it again when it is resumed. No digest has it.
func TestBrokenBoundStopsASummary(t *testing.T) {
	wrong := func(n int) float64 {
		if n == 8 {
			return sweeptest.Triangle(n) - 1
		}
		return sweeptest.Triangle(n)
	}
	cells, _, _ := strings.Cut(sweeptest.Small, "figures:")
	s := sweeptest.Sweep(t, sweeptest.Registry(wrong), cells+"keep: {rows: extremes}\n")
	for range 2 {
		report, err := s.Run(t.Context())
		row, ok := errors.AsType[*sweep.RowError](err)
		if !ok || row.Instance == nil || row.Instance.N != 8 || !strings.HasSuffix(err.Error(), "the sweep was stopped there") {
			t.Fatalf("%v", err)
		}
		m, err := results.ReadManifest(s.Dir)
		if err != nil || m.Complete || m.Summarised != report.Done || report.Done == 0 || report.Done >= report.Trials {
			t.Errorf("%v, %+v, %+v", err, m, report)
		}
	}
}

// A row that was taken away, together with its place in the manifest, is missed by the digests.
func TestKeptRowIsTakenAway(t *testing.T) {
	s := inCatalog(t, "", keeping(keepSome))
	sweeptest.Run(t, s)
	m, err := results.ReadManifest(s.Dir)
	if err != nil {
		t.Fatal(err)
	}
	before := sweeptest.Read(t, s, results.ResultsFile)
	lines := strings.SplitAfter(string(before), "\n")
	after := strings.Join(slices.Delete(lines, 7, 8), "")
	if err := os.WriteFile(filepath.Join(s.Dir, results.ResultsFile), []byte(after), 0o666); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(s.Dir, results.ManifestFile)
	replaceIn(t, path, m.HashOf(results.ResultsFile), wholefile.Hash([]byte(after)))
	replaceIn(t, path, fmt.Sprintf(`"rows": %d`, m.Rows), fmt.Sprintf(`"rows": %d`, m.Rows-1))
	replaceIn(t, path, fmt.Sprintf(`"bytes": %d`, len(before)), fmt.Sprintf(`"bytes": %d`, len(after)))
	report, err := (&verify.Verifier{Registry: s.Registry, Path: s.Dir}).Run(t.Context())
	want := []string{fmt.Sprintf("results.csv has %d rows, and digests.jsonl says that %d are kept", m.Rows-1, m.Rows)}
	if err != nil || !slices.Equal(report.Damage, want) {
		t.Errorf("%v, %q", err, report.Damage)
	}
}
