package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const source = `package p

var table = []int{1, 2}

func F(a, b int) (n int, err error) {
	if a < b && !done {
		n = min(a, 3)
		log(n)
	}
	panic("never" + "1")
	return n, err
}
`

// Each change of the function is tried, and none of the table and the panic.
func TestMutate(t *testing.T) {
	mutants, err := mutate("p.go", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	var is []string
	for _, m := range mutants {
		if m.function != "F" || !strings.Contains(string(m.apply([]byte(source))), m.is) || strings.Contains(source, m.is+"\n") && m.is != "" {
			t.Errorf("%+v", m)
		}
		is = append(is, m.is)
	}
	want := []string{
		"if (a < b && !done) && false {", "if (a < b && !done) || true {", "if a < b || !done {", "if a <= b && !done {", "if a >= b && !done {", "if a < b && done {",
		"", "n = max(a, 3)", "n = min(a, 4)", "", "return n, nil",
	}
	if !slices.Equal(is, want) {
		t.Errorf("%q\nwant\n%q", is, want)
	}
	if few := choose(mutants, 4, 1); len(few) != 4 || slices.Equal(lines(few), lines(choose(mutants, 4, 2))) || !slices.Equal(lines(few), lines(choose(mutants, 4, 1))) {
		t.Errorf("a sample: %q", lines(few))
	}
	if len(choose(mutants, 0, 1)) != len(mutants) || len(choose(mutants, 99, 1)) != len(mutants) {
		t.Error("not all of them")
	}
}

func lines(mutants []mutant) (all []string) {
	for _, m := range mutants {
		all = append(all, m.String())
	}
	return all
}

// A test covers one of two functions. The mutants of that function are killed, except one without
// an effect. Those of the other function are not reached.
func TestTry(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":    "module p\n\ngo 1.24\n",
		"p.go":      "package p\n\nfunc Max(a, b int) int {\n\tif a < b {\n\t\treturn b\n\t}\n\treturn a\n}\n\nfunc Off() bool {\n\treturn false\n}\n",
		"other.go":  "package p\n\nfunc Other() int { return 1 }\n",
		"p_test.go": "package p\n\nimport \"testing\"\n\nfunc TestMax(t *testing.T) {\n\tif Max(1, 2) != 2 || Max(2, 1) != 2 {\n\t\tt.Error()\n\t}\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	p, err := load(t.Context(), ".", regexp.MustCompile("^p"), "Max")
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	survived, err := p.try(t.Context(), p.mutants, &out)
	want := `SURVIVED ./p.go:4, Max
    - if a < b {
    + if a <= b {
UNREACHED ./p.go:11, Off
    - return false
    + return true
.: killed 3, survived 1, reached by no test 1, did not compile 0
`
	if err != nil || survived != 2 || out.String() != want {
		t.Errorf("%d survived, %v:\n%s", survived, err, out.String())
	}
}
