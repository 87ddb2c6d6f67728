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
// what the page says.
func TestPageIsFollowed(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(root, filepath.Join(dir, "bullring")); err != nil {
		t.Fatal(err)
	}
	sh := func(script string) (string, error) {
		cmd := exec.CommandContext(t.Context(), "sh", "-e", "-c", script)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	before, after, found := strings.Cut(strings.Join(blocks(t, "sh"), ""), tidy)
	if !found {
		t.Fatalf("%s has no %q", page, tidy)
	}
	command, want, _ := strings.Cut(strings.TrimPrefix(blocks(t, "text")[0], "$ "), "\n")
	if out, err := sh(before); err != nil {
		t.Fatalf("%s%v\n%s", before, err, out)
	}
	if out, err := sh("cd mine; " + tidy); err != nil {
		t.Logf("without a network, with the modules of docs/example: %s%v\n%s", tidy, err, out)
		after = tidied + after
	}
	if out, err := sh("cd mine; " + after); err != nil {
		t.Fatalf("%s%v\n%s", after, err, out)
	}
	if got, err := sh("cd mine; " + command); err != nil || got != want {
		t.Errorf("$ %s prints (%v)\n%s\nand the page says\n%s", command, err, got, want)
	}
}

const (
	// tidy asks a proxy for modules that only tests of modules need.
	tidy = "go mod tidy\n"
	// tidied does what it does, from what is here.
	tidied = `cp ../bullring/docs/example/go.mod ../bullring/docs/example/go.sum .
go mod edit -module example.org/mine -replace bullring=../bullring
`
)
