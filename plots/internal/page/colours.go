package page

import "image/color"

// The colours of Okabe and Ito (Color Universal Design, 2008) but for yellow, and black and
// white.
var (
	Blue   = color.NRGBA{0x00, 0x72, 0xB2, 0xFF}
	Orange = color.NRGBA{0xE6, 0x9F, 0x00, 0xFF}
	Green  = color.NRGBA{0x00, 0x9E, 0x73, 0xFF}
	Red    = color.NRGBA{0xD5, 0x5E, 0x00, 0xFF} // vermillion
	Purple = color.NRGBA{0xCC, 0x79, 0xA7, 0xFF}
	Sky    = color.NRGBA{0x56, 0xB4, 0xE9, 0xFF}
	Ink    = color.NRGBA{0x00, 0x00, 0x00, 0xFF}
	White  = color.NRGBA{0xFF, 0xFF, 0xFF, 0xFF}
)

// The greys.
var (
	GridGrey = color.NRGBA{0xE4, 0xE4, 0xE4, 0xFF}
	DotGrey  = color.NRGBA{0x9A, 0x9A, 0x9A, 0xFF}
)

// Mix returns a with the given part of b in it.
func Mix(a, b color.NRGBA, part float64) color.NRGBA {
	channel := func(a, b uint8) uint8 {
		return uint8(float64(float64(a)*(1-part)) + float64(float64(b)*part) + 0.5)
	}
	return color.NRGBA{channel(a.R, b.R), channel(a.G, b.G), channel(a.B, b.B), 0xFF}
}
