package figures_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"bullring/experiments/campaign/figures"
	"bullring/experiments/campaign/stats"
	"bullring/experiments/internal/sweeptest"
)

const boxed = `name: boxed
replicates: 25
algorithms: [ring, {algorithm: bird, label: "bird, small"}]
axes:
  n: [4, 8, 16]
  placement: [random, decreasing]
figures:
  - {name: numbers, kind: box, x: {axis: n, log: true}, y: {metric: messages, log: true}, where: {algorithm: ring}, curves: [{algorithm: ring, bound: worst}, {power: 2}]}
  - {name: names, kind: box, x: label, y: messages, where: {n: 8}}
  - {name: steps, kind: box, x: {axis: n, ordinal: true}, y: messages, where: {placement: random}}
  - {name: one, kind: box, x: algorithm, y: messages, where: {n: 16, placement: random}}
  - {name: spread, kind: histogram, y: messages, where: {algorithm: ring, n: 16}, curves: [{algorithm: ring, bound: worst}]}
  - {name: algorithms, kind: histogram, y: messages, where: {placement: random, n: 16}}
`

// boxesDrawn runs the sweep and returns the rows of its figures by name, and what
// was measured.
func boxesDrawn(t *testing.T) (figure func(name string) []map[string]string, measured []map[string]string) {
	t.Helper()
	s := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), boxed)
	sweeptest.Run(t, s)
	if _, err := figures.Draw(s.Registry, s.Dir); err != nil {
		t.Fatal(err)
	}
	return func(name string) []map[string]string {
		return sweeptest.Rows(t, sweeptest.Read(t, s, "figures/"+name+".csv"))
	}, sweeptest.Rows(t, sweeptest.Read(t, s, "results.csv"))
}

// chosen are the rows that have all of the values.
func chosen(rows []map[string]string, want map[string]string) []map[string]string {
	return slices.DeleteFunc(slices.Clone(rows), func(row map[string]string) bool {
		for k, v := range want {
			if row[k] != v {
				return true
			}
		}
		return false
	})
}

// values are the fields of rows that are numbers.
func values(t *testing.T, rows []map[string]string, field string) []float64 {
	t.Helper()
	var all []float64
	for _, row := range rows {
		v, err := strconv.ParseFloat(row[field], 64)
		if err != nil {
			t.Fatal(row)
		}
		all = append(all, v)
	}
	return all
}

// The boxes are those of the rows of results.csv.
func TestBoxes(t *testing.T) {
	figure, measured := boxesDrawn(t)
	outliers := 0
	for _, n := range []string{"4", "8", "16"} {
		sample := values(t, chosen(measured, map[string]string{"algorithm": "ring", "n": n, "placement": "random"}), "messages")
		want, mean := stats.BoxOf(sample), stats.Summarize(sample).Mean
		at := map[string]string{"x": n, "label": "random", "kind": "box"}
		got := chosen(figure("numbers"), at)
		if len(got) != 1 || want.N != 25 {
			t.Fatalf("%d boxes of %d values at %s", len(got), want.N, n)
		}
		for field, v := range map[string]float64{
			"y": want.Median, "y_low": want.Q1, "y_high": want.Q3, "low_whisker": want.LowWhisker, "high_whisker": want.HighWhisker, "mean": mean, "n": 25,
		} {
			if got := values(t, got, field)[0]; got != v {
				t.Errorf("%s at %s is %v, want %v", field, n, got, v)
			}
		}
		at["kind"] = "outlier"
		if got := values(t, chosen(figure("numbers"), at), "y"); !slices.Equal(got, want.Outliers) {
			t.Errorf("outliers at %s are %v, want %v", n, got, want.Outliers)
		}
		outliers += len(want.Outliers)
	}
	if outliers == 0 {
		t.Error("no sample has an outlier: the test shows nothing about them")
	}
	for x, y := range heights(t, chosen(figure("numbers"), map[string]string{"label": "ring, worst"}), "curve") {
		if y != x*(x+1)/2 {
			t.Errorf("the bound is %v at %v", y, x)
		}
	}
}

// Along x stand names, or numbers in equal steps, in order.
func TestBoxesOverCategories(t *testing.T) {
	figure, _ := boxesDrawn(t)
	for name, want := range map[string]string{
		"names": "random/ring random/bird, small decreasing/ring decreasing/bird, small",
		"steps": "ring/4 ring/8 ring/16 bird, small/4 bird, small/8 bird, small/16",
		"one":   "/ring /bird",
	} {
		var got []string
		for _, row := range chosen(figure(name), map[string]string{"kind": "box"}) {
			got = append(got, row["label"]+"/"+row["x"])
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s has the boxes %q, want %q", name, got, want)
		}
	}
}

// Boxes and bars of one algorithm have a key, and so a colour, each; its theory then
// has that of none. Those of different algorithms have their colours.
func TestKeysOfBoxesAndBars(t *testing.T) {
	figure, _ := boxesDrawn(t)
	for _, test := range []struct{ figure, kind, want string }{
		{"numbers", "box", "decreasing random"},
		{"numbers", "curve", ""},
		{"names", "box", "decreasing random"},
		{"steps", "box", "bird ring"},
		{"one", "box", ""},
		{"spread", "histogram", "decreasing random"},
		{"spread", "reference", ""},
		{"algorithms", "histogram", "bird ring"},
	} {
		var keys []string
		for _, row := range chosen(figure(test.figure), map[string]string{"kind": test.kind}) {
			keys = append(keys, row["key"])
		}
		if len(keys) == 0 {
			t.Errorf("%s has no %s", test.figure, test.kind)
		}
		slices.Sort(keys)
		if got := strings.Join(slices.Compact(keys), " "); got != test.want {
			t.Errorf("%s: the keys of %s are %q, want %q", test.figure, test.kind, got, test.want)
		}
	}
}

// A sample with a value of 0 has no box on a logarithmic axis.
func TestBoxesOfNothingOnALogarithmicAxis(t *testing.T) {
	const text = "name: a\nreplicates: 3\nalgorithms: ring\naxes: {n: [4, 8]}\nfigures: {kind: box, y: {metric: lost, log: %v}}\n"
	r := sweeptest.Registry(sweeptest.Triangle)
	if got := chosen(figureRows(t, r, fmt.Sprintf(text, false), "a"), map[string]string{"kind": "box", "y": "0"}); len(got) != 2 {
		t.Errorf("%d boxes at 0", len(got))
	}
	s := sweeptest.Sweep(t, r, fmt.Sprintf(text, true))
	sweeptest.Run(t, s)
	if _, err := figures.Draw(r, s.Dir); err == nil || !strings.Contains(err.Error(), "nothing to draw") {
		t.Errorf("error %v for boxes at 0 on a logarithmic axis", err)
	}
}
