package results_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bullring/experiments/campaign/results"
	"bullring/experiments/catalog"
	"bullring/experiments/internal/sweeptest"
	"bullring/internal/wholefile"
)

// Columns are named after kinds of messages, checks, bounds, outcomes and metrics. A
// manifest may name those of every algorithm.
func TestManifestNamesColumnsOfTheCatalog(t *testing.T) {
	s := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), "name: a\nalgorithms: ring\naxes: {n: 4}\n")
	sweeptest.Run(t, s)
	path := filepath.Join(s.Dir, results.ManifestFile)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range catalog.New().All() {
		m := &results.Manifest{}
		if err := json.Unmarshal(text, m); err != nil {
			t.Fatal(err)
		}
		add := func(name string) {
			m.Files[1].Columns = append(m.Files[1].Columns, results.Column{Name: name, Type: results.Number})
		}
		for _, kind := range a.Kinds {
			add("sent_" + kind)
		}
		for _, check := range a.Checks {
			add(check)
			add(check + "_holds")
		}
		for _, b := range a.Bounds {
			add("bound_" + b.Name)
		}
		for _, metric := range a.Metrics {
			add(metric.Name + "_mean")
		}
		changed, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, changed, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := results.ReadManifest(s.Dir); err != nil {
			t.Errorf("%s: %v", a.Name, err)
		}
	}
}

// A table for a paper lies in its folder: the name goes into a page and into paths.
func TestManifestNamesTables(t *testing.T) {
	s := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), "name: a\nalgorithms: ring\naxes: {n: 4}\ntables: {metrics: messages}\n")
	sweeptest.Run(t, s)
	m, err := results.ReadManifest(s.Dir)
	if err != nil || m.Tables != nil {
		t.Fatal(m, err)
	}
	for name, right := range map[string]bool{"tables/a.tex": true, "figures/a.tex": false, "a.tex": false, "tables/../a.tex": false, "tables/a b.tex": false} {
		m.Tables = []results.FileInfo{{Info: wholefile.Info{Name: name, SHA256: m.Spec.SHA256}}}
		if err := m.Write(s.Dir); err != nil {
			t.Fatal(err)
		}
		if _, err := results.ReadManifest(s.Dir); (err == nil) != right || !right && !strings.Contains(err.Error(), "the name of a table is") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
