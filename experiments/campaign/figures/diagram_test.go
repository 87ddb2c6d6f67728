package figures_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"bullring/experiments/campaign/figures"
	"bullring/experiments/campaign/results"
	"bullring/experiments/catalog"
	"bullring/experiments/internal/sweeptest"
	"bullring/plots"
)

const diagrams = `name: shown
title: A study.
replicates: 9
seed: 3
outside_model: true
algorithms: [bully, lcr]
axes: {n: [4, 30], fault: ["", "drop every message with 10%"]}
figures:
  - {name: median, kind: diagram, y: messages, where: {algorithm: bully, n: 4, fault: "drop every message with 10%"}}
  - {name: worst, kind: diagram, y: messages, trial: worst, axis: gaps, why: true, where: {algorithm: bully, n: 4, fault: "drop every message with 10%"}}
  - {name: share, kind: diagram, y: correct, trial: worst, where: {algorithm: bully, n: 4, fault: "drop every message with 10%"}}
  - {name: failed, kind: diagram, y: messages, trial: first failed, width: column, where: {algorithm: bully, n: 4, fault: "drop every message with 10%"}}
  - {name: fine, kind: diagram, y: messages, trial: first failed, where: {algorithm: bully, n: 4, fault: ""}}
  - {name: large, kind: diagram, y: time, where: {algorithm: lcr, n: 30, fault: ""}}
`

// A diagram shows the trial that the figure asks for, and its caption says which.
func TestDiagrams(t *testing.T) {
	s := sweeptest.Sweep(t, catalog.New(), diagrams)
	s.OutsideModel = true
	sweeptest.Run(t, s)
	paths, err := figures.Draw(s.Registry, s.Dir)
	if err != nil || len(paths) != 6*6 {
		t.Fatal(len(paths), err)
	}
	var cell, sorted []map[string]string
	for _, row := range sweeptest.Rows(t, sweeptest.Read(t, s, "results.csv")) {
		if row["algorithm"] == "bully" && row["n"] == "4" && row["fault"] != "" {
			cell = append(cell, row)
		}
	}
	messages := func(row map[string]string) int { n, _ := strconv.Atoi(row["messages"]); return n }
	sorted = slices.Clone(cell)
	slices.SortStableFunc(sorted, func(a, b map[string]string) int { return messages(a) - messages(b) })
	first := func(is func(map[string]string) bool) map[string]string { return cell[slices.IndexFunc(cell, is)] }
	failed := first(func(row map[string]string) bool { return row["correct"] == "0" })
	for name, want := range map[string]struct {
		row   map[string]string
		words string
	}{
		"median": {first(func(r map[string]string) bool { return r["messages"] == sorted[4]["messages"] }), "Space-time diagram of the trial with the median of messages, " + sorted[4]["messages"] + "."},
		"worst":  {first(func(r map[string]string) bool { return r["messages"] == sorted[8]["messages"] }), "Space-time diagram of the trial with the largest messages, " + sorted[8]["messages"] + "."},
		"share":  {failed, "Space-time diagram of the first trial with the smallest probability of a correct election, 0."},
		"failed": {failed, "Space-time diagram of the first trial that failed."},
	} {
		caption := string(sweeptest.Read(t, s, "figures/"+name+".txt"))
		where := fmt.Sprintf("Row %s of results.csv, replicate %s, seed %s; bullring diagram DIR %s draws it again.", want.row["row"], want.row["replicate"], want.row["seed"], want.row["row"])
		if !strings.Contains(caption, want.words) || !strings.Contains(caption, where) {
			t.Errorf("%s: %swant %s %s", name, caption, want.words, where)
		}
		entries, err := plots.ReadMeta(filepath.Join(s.Dir, "figures", name+".svg"))
		if err != nil || !slices.Contains(entries, plots.Meta{Key: "Fingerprint", Value: want.row["fingerprint"]}) || !slices.Contains(entries, plots.Meta{Key: "Row", Value: want.row["row"]}) {
			t.Errorf("%s: %v, %v", name, entries[len(entries)-2:], err)
		}
	}
	for name, words := range map[string]string{
		"fine":  "Space-time diagram of the first trial: of 9, 0 failed.",
		"large": "Events by process and time, since it is too large for a space-time diagram, of the trial with the median of time to rest",
	} {
		if caption := string(sweeptest.Read(t, s, "figures/"+name+".txt")); !strings.Contains(caption, words) {
			t.Errorf("%s: %s; want %s", name, caption, words)
		}
	}
}

// A trial that runs otherwise than its row says is no picture of the row.
func TestDiagramComparesFingerprints(t *testing.T) {
	s := sweeptest.Sweep(t, catalog.New(), "name: shown\nalgorithms: lcr\naxes: {n: 4}\nreplicates: 1\nfigures: {kind: diagram, y: messages}\n")
	sweeptest.Run(t, s)
	file := filepath.Join(s.Dir, results.ResultsFile)
	text := string(sweeptest.Read(t, s, results.ResultsFile))
	print := sweeptest.Rows(t, []byte(text))[0]["fingerprint"]
	if err := os.WriteFile(file, []byte(strings.Replace(text, print, "0123456789abcdef", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	folder, err := results.Open(s.Registry, s.Dir)
	if err != nil {
		t.Fatal(err)
	}
	m, err := results.ReadManifest(s.Dir)
	if err != nil {
		t.Fatal(err)
	}
	_, err = figures.DrawInto(folder, m, folder)
	if err == nil || !strings.Contains(err.Error(), "the fingerprint of the trial is 0123456789abcdef, and "+print+" when it is run again") {
		t.Errorf("error %v", err)
	}
}

// What does not depend on the results is found before the first trial.
func TestDiagramRehearsal(t *testing.T) {
	for _, c := range []struct{ figure, want string }{
		{"{kind: diagram, y: entries}", "entries"},
		{"{kind: diagram, y: messages, width: column, title: " + strings.Repeat("long ", 30) + "}", "there is room for"},
	} {
		s := sweeptest.Sweep(t, catalog.New(), "name: shown\nalgorithms: lcr\naxes: {n: 4}\nreplicates: 1\nfigures: "+c.figure+"\n")
		_, err := s.Run(t.Context())
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v; want %q", c.figure, err, c.want)
		}
	}
}
