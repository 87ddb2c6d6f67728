package house_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// claimsPage lists the sentences of the program that claim something of all runs, cases
// or rows, and the tests that try to refute them.
const claimsPage = "docs/claims.md"

// unlisted are the packages below experiments and netem whose sentences are not listed, with
// the reason. A new package is listed.
var unlisted = map[string]string{
	"experiments/catalog":           "declarations: tests compare each assumption, bound and formula with runs",
	"experiments/campaign/spec":     "the words of a sweep, and what it refuses",
	"experiments/campaign/journal":  "what it refuses",
	"experiments/cli/internal/tour": "tests compare the tour with docs/tour.md",
	"experiments/internal":          "for tests",
	"netem/graph":                   "what it refuses",
	"netem/impair":                  "the words of lines, and what it refuses",
	"netem":                         "what it refuses",
}

// claiming are the packages whose sentences are listed.
func claiming(t *testing.T) (dirs []string) {
	t.Helper()
	met := map[string]bool{}
	for _, u := range units(t) {
		dir, below := strings.CutPrefix(u.ImportPath, module+"/")
		if !below || !strings.HasPrefix(dir, "experiments") && !strings.HasPrefix(dir, "netem") {
			continue
		}
		except := dir
		for except != "netem" && except != "." && unlisted[except] == "" {
			except = path.Dir(except)
		}
		if except == "." || except == "netem" && dir != "netem" {
			dirs = append(dirs, dir)
		} else {
			met[except] = true
		}
	}
	if len(met) != len(unlisted) || len(dirs) < 20 {
		t.Errorf("%d packages are listed; of %d others there are %v", len(dirs), len(unlisted), met)
	}
	return dirs
}

var (
	universal = regexp.MustCompile(`(?i)\b(proven|proof|every(body|thing|one)?|all|always|never|exact(ly)?|identical|complete(ly)?|no|none|nobody|nothing|holds?|agrees?|same|at rest)\b`)
	ending    = regexp.MustCompile(`\.\s|\n\s*\n`)
	testName  = regexp.MustCompile(`\bTest\w+`)
	testFunc  = regexp.MustCompile(`(?m)^func (Test\w+)\(`)
)

// A printed sentence, and the file that it stands in.
type printed struct{ file, sentence string }

// refuse are the functions whose texts say what was refused, and claim nothing.
var refuse = []string{"errors.New", "fmt.Errorf", "panic"}

// universals are the sentences of a file in which a universal word stands beside another
// word.
func universals(t *testing.T, file string) (found []printed) {
	t.Helper()
	tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			n.Tag = nil
		case *ast.CallExpr:
			name := ""
			switch f := n.Fun.(type) {
			case *ast.Ident:
				name = f.Name
			case *ast.SelectorExpr:
				name = fmt.Sprint(f.X) + "." + f.Sel.Name
			}
			return !slices.Contains(refuse, name) && !strings.HasSuffix(name, ".wrong")
		case *ast.BasicLit:
			text, err := strconv.Unquote(n.Value)
			if n.Kind != token.STRING || err != nil {
				return true
			}
			for _, s := range ending.Split(text, -1) {
				s = strings.TrimSuffix(strings.Join(strings.Fields(s), " "), ".")
				if strings.Contains(s, " ") && universal.MatchString(s) {
					found = append(found, printed{file, s})
				}
			}
		}
		return true
	})
	return found
}

// claimsListed reads the page: rows of a table that name tests, and lines of a block that
// need none.
func claimsListed(t *testing.T) (listed []printed, tests map[printed][]string) {
	t.Helper()
	text, err := os.ReadFile(claimsPage)
	if err != nil {
		t.Fatal(err)
	}
	tests = map[printed][]string{}
	block := false
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		cells := strings.Split(line, " | ")
		switch file, sentence, found := strings.Cut(line, ": "); {
		case strings.HasPrefix(line, "```"):
			block = !block
		case block && found:
			listed = append(listed, printed{file, sentence})
		case len(cells) == 4 && strings.HasPrefix(line, "| `"):
			p := printed{strings.Trim(cells[1], "`"), strings.Trim(strings.TrimPrefix(cells[0], "| "), "`")}
			listed = append(listed, p)
			tests[p] = testName.FindAllString(cells[3], -1)
		}
	}
	return listed, tests
}

// Every sentence with a universal word is listed, and every sentence that is listed is
// there; what it claims is held to tests that are there.
func TestClaimsAreListed(t *testing.T) {
	var printedNow []printed
	for _, dir := range claiming(t) {
		files, err := filepath.Glob(dir + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if !strings.HasSuffix(file, "_test.go") {
				printedNow = append(printedNow, universals(t, file)...)
			}
		}
	}
	listed, tests := claimsListed(t)
	for _, p := range printedNow {
		if !slices.Contains(listed, p) {
			t.Errorf("%s: %q: list it in %s, with the test that tries to refute it or, if it claims nothing of results, in the block", p.file, p.sentence, claimsPage)
		}
	}
	for _, p := range listed {
		if !slices.Contains(printedNow, p) {
			t.Errorf("%s: %q stands in %s, and is not printed any more", p.file, p.sentence, claimsPage)
		}
	}
	known := knownTests(t)
	if len(tests) < 40 {
		t.Errorf("%d claims are held to tests: the table was not understood", len(tests))
	}
	for p, names := range tests {
		if len(names) == 0 {
			t.Errorf("%s: no test tries to refute %q", claimsPage, p.sentence)
		}
		for _, name := range names {
			if !known[name] {
				t.Errorf("%s: there is no %s, which is to refute %q", claimsPage, name, p.sentence)
			}
		}
	}
}

// knownTests are the names of all tests of the module.
func knownTests(t *testing.T) map[string]bool {
	t.Helper()
	known := map[string]bool{}
	for _, u := range units(t) {
		for _, file := range slices.Concat(u.TestGoFiles, u.XTestGoFiles) {
			text, err := os.ReadFile(filepath.Join(u.Dir, file))
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range testFunc.FindAllStringSubmatch(string(text), -1) {
				known[m[1]] = true
			}
		}
	}
	return known
}
