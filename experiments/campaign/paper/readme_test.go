package paper

import (
	"strings"
	"testing"

	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/spec"
	"bullring/experiments/catalog"
)

// described is the README of a folder with so many figures.
func described(t *testing.T, figures int) (text string, m *results.Manifest) {
	t.Helper()
	const dir = "../../cli/testdata/earlier/complete"
	f, err := results.Open(catalog.New(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if m, err = results.ReadManifest(dir); err != nil {
		t.Fatal(err)
	}
	cells, err := f.Overview()
	if err != nil {
		t.Fatal(err)
	}
	f.Captions = map[string]string{}
	f.Spec.Figures[0].Asks = "What is *n*?"
	for len(f.Spec.Figures) < figures {
		f.Spec.Figures = append(f.Spec.Figures, f.Spec.Figures[0])
	}
	m.Outside = true
	return readme(f, m, cells), m
}

// The README of a folder has all its parts, in order, and is of one screen: its figures apart,
// 48 lines of 80 columns.
func TestPartsOfTheREADME(t *testing.T) {
	text, _ := described(t, 1)
	rest := text
	for _, part := range []string{"# ", "64 trials of 8 cells, 8 of each.", "Trials outside the model were allowed", "bullring verify . ", "bullring replay . 1 ", "./reproduce.sh", "## Figures", "What is n?\n\n![", "## Files", "`spec.yaml`: the sweep, of seed ", "`COLUMNS.md`: ", "`figures`: "} {
		_, after, found := strings.Cut(rest, part)
		if !found {
			t.Fatalf("%s\nlacks %s", rest, part)
		}
		rest = after
	}
	for _, figures := range []int{1, 5} {
		text, _ := described(t, figures)
		if lines := strings.Count(text, "\n") - 4*figures; lines > 48 || strings.Count(text, "](figures/") != figures {
			t.Errorf("%d lines without those of %d figures:\n%s", lines, figures, text)
		}
		for line := range strings.Lines(text) {
			if columns := len([]rune(line)) - 1; columns > 80 && !strings.HasPrefix(line, "![") {
				t.Errorf("%d columns: %s", columns, line)
			}
		}
	}
}

// What the README does not say of the columns stands in a page of its own.
func TestColumns(t *testing.T) {
	text, m := described(t, 1)
	page := columns(m)
	rest := page
	for _, part := range []string{"pd.read_csv(", "read.csv(", "read_csv('", "\n## results.csv\n", "| `row` | integer |", "\n## summary.csv\n", "\n## growth.csv\n"} {
		_, after, found := strings.Cut(rest, part)
		if !found {
			t.Fatalf("%s\nlacks %s", rest, part)
		}
		rest = after
	}
	for _, c := range m.ColumnsOf(results.ResultsFile) {
		if !strings.Contains(page, "| `"+c.Header()+"` | "+string(c.Type)+" |") {
			t.Errorf("%s lacks %s", page, c.Name)
		}
	}
	if strings.Contains(text, "| type |") {
		t.Errorf("the README has columns:\n%s", text)
	}
}

// The README counts the trials: of a fixed number, of a stopping rule, and of a sweep that was
// not finished.
func TestWhatRan(t *testing.T) {
	until := &spec.Until{Metrics: []string{"messages", "time"}, HalfWidth: 0.05, Min: 10}
	cells := &results.Overview{Columns: []string{"n", "trials"}, Fields: [][]string{{"40", "10"}, {"4", "40"}, {"8", "40"}}}
	for _, c := range []struct {
		until    *spec.Until
		complete bool
		cells    *results.Overview
		want     string
	}{
		{nil, true, cells, "90 trials of 3 cells, 40 of each."},
		{nil, false, cells, "90 trials of 3 cells, **not complete**, of 120."},
		{until, false, cells, "90 trials of 3 cells, **not complete**, of 120."},
		{until, true, cells, "90 trials of 3 cells, as many of each cell, from 10 to 40, as it took half the 95 % interval of messages, time to be 5 % of the mean at most (of a proportion, absolute); **2 of the cells ended at 40 trials**, whether it was or not."},
		{until, true, &results.Overview{Columns: []string{"trials"}, Fields: [][]string{{"30"}}}, "90 trials of 3 cells, as many of each cell, from 10 to 40, as it took half the 95 % interval of messages, time to be 5 % of the mean at most (of a proportion, absolute)."},
	} {
		f := &results.Folder{Spec: &spec.Spec{Replicates: 40, Until: c.until}, Cells: make([]spec.Cell, 3)}
		if got := whatRan(f, &results.Manifest{Rows: 90, Trials: 120, Complete: c.complete}, c.cells); got != c.want {
			t.Errorf("%s\nwant\n%s", got, c.want)
		}
	}
}

// The languages read the columns that exist, and no number as a rounded one.
func TestReaders(t *testing.T) {
	m := &results.Manifest{Files: []results.FileInfo{{Columns: []results.Column{
		{Name: "seed", Type: results.Integer}, {Name: "fifo", Type: results.Boolean}, {Name: "messages", Type: results.Number}, {Name: "fingerprint", Type: results.Text},
	}}}}
	m.Files[0].Name = results.ResultsFile
	got := written(func(p func(string, ...any)) { readers(p, m) })
	for _, want := range []string{
		`dtype={"seed": str, "fingerprint": str})`,
		`colClasses = c(seed = "character", fifo = "logical", fingerprint = "character"))`,
		`types = {'seed': 'UBIGINT', 'fingerprint': 'VARCHAR'})`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\nlacks %s", got, want)
		}
	}
}

// Each file of the manifest has an item, and each column of a table a row in COLUMNS.md; figures
// have theirs where there are some.
func TestFiles(t *testing.T) {
	m := &results.Manifest{Files: []results.FileInfo{
		{}, {Columns: []results.Column{{Name: "time", Type: results.Number, Unit: "time_unit", Meaning: "until *rest*"}}},
		{Columns: []results.Column{{Name: "time_mean", Type: results.Number, Unit: "time_unit", Meaning: "a|b"}}}, {},
	}}
	for i, name := range []string{results.SpecFile, results.ResultsFile, results.SummaryFile, "base.yaml"} {
		m.Files[i].Name = name
	}
	f := &results.Folder{Spec: &spec.Spec{Figures: make([]spec.Figure, 1)}}
	got := written(func(p func(string, ...any)) { readmeFiles(f, p, m) })
	for _, want := range []string{"- `spec.yaml`: the sweep, ", "- `results.csv`: a row a trial\n", "- `base.yaml`: what the sweep includes\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\nlacks %s", got, want)
		}
	}
	if strings.Contains(got, ".png") {
		t.Errorf("%s\nhas figures", got)
	}
	f.Captions = map[string]string{}
	if got = written(func(p func(string, ...any)) { readmeFiles(f, p, m) }); strings.Count(got, ".png") != 1 {
		t.Errorf("%s\nlacks the files of figures", got)
	}
	page := columns(m)
	for _, want := range []string{
		"\n## results.csv\n\n| column | type | unit | meaning |\n|---|---|---|---|\n| `time[time_unit]` | number | time_unit | until \\*rest\\* |\n",
		"\n## summary.csv\n\n| column | type | unit | meaning |\n|---|---|---|---|\n| `time_mean` | number | time_unit | a\\|b |\n",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%s\nlacks %s", page, want)
		}
	}
	if strings.Count(page, "\n## ") != 2 {
		t.Errorf("%s\nhas columns of what is no table", page)
	}
}

// written is what a part of the README prints, as readme prints it.
func written(part func(p func(string, ...any))) string {
	var b strings.Builder
	part(printer(&b))
	return b.String()
}
