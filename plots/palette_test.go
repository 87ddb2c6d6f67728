package plots

import (
	"testing"

	"bullring/plots/looks"
)

func TestKeysAreNormal(t *testing.T) {
	var fixed Looks
	want := looks.Look{Colour: looks.Sky, Marker: looks.Ring}
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
	for c := looks.Blue; c <= looks.Black; c++ {
		if c == looks.Red {
			continue
		}
		key := string(rune('a' + c))
		fixed.Fix(key, looks.Look{Colour: c, Marker: looks.Circle})
		keys = append(keys, key)
	}
	l := newLooker(fixed, keys)
	if got := l.colours["mine"]; got != looks.Red {
		t.Errorf("the key has colour %d; the other six leave only %d", got, looks.Red)
	}
	for key, look := range fixed.byKey {
		if got := l.colours[key]; got != look.Colour {
			t.Errorf("%s has colour %d; want %d", key, got, look.Colour)
		}
	}
}

// Two keys with one fixed colour have different colours in a figure: the first keeps it.
func TestFixedColoursDifferInAFigure(t *testing.T) {
	var fixed Looks
	var keys []string
	for i := range looks.Colours {
		keys = append(keys, string(rune('a'+i)))
		fixed.Fix(keys[i], looks.Look{Colour: looks.Green + looks.Colour(i%2), Marker: looks.Diamond})
	}
	l := newLooker(fixed, keys)
	seen := map[looks.Colour]string{}
	for i, key := range keys {
		l.turn.id.nth = i
		look := l.look(key)
		if other, taken := seen[look.Colour]; taken {
			t.Errorf("%s and %s have colour %d", other, key, look.Colour)
		}
		if seen[look.Colour] = key; look.Marker != looks.Diamond {
			t.Errorf("%s has marker %d", key, look.Marker)
		}
	}
	if seen[looks.Green] != "a" || seen[looks.Green+1] != "b" {
		t.Errorf("the first two have given way: %v", seen)
	}
}

func TestEqualKeysDifferInMarkers(t *testing.T) {
	var fixed Looks
	fixed.Fix("a", looks.Look{Colour: looks.Blue, Marker: looks.Square})
	l := newLooker(fixed, []string{"a"})
	seen := make(map[looks.Marker]bool)
	for i := range int(looks.Markers) {
		l.turn.id.nth = i
		k := l.look("a")
		if k.Colour != looks.Blue || seen[k.Marker] {
			t.Errorf("look %v", k)
		}
		seen[k.Marker] = true
	}
}

func TestFixRefusesWhatIsNoLook(t *testing.T) {
	for _, look := range []looks.Look{{}, {Colour: 0, Marker: looks.Square}, {Colour: looks.Black + 1, Marker: looks.Circle}, {Colour: looks.Blue, Marker: looks.Markers}, {Colour: looks.Blue, Marker: -1}, {Colour: -1, Marker: looks.Circle}} {
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
	c := looks.Blue
	for range looks.Colours {
		if palette[c].A == 0 {
			t.Errorf("colour %d has no value", c)
		}
		c = colourAfter(c)
	}
	if c != looks.Blue || len(palette) != looks.Colours+1 {
		t.Errorf("%d colours, of which %d have values; after the last comes %d", looks.Colours, len(palette)-1, c)
	}
}
