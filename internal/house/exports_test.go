package house_test

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// checked is a package with its types, and its tests.
type checked struct {
	types *types.Package
	set   *token.FileSet
	infos []*types.Info // of the package and of its external tests
}

// typeCheck returns the packages of the module, from what the go command has compiled
// of those that they import.
func typeCheck(t *testing.T) []*checked {
	t.Helper()
	args := []string{"list", "-export", "-deps", "-json=ImportPath,Export", "./..."}
	for _, u := range units(t) {
		for _, path := range slices.Concat(u.TestImports, u.XTestImports) {
			if !ours(path) && path != "C" && !slices.Contains(args, path) {
				args = append(args, path)
			}
		}
	}
	out, err := exec.Command("go", args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	exports := map[string]string{}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct{ ImportPath, Export string }
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		exports[p.ImportPath] = p.Export
	}
	fset := token.NewFileSet()
	compiled := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	var all []*checked
	for _, u := range units(t) {
		c := &checked{set: fset}
		check := func(path string, files []string, imports types.Importer) *types.Package {
			var parsed []*ast.File
			for _, name := range files {
				f, err := parser.ParseFile(fset, filepath.Join(u.Dir, name), nil, parser.ParseComments)
				if err != nil {
					t.Fatal(err)
				}
				parsed = append(parsed, f)
			}
			info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
			cfg := types.Config{Importer: imports, Error: func(error) {}} // tests may use names that export_test.go has
			p, _ := cfg.Check(path, fset, parsed, info)
			c.infos = append(c.infos, info)
			return p
		}
		c.types = check(u.ImportPath, slices.Concat(u.GoFiles, u.TestGoFiles), compiled)
		if len(u.XTestGoFiles) > 0 {
			check(u.ImportPath+"_test", u.XTestGoFiles, compiled)
		}
		all = append(all, c)
	}
	return all
}

// fullName is the path of a package-level object or of a method; "" of anything else.
func fullName(o types.Object) string {
	if o.Pkg() == nil || !ours(o.Pkg().Path()) {
		return ""
	}
	path := strings.TrimSuffix(o.Pkg().Path(), "_test")
	if f, ok := o.(*types.Func); ok {
		if recv := f.Origin().Signature().Recv(); recv != nil {
			typ := recv.Type()
			if p, ok := typ.(*types.Pointer); ok {
				typ = p.Elem()
			}
			named, ok := typ.(*types.Named)
			if !ok {
				return ""
			}
			return path + "." + named.Obj().Name() + "." + f.Name()
		}
	}
	if o.Parent() != o.Pkg().Scope() {
		return ""
	}
	return path + "." + o.Name()
}

// partsOf calls f with the named types that a type mentions.
func partsOf(t types.Type, f func(*types.Named)) {
	switch t := t.(type) {
	case *types.Named:
		f(t.Origin())
		for a := range t.TypeArgs().Types() {
			partsOf(a, f)
		}
	case *types.Alias:
		partsOf(types.Unalias(t), f)
	case interface{ Elem() types.Type }:
		partsOf(t.Elem(), f)
		if m, ok := t.(*types.Map); ok {
			partsOf(m.Key(), f)
		}
	case *types.Signature:
		for _, list := range []*types.Tuple{t.Params(), t.Results()} {
			for v := range list.Variables() {
				partsOf(v.Type(), f)
			}
		}
	case *types.Struct:
		for v := range t.Fields() {
			if v.Exported() || v.Embedded() {
				partsOf(v.Type(), f)
			}
		}
	case *types.Interface:
		for m := range t.Methods() {
			partsOf(m.Type(), f)
		}
	}
}

// exportsOf are the exported objects of a package, without its tests.
func (c *checked) exportsOf() []types.Object {
	var all []types.Object
	for _, name := range c.types.Scope().Names() {
		if o := c.types.Scope().Lookup(name); o.Exported() && !c.isTest(o) {
			all = append(all, o)
		}
	}
	return all
}

// isTest reports whether a test declares an object.
func (c *checked) isTest(o types.Object) bool {
	return strings.HasSuffix(c.set.Position(o.Pos()).Filename, "_test.go")
}

// mentioned are the types in what a package exports, by full name.
func (c *checked) mentioned() map[string]bool {
	all := map[string]bool{}
	note := func(t *types.Named) { all[fullName(t.Obj())] = true }
	for _, o := range c.exportsOf() {
		typ := o.Type()
		if named, ok := typ.(*types.Named); ok && o == types.Object(named.Obj()) {
			for m := range named.Methods() {
				if m.Exported() {
					partsOf(m.Type(), note)
				}
			}
			typ = named.Underlying()
		}
		partsOf(typ, note)
	}
	return all
}

// askedFor are the names of the methods of all interfaces that the module declares or
// uses: what has them may be there for an interface.
func askedFor(packages []*checked) map[string]bool {
	names := map[string]bool{"Error": true, "Unwrap": true, "Is": true, "MarshalJSON": true, "UnmarshalJSON": true}
	add := func(t types.Type) {
		if in, ok := t.Underlying().(*types.Interface); ok {
			for m := range in.Methods() {
				names[m.Name()] = true
			}
		}
	}
	for _, c := range packages {
		for _, info := range c.infos {
			for _, o := range info.Uses {
				if o, ok := o.(*types.TypeName); ok {
					add(o.Type())
				}
			}
		}
		for _, name := range c.types.Scope().Names() {
			add(c.types.Scope().Lookup(name).Type())
		}
	}
	return names
}

// usedElsewhere are the objects and methods that another package uses, or an example
// shows, by full name. External tests count as examples do.
func usedElsewhere(packages []*checked) map[string]bool {
	used := map[string]bool{}
	for _, c := range packages {
		for i, info := range c.infos {
			for _, o := range info.Uses {
				if name := fullName(o); name != "" && (i > 0 || o.Pkg().Path() != c.types.Path()) {
					used[name] = true
				}
			}
		}
	}
	return used
}

// implemented reports whether a type of another package has the methods of an interface.
func (c *checked) implemented(o types.Object, packages []*checked) bool {
	in, ok := o.Type().Underlying().(*types.Interface)
	if !ok || in.NumMethods() == 0 {
		return false
	}
	for _, other := range packages {
		if other == c {
			continue
		}
		for _, name := range other.types.Scope().Names() {
			has := types.NewMethodSet(types.NewPointer(other.types.Scope().Lookup(name).Type()))
			all := true
			for m := range in.Methods() {
				all = all && has.Lookup(other.types, m.Name()) != nil
			}
			if all {
				return true
			}
		}
	}
	return false
}

var failure = types.Universe.Lookup("error").Type().Underlying().(*types.Interface)

// TestExportsAreUsed: an exported name, or method, has a user outside its package, be it
// an example. A type may be named by nobody where others handle its values; its constants
// go with it. An interface may be one that types of others have the methods of.
func TestExportsAreUsed(t *testing.T) {
	packages := typeCheck(t)
	used, asked := usedElsewhere(packages), askedFor(packages)
	for _, c := range packages {
		if c.types.Name() == "main" {
			continue
		}
		mentioned := c.mentioned()
		for _, o := range c.exportsOf() {
			named, isNamed := o.Type().(*types.Named)
			name := fullName(o)
			switch o.(type) {
			case *types.TypeName:
				if !used[name] && !mentioned[name] && !c.implemented(o, packages) && !types.Implements(types.NewPointer(o.Type()), failure) {
					t.Errorf("%s has no user outside its package", strings.TrimPrefix(name, module+"/"))
				}
				if !isNamed {
					continue
				}
				for m := range named.Methods() {
					if full := fullName(m); m.Exported() && !c.isTest(m) && !asked[m.Name()] && !used[full] {
						t.Errorf("%s has no user outside its package", strings.TrimPrefix(full, module+"/"))
					}
				}
				continue
			case *types.Const:
				if isNamed && named.Obj().Pkg() == c.types {
					continue
				}
			}
			if !used[name] {
				t.Errorf("%s has no user outside its package", strings.TrimPrefix(name, module+"/"))
			}
		}
	}
}
