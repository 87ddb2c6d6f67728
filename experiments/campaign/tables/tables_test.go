package tables_test

import (
	"context"
	"errors"
	"flag"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"bullring/experiments/campaign/figures"
	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/sweep"
	"bullring/experiments/campaign/verify"
	"bullring/experiments/catalog"
	"bullring/experiments/internal/sweeptest"
)

var update = flag.Bool("update", false, "rewrite the tables in testdata; read the diff")

// shapes is testdata/sweep.yaml, run and drawn.
func shapes(t *testing.T) *sweep.Sweep {
	t.Helper()
	text, err := os.ReadFile("testdata/sweep.yaml")
	if err != nil {
		t.Fatal(err)
	}
	s := sweeptest.Sweep(t, catalog.New(), string(text))
	s.OutsideModel = true
	sweeptest.Run(t, s)
	if _, err := figures.Draw(s.Registry, s.Dir); err != nil {
		t.Fatal(err)
	}
	return s
}

// measured are the widths of the tables of testdata/sweep.yaml in points: pdfLaTeX of TeX Live
// 2022 put each tabular into a box, with Latin Modern at 10 pt and siunitx 3.1.
var measured = map[string][]float64{
	"axis": {236.9}, "two-axes": {366.4}, "measures": {419.6}, "times": {283.2}, "row": {176.7},
	results.TableFile: {282.9, 214.3},
}

var about = regexp.MustCompile(`% About ([0-9]+) pt wide`)

// Tables have the numbers of summary.csv, in the right places, with their marks and captions, and
// are about as wide as LaTeX makes them.
func TestTables(t *testing.T) {
	s := shapes(t)
	for name, widths := range measured {
		files := []string{name}
		if name != results.TableFile {
			files = []string{"tables/" + name + ".tex", "tables/" + name + ".md", "tables/" + name + ".csv"}
		}
		for _, file := range files {
			got := string(sweeptest.Read(t, s, file))
			golden := filepath.Join("testdata", filepath.Base(file))
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if want, err := os.ReadFile(golden); err != nil || got != string(want) {
				t.Errorf("%v, %s is\n%s\nwant\n%s", err, file, got, want)
			}
		}
		found := about.FindAllStringSubmatch(string(sweeptest.Read(t, s, files[0])), -1)
		if len(found) != len(widths) {
			t.Errorf("%s has %d tables, and %d were measured", name, len(found), len(widths))
			continue
		}
		for i, f := range found {
			if estimated, _ := strconv.ParseFloat(f[1], 64); math.Abs(estimated-widths[i]) > 1 {
				t.Errorf("%s is estimated to be %v pt wide, and is %v", name, estimated, widths[i])
			}
		}
	}
	readme := string(sweeptest.Read(t, s, results.ReadmeFile))
	page := string(sweeptest.Read(t, s, results.ReportFile))
	for _, want := range []string{"## Tables\n\n- [`axis`](tables/axis.md): Does the delay matter?\n", "- `tables`: "} {
		if !strings.Contains(readme, want) {
			t.Errorf("the README\n%s\nlacks %q", readme, want)
		}
	}
	for _, want := range []string{"<summary>two-axes <small>2 rows</small>", `href="./tables/axis.tex"`, "5.67 ± 0.41†"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// The numbers of a table are those of summary.csv, each in the unit of its column.
func TestTablesHaveTheNumbersOfTheSummary(t *testing.T) {
	s := shapes(t)
	cells := map[string]map[string]string{}
	for _, row := range sweeptest.Rows(t, sweeptest.Read(t, s, results.SummaryFile)) {
		cells[row["label"]+" "+row["delay"]+" "+row["fault"]+" "+row["n"]] = row
	}
	delays := map[string]string{"constant": "1ms", "random": "uniform(0s,2ms)"}
	seen := 0
	for _, row := range sweeptest.Rows(t, sweeptest.Read(t, s, "tables/times.csv")) {
		for _, label := range []string{"lcr", "bully"} {
			cell := cells[label+" "+delays[row["delay"]]+"  "+row["n"]]
			factor := map[string]float64{"delay": 1, "s": 1000}[cell["time_unit"]]
			for head, column := range map[string]string{"time (ms)": "time_mean", "p95 (ms)": "time_p95"} {
				got, err := strconv.ParseFloat(row[label+", "+head], 64)
				want, errOther := strconv.ParseFloat(cell[column], 64)
				if err != nil || errOther != nil || !sweeptest.Near(got, want*factor) {
					t.Errorf("%s at %v is %v, and summary.csv has %v of %s", head, row, got, want, cell["time_unit"])
				}
				seen++
			}
		}
	}
	if seen != 24 {
		t.Errorf("%d numbers were compared", seen)
	}
}

// What cannot be a table is refused before the first trial, at its place.
func TestRefusedBeforeTheFirstTrial(t *testing.T) {
	for _, test := range []struct{ name, table, want string }{
		{"too many columns", "{columns: n, metrics: [messages, bits], width: 50mm}", "5:9: the table test is at least 180 pt wide in the default font of LaTeX at 10 pt: 38 pt more than its width, 50mm, which is 142 pt; the widest of its 5 columns is \"messages\" with 39 pt; give it"},
		{"a long label", "{rows: n, metrics: {metric: messages, label: " + strings.Repeat("m", 50) + "}, where: {label: lcr}}", `5:9: the table test is at least 435 pt wide in the default font of LaTeX at 10 pt: 90 pt more than its width, text of 345 pt; the widest of its 2 columns is "` + strings.Repeat("m", 40) + `..." with 417 pt`},
		{"a metric of another family", "{metrics: entries}", "5:19: no algorithm here measures entries: there is lcr, bully"},
		{"a bound of nobody", "{metrics: {bound: fibonacci}}", `5:19: no algorithm here declares the bound "fibonacci": there is lcr, bully`},
		{"a unit of a bound", "{metrics: {bound: worst, unit: ms}}", "5:19: unit is ms, but the bound worst is one of messages, which is no time"},
		{"a count of nothing", "{metrics: {count: elect}}", `5:19: summary.csv has no column "elect" that counts trials: it has trials, unfinished, elected, no_leader, `},
		{"another number of a ratio", "{metrics: {metric: ratio_worst, statistic: max}}", "5:19: summary.csv has the mean of ratio_worst, and no max"},
		{"a long name", "{name: " + strings.Repeat("a", 201) + ", metrics: messages}", "5:9: the table's name has 201 letters"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := sweeptest.Sweep(t, catalog.New(), "name: test\nreplicates: 2\nalgorithms: [lcr, bully]\naxes: {n: [4, 8]}\ntables: "+test.table+"\n")
			_, err := s.Run(context.Background())
			if err == nil || !strings.Contains(err.Error(), "test.yaml:"+test.want) {
				t.Errorf("the error is\n%v\nand not test.yaml:%s", err, test.want)
			}
			if _, err := os.Stat(s.Dir); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("the folder is there (%v)", err)
			}
		})
	}
}

// A table that its numbers make too wide costs no trial: all else is written and sound, and a wider
// one is made from the rows.
func TestTooWideAfterTheTrials(t *testing.T) {
	const text = "name: test\nreplicates: 5\nalgorithms: lcr\naxes: {n: [40, 80], placement: random}\ntables: [{name: narrow, columns: n, metrics: messages, width: 90pt}, {name: other, metrics: messages}]\n"
	s := sweeptest.Sweep(t, catalog.New(), text)
	sweeptest.Run(t, s)
	_, err := figures.Draw(s.Registry, s.Dir)
	if err == nil || !regexp.MustCompile(`spec.yaml:5:10: the table narrow is about 95 pt wide.*: 5 pt more than its width, 90pt; the widest of its 2 columns is "n = 40" with 47 pt(.|\n)*everything else in .* is written; bullring plot --spec makes`).MatchString(err.Error()) {
		t.Fatalf("the error is %v", err)
	}
	verified := func() *verify.Report {
		t.Helper()
		report, err := (&verify.Verifier{Registry: s.Registry, Path: s.Dir, All: true}).Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return report
	}
	rows := sweeptest.Read(t, s, results.ResultsFile)
	if r := verified(); !r.Identical() {
		t.Errorf("%+v", r)
	}
	if _, ok := figures.Drawn(s.Spec, s.Dir); ok {
		t.Error("the folder counts as drawn, so that nothing says again that a table is missing")
	}
	wider := sweeptest.Sweep(t, s.Registry, strings.Replace(text, "90pt", "200pt", 1))
	wider.Dir = s.Dir
	if _, err := sweep.Redraw(wider, figures.DrawHere); err != nil {
		t.Fatal(err)
	}
	if r := verified(); !r.Identical() || string(rows) != string(sweeptest.Read(t, s, results.ResultsFile)) {
		t.Errorf("%+v", r)
	}
	if paths, ok := figures.Drawn(wider.Spec, s.Dir); !ok || len(paths) != 6 {
		t.Errorf("the tables are %q, %v", paths, ok)
	}
	// A table that the sweep no longer has goes, and a changed one is noticed.
	less := sweeptest.Sweep(t, s.Registry, strings.Replace(text, "{name: narrow, columns: n, metrics: messages, width: 90pt}, ", "", 1))
	less.Dir = s.Dir
	if _, err := sweep.Redraw(less, figures.DrawHere); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(s.Dir, "tables", "narrow.tex")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the former table is still there (%v)", err)
	}
	file := filepath.Join(s.Dir, "tables", "other.md")
	changed := strings.Replace(string(sweeptest.Read(t, s, "tables/other.md")), "±", "+-", 1)
	if err := os.WriteFile(file, []byte(changed), 0o666); err != nil {
		t.Fatal(err)
	}
	if r := verified(); r.Identical() || !strings.Contains(strings.Join(r.Damage, "\n"), "tables/other.md was changed") {
		t.Errorf("a changed table: %+v", r)
	}
}
