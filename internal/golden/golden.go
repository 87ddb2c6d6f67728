// Package golden compares the output of a test with a file that was checked in.
package golden

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata; read the diff")

// Check compares got with a file in testdata of the calling test's package.
func Check(t testing.TB, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if line, was, is := firstChange(string(want), string(got)); line > 0 {
		t.Errorf("%s differs from line %d on. It says\n%s\nand now it is\n%s\nnow all of it is:\n%s", file, line, was, is, got)
	}
}

// firstChange returns the number of the first line that differs, from 1, and what it was and
// is; 0 if no line does.
func firstChange(want, got string) (line int, was, is string) {
	if want == got {
		return 0, "", ""
	}
	for {
		line++
		was, want, _ = strings.Cut(want, "\n")
		is, got, _ = strings.Cut(got, "\n")
		if was != is || want == "" || got == "" {
			return line, was, is
		}
	}
}
