package spec

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"bullring/experiments/trial/setting"
)

// parse reads a sweep that has to be right.
func parse(t *testing.T, text string) *Spec {
	t.Helper()
	s, err := Parse("test.yaml", []byte(text), Checker{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestDefaults(t *testing.T) {
	s := parse(t, "name: lcr\nalgorithms: lcr\naxes: {n: 8}\n")
	if s.Title != "lcr" || s.Seed != 1 || s.Replicates != 1 || s.Figures != nil {
		t.Errorf("defaults are %+v", s)
	}
	want := []Cell{{Label: "lcr", Setting: setting.Setting{Algorithm: "lcr", N: 8, Placement: "increasing", Dead: "none", Delay: "1ms"}}}
	if got := s.Cells(); !slices.Equal(got, want) {
		t.Errorf("cells are %+v, want %+v", got, want)
	}
}

func TestValuesOfAxes(t *testing.T) {
	for _, c := range []struct {
		axis, given string
		want        []string
	}{
		{"n", "5", []string{"5"}},
		{"n", "[5, 3]", []string{"5", "3"}},
		{"n", "{from: 2, to: 8, step: 3}", []string{"2", "5", "8"}},
		{"n", "{from: 2, to: 7, step: 3}", []string{"2", "5"}},
		{"n", "{from: 4, to: 4, step: 1}", []string{"4"}},
		{"n", "{from: 2, to: 64, factor: 2}", []string{"2", "4", "8", "16", "32", "64"}},
		{"n", "{from: 1, to: 1000, factor: 10}", []string{"1", "10", "100", "1000"}},
		// 2, 3, 4.5, 6.75, 10.125, 15.1875: each power is rounded, not the product
		// of a rounded one, and 4.5 goes up.
		{"n", "{from: 2, to: 16, factor: 1.5}", []string{"2", "3", "5", "7", "10", "15"}},
		// 1, 1.2, 1.44, 1.728, 2.0736, 2.48832, 2.985984: several round to 1, 2 or 3.
		{"n", "{from: 1, to: 3, factor: 1.2}", []string{"1", "2", "3"}},
		// 11.5 exactly, which floating point takes for 11.499999999999998.
		{"n", "{from: 10, to: 12, factor: 1.15}", []string{"10", "12"}},
		{"n", "{from: 2147483647, to: 2147483647, factor: 9999999999.9999}", []string{"2147483647"}},
		{"initiators", "[all, 'random:3', '0,2', first, last-1, 5]", []string{"all", "random:3", "0,2", "first", "last-1", "5"}},
		{"dead", "{from: 0, to: 2, step: 1}", []string{"0", "1", "2"}},
		{"dead", "{from: 1, to: 9, factor: 3}", []string{"1", "3", "9"}},
		{"delay", "uniform(0,2ms)", []string{"uniform(0,2ms)"}},
		{"delay", "[1ms, 'uniform(0,2ms)', exp(1ms)]", []string{"1ms", "uniform(0,2ms)", "exp(1ms)"}},
		{"fifo", "[true, false]", []string{"true", "false"}},
		{"fifo", "False", []string{"false"}},
		{"fault", "[none, at 5ms crash 3]", []string{"", "at 5ms crash 3"}},
		{"fault", "['', at 5ms crash 3]", []string{"", "at 5ms crash 3"}},
		{"fault", "|\n    at 1ms crash 3\n    at 2ms restart 3\n", []string{"at 1ms crash 3\nat 2ms restart 3"}},
		{"variant", "[A, B]", []string{"A", "B"}},
		{"placement", "\n  - random\n  - decreasing # the worst\n", []string{"random", "decreasing"}},
	} {
		t.Run(c.axis+" "+c.given, func(t *testing.T) {
			size := ""
			if c.axis != "n" {
				size = "  n: 4\n"
			}
			s := parse(t, fmt.Sprintf("name: a\nalgorithms: lcr\naxes:\n%s  %s: %s\n", size, c.axis, c.given))
			if got := s.Entries[0].texts(c.axis); !slices.Equal(got, c.want) {
				t.Errorf("%s: %s has the values %q, want %q", c.axis, c.given, got, c.want)
			}
		})
	}
}

func TestCellsComeInCanonicalOrder(t *testing.T) {
	s := parse(t, `
name: order
algorithms:
  - lcr
  - {algorithm: bully, n: 3, dead: [last, 0], placement: random}
axes:
  n: [2, 4]
  placement: [random, increasing]
`)
	var got []string
	for _, c := range s.Cells() {
		got = append(got, fmt.Sprint(c.Entry, c.Algorithm, c.Placement, c.Dead, c.N))
	}
	want := []string{
		"0 lcr random none 2", "0 lcr random none 4", "0 lcr increasing none 2", "0 lcr increasing none 4",
		"1 bully random last 3", "1 bully random 0 3",
	}
	for i := range want {
		want[i] = strings.ReplaceAll(want[i], " ", "")
		got[i] = strings.ReplaceAll(got[i], " ", "")
	}
	if !slices.Equal(got, want) {
		t.Errorf("cells come as %q, want %q", got, want)
	}
	if s.Trials() != len(want) {
		t.Errorf("%d trials, want %d", s.Trials(), len(want))
	}
}

// Seeds are derived from keys, so a published sweep can be repeated only while
// these texts stay as they are.
func TestKeyIsFixed(t *testing.T) {
	c := Cell{Entry: 3, Label: "x", Setting: setting.Setting{Algorithm: "lcr", Variant: "A", N: 8, Placement: "random",
		Initiators: "0,2", Dead: "none", Delay: "uniform(0,2ms)", Fault: "at 5ms crash 3"}}
	const want = `n=8 placement=random initiators=0,2 dead=none topology= delay=uniform(0,2ms) fifo=true fault="at 5ms crash 3"`
	if got := c.Key(); got != want {
		t.Errorf("key is\n%s, want\n%s", got, want)
	}
}

func TestKeyLeavesTheAlgorithmOut(t *testing.T) {
	a := Cell{Setting: setting.Setting{Algorithm: "lcr", N: 8, Delay: "1ms"}}
	b := Cell{Entry: 1, Label: "b", Setting: setting.Setting{Algorithm: "bully", Variant: "B", N: 8, Delay: "1ms"}}
	if a.Key() != b.Key() {
		t.Errorf("keys differ: %s and %s", a.Key(), b.Key())
	}
}

func TestKeyTellsConditionsApart(t *testing.T) {
	base := Cell{Setting: setting.Setting{N: 8, Placement: "random", Delay: "1ms"}}
	seen := map[string]Cell{base.Key(): base}
	for _, a := range axes {
		switch a.Name {
		case "variant", "param", "node", "inputs", "f", "motion", "medium", "forks", "transport", "detector", "assume", "until", "max_time": // no conditions
			continue
		}
		for _, v := range []string{"7", "true", `a b`, `"a b"`, "7 fifo=true"} {
			c := base
			a.set(&c, v)
			if other, dup := seen[c.Key()]; dup && other != c {
				t.Errorf("%+v and %+v have the key %s", c, other, c.Key())
			}
			seen[c.Key()] = c
		}
	}
}

func TestSeriesByDefault(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       []string
	}{
		{"nothing varies but x", "algorithms: lcr\naxes: {n: [2, 4]}\nfigures: {y: messages}", []string{}},
		{"label and placement", "algorithms: [lcr, hs]\naxes: {n: [2, 4], placement: [random, increasing]}\nfigures: {y: messages}",
			[]string{"label", "placement"}},
		{"the label is kept where something else tells cells apart",
			"algorithms: [{algorithm: lcr, label: plain}, {algorithm: lcr, label: sure, transport: \"reliable(5ms,0)\"}]\naxes: {n: [2, 4], placement: [random, increasing]}\nfigures: {y: messages}",
			[]string{"label", "placement"}},
		{"what the label says is not repeated",
			"algorithms: [{algorithm: bully, label: worst, dead: last}, {algorithm: bully, label: best, dead: first}]\naxes: {n: [2, 4]}\nfigures: {y: messages}",
			[]string{"label"}},
		{"an entry's own axis still tells its cells apart",
			"algorithms: [lcr, {algorithm: bully, dead: [last, first]}]\naxes: {n: [2, 4]}\nfigures: {y: messages}",
			[]string{"label", "dead"}},
		{"n when it is not x", "algorithms: lcr\naxes: {n: [2, 4], dead: [0, 1]}\nfigures: {x: dead, y: messages}", []string{"n"}},
		{"n in a histogram", "algorithms: lcr\naxes: {n: [2, 4]}\nfigures: {kind: histogram, y: messages}", []string{"n"}},
		{"only what the filter leaves", "algorithms: [lcr, hs]\naxes: {n: [2, 4]}\nfigures: {y: messages, where: {algorithm: hs}}", []string{}},
		{"as given", "algorithms: [lcr, hs]\naxes: {n: [2, 4]}\nfigures: {y: messages, series: [label, placement]}", []string{"label", "placement"}},
		{"as given, none", "algorithms: [lcr, hs]\naxes: {n: [2, 4]}\nfigures: {y: messages, series: []}", []string{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := parse(t, "name: a\n"+c.body).Figures[0]
			if !slices.Equal(f.Series, c.want) {
				t.Errorf("series are %q, want %q", f.Series, c.want)
			}
		})
	}
}

func TestFigure(t *testing.T) {
	s := parse(t, `
name: lcr
algorithms: [lcr, hs]
axes: {n: [2, 4], placement: [random, decreasing], fault: [none, at 5ms crash 3]}
figures:
  - y: {metric: messages, label: "*M*", log: true, min: 1, max: 1e6}
    x: {axis: n, label: "processes *n*", log: true}
    where: {placement: random, n: [4], fault: none}
    width: wide
    curves:
      - {algorithm: lcr, bound: worst, label: "*n*(*n*+1)/2", with: {placement: decreasing, fifo: false, dead: 3}}
      - {power: 1.5, label: slope}
  - {name: sd, y: {metric: messages, statistic: deviation}, curves: {factor: 0.6, power: 1, lg: 2}}
  - {name: spread, kind: histogram, y: time, curves: {algorithm: lcr, bound: mean, with: {n: 4}}}
`)
	f := s.Figures[0]
	if f.Name != "lcr" || f.Kind != Line || f.Width != Wide || f.Pos.Line != 6 || f.Pos.Column != 5 {
		t.Errorf("figure is %+v", f)
	}
	if f.X.Name != "n" || !f.X.Log || f.X.Label != "processes *n*" || f.X.Min != nil {
		t.Errorf("x is %+v", f.X)
	}
	if f.Y.Name != "messages" || !f.Y.Log || *f.Y.Min != 1 || *f.Y.Max != 1e6 {
		t.Errorf("y is %+v", f.Y)
	}
	drawn := f.Select(s.Cells())
	if len(drawn) != 2 || drawn[0].Algorithm != "lcr" || drawn[1].Algorithm != "hs" || drawn[0].N != 4 || drawn[0].Fault != "" {
		t.Errorf("figure draws %+v", drawn)
	}
	bound := f.Curves[0].Apply(drawn[0])
	if bound.Placement != "decreasing" || !bound.Unordered || bound.Dead != "3" || bound.N != 4 {
		t.Errorf("the bound is evaluated under %+v", bound)
	}
	if f.Curves[1].Power != 1.5 || f.Curves[1].Bound != "" {
		t.Errorf("slope is %+v", f.Curves[1])
	}
	if sd := s.Figures[1]; !sd.Y.Deviation || f.Y.Deviation || sd.Curves[0].Factor != 0.6 || sd.Curves[0].Power != 1 || sd.Curves[0].Lg != 2 {
		t.Errorf("the figure of deviations is %+v", sd)
	}
	if h := s.Figures[2]; h.Kind != Histogram || h.X.Name != "" || h.Curves[0].Apply(Cell{}).N != 4 {
		t.Errorf("histogram is %+v", h)
	}
}

func TestBox(t *testing.T) {
	s := parse(t, `
name: spread
algorithms: [lcr, {algorithm: hs, label: other}]
axes: {n: [2, 4], placement: [random, decreasing], initiators: [all, first]}
figures:
  - {kind: box, y: {metric: messages, log: true}, x: {axis: n, log: true}, where: {initiators: all}, curves: [{algorithm: lcr, bound: worst}, {power: 1}]}
  - {name: labels, kind: box, x: {axis: label, label: who}, y: time, where: {n: 4}}
  - {name: steps, kind: box, x: {axis: n, ordinal: true}, y: time, series: placement}
  - {name: mixed, kind: box, x: initiators, y: time, where: {n: 2, placement: random}}
`)
	cells := s.Cells()
	for i, want := range []struct {
		series     string
		categories bool
	}{
		{"label placement", false}, {"placement initiators", true}, {"placement", true}, {"label", true},
	} {
		f := s.Figures[i]
		if got := strings.Join(f.Series, " "); f.Kind != Box || got != want.series || f.Categories(f.Select(cells)) != want.categories {
			t.Errorf("figure %d is a %s of the series %q, categories %v, want %+v", i, f.Kind, got, f.Categories(f.Select(cells)), want)
		}
	}
	if f := s.Figures[0]; f.Metric().Name != "messages" || !f.X.Log || len(f.Curves) != 2 {
		t.Errorf("figure is %+v", f)
	}
}

func TestHeatmap(t *testing.T) {
	s := parse(t, `
name: loss
algorithms: [lcr, hs]
axes: {n: [2, 4], fault: [lose 0%, lose 5%]}
figures:
  - kind: heatmap
    x: {axis: fault, number: true, label: loss}
    y: {axis: n, ordinal: true}
    z: {metric: messages, label: sent, log: true, min: 1, max: 9}
    where: {algorithm: lcr}
  - {name: names, kind: heatmap, y: algorithm, z: time, where: {fault: lose 0%}}
  - {name: line, y: time}
`)
	f := s.Figures[0]
	if f.Kind != Heatmap || f.X.Name != "fault" || f.X.Number == 0 || f.X.Label != "loss" || f.Y.Name != "n" || !f.Y.Ordinal {
		t.Errorf("sides are %+v and %+v", f.X, f.Y)
	}
	if f.Metric().Name != "messages" || !f.Z.Log || f.Z.Label != "sent" || *f.Z.Min != 1 || *f.Z.Max != 9 {
		t.Errorf("z is %+v", f.Z)
	}
	if !slices.Equal(f.Series, []string{"n"}) {
		t.Errorf("series are %q, want the rows", f.Series)
	}
	names := s.Figures[1]
	if names.X.Name != "n" || names.Y.Name != "algorithm" {
		t.Errorf("sides are %+v and %+v", names.X, names.Y)
	}
	if got, want := Values(names.Select(s.Cells()), "algorithm"), []string{"lcr", "hs"}; !slices.Equal(got, want) {
		t.Errorf("rows are %q, want %q", got, want)
	}
	if line := s.Figures[2]; line.Metric().Name != "time" {
		t.Errorf("the line draws %+v", line.Metric())
	}
}

func TestGives(t *testing.T) {
	s := parse(t, "name: a\nalgorithms: [lcr, {algorithm: hs, dead: [none, 1]}]\naxes: {n: 8, delay: 1ms, fault: none, gst: [0s, 5ms]}\n")
	for axis, want := range map[string]bool{"n": true, "dead": true, "gst": true, "delay": false, "fault": false, "param": false} {
		if got := s.Gives(axis); got != want {
			t.Errorf("the sweep gives %s: %v, want %v", axis, got, want)
		}
	}
}

func TestFieldKnowsEveryName(t *testing.T) {
	for _, name := range Fields() {
		if _, ok := (Cell{}).Field(name); !ok {
			t.Errorf("a cell has no field %s", name)
		}
	}
	if _, ok := (Cell{}).Field("loss"); ok {
		t.Error("a cell has a field loss")
	}
}

func TestErrorsCanBeInspected(t *testing.T) {
	_, err := Parse("a.yaml", []byte("name: a\nalgorithms: [x, lcr]\naxes: {n: 0}\n"), Checker{
		Algorithm: func(name string) error {
			if name == "x" {
				return fmt.Errorf("no %s: %w", name, fs.ErrNotExist)
			}
			return nil
		},
	})
	var all Errors
	if !errors.As(err, &all) || len(all) != 2 {
		t.Fatalf("got %T with %d errors, want two Errors: %v", err, len(all), err)
	}
	if want := (Pos{File: "a.yaml", Line: 2, Column: 14}); all[0].Pos != want {
		t.Errorf("the first error is at %v, want %v", all[0].Pos, want)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		t.Error("what the checker returned cannot be found in the error")
	}
	var one Error
	if !errors.As(err, &one) || one.Pos != all[0].Pos {
		t.Errorf("errors.As finds %v", one)
	}
}

func TestCheckerSeesEveryValue(t *testing.T) {
	var seen []string
	_, err := Parse("a.yaml", []byte(`
name: a
algorithms: {algorithm: bully, variant: A}
axes: {n: {from: 2, to: 4, step: 1}, dead: 3, fifo: false, fault: [none, at 1ms crash 2]}
`), Checker{
		Value:   func(axis, value string) error { seen = append(seen, axis+"="+value); return nil },
		Variant: func(algorithm, variant string) error { seen = append(seen, algorithm+"/"+variant); return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"dead=3", "fifo=false", "fault=at 1ms crash 2", "n=2", "n=3", "n=4", "variant=A", "bully/A"}
	if !slices.Equal(seen, want) {
		t.Errorf("checked %q, want %q", seen, want)
	}
}

func TestByteOrderMarkAndLineEnds(t *testing.T) {
	s := parse(t, "\ufeffname: a\r\nalgorithms:\r\n  - lcr\r\naxes: {n: 2}\r\n")
	if got := s.Entries[0].Pos; got.Line != 3 || got.Column != 5 {
		t.Errorf("lcr stands at %v, want 3:5", got)
	}
}
