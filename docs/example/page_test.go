package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite what the commands of the pages print; read the diff")

// The pages that tell how to make a module of one's own. Their blocks are tested here.
const (
	ownAlgorithm = "../own-algorithm.md"
	ownFamily    = "../own-family.md"
	tour         = "../tour.md"
)

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// blocks returns the fenced blocks of a page in a language.
func blocks(t *testing.T, page, language string) (found []string) {
	t.Helper()
	for _, m := range regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```").FindAllStringSubmatch(read(t, page), -1) {
		found = append(found, m[1])
	}
	if len(found) == 0 {
		t.Fatalf("%s has no block of %s", page, language)
	}
	return found
}

// The page shows the program that is here.
func TestPageShowsTheProgram(t *testing.T) {
	for i, file := range []string{"main.go", "allround_test.go"} {
		if blocks(t, ownAlgorithm, "go")[i] != read(t, file) {
			t.Errorf("%s shows another text than docs/example/%s", ownAlgorithm, file)
		}
	}
	if handlers := blocks(t, tour, "go")[0]; !strings.Contains(read(t, "main.go"), handlers) {
		t.Errorf("%s shows other handlers than docs/example/main.go:\n%s", tour, handlers)
	}
}

// The page on families shows parts of the program that is in commit, and counts its lines.
func TestPageShowsTheFamily(t *testing.T) {
	program := read(t, "commit/main.go") + read(t, "commit/twophase.go")
	for _, block := range blocks(t, ownFamily, "go") {
		if !strings.Contains(program, strings.TrimRight(block, "\n")) {
			t.Errorf("%s shows what is not in docs/example/commit:\n%s", ownFamily, block)
		}
	}
	lines := regexp.MustCompile(`(?m)^\s*[^\s/].*$`).FindAllString(program, -1)
	if says := fmt.Sprintf("two files, with %d lines of code together", len(lines)); !strings.Contains(read(t, ownFamily), says) || len(lines) > 155 {
		t.Errorf("%s does not say %q; at most 155", ownFamily, says)
	}
}

// The steps of a page make a program that prints what the page says. For the clone beside it
// they name this one: what is compiled here in another folder is compiled anew. The steps need
// no module but those that this folder's go.sum names. go mod tidy reads some that no build
// reads, such as those of tests of others, so that a fresh machine lacks them: they are fetched.
func TestPagesAreFollowed(t *testing.T) {
	if out, err := exec.CommandContext(t.Context(), "go", "mod", "tidy", "-diff").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, page := range []string{ownAlgorithm, ownFamily} {
		t.Run(filepath.Base(page), func(t *testing.T) {
			t.Parallel()
			root, err := filepath.Abs("../..")
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			steps := blocks(t, page, "sh")
			if out := shell(t, dir, strings.ReplaceAll(strings.Join(steps, ""), "../bullring", root)); strings.Contains(out, "(exit status") {
				t.Fatal(out)
			}
			module := filepath.Join(dir, regexp.MustCompile(`mkdir (\w+)`).FindStringSubmatch(steps[0])[1])
			text := read(t, page)
			for _, block := range blocks(t, page, "text") {
				got := play(t, module, block)
				if got != block && !*update {
					t.Errorf("%s says\n%s\nand it is\n%s", page, block, got)
				}
				text = strings.Replace(text, "```text\n"+block+"```", "```text\n"+got+"```", 1)
			}
			if *update {
				if err := os.WriteFile(page, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// play runs the commands of a block in a directory, and returns the block with what they
// print. The command cat FILE shows a file that a reader writes: it is written.
func play(t *testing.T, dir, block string) string {
	var got strings.Builder
	commands := regexp.MustCompile(`(?m)^\$ (.*)\n((?:[^$].*\n|\n)*)`)
	for _, m := range commands.FindAllStringSubmatch(block, -1) {
		fmt.Fprintf(&got, "$ %s\n", m[1])
		if file, ok := strings.CutPrefix(m[1], "cat "); ok {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(m[2]), 0o644); err != nil {
				t.Fatal(err)
			}
			got.WriteString(m[2])
			continue
		}
		got.WriteString(shell(t, dir, m[1]))
	}
	return got.String()
}

// shell runs a script in a directory, and returns what a terminal would show.
func shell(t *testing.T, dir, script string) string {
	cmd := exec.CommandContext(t.Context(), "sh", "-e", "-c", script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOPROXY=off", "GOSUMDB=off", "GOFLAGS="+os.Getenv("GOFLAGS")+" -buildvcs=false", "LC_ALL=C.UTF-8")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		fmt.Fprintf(&out, "(exit status %d)\n", exit.ExitCode())
	} else if err != nil {
		t.Fatal(err)
	}
	return out.String()
}
