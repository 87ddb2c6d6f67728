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
	"slices"
	"strings"
	"testing"

	"bullring/experiments/trial"
)

var updateDocs = flag.Bool("update-docs", false, "write experiments/catalog/docs from the comments of the packages")

// packages are the packages of algorithms that are not called as the algorithm is, or
// are more than one.
var packages = map[string][]string{
	"itairodeh":            {"election/itairodeh", "election/itairodeh/synchronous"},
	"vktlinks":             {"election/vkt"},
	"freistable":           {"election/frei"},
	"freiunoriented":       {"election/frei"},
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

// What bullring explain prints is for its users. It has no packages, no links of Go's
// documentation, and none of the identifiers that only the source knows: neither words that
// no language has, nor those with a capital letter inside a sentence.
func TestExplanationsNameNothingOfGo(t *testing.T) {
	linked := regexp.MustCompile(`\[[A-Za-z]+(\.[A-Za-z]+)*\]`)
	inner := regexp.MustCompile(`\b[A-Za-z]*[a-z][A-Z]\w*\b`) // what an English word does not have
	capital := regexp.MustCompile(`(?:[a-z,;0-9](?: +|\n\t? *)\(?|[*/+] *)([A-Z][a-z]+)\b`)
	sources := regexp.MustCompile(`"[^"]*"|(?s)Paper: .*?\n\n`)
	inGo := regexp.MustCompile(`(?i)\bpackages?\b|\bConfig\b|\bgoroutines?\b|\bnil\b|\bstructs?\b`)
	for _, a := range registry.All() {
		texts := []string{a.Doc, a.Pseudocode, a.Title, a.Source, a.Cost}
		for _, b := range a.Bounds {
			texts = append(texts, b.Formula, b.Convention)
		}
		for _, p := range a.Params {
			texts = append(texts, p.Form+": "+p.Meaning)
		}
		for _, m := range a.OwnMetrics() {
			texts = append(texts, m.Meaning)
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
		words := append(inner.FindAllString(text, -1), inGo.FindAllString(text, -1)...)
		for _, m := range capital.FindAllStringSubmatch(sources.ReplaceAllString(strings.Join(slices.Delete(texts, 3, 4), "\n"), ""), -1) {
			words = append(words, m[1])
		}
		for _, word := range words {
			if declared[word] && word != "Tel" || inGo.MatchString(word) { // Tel is an author, too
				t.Errorf("explain %s prints %s, which the source knows and its users do not", a.Name, word)
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

// comment is the comment of the package in a folder, without the word Package at its beginning.
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
			text += strings.TrimPrefix(f.Doc.Text(), "Package ")
		}
	}
	if text == "" {
		t.Fatalf("%s has no comment", dir)
	}
	return text
}
