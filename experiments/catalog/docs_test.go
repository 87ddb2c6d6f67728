package catalog_test

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"bullring/experiments/trial"
)

var updateDocs = flag.Bool("update-docs", false, "write experiments/catalog/docs from the comments of the packages")

// packages are the packages of algorithms that are not called as the algorithm is, or
// are more than one.
var packages = map[string][]string{
	"itairodeh":            {"election/itairodeh", "election/itairodeh/synchronous"},
	"centralized-failover": {"failover", "mutex/centralized"},
	"sequencer-failover":   {"failover", "multicast/sequencer"},
}

// packagesOf are the packages of an algorithm, below protocols.
func packagesOf(a *trial.Algorithm) []string {
	if named, ok := packages[a.Name]; ok {
		return named
	}
	return []string{a.Family + "/" + a.Name}
}

// What bullring explain prints is what the source says.
func TestDocs(t *testing.T) {
	for _, a := range registry.All() {
		var parts []string
		for _, p := range packagesOf(a) {
			parts = append(parts, comment(t, filepath.Join("..", "..", "protocols", filepath.FromSlash(p))))
		}
		want := strings.Join(parts, "\n")
		if *updateDocs {
			if err := os.WriteFile(filepath.Join("docs", a.Name+".txt"), []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if a.Doc != want {
			t.Errorf("%s: experiments/catalog/docs does not have the comment of the package: make docs", a.Name)
		}
	}
}

// What bullring explain prints is for its users. It has no links of Go's documentation, and
// none of the identifiers that only the source knows.
func TestExplanationsNameNothingOfGo(t *testing.T) {
	linked := regexp.MustCompile(`\[[A-Za-z]+(\.[A-Za-z]+)*\]`)
	inner := regexp.MustCompile(`\b[A-Za-z]*[a-z][A-Z]\w*\b`) // what an English word does not have
	for _, a := range registry.All() {
		texts := []string{a.Doc, a.Pseudocode, a.Title, a.Source, a.Cost}
		for _, b := range a.Bounds {
			texts = append(texts, b.Formula, b.Convention)
		}
		text, declared := strings.Join(texts, "\n"), map[string]bool{}
		for _, p := range packagesOf(a) {
			for _, name := range identifiers(t, filepath.Join("..", "..", "protocols", filepath.FromSlash(p))) {
				declared[name] = true
			}
		}
		for _, link := range linked.FindAllString(a.Doc, -1) {
			t.Errorf("explain %s prints %s, which leads nowhere: use the words of variants and bounds", a.Name, link)
		}
		for _, word := range inner.FindAllString(text, -1) {
			if declared[word] {
				t.Errorf("explain %s prints %s, an identifier of its package", a.Name, word)
			}
		}
	}
}

// identifiers are the names in the source of a package.
func identifiers(t *testing.T, dir string) (names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %v, %d files", dir, err, len(files))
	}
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				names = append(names, id.Name)
			}
			return true
		})
	}
	return names
}

// comment is the comment of the package in a folder.
func comment(t *testing.T, dir string) string {
	t.Helper()
	text := ""
	files, err := fs.Glob(os.DirFS(dir), "*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %v, %d files", dir, err, len(files))
	}
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil, parser.ParseComments|parser.PackageClauseOnly)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(name, "_test.go") && f.Doc != nil {
			text += f.Doc.Text()
		}
	}
	if text == "" {
		t.Fatalf("%s has no comment", dir)
	}
	return text
}
