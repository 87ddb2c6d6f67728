package verify_test

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bullring/experiments/campaign/figures"
	"bullring/experiments/campaign/results"
	"bullring/experiments/internal/sweeptest"
)

// The receipt of a grid has the trials of all panels, and their metrics.
func TestVerifyGrid(t *testing.T) {
	r := sweeptest.Registry(sweeptest.Triangle)
	s := swept(t, r, `name: pair
replicates: 4
algorithms: [ring]
axes: {n: [4, 8, 16], placement: random}
figures:
  - {name: sent, y: messages, where: {n: [4, 8]}}
  - {name: took, y: elected_time, where: {n: [8, 16]}}
  - {name: pair, kind: grid, panels: [sent, took]}
`)
	alone := filepath.Join(t.TempDir(), "pair.png")
	keep := func() {
		if err := os.WriteFile(alone, sweeptest.Read(t, s, "figures/pair.png"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	keep()
	if found := verified(t, r, alone, true); !found.Identical() || found.Trials != 12 || found.Figure != "pair" {
		t.Errorf("%+v", found)
	}
	// A value of the second panel that is not that of its trial.
	rows, err := csv.NewReader(bytes.NewReader(sweeptest.Read(t, s, "results.csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	rows[12][slices.Index(rows[0], "elected_time[time_unit]")] = "1"
	var changed bytes.Buffer
	if err := csv.NewWriter(&changed).WriteAll(rows); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(s.Dir, "results.csv"), changed.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	folder, err := results.Open(r, s.Dir)
	if err != nil {
		t.Fatal(err)
	}
	m, err := results.ReadManifest(s.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := figures.DrawInto(folder, m, folder); err != nil {
		t.Fatal(err)
	}
	keep()
	if found := verified(t, r, alone, true); found.Differ != 1 || !strings.HasPrefix(found.First[0].What, "the digest of seed, fingerprint and messages, elected_time is ") {
		t.Errorf("%+v", found)
	}
}
