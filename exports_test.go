package bullring_test

import (
	"go/ast"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestExportsHaveUsers: an exported name has a user in another package or an Example, or
// stands in the declaration of a name that has. An interface has a user if another package
// has a type with its methods; a constant or a variable, which may be a documented limit
// or default, if the external tests of its package use it. Methods and fields do not count.
func TestExportsHaveUsers(t *testing.T) {
	all := map[string]*exports{}
	var files []ownedFile
	for _, u := range units(t) {
		all[u.ImportPath] = newExports()
		for _, name := range slices.Concat(u.GoFiles, u.TestGoFiles, u.XTestGoFiles) {
			files = append(files, ownedFile{parse(t, filepath.Join(u.Dir, name)), u.ImportPath, strings.HasSuffix(name, "_test.go")})
		}
	}
	tutorial, err := filepath.Glob("docs/example/*.go")
	if err != nil || len(tutorial) == 0 {
		t.Fatalf("the module of the tutorial has the files %v: %v", tutorial, err)
	}
	for _, name := range tutorial {
		files = append(files, ownedFile{parse(t, name), "docs/example", true})
	}
	for _, f := range files {
		if e := all[f.owner]; e != nil {
			e.declare(f.ast, f.test)
		}
	}
	for _, f := range files {
		examples := f.examples()
		f.selections(func(imported, selected string, at token.Position) {
			if e := all[imported]; e != nil && (imported != f.owner || examples[at.Line] || e.values[selected]) {
				e.used[selected] = true
			}
		})
	}
	for path, e := range all {
		if placeOf(path) == "experiments" { // is being divided into rooms, which count
			continue
		}
		e.implemented(all)
		for _, name := range slices.Collect(maps.Keys(e.used)) {
			e.spread(name)
		}
		for _, name := range slices.Sorted(maps.Keys(e.mentions)) {
			if ast.IsExported(name) && !e.used[name] {
				t.Errorf("%s.%s has no user in another package and no Example", placeOf(path), name)
			}
		}
	}
}

// ownedFile is a file with the package that it belongs to.
type ownedFile struct {
	source
	owner string
	test  bool
}

// examples has the lines of Examples.
func (f ownedFile) examples() map[int]bool {
	lines := map[int]bool{}
	for _, d := range f.ast.Decls {
		if d, ok := d.(*ast.FuncDecl); ok && f.test && strings.HasPrefix(d.Name.Name, "Example") {
			for line := f.set.Position(d.Pos()).Line; line <= f.set.Position(d.End()).Line; line++ {
				lines[line] = true
			}
		}
	}
	return lines
}

// exports has the names of a package.
type exports struct {
	mentions   map[string][]string        // by declared name: the names in its declaration
	values     map[string]bool            // constants and variables
	interfaces map[string][]string        // their methods
	methods    map[string]map[string]bool // by type, those of its tests included
	used       map[string]bool
}

func newExports() *exports {
	return &exports{map[string][]string{}, map[string]bool{}, map[string][]string{}, map[string]map[string]bool{}, map[string]bool{}}
}

// implemented marks the interfaces that a type of another package has the methods of.
func (e *exports) implemented(all map[string]*exports) {
	for name, methods := range e.interfaces {
		for _, other := range all {
			for _, has := range other.methods {
				if other != e && len(methods) > 0 && !slices.ContainsFunc(methods, func(m string) bool { return !has[m] }) {
					e.used[name] = true
				}
			}
		}
	}
}

// spread marks the names in the declaration of a used name, and in theirs.
func (e *exports) spread(name string) {
	e.used[name] = true
	for _, m := range e.mentions[name] {
		if !e.used[m] {
			e.spread(m)
		}
	}
}

// declare notes the declarations of a file; of a test only methods. A type mentions its
// constants, and what the signatures of its methods mention.
func (e *exports) declare(file *ast.File, test bool) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			name := d.Name.Name
			if d.Recv != nil {
				if !ast.IsExported(name) {
					continue
				}
				name = names(d.Recv.List[0].Type)[0]
				if e.methods[name] == nil {
					e.methods[name] = map[string]bool{}
				}
				e.methods[name][d.Name.Name] = true
			}
			if test {
				continue
			}
			e.mentions[name] = append(e.mentions[name], names(d.Type)...)
		case *ast.GenDecl:
			if test {
				continue
			}
			var of ast.Expr // the type of constants goes on to the next line
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					e.mentions[s.Name.Name] = append(e.mentions[s.Name.Name], names(s.Type)...)
					if i, ok := s.Type.(*ast.InterfaceType); ok {
						e.interfaces[s.Name.Name] = methodsOf(i)
					}
				case *ast.ValueSpec:
					if s.Type != nil || len(s.Values) > 0 {
						of = s.Type
					}
					e.declareValues(s, of, d.Tok == token.CONST)
				}
			}
		}
	}
}

func (e *exports) declareValues(s *ast.ValueSpec, of ast.Expr, constants bool) {
	for _, n := range s.Names {
		e.values[n.Name] = true
		e.mentions[n.Name] = append(e.mentions[n.Name], names(of)...)
		for _, v := range s.Values {
			e.mentions[n.Name] = append(e.mentions[n.Name], names(v)...)
		}
		if constants && of != nil {
			for _, t := range names(of) {
				e.mentions[t] = append(e.mentions[t], n.Name)
			}
		}
	}
}

// methodsOf returns the methods that an interface lists itself.
func methodsOf(i *ast.InterfaceType) (methods []string) {
	for _, f := range i.Methods.List {
		for _, n := range f.Names {
			methods = append(methods, n.Name)
		}
	}
	return methods
}

// names returns the unqualified names in an expression, but for the fields of structs that
// are not exported.
func names(in ast.Node) (all []string) {
	if in == nil || in == ast.Expr(nil) {
		return nil
	}
	ast.Inspect(in, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			return false
		case *ast.Field:
			return len(n.Names) == 0 || ast.IsExported(n.Names[0].Name) || !isField(in, n)
		case *ast.Ident:
			all = append(all, n.Name)
		}
		return true
	})
	return all
}

// isField reports whether a field is one of a struct in the expression.
func isField(in ast.Node, f *ast.Field) (is bool) {
	ast.Inspect(in, func(n ast.Node) bool {
		if s, ok := n.(*ast.StructType); ok {
			is = is || slices.Contains(s.Fields.List, f)
		}
		return !is
	})
	return is
}
