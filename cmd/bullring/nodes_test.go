package main

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var allLanguages = flag.Bool("nodes", false, "fail where the languages of docs/nodes are not there")

// The examples of docs/nodes have the fingerprints of the catalogue.
func TestNodes(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := shell(t, root)
	build := exec.Command("go", "build", "-C", filepath.Join(root, "docs/nodes/go"), "-o", filepath.Join(dir, "lcr"), "./lcr")
	build.Env = append(os.Environ(), "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	const floodSetDies = " --n 6 --f 2 --delay 'uniform(0,1ms)' --fault 'crash 2 after 3 sends' --fault 'at 1500us crash 4' --seed 3"
	const bullyDies = " --n 5 --dead last --initiators 0,1 --fault 'at 2ms crash 3' --fault 'at 20ms restart 3'"
	for _, c := range []struct{ node, like, flags string }{
		{"python3 docs/nodes/lcr.py", "lcr", ""},
		{"node docs/nodes/lcr.mjs", "lcr", ""},
		{"./lcr", "lcr", ""},
		{"python3 docs/nodes/changroberts.py", "changroberts", " --initiators 0,2"},
		{"python3 docs/nodes/itairodeh.py", "itairodeh", ""},
		{"python3 docs/nodes/floodset.py", "floodset", floodSetDies},
		{"python3 docs/nodes/safra.py", "safra", ""},
		{"python3 docs/nodes/bully.py", "bully", bullyDies},
	} {
		t.Run(c.node, func(t *testing.T) {
			program, _, _ := strings.Cut(c.node, " ")
			if _, err := exec.LookPath(program); err != nil && program != "./lcr" {
				if *allLanguages {
					t.Fatal(err)
				}
				t.Skip("NOT RUN:", err)
			}
			flags := c.flags
			if c.like != "bully" && c.like != "floodset" {
				flags += " --n 6 --placement random --delay 'exp(1ms)' --seed 3"
			}
			want := fingerprint.FindString(run(t, dir, "bullring run "+c.like+flags))
			out := run(t, dir, "bullring run --node '"+c.node+"' --like "+c.like+flags)
			if got := fingerprint.FindString(out); got == "" || got != want || !strings.Contains(out, "agrees with "+c.like) {
				t.Errorf("the fingerprint of %s is %q:\n%s", c.like, want, out)
			}
		})
	}
}

// The table of docs/nodes.md has the sizes of explorations of the examples, and of the algorithms in Go.
func TestExploredNodes(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(root, "docs/nodes.md"))
	if err != nil {
		t.Fatal(err)
	}
	dir := shell(t, root)
	build := exec.Command("go", "build", "-C", filepath.Join(root, "docs/nodes/go"), "-o", filepath.Join(dir, "lcr"), "./lcr")
	build.Env = append(os.Environ(), "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	rows := exploredRow.FindAllStringSubmatch(string(page), -1)
	if len(rows) < 12 {
		t.Fatalf("%d rows", len(rows))
	}
	if testing.Short() {
		rows = rows[:2]
	}
	for _, row := range rows {
		node, flags, size, questions, original := row[1], row[2], row[3], row[4], row[5]
		t.Run(node+" "+flags, func(t *testing.T) {
			program, _, _ := strings.Cut(node, " ")
			if _, err := exec.LookPath(program); err != nil && program != "./lcr" {
				if *allLanguages {
					t.Fatal(err)
				}
				t.Skip("NOT RUN:", err)
			}
			if original = strings.ReplaceAll(original, ", ", " | "); original == "the same" {
				original = size
			}
			explored := func(more string) (size, out string) {
				out = run(t, dir, "bullring explore "+flags+more)
				for _, line := range sizes.FindAllStringSubmatch(out, -1) {
					size += " | " + line[1]
				}
				return strings.TrimPrefix(size, " | "), out
			}
			if got, out := explored(""); got != original {
				t.Errorf("the algorithm has %s, want %s\n%s", got, original, out)
			}
			if got, out := explored(" --node '" + node + "'"); got != size || !strings.Contains(out, "The program answered "+questions+" questions") {
				t.Errorf("the program has %s, want %s and %s questions\n%s", got, size, questions, out)
			}
		})
	}
}

var (
	exploredRow = regexp.MustCompile("(?m)^\\| `([^`]*)` \\| `([^`]*)` \\| ([0-9,]+ \\| [0-9,]+ \\| [0-9,]+) \\| ([0-9,]+) \\| (.*) \\|$")
	sizes       = regexp.MustCompile(`(?m)^(?:states|transitions|depth) +([0-9,]+)$`)
)

// fingerprint matches the fingerprint of a run.
var fingerprint = regexp.MustCompile(`(?m)^fingerprint .*`)
