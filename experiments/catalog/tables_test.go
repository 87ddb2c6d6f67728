package catalog_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Fewer names are an example and no table.
const (
	fewestKeys = 3  // of a map or of the cases of a switch
	fewestRows = 10 // of a list, or of the rows of a table
)

var tableRow = regexp.MustCompile("(?m)^\\| `(\\w+)` in \\[[\\w.]+\\]\\(([\\w./]+)\\) \\|")

// CONTRIBUTING names the tables below experiments in which algorithms stand by their names, apart
// from their declarations. The rooms beside experiments know no algorithm.
func TestTablesByNameAreNamed(t *testing.T) {
	text, err := os.ReadFile("../../CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]bool{}
	for _, m := range tableRow.FindAllStringSubmatch(string(text), -1) {
		said[m[2]+" "+m[1]] = true
	}
	found := tablesByName(t)
	for _, table := range slices.Sorted(maps.Keys(found)) {
		if !said[table] {
			t.Errorf("%s has %d algorithms by their names; CONTRIBUTING.md does not name it", table, found[table])
		}
	}
	for table := range said {
		if found[table] == 0 {
			t.Errorf("CONTRIBUTING.md names %s, which is no table of algorithms by their names", table)
		}
	}
}

// tablesByName returns the tables, as file and variable or function, with their number of names.
func tablesByName(t *testing.T) map[string]int {
	t.Helper()
	found := map[string]int{}
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		for _, d := range file.Decls {
			ast.Inspect(d, func(n ast.Node) bool {
				if keys, rows := namesIn(n); keys >= fewestKeys || rows >= fewestRows {
					table := "experiments/" + filepath.ToSlash(strings.TrimPrefix(path, "../")) + " " + nameOf(d)
					found[table] = max(found[table], keys, rows)
				}
				return true
			})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// nameOf is the name of a function, or of the first variable of a declaration.
func nameOf(d ast.Decl) string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return d.Name.Name
	case *ast.GenDecl:
		if v, ok := d.Specs[0].(*ast.ValueSpec); ok {
			return v.Names[0].Name
		}
	}
	return ""
}

// namesIn counts the algorithms that are keys of a map or cases of a switch, and those that are
// elements of a list, or in its rows.
func namesIn(n ast.Node) (keys, rows int) {
	byKey, byRow := map[string]bool{}, map[string]bool{}
	switch n := n.(type) {
	case *ast.SwitchStmt:
		for _, c := range n.Body.List {
			note(byKey, c.(*ast.CaseClause).List...)
		}
	case *ast.CompositeLit:
		for _, e := range n.Elts {
			if pair, ok := e.(*ast.KeyValueExpr); ok {
				note(byKey, pair.Key)
			} else {
				ast.Inspect(e, func(n ast.Node) bool {
					if text, ok := n.(*ast.BasicLit); ok {
						note(byRow, text)
					}
					return true
				})
			}
		}
	}
	return len(byKey), len(byRow)
}

// note adds the names of algorithms among constants.
func note(names map[string]bool, constants ...ast.Expr) {
	for _, c := range constants {
		if text, ok := c.(*ast.BasicLit); ok && text.Kind == token.STRING {
			if name, err := strconv.Unquote(text.Value); err == nil && slices.Contains(registry.Names(), name) {
				names[name] = true
			}
		}
	}
}
