package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestEverySubcommand: an algorithm of another module gets every subcommand.
func TestEverySubcommand(t *testing.T) {
	program := filepath.Join(t.TempDir(), "example")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	dir := t.TempDir()
	sweep := filepath.Join(dir, "sweep.yaml")
	err := os.WriteFile(sweep, []byte("name: mine\nalgorithms: [allround, lcr]\naxes: {n: [2, 4, 8], placement: random}\nfigures: [{y: messages}]\n"), 0o644)
	if err != nil {
		t.Fatal(err)
	}
	results := filepath.Join(dir, "results")
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"list"}, "allround"},
		{[]string{"run", "allround", "--n", "6"}, "36"},
		{[]string{"sweep", sweep, "-o", results}, "elected 6"},
		{[]string{"plot", results}, "mine.png"},
		{[]string{"replay", results, "3"}, "TOKEN 64"},
	} {
		out, err := exec.Command(program, c.args...).CombinedOutput()
		if err != nil || !strings.Contains(string(out), c.says) {
			t.Errorf("%v: %v; it does not say %q:\n%s", c.args, err, c.says, out)
		}
	}
}
