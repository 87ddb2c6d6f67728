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
)

// Colour is one of the palette of Okabe and Ito (Color Universal Design, 2008). Their
// yellow is left out: a thin yellow line vanishes on white paper.
type Colour int

// The colours. The zero Colour is none.
const (
	Blue Colour = iota + 1
	Orange
	Green
	Red // vermillion
	Purple
	Sky
	Black
	colours = int(Black) // how many there are
)

var palette = [...]color.NRGBA{Blue: page.Blue, Orange: page.Orange, Green: page.Green, Red: page.Red, Purple: page.Purple, Sky: page.Sky, Black: page.Ink}

// next is the colour after c; the first follows the last.
func (c Colour) next() Colour { return c%Colour(colours) + 1 }

// A Look is a colour with a marker. The zero Look leaves the choice to the figure.
type Look struct {
	Colour Colour
	Marker Marker
}

// Looks holds the looks that some keys have in all figures. The zero Looks holds none.
type Looks struct{ byKey map[string]Look }

// Fix gives a key its look. It panics if the look has no colour or no marker of this
// package.
func (l *Looks) Fix(key string, look Look) {
	if look.Colour < 1 || int(look.Colour) > colours || look.Marker < 0 || look.Marker >= markers {
		panic(fmt.Sprintf("plots: %q is to look like %+v; there are the colours 1 to %d and the markers 0 to %d", key, look, colours, markers-1))
	}
	if l.byKey == nil {
		l.byKey = map[string]Look{}
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

// SameKey reports whether two keys have the same colour in all figures.
func SameKey(a, b string) bool { return normalKey(a) == normalKey(b) }

// A looker hands out the looks of one figure.
type looker struct {
	fixed   Looks
	colours map[string]Colour // by normal key
	used    map[usedLook]bool

	// turn is the mark that chooses its look. What it chose in an earlier panel stays.
	turn   part
	chosen map[identity]Look
	theory map[identity]draw.LineStyle
}

// A usedLook is a look that a mark of that kind has.
type usedLook struct {
	kind string
	Look
}

// newLooker chooses the colours of the keys, which are given in order of appearance.
func newLooker(fixed Looks, keys []string) *looker {
	l := &looker{
		fixed: fixed, colours: map[string]Colour{}, used: map[usedLook]bool{},
		chosen: map[identity]Look{}, theory: map[identity]draw.LineStyle{},
	}
	taken := map[Colour]bool{}
	// Fixed colours come first: they never give way.
	for _, key := range keys {
		key = normalKey(key)
		if look, ok := fixed.byKey[key]; ok {
			l.colours[key], taken[look.Colour] = look.Colour, true
		}
	}
	for _, key := range keys {
		key = normalKey(key)
		if l.colours[key] != 0 {
			continue
		}
		c := hashColour(key)
		for range colours {
			if !taken[c] {
				break
			}
			c = c.next()
		}
		l.colours[key], taken[c] = c, true
	}
	return l
}

// hashColour is the first choice of a key without a fixed look.
func hashColour(key string) Colour {
	h := fnv.New32a()
	h.Write([]byte(key))
	return Colour(h.Sum32()%uint32(colours)) + 1
}

// look returns a look in the key's colour that no other mark of its kind has, as long as
// there are markers left.
func (l *looker) look(key string) Look {
	if look, ok := l.chosen[l.turn.id]; ok {
		return look
	}
	key = normalKey(key)
	look, ok := l.fixed.byKey[key]
	if !ok {
		look = Look{l.colours[key], Marker(l.colours[key] - 1)}
	}
	for range markers {
		if !l.used[usedLook{l.turn.kind, look}] {
			break
		}
		look.Marker = (look.Marker + 1) % markers
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
