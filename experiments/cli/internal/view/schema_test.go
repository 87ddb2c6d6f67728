package view

import (
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"bullring/experiments/campaign/sweep"
	"bullring/experiments/campaign/verify"
	"bullring/experiments/catalog"
	"bullring/protocols/conduct"
)

// The words of a type in schemas are its constants.
func TestWordsAreConstants(t *testing.T) {
	all := words(catalog.New())
	for of, dir := range map[reflect.Type]string{
		reflect.TypeFor[conduct.Rule]():  "../../../../protocols/conduct",
		reflect.TypeFor[verify.Answer](): "../../../campaign/verify",
		reflect.TypeFor[sweep.State]():   "../../../campaign/sweep",
	} {
		if want := constants(t, dir, of.Name()); len(want) < 3 || !slices.Equal(all[of], want) {
			t.Errorf("%v: words %q, constants %q", of, all[of], want)
		}
	}
}

// constants are the values of the constants of a type of strings, in the order of the source.
func constants(t *testing.T, dir, of string) (values []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil || strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(gotoken.NewFileSet(), file, text, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			c, ok := n.(*ast.ValueSpec)
			if !ok || len(c.Values) != 1 {
				return true
			}
			name, _ := c.Type.(*ast.Ident)
			value, _ := c.Values[0].(*ast.BasicLit)
			if name != nil && name.Name == of && value != nil {
				text, _ := strconv.Unquote(value.Value)
				values = append(values, text)
			}
			return true
		})
	}
	return values
}
