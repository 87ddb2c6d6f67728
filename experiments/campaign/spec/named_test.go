package spec

import (
	"reflect"
	"strings"
	"testing"
)

// The values of an axis may have names, in axes, entries and zip; the cells have the values.
func TestNamesOfValues(t *testing.T) {
	s, err := Parse("a.yaml", []byte(`name: a
axes: {n: [3, {4: small}], fault: [{none: healthy}, {"link 5->* delay 5ms": slow}], link: {loss 1%: lossy}}
algorithms: [lcr, {algorithm: bully, placement: [{random: by chance}, increasing]}]
zip: {delay: [{1ms: quick}, 2ms], max_time: [1s, 1s]}
figures: {y: messages, where: {fault: none}}
`), Checker{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ field, value, want string }{
		{"fault", "", "healthy"}, {"fault", "link 5->* delay 5ms", "slow"}, {"n", "4", "small"}, {"n", "3", ""},
		{"link", "loss 1%", "lossy"}, {"placement", "random", "by chance"}, {"placement", "increasing", ""}, {"delay", "1ms", "quick"}, {"label", "lcr", ""},
	} {
		if got := s.NameOf(c.field, c.value); got != c.want {
			t.Errorf("%s %q is named %q, want %q", c.field, c.value, got, c.want)
		}
	}
	if got := Values(s.Cells(), "fault"); len(got) != 2 || got[0] != "" || got[1] != "link 5->* delay 5ms" {
		t.Errorf("the plans of the cells are %q", got)
	}
}

// Conditions of exclude, only and figures take names of values as well as values.
func TestNamesInConditions(t *testing.T) {
	s, err := Parse("a.yaml", []byte(`name: a
axes: {n: [3, {4: small}, {5: large}], fault: [{none: healthy}, {"at 1ms crash 0": crash}, at 2ms crash 1]}
algorithms: lcr
exclude: [{n: small}, {n: 5, fault: [healthy, crash]}]
figures: {y: messages, where: {fault: [healthy, at 2ms crash 1], n: [3, large]}}
`), Checker{})
	if err != nil {
		t.Fatal(err)
	}
	if cells := s.Cells(); len(cells) != 4 {
		t.Errorf("%d cells are left, want 3 plans with n = 3, and one with 5", len(cells))
	}
	if where := s.Figures[0].Where; !reflect.DeepEqual(where, []Filter{{"fault", []string{"", "at 2ms crash 1"}}, {"n", []string{"3", "5"}}}) {
		t.Errorf("the figure keeps %v", where)
	}
	_, err = Parse("a.yaml", []byte("name: a\naxes: {n: [3, {4: small}], fault: [{none: healthy}]}\nalgorithms: lcr\nexclude: [{fault: helthy}]\n"), Checker{})
	if err == nil || !strings.Contains(err.Error(), `exclude names fault "helthy", which this sweep does not have`) {
		t.Errorf("%v", err)
	}
}

// A name is of one value, and a value has one name.
func TestNamesAreRefused(t *testing.T) {
	for axes, want := range map[string]string{
		"link: [{loss 1%: lossy}, {loss 2%: lossy}]":       `3:49: the name "lossy" of link "loss 2%" is that of "loss 1%" already`,
		"link: [{loss 1%: a}], zip: 1":                     `axes has no key "zip"`,
		"link: [{loss 1%: ''}]":                            "3:31: the name of a value is empty",
		"link: [{loss 1%: [a]}]":                           "the name of a value is a list; it takes text",
		"link: [{loss 1%: a, loss 2%: b}]":                 "link is a mapping; it takes text",
		"link: [{loss 1%: a}, {loss 1%: b}]":               "link has the value \"loss 1%\" twice",
		"placement: [{random: a}], link: [{[loss 1%]: a}]": "",
	} {
		_, err := Parse("a.yaml", []byte("name: a\nalgorithms: lcr\naxes: {n: 4, "+axes+"}\n"), Checker{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", axes, err, want)
		}
	}
	_, err := Parse("a.yaml", []byte("name: a\nalgorithms: [{algorithm: lcr, link: {loss 1%: a}}, {algorithm: bully, link: {loss 1%: b}}]\naxes: {n: 4}\n"), Checker{})
	if want := `link "loss 1%" has the name "a" already, and cannot be "b", too`; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}
