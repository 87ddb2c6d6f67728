package house_test

import (
	"go/ast"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The tests that have a longer form than that of -short call testing.Short themselves, so
// that .ci/longer, which make test-all asks, finds them by their text.
func TestLongerFormsAreFound(t *testing.T) {
	var places, tests []string
	for _, u := range units(t) {
		for _, name := range slices.Concat(u.GoFiles, u.TestGoFiles, u.XTestGoFiles) {
			file := parse(t, filepath.Join(u.Dir, name))
			file.selections(func(imported, selected string, pos token.Position) {
				if imported != "testing" || selected != "Short" {
					return
				}
				test := ""
				for _, d := range file.ast.Decls {
					if f, ok := d.(*ast.FuncDecl); ok && file.set.Position(f.Pos()).Offset < pos.Offset && pos.Offset < file.set.Position(f.End()).Offset {
						test = f.Name.Name
					}
				}
				if !strings.HasPrefix(test, "Test") {
					t.Errorf("%s: testing.Short is for the test itself, which says what its small form is", pos)
				}
				places, tests = append(places, "./"+u.place()), append(tests, test)
			})
		}
	}
	page, err := os.ReadFile("docs/tests.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range tests {
		if !strings.Contains(string(page), "\n| `"+test+"` |") {
			t.Errorf("docs/tests.md has no row for %s: what is its small form, what does it leave out, which mistake does it catch?", test)
		}
	}
	found, err := exec.Command(".ci/longer").Output()
	if err != nil {
		t.Fatal(err)
	}
	packages, names, _ := strings.Cut(strings.TrimSpace(string(found)), " -run ")
	same := func(a, b []string) bool {
		slices.Sort(a)
		slices.Sort(b)
		return slices.Equal(slices.Compact(a), slices.Compact(b))
	}
	if !same(strings.Fields(packages), places) || !same(strings.Split(strings.Trim(names, "^()$"), "|"), tests) || len(tests) < 20 {
		t.Errorf(".ci/longer says\n%s\nlonger are %q in %q", found, tests, places)
	}
}
