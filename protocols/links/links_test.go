package links_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"bullring/protocols"
	"bullring/protocols/links"
)

// members are the links of a set among five processes.
func members(s links.Set) string {
	var out []string
	for from := range protocols.ID(5) {
		for to := range protocols.ID(5) {
			if s.Has(from, to) {
				out = append(out, string(rune('0'+from))+string(rune('0'+to)))
			}
		}
	}
	return strings.Join(out, " ")
}

func TestParse(t *testing.T) {
	for _, c := range []struct {
		text, canonical, members string
		max                      protocols.ID
	}{
		{"0->1", "0->1", "01", 1},
		{"0<->1", "0<->1", "01 10", 1},
		{" 2 <-> 2 ", "2<->2", "22", 2},
		{"{0 1}->{2 3}", "{0 1}->{2 3}", "02 03 12 13", 3},
		{"{ 3 0 }<->{4}", "{0 3}<->4", "04 34 40 43", 4},
		{"{1 2 3}->{0..2 2 4..4}", "{1..3}->{0..2 4}", "10 11 12 14 20 21 22 24 30 31 32 34", 4},
		{"{0..1}->{3 3}", "{0 1}->3", "03 13", 3},
		{"*->3", "*->3", "03 13 23 33 43", 3},
		{"0->*", "0->*", "00 01 02 03 04", 0},
		{"*<->4", "*<->4", "04 14 24 34 40 41 42 43 44", 4},
		{"*", "*", "00 01 02 03 04 10 11 12 13 14 20 21 22 23 24 30 31 32 33 34 40 41 42 43 44", -1},
		{"*->*", "*", "00 01 02 03 04 10 11 12 13 14 20 21 22 23 24 30 31 32 33 34 40 41 42 43 44", -1},
		{"*<->*", "*", "00 01 02 03 04 10 11 12 13 14 20 21 22 23 24 30 31 32 33 34 40 41 42 43 44", -1},
	} {
		s, err := links.Parse(c.text)
		if err != nil {
			t.Errorf("Parse(%q): %v", c.text, err)
			continue
		}
		if s.String() != c.canonical || members(s) != c.members || s.Max() != c.max {
			t.Errorf("Parse(%q) is %q with %q up to %d; want %q with %q up to %d",
				c.text, s, members(s), s.Max(), c.canonical, c.members, c.max)
		}
	}
	if (links.Set{}).String() != "*" || !(links.Set{}).Has(7, 3) {
		t.Error("the zero value is not the set of all links")
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                 `column 1: the end is not an end of a link`,
		"0":                `column 2: the end is not an arrow`,
		"0-1":              `column 2: "-" is not an arrow`,
		"a->1":             `column 1: "a" is not an end of a link`,
		"0->x9":            `column 4: "x9" is not an end of a link`,
		"0->1x":            `column 4: "1x" is not an address`,
		"{0 b}->1":         `column 4: "b" is not an address`,
		"{}->1":            `column 2: "}" is not an address`,
		"{0 1":             `column 5: the end is not an address`,
		"{1..0A":           `column 5: "0A" is not an address`,
		"{5..3}->1":        `column 5: "3" comes before 5`,
		"0->1 2":           `column 6: "2" stands behind the links`,
		"0->-1":            `column 4: "-" is not an end of a link`,
		"99999999999->1":   `column 1: "99999999999" is not an address`,
		"{0 1..}->1":       `is not an address`,
		"é->1":             `column 1: "é" is not an end of a link`,
		"{0 1}->{2 é}":     `column 11: "é" is not an address`,
		"last->1":          `column 1: "last" is not an end of a link`,
		"0=>1":             `column 1: "0=" is not an address`,
		"{0 1}<-{2 3}":     `column 6: "<" is not an arrow`,
		"{0 1}->{2 3}->45": `column 13: "-" stands behind the links`,
	} {
		_, err := links.Parse(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q) fails with %v; want %s", text, err, want)
		}
		if e := (*links.Error)(nil); err != nil && !errors.As(err, &e) {
			t.Errorf("Parse(%q) fails with a %T", text, err)
		}
	}
	for _, text := range []string{"", "0 }", "0->1", "1 2 x"} {
		if a, err := links.ParseAddresses(text); err == nil {
			t.Errorf("ParseAddresses(%q) is %v", text, a)
		}
	}
}

func TestAddresses(t *testing.T) {
	a := links.Of(7, 2, 3, 9, 8, 2)
	var each []protocols.ID
	a.Each(9, func(p protocols.ID) { each = append(each, p) })
	if a.String() != "2 3 7..9" || a.Max() != 9 || !slices.Equal(each, []protocols.ID{2, 3, 7, 8}) {
		t.Errorf("%v up to %d, below 9 %v", a, a.Max(), each)
	}
	var all links.Addresses
	each = nil
	all.Each(3, func(p protocols.ID) { each = append(each, p) })
	if all.String() != "*" || all.Max() != -1 || !slices.Equal(each, []protocols.ID{0, 1, 2}) {
		t.Errorf("all: %v up to %d, below 3 %v", all, all.Max(), each)
	}
	if !panics(func() { links.Of() }) {
		t.Error("a set of no addresses")
	}
}

func panics(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return
}

// drawSet draws a set of links of five processes.
func drawSet(t *rapid.T) links.Set {
	end := rapid.SampledFrom([]string{"*", "0", "3", "{1 4}", "{0..2}", "{2 3}"})
	arrow := rapid.SampledFrom([]string{"->", "<->"})
	one := func() string { return end.Draw(t, "from") + arrow.Draw(t, "arrow") + end.Draw(t, "to") }
	text := one()
	if rapid.Bool().Draw(t, "list") {
		text = "{" + text + " " + one() + "}"
	}
	s, err := links.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestOverlapsAgreesWithHas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawSet(t), drawSet(t)
		common := false
		for from := range protocols.ID(5) {
			for to := range protocols.ID(5) {
				common = common || a.Has(from, to) && b.Has(from, to)
			}
		}
		if a.Overlaps(b) != common || b.Overlaps(a) != common {
			t.Errorf("%v overlaps %v: %v; want %v", a, b, a.Overlaps(b), common)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"0->1", "{0 1}<->{2..9}", "*->3", "*", "{7}->*", "{0..1 4}<->5", "{0->1 2->{3 4}}", "10% of *", "0.5% of {*<->* 0->1}"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := links.Parse(text)
		if err != nil {
			return
		}
		again, err := links.Parse(s.String())
		if err != nil || again.String() != s.String() || s.Share() == 0 && members(again) != members(s) {
			t.Errorf("%q prints as %q, which reads as %v, %v", text, s, again, err)
		}
	})
}
