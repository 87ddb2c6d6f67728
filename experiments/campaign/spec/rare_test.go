package spec

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// estimates is a Checker that knows a metric of estimates and two levels.
func estimates() Checker {
	return Checker{
		Metrics:   []string{"messages", "probability"},
		Estimated: func(name string) bool { return name == "probability" },
		Reach: func(level, value string) error {
			if level == "draws" && strings.Trim(value, "0123456789") != "" || value == "0" {
				return fmt.Errorf("level %s of %q", level, value)
			}
			return nil
		},
	}
}

// The values of until are an axis. It varies before n, and is part of the key that seeds follow from.
func TestRare(t *testing.T) {
	s, err := Parse("a.yaml", []byte("name: a\nalgorithms: lcr\naxes: {n: [2, 3]}\nrare: {level: draws, until: {from: 4, to: 10, step: 6}, effort: 9}\n"), estimates())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	keys := map[string]bool{}
	for _, c := range s.Cells() {
		got = append(got, fmt.Sprint(c.N, " ", c.Rare))
		keys[c.Key()] = true
		if !strings.Contains(c.Canonical(), c.Rare.String()) {
			t.Errorf("%s does not name %s", c.Canonical(), c.Rare)
		}
	}
	want := []string{
		"2 draws 4, 9 runs a level, 20 repetitions", "3 draws 4, 9 runs a level, 20 repetitions",
		"2 draws 10, 9 runs a level, 20 repetitions", "3 draws 10, 9 runs a level, 20 repetitions",
	}
	if !slices.Equal(got, want) || len(keys) != 4 {
		t.Errorf("cells are %q, with %d keys", got, len(keys))
	}
	if s, err = Parse("a.yaml", []byte("name: a\nalgorithms: {algorithm: lcr, n: 2}\nrare: {level: lost, check: E2}\n"), estimates()); err != nil {
		t.Fatal(err)
	}
	if c := s.Cells(); len(c) != 1 || c[0].Rare.String() != "E2 violated, by lost, 500 runs a level, 20 repetitions" {
		t.Errorf("%v", c)
	}
}

// What a sweep with rare, or without it, does not take.
func TestRareRefusals(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"rare: draws", `3:7: rare is the text "draws"; it takes a mapping`},
		{"rare: {until: 4}", `3:7: rare needs the key level`},
		{"rare: {level: draws}", `3:7: rare: the event is either`},
		{"rare: {level: draws, until: 4, check: E1}", `3:7: rare: the event is either`},
		{"rare: {level: draws, until: 0}", `3:29: until: level draws of "0"`},
		{"rare: {level: draws, until: [4, x]}", `3:33: until: level draws of "x"`},
		{"rare: {level: draws, until: [4, 4]}", `3:33: reach has the value "4" twice`},
		{"rare: {level: draws, until: []}", `3:29: reach is an empty list`},
		{"rare: {level: draws, until: 4, effort: 1}", `3:40: effort is 1; it takes`},
		{"rare: {level: draws, until: 4, method: restrat}", `3:40: method is the text "restrat"; it takes one of effort, restart; did you mean "restart"?`},
		{"rare: {level: draws, until: 4, repetitions: 1}", `3:45: repetitions is 1; it takes`},
		{"rare: {level: draws, until: 4, runs: 9}", `3:32: rare has no key "runs"`},
		{"rare: {level: draws, until: 4}\nreplicates: {max: 20, half_width: 5%}", `4:13: replicates: a stopping rule has no use with rare (a.yaml:3:7)`},
		{"rare: {level: draws, until: 4}\nkeep: summary", `4:7: keep: a sweep with rare (a.yaml:3:7)`},
		{"axes: {n: 2, reach: 4}", `axes has no key "reach"`},
		{"zip: {f: [1, 2], reach: [4, 5]}", `a group of zip has no key "reach"`},
		{"figures: {y: probability}", `3:14: probability is estimated by sweeps with rare`},
		{"metrics: {half: probability / 2}", `3:17: the formula of half: probability is estimated by sweeps with rare`},
	} {
		body := c.body
		if !strings.Contains(body, "axes:") {
			body += "\naxes: {n: 2}"
		}
		_, err := Parse("a.yaml", []byte("name: a\nalgorithms: lcr\n"+body+"\n"), estimates())
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v\nwant %s", c.body, err, c.want)
		}
	}
}

// An exponential of x is a curve as a power is.
func TestExponentials(t *testing.T) {
	curve := func(of string) (*Spec, error) {
		return Parse("a.yaml", []byte("name: a\nalgorithms: lcr\naxes: {n: [2, 3]}\nfigures: {x: n, y: messages, curves: "+of+"}\n"), Checker{})
	}
	if s, err := curve("{factor: 2, base: 0.5}"); err != nil || s.Figures[0].Curves[0].Base != 0.5 {
		t.Errorf("%v", err)
	}
	for of, want := range map[string]string{
		"{base: 0}":  "base is 0; it takes a number from 1e-06 to 1e+06",
		"{base: -2}": "base is -2",
		"{base: 2, algorithm: lcr, bound: worst}": "takes no bound",
		"{factor: 2}": "factor and lg belong to a power",
	} {
		if _, err := curve(of); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", of, err)
		}
	}
}
