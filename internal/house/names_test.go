package house_test

import (
	"go/ast"
	"go/token"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// What carries, strikes or draws algorithms knows none of them: it does not name one in a
// string.
func TestNoAlgorithmIsNamed(t *testing.T) {
	// Also a topology, an order in which the explorer goes through states, a distribution, and an order
	// of messages.
	otherwise := []string{"tree", "dfs", "uniform", "fifo"}
	var names []string
	for _, u := range units(t) {
		if in(u.place(), "protocols/*/*") && !strings.Contains(u.place(), "/internal") && !slices.Contains(otherwise, path.Base(u.place())) {
			names = append(names, path.Base(u.place()))
		}
	}
	if !slices.Contains(names, "lcr") || len(names) < 30 {
		t.Fatalf("the algorithms are %v; where are the others?", names)
	}
	name := regexp.MustCompile(`\b(` + strings.Join(names, "|") + `)\b`)
	for _, u := range units(t) {
		if !inAny(u.place(), []string{"plots/...", "faults/...", "netem/...", "des/..."}) {
			continue
		}
		for _, file := range u.GoFiles {
			source := parse(t, filepath.Join(u.Dir, file))
			ast.Inspect(source.ast, func(n ast.Node) bool {
				if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING && name.MatchString(lit.Value) {
					t.Errorf("%s: %s names %q", source.set.Position(lit.Pos()), lit.Value, name.FindString(lit.Value))
				}
				return true
			})
		}
	}
}
