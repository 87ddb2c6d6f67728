package plots

import (
	"hash/fnv"
	"image/color"
	"strings"
	"unicode"

	"gonum.org/v1/plot/vg"
)

// The palette of Okabe and Ito (Color Universal Design, 2008) without its
// yellow, of which a thin line vanishes on white paper.
var palette = []color.NRGBA{
	blue:   {0x00, 0x72, 0xB2, 0xFF},
	orange: {0xE6, 0x9F, 0x00, 0xFF},
	green:  {0x00, 0x9E, 0x73, 0xFF},
	red:    {0xD5, 0x5E, 0x00, 0xFF}, // vermillion
	purple: {0xCC, 0x79, 0xA7, 0xFF}, // reddish purple
	sky:    {0x56, 0xB4, 0xE9, 0xFF},
	black:  {0x00, 0x00, 0x00, 0xFF},
}

const (
	blue = iota
	orange
	green
	red
	purple
	sky
	black
)

var (
	white    = color.NRGBA{0xFF, 0xFF, 0xFF, 0xFF}
	ink      = palette[black]
	gridGrey = color.NRGBA{0xE4, 0xE4, 0xE4, 0xFF}
	dotGrey  = color.NRGBA{0x9A, 0x9A, 0x9A, 0xFF}
)

// A look is a colour, as an index into palette, with a marker.
type look struct {
	hue    int
	marker marker
}

// known gives the algorithms of this project their looks. Algorithms of one
// family, which share figures, differ in colour as far as the palette goes, and
// in their markers always.
var known = map[string]look{
	// Elections.
	"lcr":                {blue, circle},
	"hirschbergsinclair": {red, square},
	"peterson":           {green, triangle},
	"franklin":           {purple, diamond},
	"itairodeh":          {orange, nabla},
	"lelann":             {black, cross},
	"changroberts":       {sky, ring},
	"bully":              {red, openSquare},
	"ringlist":           {orange, openDiamond},
	"modifiedring":       {green, openTriangle},
	"dolevklawerodeh":    {sky, square},
	"timeslice":          {purple, ring},
	"variablespeeds":     {black, openSquare},
	"floodmax":           {blue, square},
	"optfloodmax":        {sky, triangle},
	"echo":               {green, circle},
	"ghs":                {orange, circle},
	"afekgafni":          {purple, nabla},
	"raft":               {black, diamond},

	// Mutual exclusion.
	"centralized":       {black, circle},
	"decentralized":     {black, openSquare},
	"carvalhoroucairol": {red, ring},
	"majority":          {green, openDiamond},
	"regeneratingring":  {orange, openTriangle},
	"tokenring":         {orange, ring},
	"lamport":           {blue, triangle},
	"ricartagrawala":    {red, circle},
	"maekawa":           {green, diamond},
	"raymond":           {purple, square},
	"suzukikasami":      {sky, nabla},
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

// FixedColour reports whether a key has a colour of its own in all figures: see
// [Series].
func FixedColour(key string) bool {
	_, ok := known[normalKey(key)]
	return ok
}

// SameKey reports whether two keys have the same colour in all figures.
func SameKey(a, b string) bool { return normalKey(a) == normalKey(b) }

// A looker hands out the looks of one figure.
type looker struct {
	hues map[string]int // by normal key
	used map[look]bool
}

// newLooker fixes the colours of the keys, given in order of appearance.
func newLooker(keys []string) *looker {
	l := &looker{hues: make(map[string]int), used: make(map[look]bool)}
	var taken [black + 1]bool
	// The fixed colours first: they make way for nobody.
	for _, key := range keys {
		if k, ok := known[normalKey(key)]; ok {
			l.hues[normalKey(key)] = k.hue
			taken[k.hue] = true
		}
	}
	for _, key := range keys {
		key = normalKey(key)
		if _, ok := l.hues[key]; ok {
			continue
		}
		hue := hashHue(key)
		for range palette {
			if !taken[hue] {
				break
			}
			hue = (hue + 1) % len(palette)
		}
		l.hues[key] = hue
		taken[hue] = true
	}
	return l
}

// hashHue returns the colour that an unknown key would like to have.
func hashHue(key string) int {
	h := fnv.New32a()
	h.Write([]byte(key))
	return int(h.Sum32() % uint32(len(palette)))
}

// next returns a look of the key's colour that no other series of the figure
// has, as long as there are markers left.
func (l *looker) next(key string) look {
	key = normalKey(key)
	want := look{l.hues[key], marker(l.hues[key]) % markers}
	if k, ok := known[key]; ok {
		want = k
	}
	for range markers {
		if !l.used[want] {
			break
		}
		want.marker = (want.marker + 1) % markers
	}
	l.used[want] = true
	return want
}

// color returns the colour of a key.
func (l *looker) color(key string) color.NRGBA { return palette[l.hues[normalKey(key)]] }

// theoryColor returns the colour of a curve: black without a key, else a shade
// that stands out from the key's solid line when the curve lies on it.
func (l *looker) theoryColor(key string) color.NRGBA {
	if normalKey(key) == "" {
		return ink
	}
	c := l.color(key)
	if c == ink {
		return mix(ink, white, 0.6)
	}
	return mix(c, ink, 0.45)
}

// mix returns a with the given part of b in it.
func mix(a, b color.NRGBA, part float64) color.NRGBA {
	channel := func(a, b uint8) uint8 {
		return uint8(float64(float64(a)*(1-part)) + float64(float64(b)*part) + 0.5)
	}
	return color.NRGBA{channel(a.R, b.R), channel(a.G, b.G), channel(a.B, b.B), 0xFF}
}

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
