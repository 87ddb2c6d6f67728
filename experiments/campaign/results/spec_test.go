package results_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"bullring/experiments/campaign/figures"
	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/sweep"
	"bullring/experiments/catalog"
	"bullring/experiments/internal/sweeptest"
	"bullring/experiments/trial"
)

func schemaOf(t *testing.T, r *trial.Registry) *jsonschema.Schema {
	t.Helper()
	text, err := results.Schema(r)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("sweep.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("sweep.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func holds(t *testing.T, s *jsonschema.Schema, text []byte) error {
	t.Helper()
	var doc any
	if err := yaml.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	return s.Validate(doc)
}

func TestSpecsAreRightToTheSchema(t *testing.T) {
	r := catalog.New()
	s := schemaOf(t, r)
	files, err := filepath.Glob("../../specs/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("specs %v, %v", files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := holds(t, s, text); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
	for _, wrong := range []string{
		"name: a\nalgorithms: [lrc]\naxes: {n: 4}\n",
		"name: a\nalgorithms: [{algorithm: bully, variant: Z}]\naxes: {n: 4}\n",
		"name: a\nalgorithms: [lcr]\naxes: {n: 4}\nfigures: {y: Ratio_worst}\n",
	} {
		if _, err := results.ParseSpec(r, "a.yaml", []byte(wrong)); err == nil {
			t.Errorf("ParseSpec accepts\n%s", wrong)
		}
		if holds(t, s, []byte(wrong)) == nil {
			t.Errorf("the schema accepts\n%s", wrong)
		}
	}
	ratio := "name: a\nalgorithms: [lcr]\naxes: {n: 4}\nfigures: {y: ratio_worst}\n"
	if _, err := results.ParseSpec(r, "a.yaml", []byte(ratio)); err != nil {
		t.Error(err)
	}
	if err := holds(t, s, []byte(ratio)); err != nil {
		t.Errorf("ratio_worst: %v", err)
	}
}

// inDir writes files and returns the path of the sweep among them.
func inDir(t *testing.T, files map[string]string) (sweep string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "a.yaml")
}

func TestIncludeIsReadBesideTheSweep(t *testing.T) {
	r := sweeptest.Registry(sweeptest.Triangle)
	const base = "algorithms:\n  - {algorithm: ring, initiators: 7}\naxes: {n: 4}\n"
	const text = "name: a\ninclude: base.yaml\n"
	file := inDir(t, map[string]string{"a.yaml": text, "base.yaml": base})
	s, err := results.ParseSpec(r, file, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if s.Included == nil || string(s.Included.Text) != base || len(s.Cells()) != 1 {
		t.Fatalf("included is %+v, cells are %v", s.Included, s.Cells())
	}
	// What is found only when cells are made is told at the included file, too.
	_, err = (&sweep.Sweep{Source: sweep.Source{Registry: r, Spec: s, Text: []byte(text), File: file}, Rehearse: figures.Rehearse, Dir: t.TempDir()}).Run(t.Context())
	if err == nil || !strings.Contains(err.Error(), "base.yaml:2:5: ring n=4 initiators=7") || !strings.Contains(err.Error(), "2 |   - {algorithm: ring") {
		t.Errorf("the error is %v", err)
	}
}

func TestIncludeIsRefused(t *testing.T) {
	r := sweeptest.Registry(sweeptest.Triangle)
	for include, says := range map[string]string{
		"none.yaml": "none.yaml: no such file or directory",
		"spec.yaml": "a.yaml:2:10: include: spec.yaml is the name",
		"big.yaml":  "big.yaml has more than 65536 bytes",
	} {
		text := "name: a\ninclude: " + include + "\n"
		file := inDir(t, map[string]string{"spec.yaml": "seed: 2\n", "big.yaml": strings.Repeat("#", 100_000)})
		if _, err := results.ParseSpec(r, file, []byte(text)); err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), "a.yaml:2:10: include: ") {
			t.Errorf("%s: %v; want %q", include, err, says)
		}
	}
}

// Titles and labels are read as markup when the sweep is read.
func TestTextsOfASpec(t *testing.T) {
	const text = "name: a\nalgorithms: ring\naxes: {n: [4, 8]}\nfigures: {y: {metric: messages, label: %q}}\n"
	for label, want := range map[string]string{
		"x_{i":       "4:40: label: \"x_{i\": _{ without }",
		"50% *loss":  "a literal one is \\*",
		"⌈lg n⌉":     "U+2308",
		"O(n^2) a_b": "",
	} {
		_, err := results.ParseSpec(sweeptest.Registry(sweeptest.Triangle), "a.yaml", fmt.Appendf(nil, text, label))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v", label, err)
		}
	}
}

// Results whose sweep has a label that cannot be drawn, as earlier versions left them
// behind, can be read all the same.
func TestKeptSpecWithABadLabel(t *testing.T) {
	text := []byte("name: a\nalgorithms: ring\naxes: {n: 4}\nfigures: {y: {metric: messages, label: good}}\n")
	s := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), string(text))
	sweeptest.Run(t, s)
	bad := bytes.Replace(text, []byte("good"), []byte("\"*\""), 1)
	if err := os.WriteFile(filepath.Join(s.Dir, results.SpecFile), bad, 0o644); err != nil {
		t.Fatal(err)
	}
	folder, err := results.Open(s.Registry, s.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := folder.Row(1); err != nil {
		t.Error(err)
	}
}
