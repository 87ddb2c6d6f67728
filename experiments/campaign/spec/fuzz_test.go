package spec

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzParse: for any file and any included file Parse does not panic. Errors are at places
// that exist, in text that a terminal shows. An accepted sweep is within the limits and
// expands to the same different cells every time.
func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("testdata/*.yaml")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, []byte("axes: {n: [2, 4]}\nzip: {delay: [1ms, 2ms], fifo: [true, false]}\n"))
		f.Add([]byte("name: a\ninclude: b.yaml\naxes: {n: 2}"), data)
	}
	f.Fuzz(func(t *testing.T, data, included []byte) {
		check := Checker{Include: func(string) ([]byte, error) { return included, nil }}
		s, err := Parse("fuzz.yaml", data, check)
		if err != nil {
			checkErrors(t, data, included, err)
			return
		}
		again, err := Parse("fuzz.yaml", data, check)
		if err != nil {
			t.Fatalf("the second reading fails: %v", err)
		}
		checkCells(t, s, again)
	})
}

func checkErrors(t *testing.T, sweep, included []byte, err error) {
	t.Helper()
	var all Errors
	if !errors.As(err, &all) || len(all) == 0 {
		t.Fatalf("the error is a %T with %d errors, want Errors", err, len(all))
	}
	for _, e := range all {
		data := sweep
		if e.Pos.File != "fuzz.yaml" {
			data = included
		}
		lines := 1 + strings.Count(string(data), "\n") + strings.Count(string(data), "\r")
		if e.Pos.Line < 1 || e.Pos.Line > lines+1 || e.Pos.Column < 1 {
			t.Errorf("position %v in a file of %d lines", e.Pos, lines)
		}
		text := e.Error()
		if !utf8.ValidString(text) || strings.ContainsAny(text, "\r\t\x00\x1b") {
			t.Errorf("the error does not print: %q", text)
		}
	}
}

func checkCells(t *testing.T, s, again *Spec) {
	t.Helper()
	cells := s.Cells()
	if len(cells) == 0 || len(cells) > maxCells || s.Trials() != len(cells)*s.Replicates || int64(s.Trials()) > s.Keep.mostTrials() {
		t.Fatalf("%d cells and %d trials", len(cells), s.Trials())
	}
	if !slices.Equal(cells, s.Cells()) || !slices.Equal(cells, again.Cells()) {
		t.Error("the cells differ from one expansion to the next")
	}
	seen := map[Cell]bool{}
	for _, c := range cells {
		if c.N < 1 || c.Algorithm == "" || c.Label == "" {
			t.Fatalf("cell %+v", c)
		}
		c.Entry, c.Label = 0, ""
		if seen[c] {
			t.Fatalf("cell %+v comes twice", c)
		}
		seen[c] = true
	}
}
