// Command home gives the module of the working directory another path, the one under which it is
// published: in go.mod and in the modules of examples, in imports and strings of Go, in the pages
// and the Makefile. The program keeps its name, and so do folders.
//
//	home MODULE
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: home MODULE")
		os.Exit(2)
	}
	changed, err := move(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "home:", err)
		os.Exit(1)
	}
	fmt.Printf("the module is %s now, in %d files\n", os.Args[1], changed)
}

// move gives the module the path, and returns how many files it changed. All that can be
// refused is refused before the first of them.
func move(module string) (changed int, err error) {
	if err := check(module); err != nil {
		return 0, err
	}
	old, err := output("go", "list", "-m")
	if err != nil {
		return 0, err
	}
	files, err := output("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	if err != nil {
		return 0, err
	}
	rewritten := map[string][]byte{}
	for name := range strings.SplitSeq(strings.Trim(files, "\x00"), "\x00") {
		text, err := os.ReadFile(name)
		if errors.Is(err, os.ErrNotExist) { // removed, and not committed
			continue
		} else if err != nil {
			return 0, err
		}
		after, err := rewrite(name, text, strings.TrimSpace(old), module)
		if err != nil {
			return 0, err
		}
		if !bytes.Equal(text, after) {
			rewritten[name] = after
		}
	}
	if err := unsaved(rewritten); err != nil {
		return 0, err
	}
	for name, text := range rewritten {
		if err := os.WriteFile(name, text, 0o644); err != nil { // which keeps the mode of a file
			return 0, err
		}
	}
	return len(rewritten), nil
}

// check refuses what the go command would not fetch.
func check(module string) error {
	if !regexp.MustCompile(`^[a-z0-9-]+(\.[a-z0-9-]+)+(/|$)`).MatchString(module) {
		return fmt.Errorf("MODULE is %q; it begins with a host, as example.org/you/bullring does", module)
	}
	if regexp.MustCompile(`/v[0-9]+$|^gopkg\.in/`).MatchString(module) {
		return fmt.Errorf("MODULE is %q, which names a major version; this is version 0", module)
	}
	_, err := output("go", "mod", "edit", "-print", "-module="+module)
	return err
}

// unsaved refuses to rewrite a file that differs from what is committed: it could not be taken
// back.
func unsaved(rewritten map[string][]byte) error {
	changes, err := output("git", "status", "--porcelain", "-z", "--no-renames", "--untracked-files=all")
	if err != nil {
		return err
	}
	for change := range strings.SplitSeq(strings.Trim(changes, "\x00"), "\x00") {
		if name := change[min(3, len(change)):]; rewritten[name] != nil {
			return fmt.Errorf("%s is not committed; commit first, so that this can be taken back", name)
		}
	}
	return nil
}

// output runs a command, and returns what it prints.
func output(name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, args[0], err, bytes.TrimSpace(complaint.Bytes()))
	}
	return string(out), nil
}
