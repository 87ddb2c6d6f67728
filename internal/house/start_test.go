package house_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestLazyPatterns compiles every regular expression that the program compiles when it is first
// needed, and finds those that every start of the program would pay for.
func TestLazyPatterns(t *testing.T) {
	lazy := 0
	for _, u := range units(t) {
		for _, name := range u.GoFiles {
			file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(u.Dir, name), nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range file.Decls {
				g, ok := d.(*ast.GenDecl)
				if !ok || g.Tok != token.VAR {
					continue
				}
				ast.Inspect(g, func(n ast.Node) bool {
					if _, inside := n.(*ast.FuncLit); inside { // it runs later
						return false
					}
					call, ok := n.(*ast.CallExpr)
					if !ok {
						return true
					}
					switch calledName(call) {
					case "regexp.MustCompile", "template.Must":
						t.Errorf("%s/%s: %s runs at every start; pattern.Of compiles when it is needed", u.place(), name, calledName(call))
					case "pattern.Of":
						lazy++
						compiles(t, call)
					}
					return true
				})
			}
		}
	}
	if lazy < 15 {
		t.Errorf("found %d patterns only", lazy)
	}
}

// calledName is the name of a called function of another package, as it is written.
func calledName(call *ast.CallExpr) string {
	if f, ok := call.Fun.(*ast.SelectorExpr); ok {
		if x, ok := f.X.(*ast.Ident); ok {
			return x.Name + "." + f.Sel.Name
		}
	}
	return ""
}

func compiles(t *testing.T, call *ast.CallExpr) {
	t.Helper()
	literal, ok := call.Args[0].(*ast.BasicLit)
	if !ok {
		t.Errorf("the pattern of a variable is no literal")
		return
	}
	text, err := strconv.Unquote(literal.Value)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := regexp.Compile(text); err != nil {
		t.Error(err)
	}
}

// TestNoTemplates: text/template calls methods by their names. Where it is linked the linker
// keeps every exported method, and the program is larger by a quarter.
func TestNoTemplates(t *testing.T) {
	for _, u := range units(t) {
		if u.Name == "main" && !strings.HasPrefix(u.place(), "cmd/bullring") {
			continue // a tool of the project
		}
		for _, i := range u.Imports {
			if slices.Contains([]string{"text/template", "html/template"}, i) {
				t.Errorf("%s imports %s", u.ImportPath, i)
			}
		}
	}
}
