package house_test

import (
	"fmt"
	"go/ast"
	"path/filepath"
	"testing"
)

// mostFiles is the largest number of files in which one type has methods.
const mostFiles = 5

// TestTypesAreOneThing finds types that know too much: who changes one of their methods has to
// look for it.
func TestTypesAreOneThing(t *testing.T) {
	files := map[string]map[string]bool{} // with methods, by type
	for _, u := range units(t) {
		for _, name := range u.GoFiles {
			for _, d := range parse(t, filepath.Join(u.Dir, name)).ast.Decls {
				method, ok := d.(*ast.FuncDecl)
				if !ok || method.Recv == nil {
					continue
				}
				owner := u.place() + "." + receiver(method.Recv.List[0].Type)
				if files[owner] == nil {
					files[owner] = map[string]bool{}
				}
				files[owner][name] = true
			}
		}
	}
	for owner, in := range files {
		if n := len(in); n > mostFiles {
			t.Errorf("%s has methods in %d files; give its parts types of their own, at most %d files each", owner, n, mostFiles)
		}
	}
}

// receiver is the name of the type of a receiver.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	panic(fmt.Sprintf("a receiver is a %T", e))
}
