package plots

import (
	"testing"

	"gonum.org/v1/plot/vg"

	"bullring/plots/internal/page"
)

// entries returns n entries whose labels have the given width.
func entries(n int, width vg.Length) []*legendEntry {
	out := make([]*legendEntry, n)
	for i := range out {
		out[i] = &legendEntry{label: page.TextLine{Width: width}}
	}
	return out
}

func TestLegendRows(t *testing.T) {
	const room = 230
	for _, test := range []struct {
		name             string
		measured, theory []*legendEntry
		rows             int
	}{
		{"none", nil, nil, 0},
		{"one", entries(1, 40), nil, 1},
		{"all in a row", entries(2, 25), entries(2, 20), 1},
		{"theory below in the same columns", entries(3, 40), entries(3, 30), 2},
		{"theory beside", entries(3, 90), entries(3, 40), 3},
		{"theory below in columns of its own", entries(1, 120), entries(3, 45), 2},
		{"one column", entries(3, 180), entries(2, 180), 5},
		{"seven pairs", entries(7, 48), entries(7, 45), 6},
	} {
		l := newLegend(test.measured, test.theory, room)
		if l.rows != test.rows || l.width > room {
			t.Errorf("%s: %d rows, %v pt wide; want %d rows", test.name, l.rows, l.width, test.rows)
		}
		if got, want := len(l.cells), len(test.measured)+len(test.theory); got != want {
			t.Errorf("%s: %d of %d entries", test.name, got, want)
		}
	}
}
