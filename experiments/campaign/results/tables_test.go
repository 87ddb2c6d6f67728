package results_test

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"bullring/experiments/campaign/results"
	"bullring/experiments/internal/sweeptest"
)

func TestSummaryDescribesResults(t *testing.T) {
	s := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), sweeptest.Small)
	sweeptest.Run(t, s)
	results, summary := sweeptest.Rows(t, sweeptest.Read(t, s, "results.csv")), sweeptest.Rows(t, sweeptest.Read(t, s, "summary.csv"))
	if len(summary)*7 != len(results) {
		t.Fatalf("%d rows of %d cells", len(results), len(summary))
	}
	for i, cell := range summary {
		sum := 0.0
		for _, row := range results[7*i : 7*i+7] {
			m, err := strconv.ParseFloat(row["messages"], 64)
			if err != nil {
				t.Fatal(err)
			}
			sum += m
			if row["n"] != cell["n"] || row["delay"] != cell["delay"] {
				t.Fatalf("row %v in cell %v", row, cell)
			}
		}
		if mean, _ := strconv.ParseFloat(cell["messages_mean"], 64); mean != sum/7 {
			t.Errorf("cell %s: mean %v; want %v", cell["cell"], mean, sum/7)
		}
		if cell["messages_n"] != "7" || cell["overhead_n"] != "7" {
			t.Errorf("cell %s: of 7 trials %s have messages", cell["cell"], cell["messages_n"])
		}
		if cell["E1_holds"] != "7" || cell["E1_violated"] != "0" || cell["elected"] != "7" {
			t.Errorf("cell %s: counts %v", cell["cell"], cell)
		}
		if cell["algorithm"] == "ring" && cell["placement"] == "decreasing" && cell["ratio_worst"] != "1" {
			t.Errorf("cell %s: ratio to the worst case %q; want 1", cell["cell"], cell["ratio_worst"])
		}
		if (cell["bound_elected"] == "") != (cell["delay"] != "1ms") {
			t.Errorf("cell %s: delay %s, bound %q", cell["cell"], cell["delay"], cell["bound_elected"])
		}
	}
	growth := sweeptest.Rows(t, sweeptest.Read(t, s, "growth.csv"))
	grows := map[string]int{}
	for _, g := range growth {
		grows[g["metric"]]++
		exponent, err := strconv.ParseFloat(g["exponent"], 64)
		if err != nil || exponent < 0.7 || exponent > 2 {
			t.Errorf("exponent %q of %v", g["exponent"], g)
		}
		// A ring of equal delays has elected after n of them, whatever the placement.
		if g["metric"] == "elected_time" && g["algorithm"] == "ring" && g["delay"] == "1ms" && (g["exponent"] != "1" || g["exponent_lo"] != "1" || g["exponent_hi"] != "1" || g["r2"] != "1") {
			t.Errorf("time to elect on a ring grows with %v", g)
		}
	}
	if want := map[string]int{"messages": 8, "time": 8, "elected_time": 8}; !maps.Equal(grows, want) {
		t.Errorf("growth.csv has metrics %v; want %v: nothing of what is 0, nor of shares", grows, want)
	}
}

func TestManifest(t *testing.T) {
	s := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), sweeptest.Small)
	sweeptest.Run(t, s)
	m, err := results.ReadManifest(s.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if !m.Complete || m.Rows != m.Trials || m.Name != "small" || m.Epoch == 0 || len(m.Files) != 4 || len(m.Documents) != 7 {
		t.Errorf("manifest of %d files, %d documents", len(m.Files), len(m.Documents))
	}
	for _, f := range slices.Concat(m.Files, m.Documents) {
		if sum := sha256.Sum256(sweeptest.Read(t, s, f.Name)); hex.EncodeToString(sum[:]) != f.SHA256 {
			t.Errorf("%s has another hash than the manifest says", f.Name)
		}
	}
	header, _, _ := strings.Cut(string(sweeptest.Read(t, s, "results.csv")), "\n")
	var columns []string
	for _, c := range m.Files[1].Columns {
		columns = append(columns, c.Name)
		if c.Meaning == "" {
			t.Errorf("column %s has no meaning", c.Name)
		}
	}
	header = regexp.MustCompile(`\[[^]]*\]`).ReplaceAllString(header, "") // units
	if header != strings.Join(columns, ",") {
		t.Errorf("columns %s in the manifest, %s in the file", columns, header)
	}
}

// The hash of the trials does not depend on the program: the folders of one version are
// resumed by another. The number was that of the first version that had it.
func TestTrialsHashStays(t *testing.T) {
	const text = `name: drawn
title: Before
replicates: 5
algorithms: [ring, {algorithm: bird, label: "bird, tells"}]
axes: {n: [3, 4, 8], placement: random}
`
	s := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), text)
	const want = "3b92700f0ce424990529f2b86cd04d98c411f30eed8cb9af571cc5c143cd91c1"
	if got := results.TrialsHash(s.Spec, s.Spec.Cells()); got != want {
		t.Errorf("the hash of the trials is %s, want %s", got, want)
	}
}

// The tables that are made from the rows again are those of the sweep, byte by byte. With
// other labels only labels differ.
func TestTablesFromRows(t *testing.T) {
	s := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle),
		"name: again\nreplicates: {min: 3, max: 9, half_width: 20%}\nalgorithms: [ring, {algorithm: bird, label: other}]\naxes: {n: [2, 4, 8], placement: random, delay: exp(1ms)}\ncompare: {baseline: ring}\n")
	sweeptest.Run(t, s)
	folder, err := results.Open(s.Registry, s.Dir)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	files, err := folder.Tabulate(false, dir)
	if err != nil || len(files) != 3 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, f := range files {
		if again, err := os.ReadFile(filepath.Join(dir, f.Name)); err != nil || string(again) != string(sweeptest.Read(t, s, f.Name)) {
			t.Errorf("%s is another than that of the sweep (%v)", f.Name, err)
		}
	}

	before := string(sweeptest.Read(t, s, results.ResultsFile))
	for i := range folder.Cells {
		if folder.Cells[i].Label == "other" {
			folder.Cells[i].Label = "relabelled"
		}
	}
	folder.Relabelled = true
	l, err := results.LayoutOf(s.Registry, folder.Spec)
	if err != nil {
		t.Fatal(err)
	}
	tables, err := folder.Retabulate(false, l)
	if err != nil {
		t.Fatal(err)
	}
	if err := tables.Commit(); err != nil {
		t.Fatal(err)
	}
	if after := string(sweeptest.Read(t, s, results.ResultsFile)); after != strings.ReplaceAll(before, ",other,", ",relabelled,") || after == before || tables.Rows != strings.Count(before, "\n")-1 {
		t.Errorf("%d rows, relabelled:\n%.600s", tables.Rows, after)
	}
}
