package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A row of docs/costs.md ends with what was measured and the command that measures it.
// Each run prints that number.
func TestCosts(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, "docs", "costs.md"))
	if err != nil {
		t.Fatal(err)
	}
	dir := shell(t, root)
	identities := "" // the shell variables that the page sets
	for _, p := range split(string(text)) {
		if p.language == "sh" {
			identities += p.body
		}
	}
	rows := regexp.MustCompile("(?m)^\\|.*\\| ([0-9,]+) \\| `(bullring run [^`]*)`").FindAllStringSubmatch(string(text), -1)
	if len(rows) < 20 {
		t.Fatalf("%d rows with a run: the table was not understood", len(rows))
	}
	for _, row := range rows {
		out := run(t, dir, identities+row[2])
		if !regexp.MustCompile(`(?m)[ (]` + strings.ReplaceAll(row[1], ",", ",?") + `\b`).MatchString(out) {
			t.Errorf("$ %s does not print %s:\n%s", row[2], row[1], out)
		}
	}
}

// The commands in the table of README.md that are complete do what they say.
func TestCommandsOfReadme(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	dir, ran := shell(t, root), 0
	incomplete := regexp.MustCompile(`\.\.\.|[A-Z]{2}|^bullring [a-z]+$`) // "run ...", "sweep SPEC.yaml", "why"
	for _, m := range regexp.MustCompile("`(bullring [^`]*)`").FindAllStringSubmatch(string(text), -1) {
		if incomplete.MatchString(m[1]) {
			continue
		}
		ran++
		if out := run(t, dir, m[1]+" >/dev/null"); strings.Contains(out, "(exit status") {
			t.Errorf("$ %s\n%s", m[1], out)
		}
	}
	if ran < 6 {
		t.Errorf("%d commands ran: the table was not understood", ran)
	}
}
