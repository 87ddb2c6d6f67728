package plots

import "testing"

func TestKnownLooksDiffer(t *testing.T) {
	owner := make(map[look]string)
	for _, family := range [][]string{
		{
			"lcr", "hirschbergsinclair", "peterson", "franklin", "itairodeh", "lelann", "changroberts",
			"bully", "ringlist", "modifiedring", "dolevklawerodeh", "timeslice", "variablespeeds",
			"floodmax", "optfloodmax", "echo", "ghs", "afekgafni", "raft",
		},
		{
			"centralized", "tokenring", "lamport", "ricartagrawala", "maekawa", "raymond", "suzukikasami",
			"decentralized", "carvalhoroucairol", "majority", "regeneratingring",
		},
	} {
		clear(owner)
		for _, key := range family {
			k, ok := known[key]
			if !ok {
				t.Errorf("%s has no look", key)
			}
			if other, taken := owner[k]; taken {
				t.Errorf("%s looks like %s", key, other)
			}
			owner[k] = key
		}
	}
}

func TestKeysAreNormal(t *testing.T) {
	a := newLooker([]string{"Chang-Roberts"}).next("Chang-Roberts")
	b := newLooker([]string{"changroberts"}).next("chang roberts")
	if a != b || a != known["changroberts"] {
		t.Errorf("looks %v and %v; want %v", a, b, known["changroberts"])
	}
}

// An unknown key gives way to a known one, wherever they stand, and the known
// one keeps its colour.
func TestUnknownKeyGivesWay(t *testing.T) {
	l := newLooker([]string{"mine", "lcr", "lelann", "peterson", "franklin", "itairodeh", "changroberts"})
	if got := l.hues["lcr"]; got != known["lcr"].hue {
		t.Errorf("lcr has colour %d", got)
	}
	// The other six leave only vermillion.
	if got := l.hues["mine"]; got != red {
		t.Errorf("the unknown key has colour %d; want %d", got, red)
	}
}

func TestEqualKeysDifferInMarkers(t *testing.T) {
	l := newLooker([]string{"lcr"})
	seen := make(map[marker]bool)
	for range markers {
		k := l.next("lcr")
		if k.hue != blue || seen[k.marker] {
			t.Errorf("look %v", k)
		}
		seen[k.marker] = true
	}
}
