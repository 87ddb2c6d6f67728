package paper

import (
	"strings"
	"testing"

	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/spec"
	"bullring/experiments/catalog"
)

// The README of a folder has all its parts, in order.
func TestPartsOfTheREADME(t *testing.T) {
	const dir = "../../cli/testdata/earlier/complete"
	f, err := results.Open(catalog.New(), dir)
	if err != nil {
		t.Fatal(err)
	}
	m, err := results.ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	cells, err := f.Overview()
	if err != nil {
		t.Fatal(err)
	}
	f.Captions = map[string]string{}
	f.Spec.Figures[0].Asks = "What is *n*?"
	text := readme(f, m, cells)
	for _, part := range []string{"# ", "64 trials of 8 cells, 8 of each.", "## Look, check, repeat", "pd.read_csv(", "read.csv(", "read_csv('", "## Figures", "What is n?\n\n![", "## Files", "### Columns of results.csv"} {
		_, after, found := strings.Cut(text, part)
		if !found {
			t.Fatalf("%s\nlacks %s", text, part)
		}
		text = after
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
	got := written(func(p func(string, ...any)) { readmeReaders(p, m) })
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

// Each file of the manifest has a row, and each column of a table; figures have theirs where
// there are some.
func TestFiles(t *testing.T) {
	m := &results.Manifest{Files: []results.FileInfo{
		{}, {Columns: []results.Column{{Name: "time", Type: results.Number, Unit: "time_unit", Meaning: "until *rest*"}}},
		{Columns: []results.Column{{Name: "time_mean", Type: results.Number, Unit: "time_unit", Meaning: "a|b"}}}, {},
	}}
	for i, name := range []string{results.SpecFile, results.ResultsFile, results.SummaryFile, "base.yaml"} {
		m.Files[i].Name = name
	}
	f := &results.Folder{Spec: &spec.Spec{}}
	got := written(func(p func(string, ...any)) { readmeFiles(f, p, m) })
	for _, want := range []string{
		"| [`spec.yaml`](spec.yaml) | the sweep, as it was given |\n", "| [`base.yaml`](base.yaml) | what the sweep includes |\n",
		"\n### Columns of results.csv\n\n| column | type | unit | meaning |\n|---|---|---|---|\n| `time[time_unit]` | number | time_unit | until \\*rest\\* |\n",
		"\n### Columns of summary.csv\n\n| column | type | unit | meaning |\n|---|---|---|---|\n| `time_mean` | number | time_unit | a\\|b |\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\nlacks %s", got, want)
		}
	}
	if strings.Count(got, "### ") != 2 || strings.Contains(got, "NAME.png") {
		t.Errorf("%s\nhas figures, or columns of what is no table", got)
	}
	f.Captions = map[string]string{}
	if got = written(func(p func(string, ...any)) { readmeFiles(f, p, m) }); strings.Count(got, "NAME.") != 3 {
		t.Errorf("%s\nlacks the files of figures", got)
	}
}

func TestLatexLabel(t *testing.T) {
	if got := LatexLabel("azAZ09:-./+ {_é@[`"); got != "azAZ09:-./+-------" {
		t.Error(got)
	}
}

// written is what a part of the README prints, as readme prints it.
func written(part func(p func(string, ...any))) string {
	var b strings.Builder
	part(printer(&b))
	return b.String()
}
