package links_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"bullring/des"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/links"
)

func TestListsAndSharesParse(t *testing.T) {
	for text, canonical := range map[string]string{
		"{0->1 2->{3 4}}":       "{0->1 2->{3 4}}",
		" { {0 1}->2  3<->4 } ": "{{0 1}->2 3<->4}",
		"{*->3 0->*}":           "{*->3 0->*}",
		"{0->1}":                "0->1",
		"10% of *":              "10% of *",
		"10% of *->*":           "10% of *",
		"10%  of *<->*":         "10% of *<->*",
		"0.50% of 0->*":         "0.5% of 0->*",
		"100% of {0->1 2<->3}":  "100% of {0->1 2<->3}",
		"33.3333% of {0 1}->2":  "33.3333% of {0 1}->2",
	} {
		s, err := links.Parse(text)
		if err != nil || s.String() != canonical {
			t.Errorf("Parse(%q) is %v, %v; want %q", text, s, err, canonical)
		}
	}
	for text, want := range map[string]string{
		"0% of *":               `column 1: "0%" is not a share of links; allowed are percentages above 0% up to 100%`,
		"101% of *":             `column 1: "101%" is not a share`,
		"0.00001% of *":         `column 1: "0.00001%" is not a share`,
		"1.2.3% of *":           `column 1: "1.2.3%" is not a share`,
		"10% *":                 `column 5: "*" stands where "of" should, as in 10% of *`,
		"10% of":                `column 7: the end is not an end of a link`,
		"10% of 5% of *":        `column 8: "5%" is a share of a share or in a list`,
		"{0->1 10% of *}":       `column 7: "10%" is a share of a share or in a list`,
		"{0->1 {2->3 4->5}}":    `column 9: "-" is not an address`,
		"{0->1 2->3":            `column 11: the end stands where a } should`,
		"{0->1 2->3} 4->5":      `column 13: "4" stands behind the links`,
		"{0->1 2}":              `column 8: "}" is not an arrow`,
		"10 of *":               `column 4: "of" is not an arrow`,
		"10% of {0->1, 2->3} x": `column 12: "1," is not an address`,
	} {
		if _, err := links.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q) fails with %v; want %s", text, err, want)
		}
	}
	s, _ := links.Parse("10% of *")
	if !panics(func() { s.Has(0, 1) }) {
		t.Error("a share that was not drawn has links")
	}
}

// drawn draws a share of a network.
func drawn(t testing.TB, text string, net links.Network, seed uint64) links.Set {
	t.Helper()
	s, err := links.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	stream := des.NewStream(seed, "test")
	set, ok := s.Draw(net, stream.Intn)
	if !ok {
		t.Fatalf("no link in %s", text)
	}
	return set
}

// count counts the links of a network in a set.
func count(s links.Set, net links.Network) (n int) {
	for from := range protocols.ID(net.Len()) {
		for to := range protocols.ID(net.Len()) {
			if _, ok := net.Port(from, to); ok && s.Has(from, to) {
				n++
			}
		}
	}
	return n
}

func TestAShareHasItsNumberOfLinks(t *testing.T) {
	for _, c := range []struct {
		net  links.Network
		text string
		want int
	}{
		{netem.Complete(5), "10% of *", 2},             // of 20
		{netem.Complete(6), "10% of *", 3},             // of 30
		{netem.Complete(7), "10% of *", 4},             // of 42
		{netem.Complete(7), "25% of 0->*", 2},          // of 6: half a link is rounded up
		{netem.Complete(7), "0.1% of 0->*", 1},         // at least one
		{netem.Complete(7), "100% of *", 42},           // all
		{netem.Complete(5), "20% of *<->*", 4},         // two pairs of ten
		{netem.Complete(5), "50% of 0<->*", 4},         // two pairs of four
		{netem.Complete(5), "50% of {0<->1 2<->*}", 6}, // three pairs of five: 2.5 is rounded up
		{netem.Complete(5), "50% of {0->1 2<->*}", 5},  // of nine links: not all parts are pairs
		{netem.Ring(10), "30% of *", 3},                // one way only
		{netem.Ring(10), "30% of *<->*", 3},            // a pair is what there is of it
		{netem.BiRing(10), "30% of *", 6},              // of twenty
		{netem.BiRing(10), "30% of *<->*", 6},          // three pairs of ten
		{netem.BiRing(2), "50% of *", 1},               // two ports to the same process are one link
		{netem.Complete(5), "50% of {0 1}->{0..4}", 4}, // of eight: no process has a link to itself
	} {
		for seed := range uint64(20) {
			s := drawn(t, c.text, c.net, seed)
			if got := count(s, c.net); got != c.want {
				t.Fatalf("%s of %v are %v: %d links; want %d", c.text, c.net, s, got, c.want)
			}
			again, err := links.Parse(s.String())
			if err != nil || again.String() != s.String() {
				t.Fatalf("%q reads as %v, %v", s, again, err)
			}
			if strings.Contains(c.text, "<->*") && c.net.Len() == 5 && c.text != "50% of {0->1 2<->*}" {
				for a := range protocols.ID(5) {
					for b := range a {
						if s.Has(a, b) != s.Has(b, a) {
							t.Fatalf("%s are %v: one way of %d<->%d", c.text, s, a, b)
						}
					}
				}
			}
		}
	}
	s, _ := links.Parse("10% of 0->2")
	stream := des.NewStream(1, "test")
	if set, ok := s.Draw(netem.Ring(5), stream.Intn); ok {
		t.Errorf("a link that does not exist: %v", set)
	}
}

// TestSharesAreFair draws a fifth of the links of a ring 10,000 times. Each link is drawn in 2,000
// of the runs, give or take five standard deviations of 40.
func TestSharesAreFair(t *testing.T) {
	net, times := netem.BiRing(10), map[[2]protocols.ID]int{}
	for seed := range uint64(10_000) {
		s := drawn(t, "20% of *", net, seed)
		for p := range protocols.ID(10) {
			for port := range 2 {
				if q := net.Neighbor(p, port); s.Has(p, q) {
					times[[2]protocols.ID{p, q}]++
				}
			}
		}
	}
	for link, n := range times {
		if n < 1800 || n > 2200 {
			t.Errorf("%v is drawn %d times", link, n)
		}
	}
	if len(times) != 20 {
		t.Errorf("%d links are drawn", len(times))
	}
}

// TestFewerAreFewer checks that each smaller set is a part of the set, and that a chain of them
// leads to each single link.
func TestFewerAreFewer(t *testing.T) {
	net := netem.Complete(6)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom([]string{"40% of *", "40% of *<->*", "60% of 3->*", "{0->1 2<->{3 4} *->5}"}).Draw(t, "set")
		s, err := links.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		stream := des.NewStream(rapid.Uint64().Draw(t, "seed"), "test")
		s, _ = s.Draw(net, stream.Intn)
		wanted := rapid.IntRange(0, count(s, net)-1).Draw(t, "link")
		var from, to protocols.ID
		for a := range protocols.ID(6) {
			for b := range protocols.ID(6) {
				if a != b && s.Has(a, b) {
					if wanted == 0 {
						from, to = a, b
					}
					wanted--
				}
			}
		}
		for again := true; again; {
			again = false
			for _, fewer := range s.Fewer() {
				if count(fewer, net) > count(s, net) || fewer.String() == s.String() {
					t.Fatalf("%v is not fewer than %v", fewer, s)
				}
				if fewer.Has(from, to) {
					s, again = fewer, true
					break
				}
			}
		}
		if text != "{0->1 2<->{3 4} *->5}" && count(s, net) != 1 {
			t.Errorf("the smallest set with %d->%d is %v", from, to, s)
		}
	})
}

func TestWithoutAProcessListsAndSharesShrink(t *testing.T) {
	for text, want := range map[string]string{
		"{0->1 2->3}": "1->2", "{1->0 2->3}": "1->2", "{0->1 1->2}": "", "10% of *": "10% of *", "10% of 1->*": "",
		"10% of {1->0 2->3}": "10% of 1->2",
	} {
		s, err := links.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		rest, some := s.Without(1)
		if some != (want != "") || some && rest.String() != want {
			t.Errorf("%s without 1 is %v, %v; want %q", text, rest, some, want)
		}
	}
}
