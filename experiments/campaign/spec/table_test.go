package spec

import (
	"math"
	"slices"
	"testing"
)

// Widths are in points of TeX, 72.27 to an inch.
func TestWidthsOfTables(t *testing.T) {
	for width, want := range map[string]float64{"column": 239, "text": 345, "84mm": 239, "8.4cm": 239, "3.5in": 252.945, "240pt": 240} {
		if got := (&Table{Width: width}).Points(); math.Abs(got-want) > 0.01 {
			t.Errorf("%s is %v pt, want %v", width, got, want)
		}
	}
}

// Rows are by default the fields in which the cells of a column differ.
func TestDefaultRows(t *testing.T) {
	s, err := Parse("a.yaml", []byte(`name: a
algorithms: [lcr, {algorithm: bully, label: worst, placement: random}]
axes: {n: [4, 8], delay: [1ms, 2ms]}
tables:
  - {name: all, metrics: messages}
  - {name: over-n, columns: n, metrics: messages}
  - {name: one, metrics: messages, where: {n: 4, delay: 1ms, label: lcr}}
  - {name: one-row, columns: [label, n], metrics: messages, where: {delay: 1ms}}
`), Checker{})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]string{{"label", "delay", "n"}, {"label", "delay"}, {"label"}, {}} {
		if got := s.Tables[i].Rows; !slices.Equal(got, want) {
			t.Errorf("the rows of %s are %q, want %q", s.Tables[i].Name, got, want)
		}
	}
}
