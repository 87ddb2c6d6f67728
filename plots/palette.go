package plots

import (
	"fmt"
	"hash/fnv"
	"image/color"
	"strings"
	"unicode"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"bullring/plots/internal/page"
	"bullring/plots/looks"
)

var palette = [...]color.NRGBA{
	looks.Blue:   page.Blue,
	looks.Orange: page.Orange,
	looks.Green:  page.Green,
	looks.Red:    page.Red,
	looks.Purple: page.Purple,
	looks.Sky:    page.Sky,
	looks.Black:  page.Ink,
}

// colourAfter is the colour after c; the first follows the last.
func colourAfter(c looks.Colour) looks.Colour { return c%looks.Colour(looks.Colours) + 1 }

// Looks holds the looks that some keys have in all figures. The zero Looks holds none.
type Looks struct{ byKey map[string]looks.Look }

// Fix gives a key its look. It panics if the look has no colour or no marker of package
// looks.
func (l *Looks) Fix(key string, look looks.Look) {
	if look.Colour < 1 || int(look.Colour) > looks.Colours || look.Marker < 0 || look.Marker >= looks.Markers {
		panic(fmt.Sprintf("plots: %q is to look like %+v; there are the colours 1 to %d and the markers 0 to %d", key, look, looks.Colours, looks.Markers-1))
	}
	if l.byKey == nil {
		l.byKey = map[string]looks.Look{}
	}
	l.byKey[normalKey(key)] = look
}

// Fixed reports whether a key has a look of its own.
func (l Looks) Fixed(key string) bool {
	_, ok := l.byKey[normalKey(key)]
	return ok
}

// normalKey reduces a key to its letters and digits, in lower case.
func normalKey(key string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, key)
}

// SameKey reports whether two keys are the same: they have one colour in all figures.
func SameKey(a, b string) bool { return normalKey(a) == normalKey(b) }

// A looker hands out the looks of one figure.
type looker struct {
	fixed   Looks
	colours map[string]looks.Colour // by normal key
	used    map[usedLook]bool

	// turn is the mark that chooses its look. What it chose in an earlier panel stays.
	turn   part
	chosen map[identity]looks.Look
	theory map[identity]draw.LineStyle
}

// A usedLook is a look that a mark of that kind has.
type usedLook struct {
	kind string
	looks.Look
}

// newLooker chooses the colours of the keys, which are given in order of appearance. No two
// keys have one colour as long as there are colours.
func newLooker(fixed Looks, keys []string) *looker {
	l := &looker{
		fixed: fixed, colours: map[string]looks.Colour{}, used: map[usedLook]bool{},
		chosen: map[identity]looks.Look{}, theory: map[identity]draw.LineStyle{},
	}
	taken := map[looks.Colour]bool{}
	// Fixed colours come first: they give way only to the same colour of an earlier key.
	for _, key := range keys {
		key = normalKey(key)
		if look, ok := fixed.byKey[key]; ok && l.colours[key] == 0 && !taken[look.Colour] {
			l.colours[key], taken[look.Colour] = look.Colour, true
		}
	}
	for _, key := range keys {
		key = normalKey(key)
		if l.colours[key] != 0 {
			continue
		}
		c := hashColour(key)
		if look, ok := fixed.byKey[key]; ok {
			c = look.Colour
		}
		for range looks.Colours {
			if !taken[c] {
				break
			}
			c = colourAfter(c)
		}
		l.colours[key], taken[c] = c, true
	}
	return l
}

// hashColour is the first choice of a key without a fixed look.
func hashColour(key string) looks.Colour {
	h := fnv.New32a()
	h.Write([]byte(key))
	return looks.Colour(h.Sum32()%uint32(looks.Colours)) + 1
}

// look returns a look in the key's colour that no other mark of its kind has, as long as
// there are markers left.
func (l *looker) look(key string) looks.Look {
	if look, ok := l.chosen[l.turn.id]; ok {
		return look
	}
	key = normalKey(key)
	look := looks.Look{Colour: l.colours[key], Marker: looks.Marker(l.colours[key] - 1)}
	if fixed, ok := l.fixed.byKey[key]; ok {
		look.Marker = fixed.Marker
	}
	for range looks.Markers {
		if !l.used[usedLook{l.turn.kind, look}] {
			break
		}
		look.Marker = (look.Marker + 1) % looks.Markers
	}
	l.used[usedLook{l.turn.kind, look}], l.chosen[l.turn.id] = true, look
	return look
}

// color returns the colour of a key.
func (l *looker) color(key string) color.NRGBA { return palette[l.colours[normalKey(key)]] }

// theoryColor returns the colour of a curve: black without a key, else a shade
// that stands out from the key's solid line when the curve lies on it.
func (l *looker) theoryColor(key string) color.NRGBA {
	if normalKey(key) == "" {
		return page.Ink
	}
	c := l.color(key)
	if c == page.Ink {
		return page.Mix(page.Ink, page.White, 0.6)
	}
	return page.Mix(c, page.Ink, 0.45)
}

// theoryLine returns the line of a curve or a reference, each with the next dashes.
func (l *looker) theoryLine(key string) draw.LineStyle {
	if line, ok := l.theory[l.turn.id]; ok {
		return line
	}
	line := draw.LineStyle{Color: l.theoryColor(key), Width: curveWidth, Dashes: dashes[len(l.theory)%len(dashes)]}
	l.theory[l.turn.id] = line
	return line
}

// curveWidth is the width of a line of theory in points.
const curveWidth = vg.Length(0.9)

// dashes are the patterns of theory curves in order of appearance: on, off...
// in points.
var dashes = [][]vg.Length{
	{3.2, 1.6},
	{1, 1.3},
	{5, 1.4, 1, 1.4},
	{6.5, 2},
	{2, 1.1, 0.8, 1.1, 0.8, 1.1},
	{1.8, 2.6},
	{9, 1.4, 2.5, 1.4},
}
