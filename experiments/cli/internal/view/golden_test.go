package view

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bullring/experiments/catalog"
	"bullring/experiments/trial"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata; read the diff")

var registry = catalog.New()

// eighty is the form of text without a terminal.
var eighty = Form{Columns: 80}

// golden is a file of testdata: what views print, one under the other.
type golden struct{ strings.Builder }

// add adds a view as text under a heading.
func (g *golden) add(t *testing.T, heading string, v View) {
	t.Helper()
	g.heading(heading)
	if err := Write(g, v, false, eighty); err != nil {
		t.Error(heading, err)
	}
}

// addJSON adds a view as JSON.
func (g *golden) addJSON(t *testing.T, heading string, v View) {
	t.Helper()
	g.heading(heading + ", as JSON")
	if err := Write(g, v, true, eighty); err != nil {
		t.Error(heading, err)
	}
}

func (g *golden) heading(text string) {
	if g.Len() > 0 {
		g.WriteString("\n")
	}
	g.WriteString("=== " + text + " ===\n")
}

// compare compares all that was added with testdata/NAME.txt, and shows the first line that differs.
func (g *golden) compare(t *testing.T, name string) {
	t.Helper()
	file := filepath.Join("testdata", name+".txt")
	if *update {
		if err := os.WriteFile(file, []byte(g.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	got, want, heading := strings.Split(g.String(), "\n"), strings.Split(string(text), "\n"), ""
	for i, line := range got {
		if strings.HasPrefix(line, "=== ") {
			heading = line
		}
		if i == len(want) || line != want[i] {
			t.Fatalf("%s, line %d, under %q: %q is printed, want %q", file, i+1, heading, line, append(want, "the end")[i])
		}
	}
	if len(got) < len(want) {
		t.Errorf("%s: after %d lines %q is lacking", file, len(got), want[len(got)])
	}
}

// instance is the instance of a setting of the catalog.
func instance(t *testing.T, s trial.Setting) *trial.Instance {
	t.Helper()
	in, err := registry.Instance(s)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// ran is the result of a run.
func ran(t *testing.T, s trial.Setting) *trial.Result {
	t.Helper()
	var w trial.Worker
	return w.Run(t.Context(), instance(t, s), nil)
}

// fields are the fields of a view as JSON.
func fields(t *testing.T, v View) (all map[string]any) {
	t.Helper()
	var text strings.Builder
	if err := Write(&text, v, true, eighty); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(text.String()), &all); err != nil {
		t.Fatal(err)
	}
	return all
}
