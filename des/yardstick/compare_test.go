package yardstick

import (
	"slices"
	"testing"
)

// Costs of nine rounds, the first of them disturbed.
func rounds(first, others float64) []float64 {
	return append([]float64{first}, slices.Repeat([]float64{others}, 8)...)
}

func TestVerdicts(t *testing.T) {
	w := Work{
		Name: "W", Unit: "ns",
		Contenders: []Contender{{Name: "this"}, {Name: "heap"}, {Name: "loop"}, {Name: "ring"}},
		Bars:       []Bar{{"", 25}, {"heap", 0.25}, {"loop", 10}},
	}
	rows, missed := w.compare([][]float64{rounds(90, 20), rounds(100, 100), rounds(1, 1.5), rounds(40, 40)})
	want := []string{
		"| W | 20 ns |  |  | 25 ns | met |",
		"| W | 20 ns | heap, 100 ns | 0.2 | 0.25 | met |",
		"| W | 20 ns | loop, 1.5 ns | 13.3 | 10 | MISSED |",
		"| W | 20 ns | ring, 40 ns | 0.5 |  |  |",
	}
	if !slices.Equal(rows, want) {
		t.Errorf("rows are %q", rows)
	}
	if !slices.Equal(missed, want[2:3]) {
		t.Errorf("missed is %q", missed)
	}
}

// One disturbed round of nine is noise. Of fewer rounds each counts.
func TestSpread(t *testing.T) {
	for _, c := range []struct {
		values []float64
		spread string
		atMost float64
		want   string
	}{
		{[]float64{9, 1, 2, 3, 4, 5, 6, 7, 8}, "5 (2–8)", 8, "met"},
		{[]float64{9, 1, 2, 3, 4, 5, 6, 7, 8}, "5 (2–8)", 5, "met, within the noise"},
		{[]float64{9, 1, 2, 3, 4, 5, 6, 7, 8}, "5 (2–8)", 2, "not met, within the noise"},
		{[]float64{9, 1, 2, 3, 4, 5, 6, 7, 8}, "5 (2–8)", 1.9, "MISSED"},
		{[]float64{300, 100.4, 200}, "200 (100–300)", 99, "MISSED"},
		{[]float64{0.01234}, "0.0123", 1, "met"},
	} {
		s := SpreadOf(c.values)
		if s.String() != c.spread || s.verdict(c.atMost) != c.want {
			t.Errorf("%v: %v, %s with the bar %v; want %s, %s", c.values, s, s.verdict(c.atMost), c.atMost, c.spread, c.want)
		}
	}
}

func TestPerOperation(t *testing.T) {
	work := func(n int) Contender {
		return Contender{Run: PerOperation(func() int {
			for i, x := 0, uint64(1); i < n; i++ {
				x ^= x << 13
				x ^= x >> 7
				sink += x
			}
			return 1
		})}
	}
	costs := Costs(3, []Contender{work(3_000_000), work(60_000_000)})
	if r := SpreadOf(Ratios(costs[0], costs[1])); r.Median > 0.5 || r.Median < 0.001 {
		t.Errorf("a twentieth of the work takes %v of the time", r)
	}
}

var sink uint64
