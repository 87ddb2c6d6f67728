package spec

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestStoppingRule(t *testing.T) {
	for _, c := range []struct {
		given string
		most  int
		want  Until
	}{
		{"{max: 1000, half_width: 5%}", 1000, Until{Min: 10, HalfWidth: 0.05, Metrics: []string{"messages"}}},
		{"{min: 2, max: 2, half_width: 0.1%, of: time}", 2, Until{Min: 2, HalfWidth: 0.001, Metrics: []string{"time"}}},
		{"{min: 30, max: 40, half_width: 12.5%, of: [time, bits]}", 40, Until{Min: 30, HalfWidth: 0.125, Metrics: []string{"time", "bits"}}},
		{"{max: 10, half_width: 0.001}", 10, Until{Min: 10, HalfWidth: 0.001, Metrics: []string{"messages"}}},
		{"{max: 10, half_width: 5e-2}", 10, Until{Min: 10, HalfWidth: 0.05, Metrics: []string{"messages"}}},
		{"{max: 10, half_width: 1}", 10, Until{Min: 10, HalfWidth: 1, Metrics: []string{"messages"}}},
		{`{max: 10, half_width: "100%"}`, 10, Until{Min: 10, HalfWidth: 1, Metrics: []string{"messages"}}},
	} {
		s := parse(t, "name: a\nreplicates: "+c.given+"\nalgorithms: lcr\naxes: {n: [2, 4]}\n")
		if s.Until == nil || s.Until.Pos.Line != 2 || s.Until.Pos.Column != 13 {
			t.Fatalf("%s: the rule is %+v", c.given, s.Until)
		}
		if u := s.Until; u.Min != c.want.Min || u.HalfWidth != c.want.HalfWidth || !slices.Equal(u.Metrics, c.want.Metrics) {
			t.Errorf("%s: the rule is %+v, want %+v", c.given, *u, c.want)
		}
		if s.Replicates != c.most || s.Trials() != 2*c.most {
			t.Errorf("%s: %d replicates, %d trials; want %d and %d", c.given, s.Replicates, s.Trials(), c.most, 2*c.most)
		}
	}
	if s := parse(t, "name: a\nreplicates: 30\nalgorithms: lcr\naxes: {n: 4}\n"); s.Until != nil || s.Replicates != 30 {
		t.Errorf("30 replicates are %d until %+v", s.Replicates, s.Until)
	}
}

func TestBootstrap(t *testing.T) {
	for given, want := range map[string]int{"": 0, "bootstrap: 0": 0, "bootstrap: 100": 100, "bootstrap: 100000": 100_000} {
		if got := parse(t, "name: a\nalgorithms: lcr\naxes: {n: 4}\n"+given).Bootstrap; got != want {
			t.Errorf("%q: %d resamples, want %d", given, got, want)
		}
	}
}

func TestCompare(t *testing.T) {
	const body = "name: a\nalgorithms: [lcr, {algorithm: hs, label: other}]\naxes: {n: [2, 4]}\ncompare: "
	one := parse(t, body+"{baseline: other}").Compare
	if len(one) != 1 || one[0].Baseline != "other" || !slices.Equal(one[0].Metrics, []string{"messages"}) || one[0].Pos.Line != 4 {
		t.Errorf("one comparison is %+v", one)
	}
	two := parse(t, body+"[{baseline: lcr, metrics: time}, {baseline: other, metrics: [messages, time]}]").Compare
	if len(two) != 2 || two[0].Baseline != "lcr" || !slices.Equal(two[0].Metrics, []string{"time"}) || !slices.Equal(two[1].Metrics, []string{"messages", "time"}) {
		t.Errorf("two comparisons are %+v", two)
	}
}

// A baseline is right if its ambiguous cells are left out.
func TestCompareAfterExclude(t *testing.T) {
	s := parse(t, "name: a\nalgorithms: [lcr, {algorithm: bully, variant: [A, B]}]\naxes: {n: 4}\nexclude: {variant: B}\ncompare: {baseline: bully}\n")
	if len(s.Cells()) != 2 || len(s.Compare) != 1 {
		t.Errorf("%d cells, %d comparisons", len(s.Cells()), len(s.Compare))
	}
}

// points writes the cells in short.
func points(cells []Cell) string {
	words := make([]string, len(cells))
	for i, c := range cells {
		words[i] = fmt.Sprint(c.Label, " ", c.Placement[:1], c.N, c.MaxTime, c.Dead)
	}
	return strings.Join(words, ", ")
}

func TestZip(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"varies where its first axis stands", // dead, before n, is slower than max_time would be
			"algorithms: lcr\naxes: {placement: [random, increasing], max_time: [1s, 2s]}\nzip: {n: [4, 8], dead: [0, 1]}",
			"lcr r41s0, lcr r42s0, lcr r81s1, lcr r82s1, lcr i41s0, lcr i42s0, lcr i81s1, lcr i82s1"},
		{"values may come again",
			"algorithms: lcr\nzip: {n: {from: 2, to: 8, factor: 2}, max_time: [1s, 2s, 2s]}",
			"lcr i21snone, lcr i42snone, lcr i82snone"},
		{"an entry with all axes of the group replaces it",
			"algorithms: [lcr, {algorithm: hs, n: [2, 3], max_time: 3s}]\nzip: {n: [4, 8], max_time: [1s, 2s]}",
			"lcr i41snone, lcr i82snone, hs i23snone, hs i33snone"},
		{"so does a zip of its own, over axes besides",
			"algorithms: [lcr, {algorithm: hs, zip: {n: [2, 3], max_time: [3s, 4s], dead: [0, 1]}}]\nzip: {n: [4, 8], max_time: [1s, 2s]}",
			"lcr i41snone, lcr i82snone, hs i23s0, hs i34s1"},
		{"other groups stay",
			"algorithms: [{algorithm: hs, n: 2, max_time: 3s}]\nzip: [{n: [4, 8], max_time: [1s, 2s]}, {placement: [random, increasing], dead: [0, 1]}]",
			"hs r23s0, hs i23s1"},
		{"over axes of the sweep",
			"algorithms: [lcr, {algorithm: hs, zip: {n: [2, 3], max_time: [3s, 4s]}}]\naxes: {n: [4, 8], max_time: 1s}",
			"lcr i41snone, lcr i81snone, hs i23snone, hs i34snone"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := parse(t, "name: a\n"+c.body)
			if got := points(s.Cells()); got != c.want {
				t.Errorf("cells are\n%s, want\n%s", got, c.want)
			}
			if s.Trials() != len(s.Cells()) {
				t.Errorf("%d trials of %d cells", s.Trials(), len(s.Cells()))
			}
		})
	}
}

func TestConditions(t *testing.T) {
	const all = "name: a\nalgorithms: [lcr, hs]\naxes: {n: [2, 4, 8], dead: [none, 1]}\n"
	for _, c := range []struct{ given, want string }{
		{"exclude: {n: {from: 4}}", "lcr i2none, lcr i21, hs i2none, hs i21"},
		{"exclude: [{algorithm: hs}, {dead: 1, n: {to: 4}}]", "lcr i2none, lcr i4none, lcr i8none, lcr i81"},
		{"only: {dead: {from: 0}, n: {from: 3, to: 4}}", "lcr i41, hs i41"}, // none is no number
		{"only: [{n: 2, label: lcr}, {n: [4, 8], label: hs}]\nexclude: {dead: none}", "lcr i21, hs i41, hs i81"},
	} {
		s := parse(t, all+c.given)
		if got := points(s.Cells()); got != c.want {
			t.Errorf("%s leaves\n%s, want\n%s", c.given, got, c.want)
		}
		if s.Trials() != len(s.Cells()) {
			t.Errorf("%s: %d trials of %d cells", c.given, s.Trials(), len(s.Cells()))
		}
	}
}

// Excluded cells do not count towards the trials.
func TestTrialsOfWhatIsLeft(t *testing.T) {
	s := parse(t, "name: a\nreplicates: 60000000\nalgorithms: lcr\naxes: {n: [2, 4]}\nexclude: {n: 2}\n")
	if s.Trials() != 60_000_000 {
		t.Errorf("%d trials", s.Trials())
	}
}

// includes is a checker with these files.
func includes(files map[string]string) Checker {
	return Checker{Include: func(name string) ([]byte, error) {
		if text, ok := files[name]; ok {
			return []byte(text), nil
		}
		return nil, fmt.Errorf("%s: %w", name, fs.ErrNotExist)
	}}
}

func TestInclude(t *testing.T) {
	for _, c := range []struct{ name, base, body, want string }{
		{"keys are defaults", "seed: 7\nreplicates: 3\nalgorithms: lcr\naxes: {n: 2}", "seed: 8", "8 3 lcr i2none"},
		{"a key of the sweep replaces one", "algorithms: lcr\naxes: {n: 2}\nexclude: {n: 4}", "algorithms: hs\naxes: {n: [2, 4]}\nexclude: {n: 2}", "1 1 hs i4none"},
		{"axis by axis", "algorithms: lcr\naxes: {n: [2, 4], dead: 1, max_time: 1s}", "axes: {n: 3, max_time: 2s}", "1 1 lcr i32s1"},
		{"an axis that the sweep zips", "algorithms: lcr\naxes: {n: [2, 4], dead: 1}", "zip: {n: [3, 4], max_time: [2s, 3s]}", "1 1 lcr i32s1, lcr i43s1"},
		{"a zip replaces the zip", "algorithms: lcr\naxes: {n: 2}\nzip: {dead: [0, 1], max_time: [2s, 3s]}", "zip: {n: [3, 4], placement: [random, increasing]}", "1 1 lcr r3none, lcr i4none"},
		{"the zip of the file goes when its axes do", "algorithms: lcr\nzip: {n: [2, 4], max_time: [1s, 2s]}", "axes: {n: 3, max_time: [2s, 3s]}", "1 1 lcr i32snone, lcr i33snone"},
		{"the zip of the file stays", "algorithms: lcr\nzip: {n: [2, 4], max_time: [1s, 2s]}", "axes: {dead: 1}", "1 1 lcr i21s1, lcr i42s1"},
		{"entries override it too", "algorithms: [{algorithm: lcr, n: 5}]\naxes: {n: 2, dead: 1}", "axes: {n: 3}", "1 1 lcr i51"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := Parse("dir/a.yaml", []byte("name: a\ninclude: base.yaml\n"+c.body+"\n"), includes(map[string]string{"base.yaml": c.base}))
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(s.Seed, " ", s.Replicates, " ", points(s.Cells())); got != c.want {
				t.Errorf("the sweep is\n%s, want\n%s", got, c.want)
			}
			if in := s.Included; in == nil || in.Name != "base.yaml" || filepath.ToSlash(in.File) != "dir/base.yaml" || string(in.Text) != c.base {
				t.Errorf("included is %+v", in)
			}
		})
	}
}

func TestIncludedPlaces(t *testing.T) {
	files := includes(map[string]string{"base.yaml": "axes:\n  n: 1e3\n", "big.yml": "# " + strings.Repeat("x", MaxFile)})
	for _, c := range []struct {
		body string
		want Pos
	}{
		{"include: base.yaml\nalgorithms: lcr", Pos{filepath.FromSlash("dir/base.yaml"), 2, 6}},
		{"include: big.yml\nalgorithms: lcr", Pos{filepath.FromSlash("dir/big.yml"), 1, 1}},
		{"include: none.yaml", Pos{"dir/a.yaml", 2, 10}},
	} {
		_, err := Parse("dir/a.yaml", []byte("name: a\n"+c.body), files)
		var all Errors
		if !errors.As(err, &all) || len(all) != 1 || all[0].Pos != c.want {
			t.Errorf("%s: the error is %v, want one at %v", c.body, err, c.want)
		}
		if c.want.Line == 2 && all[0].Source == "" {
			t.Errorf("%s: the error shows no source", c.body)
		}
	}
	_, err := Parse("a.yaml", []byte("name: a\ninclude: none.yaml"), files)
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what the caller returned is not in the error %v", err)
	}
	if _, err := Parse("a.yaml", []byte("name: a\ninclude: base.yaml"), Checker{}); err == nil || !strings.Contains(err.Error(), "no files are read here") {
		t.Errorf("without a reader of files the error is %v", err)
	}
}
