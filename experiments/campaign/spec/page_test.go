package spec

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
)

// page is the page of the grammar.
const page = "../../../docs/spec.md"

func readPage(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The examples of the page, completed to sweeps, are right to Parse and to the schema.
func TestExamplesOfThePage(t *testing.T) {
	schema := compiled(t, SchemaOptions{})
	blocks := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(readPage(t), -1)
	var base string
	examples := 0
	for _, block := range blocks {
		text := block[1]
		if strings.HasPrefix(text, "# base.yaml") {
			base = text
			continue
		}
		included := strings.Contains(text, "include:")
		for _, key := range []struct{ name, usual string }{
			{"name", "name: a"}, {"algorithms", "algorithms: lcr"}, {"axes", "axes: {n: [8, 16]}"},
		} {
			if !included && !regexp.MustCompile(`(?m)^`+key.name+`:`).MatchString(text) && !(key.name == "axes" && strings.Contains(text, "zip")) {
				text += key.usual + "\n"
			}
		}
		if _, err := Parse("page.yaml", []byte(text), includes(map[string]string{"base.yaml": base})); err != nil {
			t.Errorf("%s\n%v", text, err)
		}
		if err := validate(t, schema, []byte(text)); err != nil {
			t.Errorf("%s\n%v", text, err)
		}
		examples++
	}
	if examples < 7 || base == "" {
		t.Errorf("%d examples, and the included file %q", examples, base)
	}
}

// Each example in a table of keys or axes is right.
func TestRowsOfThePage(t *testing.T) {
	rows := regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\|.*\\| `([a-z_]+: .*)` \\|$").FindAllStringSubmatch(readPage(t), -1)
	if want := len(axes) + 17; len(rows) != want {
		t.Errorf("%d rows have examples, want %d", len(rows), want)
	}
	for _, row := range rows {
		key, example := row[1], row[2]
		text := "axes: {n: 8}\n" + example
		switch {
		case axisIndex(key) >= 0 && key != "n":
			text = "axes: {n: 8, " + example + "}"
		case key == "n":
			text = "axes: {" + example + "}"
		case key == "exclude" || key == "only":
			text = "axes: {n: [4, 8]}\n" + example
		case key == "zip" || key == "axes":
			text = example
		}
		if key != "name" {
			text = "name: a\n" + text
		}
		if key != "algorithms" {
			text += "\nalgorithms: [lcr, hs]"
		}
		if _, err := Parse("page.yaml", []byte(text+"\n"), includes(map[string]string{"base.yaml": "seed: 3"})); err != nil {
			t.Errorf("%s: %v", key, err)
		}
	}
}

// The page has every key that the schema has.
func TestPageHasEveryKey(t *testing.T) {
	text := readPage(t)
	schema, err := Schema(SchemaOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range mappings {
		for _, key := range keysAt(t, json.RawMessage(schema), m.schema) {
			if !strings.Contains(text, "`"+key+"`") {
				t.Errorf("%s does not tell of %s of %s", page, key, m.sweep)
			}
		}
	}
}
