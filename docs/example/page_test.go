package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// page is how to make a module of one's own. Its blocks are tested here.
const page = "../own-algorithm.md"

// blocks returns the fenced blocks of the page in a language.
func blocks(t *testing.T, language string) (found []string) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```").FindAllStringSubmatch(string(text), -1) {
		found = append(found, m[1])
	}
	if len(found) == 0 {
		t.Fatalf("%s has no block of %s", page, language)
	}
	return found
}

// The page shows the program that is here.
func TestPageShowsTheProgram(t *testing.T) {
	program, err := os.ReadFile("main.go")
	if err != nil {
		t.Fatal(err)
	}
	if blocks(t, "go")[0] != string(program) {
		t.Errorf("%s shows another program than docs/example/main.go", page)
	}
}

// The steps of the page, taken word by word beside a clone, make a program that prints
// what the page says. Modules come from the cache: there may be no network.
func TestPageIsFollowed(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(root, filepath.Join(dir, "bullring")); err != nil {
		t.Fatal(err)
	}
	steps := strings.Join(blocks(t, "sh"), "")
	command, want, _ := strings.Cut(strings.TrimPrefix(blocks(t, "text")[0], "$ "), "\n")
	sh := func(script string) string {
		cmd := exec.CommandContext(t.Context(), "sh", "-e", "-c", script)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOPROXY=off", "GOSUMDB=off")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", script, err, out)
		}
		return string(out)
	}
	sh(steps)
	if got := sh("cd mine; " + command); got != want {
		t.Errorf("$ %s prints\n%s\nand the page says\n%s", command, got, want)
	}
}
