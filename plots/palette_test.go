package plots

import "testing"

func TestKeysAreNormal(t *testing.T) {
	var fixed Looks
	want := Look{Sky, Ring}
	fixed.Fix("Chang-Roberts", want)
	if !fixed.Fixed("chang roberts") || fixed.Fixed("changrobert") {
		t.Error("of a key letters and digits count, in either case, and nothing else")
	}
	a := newLooker(fixed, []string{"Chang-Roberts"}).look("Chang-Roberts")
	b := newLooker(fixed, []string{"changroberts"}).look("chang roberts")
	if a != want || b != want {
		t.Errorf("looks %v and %v; want %v", a, b, want)
	}
}

// A key without a look gives way to keys with one, in any order.
func TestUnfixedKeyGivesWay(t *testing.T) {
	var fixed Looks
	keys := []string{"mine"}
	for c := Blue; c <= Black; c++ {
		if c == Red {
			continue
		}
		key := string(rune('a' + c))
		fixed.Fix(key, Look{c, Circle})
		keys = append(keys, key)
	}
	l := newLooker(fixed, keys)
	if got := l.colours["mine"]; got != Red {
		t.Errorf("the key has colour %d; the other six leave only %d", got, Red)
	}
	for key, look := range fixed.byKey {
		if got := l.colours[key]; got != look.Colour {
			t.Errorf("%s has colour %d; want %d", key, got, look.Colour)
		}
	}
}

func TestEqualKeysDifferInMarkers(t *testing.T) {
	var fixed Looks
	fixed.Fix("a", Look{Blue, Square})
	l := newLooker(fixed, []string{"a"})
	seen := make(map[Marker]bool)
	for i := range int(markers) {
		l.turn.id.nth = i
		k := l.look("a")
		if k.Colour != Blue || seen[k.Marker] {
			t.Errorf("look %v", k)
		}
		seen[k.Marker] = true
	}
}

func TestFixRefusesWhatIsNoLook(t *testing.T) {
	for _, look := range []Look{{}, {0, Square}, {Black + 1, Circle}, {Blue, markers}, {Blue, -1}, {-1, Circle}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%+v is taken", look)
				}
			}()
			new(Looks).Fix("a", look)
		}()
	}
}

func TestEveryColourIsInThePalette(t *testing.T) {
	c := Blue
	for range colours {
		if palette[c].A == 0 {
			t.Errorf("colour %d has no value", c)
		}
		c = c.next()
	}
	if c != Blue || len(palette) != colours+1 {
		t.Errorf("%d colours, of which %d have values; after the last comes %d", colours, len(palette)-1, c)
	}
}
