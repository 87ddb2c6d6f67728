package main

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"

	"bullring/experiments/catalog"
	"bullring/experiments/cli"
)

var update = flag.Bool("update", false, "rewrite the console blocks of the pages; read the diff")

// asProgram has the test binary be bullring.
const asProgram = "BULLRING_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		os.Args[0] = "bullring"
		os.Exit(cli.Main(catalog.New()))
	}
	os.Exit(m.Run())
}

// TestConsoleBlocks runs every command that README.md and docs/ show with its output,
// a page in a directory of its own, and compares.
func TestConsoleBlocks(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatal(pages, err)
	}
	for _, name := range append(pages, filepath.Join(root, "README.md")) {
		short, _ := filepath.Rel(root, name)
		if filepath.Base(name) == firstPaper {
			continue
		}
		t.Run(short, func(t *testing.T) {
			t.Parallel()
			runPage(t, root, name, "")
		})
	}
}

const firstPaper = "first-paper.md"

// TestFirstPaper is TestConsoleBlocks for the page whose sweeps take longest.
func TestFirstPaper(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	until := ""
	if testing.Short() {
		until = "$ bullring sweep"
	}
	runPage(t, root, filepath.Join(root, "docs", firstPaper), until)
}

// runPage runs the commands of a page; only those before a text, if there is one.
func runPage(t *testing.T, root, name, until string) {
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	dir := shell(t, root)
	var page strings.Builder
	var printed string // by the last commands
	for _, p := range split(string(text)) {
		if until != "" && strings.Contains(p.body, until) {
			return
		}
		switch {
		case p.language == "console":
			p.body = runBlock(t, dir, p)
			printed = p.body
		case p.language == "mermaid": // shown as a picture, under the command that prints it
			_, diagram, _ := strings.Cut(printed, "\n")
			if p.body != diagram && !*update {
				t.Errorf("line %d: the diagram is not what is printed above it", p.line)
			}
			p.body = diagram
		case p.language == "sh" && strings.HasPrefix(p.body, "pdflatex "):
			typeset(t, dir, p.body)
		case p.fenced:
			if named := file.FindStringSubmatch(p.body); named != nil {
				write(t, dir, cmp.Or(named[1], named[2]+".yaml"), p.body)
			}
		}
		page.WriteString(p.String())
	}
	comparePictures(t, root, dir, string(text))
	if *update && page.String() != string(text) {
		if err := os.WriteFile(name, []byte(page.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// part is a fenced block of a page, or text between two of them.
type part struct {
	line     int // the first one, from 1
	fenced   bool
	language string
	body     string
}

func (p part) String() string {
	if p.fenced {
		return "```" + p.language + "\n" + p.body + "```\n"
	}
	return p.body
}

// split takes a page apart. The parts joined are the page.
func split(page string) (parts []part) {
	at := part{line: 1}
	for i, line := range strings.SplitAfter(page, "\n") {
		fence, ok := strings.CutPrefix(line, "```")
		switch {
		case ok && at.fenced:
			parts = append(parts, at)
			at = part{line: i + 2}
		case ok:
			parts = append(parts, at)
			at = part{line: i + 2, fenced: true, language: strings.TrimSpace(fence)}
		default:
			at.body += line
		}
	}
	return append(parts, at)
}

// runBlock runs the commands of a block, and returns it with what they print.
func runBlock(t *testing.T, dir string, p part) string {
	var block strings.Builder
	lines := strings.SplitAfter(p.body, "\n")
	for i := 0; i < len(lines); {
		command, ok := strings.CutPrefix(lines[i], "$ ")
		if !ok {
			block.WriteString(lines[i])
			i++
			continue
		}
		var want strings.Builder
		from := i
		for i++; i < len(lines) && !strings.HasPrefix(lines[i], "$ "); i++ {
			want.WriteString(lines[i])
		}
		block.WriteString(lines[from])
		if file, ok := strings.CutPrefix(command, "cat "); ok && !strings.Contains(file, "/") {
			write(t, dir, strings.TrimSpace(file), want.String()) // it is how a page shows a file
			block.WriteString(want.String())
			continue
		}
		if missing := missingLanguage(command); missing != "" {
			t.Logf("NOT RUN: line %d: there is no %s here: $ %s", p.line+from, missing, command)
			block.WriteString(want.String())
			continue
		}
		got := run(t, dir, command)
		if steady(got) == steady(want.String()) {
			got = want.String()
		} else if !*update {
			t.Errorf("line %d: $ %sprints\n%s\nand the page says\n%s", p.line+from, command, steady(got), steady(want.String()))
		}
		block.WriteString(progress.ReplaceAllString(got, ""))
	}
	return block.String()
}

// language matches what a command needs a program for: its nodes, or what a run of nodes has written.
var language = regexp.MustCompile(`--node '(\w+) |\.py\b|--allow-nodes|\bgrades\b`)

// missingLanguage is the program that runs the nodes of a command, if it is not there.
func missingLanguage(command string) string {
	m := language.FindStringSubmatch(command)
	if m == nil {
		return ""
	}
	program := cmp.Or(m[1], "python3")
	if _, err := exec.LookPath(program); err == nil {
		return ""
	}
	return program
}

// interpreter is the path of Python, or "" if there is none. The python3 in the PATH may be the
// script of a version manager, and the search for packages, which -S leaves out, is most of a
// start.
var interpreter = sync.OnceValue(func() string {
	path, _ := exec.Command("python3", "-c", "import sys; print(sys.executable)").Output()
	return strings.TrimSpace(string(path))
})

// shell makes a directory in which bullring is a command and the files of the
// repository are where they are in it.
func shell(t *testing.T, root string) string {
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// A child that another page starts while a program is written would inherit it open for
	// writing, and Linux does not run such a file: "text file busy".
	program := func(name, runs string) {
		syscall.ForkLock.RLock()
		defer syscall.ForkLock.RUnlock()
		write(t, dir, "bin/"+name, "#!/bin/sh\n"+runs+" \"$@\"\n")
		if err := os.Chmod(filepath.Join(dir, "bin", name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	program("bullring", fmt.Sprintf("%s=1 exec %q", asProgram, self))
	if python := interpreter(); python != "" {
		program("python3", fmt.Sprintf("exec %q -S", python))
	}
	for _, name := range []string{"experiments", "docs"} {
		if err := os.Symlink(filepath.Join(root, name), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	name = filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// run runs a command as a reader would, and returns what a terminal would show.
func run(t *testing.T, dir, command string) string {
	cmd := exec.CommandContext(t.Context(), "bash", "-c", command)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+filepath.Join(dir, "bin")+":"+os.Getenv("PATH"), "LC_ALL=C.UTF-8", "COLUMNS=")
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

// typeset runs the commands of a block that makes a paper, where there is a LaTeX.
func typeset(t *testing.T, dir string, block string) {
	if _, err := exec.LookPath("pdflatex"); err != nil {
		t.Log("no pdflatex here: the paper is not typeset")
		return
	}
	for command := range strings.Lines(block) {
		if out := run(t, dir, "max_print_line=1000 "+strings.TrimSpace(command)+" </dev/null"); strings.Contains(out, "(exit status") {
			t.Fatalf("%s%s", command, out)
		}
	}
	log, err := os.ReadFile(filepath.Join(dir, "paper.log"))
	if err != nil {
		t.Fatal(err)
	}
	if complaint := complaints.Find(log); complaint != nil {
		t.Errorf("paper.tex: %s", complaint)
	}
}

// file matches the beginning of a block that shows a file. The block names the file in a
// comment, or it is a sweep, and the file has the sweep's name.
var file = regexp.MustCompile(`^(?:# ([a-z-]+\.[a-z]+)\b|name: ([a-z-]+))`)

// complaints matches what LaTeX finds wrong with a document.
var complaints = regexp.MustCompile(`(?m)^(Overfull|LaTeX Warning|!).*`)

// progress matches the line of progress, which a terminal overwrites.
var progress = regexp.MustCompile(`(?m)^[0-9,]+ (of [0-9,]+ trials|states|runs).*\n`)

// measured matches times and sizes, which differ from run to run.
var measured = regexp.MustCompile(`(took|about|at most) [0-9][0-9.]* (ms|s|min|h|kB|MB|GB)\b`)

// reader matches the version of the program that the reader has.
var reader = regexp.MustCompile(`(?m)(was made by version \S+, this is) .*`)

// steady removes progress, times, sizes and its own version from the output of a command.
func steady(text string) string {
	text = reader.ReplaceAllString(progress.ReplaceAllString(text, ""), "$1 ANOTHER")
	return strings.TrimRight(measured.ReplaceAllString(text, "$1 MEASURED"), "\n") + "\n"
}
