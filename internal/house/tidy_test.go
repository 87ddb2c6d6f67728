package house_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// module is the path of the module.
var module = strings.TrimSuffix(reflect.TypeFor[unit]().PkgPath(), "/internal/house_test")

// unit is what the go command says of a package.
type unit struct {
	ImportPath   string
	Name         string
	Dir          string
	GoFiles      []string
	TestGoFiles  []string
	XTestGoFiles []string
	TestImports  []string
	XTestImports []string
	Imports      []string
	Deps         []string // Imports, and theirs, and so on
}

// place is the path of the package in the module, "." for its root.
func (u *unit) place() string { return placeOf(u.ImportPath) }

func placeOf(importPath string) string {
	if importPath == module {
		return "."
	}
	return strings.TrimPrefix(importPath, module+"/")
}

func ours(importPath string) bool {
	return importPath == module || strings.HasPrefix(importPath, module+"/")
}

// standard reports whether a package is of the standard library: no other has
// a first element without a dot.
func standard(importPath string) bool {
	first, _, _ := strings.Cut(importPath, "/")
	return !ours(importPath) && !strings.Contains(first, ".")
}

// list asks the go command, once for all tests.
var list = sync.OnceValues(func() ([]unit, error) {
	cmd := exec.Command("go", "list", "-json=ImportPath,Name,Dir,GoFiles,TestGoFiles,XTestGoFiles,TestImports,XTestImports,Imports,Deps", "./...")
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, complaint.Bytes())
	}
	var us []unit
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var u unit
		switch err := d.Decode(&u); {
		case errors.Is(err, io.EOF):
			return us, nil
		case err != nil:
			return nil, err
		}
		us = append(us, u)
	}
})

func units(t *testing.T) []unit {
	t.Helper()
	us, err := list()
	if err != nil {
		t.Fatal(err)
	}
	if len(us) < 10 {
		t.Fatalf("go list knows %d packages only", len(us))
	}
	return us
}

var none = []string{}

// modules says on which modules of others a package may depend, however indirectly. Of
// several rows that match a package the first counts. A package without a row may depend on
// any. A pattern is a place, with /... a place and all below it, and with * for one element of
// a path.
var modules = []struct {
	places string
	may    []string
}{
	{"docs", none},
	{"experiments/cli/internal/tour", none},
	{"experiments/cli/internal/view", append([]string{"golang.org/x/sys/unix"}, drawing...)},
	{"experiments/trial/setting", none},
	{"internal/...", none},
	{"netem/live/...", append([]string{"golang.org/x/sys/unix"}, engines...)},
	{"netem/...", engines},
	{"faults", engines},
	{"des/yardstick", none},
	{"des/...", engines},
	{"plots/looks", none},
	{"protocols/*/internal/...", engines},
	{"protocols/...", none},
}

// drawing is what sweeps and figures need of others.
var drawing = []string{
	"github.com/google/btree", "github.com/jonboulle/clockwork", "github.com/goccy/go-yaml", "gonum.org/v1", "codeberg.org/go-fonts", "codeberg.org/go-latex",
	"git.sr.ht/~sbinet/gg", "github.com/golang/freetype", "golang.org/x/image", "golang.org/x/text",
}

// engines is what virtual time is made of.
var engines = []string{"github.com/google/btree", "github.com/jonboulle/clockwork"}

// in reports whether a place matches a pattern.
func in(place, pattern string) bool {
	pattern, below := strings.CutSuffix(pattern, "...")
	if pattern == "" {
		return below
	}
	pattern = strings.TrimSuffix(pattern, "/")
	want, have := strings.Split(pattern, "/"), strings.Split(place, "/")
	if len(have) < len(want) || len(have) > len(want) && !below {
		return false
	}
	ok, _ := path.Match(pattern, path.Join(have[:len(want)]...))
	return ok
}

func inAny(place string, patterns []string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return in(place, p) })
}

// TestModules holds the table of modules.
func TestModules(t *testing.T) {
	for _, u := range units(t) {
		for _, row := range modules {
			if !in(u.place(), row.places) {
				continue
			}
			for _, dep := range u.Deps {
				if !standard(dep) && !ours(dep) && !inAny(dep, below(row.may)) {
					t.Errorf("%s depends on %s; it may depend on %v", u.ImportPath, dep, row.may)
				}
			}
			break
		}
	}
}

// TestDesignTable holds the table of docs/design.md, who may import whom, to what is imported
// directly. A package imports only packages that stand above it.
func TestDesignTable(t *testing.T) {
	page, err := os.ReadFile("docs/design.md")
	if err != nil {
		t.Fatal(err)
	}
	code := regexp.MustCompile("`([a-z/.]+)`")
	may, above := map[string][]string{}, slices.Clone(apart)
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || !strings.HasPrefix(line, "| `") {
			continue
		}
		var table, packages []string
		for _, c := range code.FindAllStringSubmatch(cells[3], -1) {
			table = append(table, c[1])
			if !strings.HasSuffix(c[1], "/...") && !inAny(c[1], above) {
				t.Errorf("%s imports %s, which has no row above it", cells[1], c[1])
			}
		}
		for _, c := range code.FindAllStringSubmatch(cells[1], -1) {
			may[c[1]], packages = table, append(packages, c[1])
		}
		above = append(above, packages...)
	}
	if len(may) < 20 {
		t.Errorf("%d rows; where is the table?", len(may))
	}
	for _, u := range units(t) {
		table, listed := may[u.place()]
		switch algorithm := in(u.place(), "protocols/*/*/..."); {
		case len(u.GoFiles) == 0 || inAny(u.place(), apart):
		case listed || algorithm:
			if algorithm {
				family := strings.Join(strings.Split(u.place(), "/")[:2], "/")
				table = []string{"protocols", family + "/..."}
			}
			for _, i := range u.Imports {
				if ours(i) && !inAny(placeOf(i), table) {
					t.Errorf("%s imports %s; the table says %v", u.place(), i, table)
				}
			}
		default:
			t.Errorf("the table has no row for %s", u.place())
		}
		for _, pattern := range table {
			if listed && !slices.ContainsFunc(u.Imports, func(i string) bool { return ours(i) && in(placeOf(i), pattern) }) {
				t.Errorf("%s imports no %s; the table says that it does", u.place(), pattern)
			}
		}
	}
}

// apart is what has no row: what only tests use, and the insides of a package.
var apart = slices.Concat(support, []string{"des/internal/...", "netem/impair/internal/...", "experiments/internal/..."})

// support is what only tests use.
var support = []string{"internal/golden", "des/yardstick", "experiments/catalog/internal/...", "protocols/internal/...", "protocols/*/internal/..."}

func below(modules []string) []string {
	var patterns []string
	for _, m := range modules {
		patterns = append(patterns, m+"/...")
	}
	return patterns
}

// What only tests use stays with the tests.
func TestSupportIsForTests(t *testing.T) {
	for _, u := range units(t) {
		if inAny(u.place(), support) {
			continue
		}
		for _, dep := range u.Deps {
			if ours(dep) && inAny(placeOf(dep), support) {
				t.Errorf("%s depends on %s, which is for tests", u.ImportPath, dep)
			}
		}
	}
}

func TestPatterns(t *testing.T) {
	for _, tc := range []struct {
		place, pattern string
		want           bool
	}{
		{"des", "des", true},
		{"des", "des/...", true},
		{"des/internal/x", "des/...", true},
		{"des/internal/x", "des", false},
		{"design", "des/...", false},
		{"protocols/election/internal/electiontest", "protocols/*/internal/...", true},
		{"protocols/election/lcr", "protocols/*/internal/...", false},
		{"protocols", "protocols/election/...", false},
		{"anything/at/all", "...", true},
	} {
		if got := in(tc.place, tc.pattern); got != tc.want {
			t.Errorf("%s in %s: %v; want %v", tc.place, tc.pattern, got, tc.want)
		}
	}
}

// A protocol reacts: it has no clock, no goroutine, no chance of its own and
// no world outside.
func TestProtocolsArePure(t *testing.T) {
	forbidden := []string{"math/rand/...", "crypto/rand", "sync/...", "net/...", "os/...", "runtime/...", "unsafe"}
	for _, u := range units(t) {
		if !in(u.place(), "protocols/...") || inAny(u.place(), []string{"protocols/*/internal/...", "protocols/internal/..."}) {
			continue
		}
		for _, imported := range u.Imports {
			if inAny(imported, forbidden) {
				t.Errorf("%s imports %s", u.ImportPath, imported)
			}
		}
		for _, name := range u.GoFiles {
			file := parse(t, filepath.Join(u.Dir, name))
			ast.Inspect(file.ast, func(n ast.Node) bool {
				switch n.(type) {
				case *ast.GoStmt, *ast.SelectStmt, *ast.ChanType:
					t.Errorf("%s: a protocol has no goroutines and no channels", file.set.Position(n.Pos()))
				}
				return true
			})
		}
	}
}

// Time comes from the queue and chance from named streams. The clock on the
// wall is for the command, for the progress of an experiment and for measuring
// the engine, and runs over sockets are in real time. Chance that no seed decides is for
// their secrets alone, which keep strangers out.
func TestNoHiddenClockOrChance(t *testing.T) {
	clocks := []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"}
	seeded := []string{"New", "NewPCG", "NewChaCha8", "NewSource", "NewZipf", "Rand", "PCG", "ChaCha8", "Source", "Zipf"}
	for _, u := range units(t) {
		wall := inAny(u.place(), []string{"cmd/...", "experiments/...", "des/yardstick", "internal/filelock", "internal/mutants", "internal/testlines"})
		sockets := in(u.place(), "netem/live/...")
		for _, name := range slices.Concat(u.GoFiles, u.TestGoFiles, u.XTestGoFiles) {
			file := parse(t, filepath.Join(u.Dir, name))
			test := strings.HasSuffix(name, "_test.go")
			file.selections(func(imported, selected string, pos token.Position) {
				switch imported {
				case "time":
					if !wall && !sockets && !test && slices.Contains(clocks, selected) {
						t.Errorf("%s: time.%s", pos, selected)
					}
				case "github.com/jonboulle/clockwork":
					if !wall && !test && selected == "NewRealClock" {
						t.Errorf("%s: the real clock", pos)
					}
				case "math/rand", "math/rand/v2":
					if !test || !slices.Contains(seeded, selected) {
						t.Errorf("%s: %s.%s", pos, imported, selected)
					}
				case "crypto/rand":
					if sockets && selected == "Read" {
						break
					}
					t.Errorf("%s: crypto/rand", pos)
				}
			})
		}
	}
}

// What comes from outside goes through internal/regular, which reads regular files alone,
// and no more of them than there is a use for.
func TestFilesAreReadWithinBounds(t *testing.T) {
	readers := []string{"os.Open", "os.OpenFile", "os.ReadFile", "io.ReadAll"}
	allowed := map[string]string{
		"experiments/campaign/journal": "os.OpenFile", // it is written, too
		"netem/explore":                "os.OpenFile", // a lock, and files that were written, to be synced
		"experiments/cli":              "os.OpenFile", // a token goes into a new file
		"plots/internal/page":          "io.ReadAll",  // of a decompressor, within bounds
	}
	for _, u := range units(t) {
		if inAny(u.place(), []string{"internal/regular", "internal/mutants", "internal/home", "internal/golden", "experiments/internal/...", "experiments/catalog/internal/..."}) { // the last are tools of ours
			continue
		}
		for _, name := range u.GoFiles {
			parse(t, filepath.Join(u.Dir, name)).selections(func(imported, selected string, pos token.Position) {
				call := imported + "." + selected
				if slices.Contains(readers, call) && allowed[u.place()] != call {
					t.Errorf("%s: %s", pos, call)
				}
			})
		}
	}
}

// source is a parsed file.
type source struct {
	set *token.FileSet
	ast *ast.File
}

func parse(t *testing.T, name string) source {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	return source{set, file}
}

// selections calls f for every use of something that is imported.
func (s source) selections(f func(imported, selected string, pos token.Position)) {
	imports := map[string]string{}
	for _, spec := range s.ast.Imports {
		imported := strings.Trim(spec.Path.Value, `"`)
		name := path.Base(strings.TrimSuffix(imported, "/v2"))
		if spec.Name != nil {
			name = spec.Name.Name
		}
		imports[name] = imported
	}
	ast.Inspect(s.ast, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		// A name that the file itself declares is no import.
		if x, ok := sel.X.(*ast.Ident); ok && x.Obj == nil && imports[x.Name] != "" {
			f(imports[x.Name], sel.Sel.Name, s.set.Position(sel.Pos()))
		}
		return true
	})
}

func TestPackagesHaveComments(t *testing.T) {
	for _, u := range units(t) {
		if len(u.GoFiles) == 0 {
			continue // tests only
		}
		want := "Package " + u.Name + " "
		if u.Name == "main" {
			want = "Command " + path.Base(u.ImportPath) + " "
		}
		comments := 0
		for _, name := range u.GoFiles {
			file := parse(t, filepath.Join(u.Dir, name)).ast
			if file.Doc == nil || !strings.HasPrefix(file.Doc.Text(), want) {
				continue
			}
			comments++
		}
		if comments != 1 {
			t.Errorf("%s has %d package comments that begin with %q; want 1", u.ImportPath, comments, want)
		}
	}
}

// Every algorithm has a test, and a golden trace that shows a reader how it
// runs.
func TestAlgorithmsHaveTestsAndTraces(t *testing.T) {
	algorithms := 0
	for _, u := range units(t) {
		if !in(u.place(), "protocols/*/*") {
			continue
		}
		algorithms++
		if len(u.TestGoFiles)+len(u.XTestGoFiles) == 0 {
			t.Errorf("%s has no test", u.ImportPath)
		}
		traces, err := filepath.Glob(filepath.Join(u.Dir, "testdata", "*.txt"))
		if err != nil {
			t.Fatal(err)
		}
		if len(traces) == 0 {
			t.Errorf("%s has no golden trace in testdata", u.ImportPath)
		}
		for _, name := range traces {
			if info, err := os.Stat(name); err != nil || info.Size() == 0 {
				t.Errorf("%s is empty (%v)", name, err)
			}
		}
	}
	if algorithms == 0 {
		t.Error("no algorithms found")
	}
}

// What is left to do belongs into an issue, where it can be closed, and not
// into files.
func TestNothingIsPutOff(t *testing.T) {
	words := regexp.MustCompile(`\b(` + "TO" + "DO|FIX" + "ME" + `)\b`)
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || name == "out"):
			return fs.SkipDir
		case !d.Type().IsRegular() || d.Name() == "go.sum":
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if bytes.IndexByte(text, 0) >= 0 {
			return nil // not text
		}
		for i, line := range strings.Split(string(text), "\n") {
			if word := words.FindString(line); word != "" {
				t.Errorf("%s:%d: %s", name, i+1, word)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
