package plots

import (
	"image/color"
	"math"

	"bullring/plots/internal/page"
)

// viridis has colours at equal distances along the scale of that name, by van der Walt and
// Smith (A Better Default Colormap for Matplotlib, SciPy 2015; in the public domain).
// Between them the scale is close to straight in sRGB: see TestColormapIsUniform.
var viridis = [...]color.NRGBA{
	{0x44, 0x01, 0x54, 0xFF},
	{0x48, 0x28, 0x78, 0xFF},
	{0x3E, 0x4A, 0x89, 0xFF},
	{0x31, 0x68, 0x8E, 0xFF},
	{0x26, 0x82, 0x8E, 0xFF},
	{0x1F, 0x9E, 0x89, 0xFF},
	{0x35, 0xB7, 0x79, 0xFF},
	{0x6D, 0xCD, 0x59, 0xFF},
	{0xB4, 0xDE, 0x2C, 0xFF},
	{0xFD, 0xE7, 0x25, 0xFF},
}

// colorAt returns the colour at a part of the scale, from 0 to 1; beyond, that of the end.
func colorAt(part float64) color.NRGBA {
	const last = len(viridis) - 1
	at := min(max(part, 0), 1) * float64(last)
	i := min(int(at), last-1)
	return page.Mix(viridis[i], viridis[i+1], at-float64(i))
}

// inkOn returns black or white: the one that is easier to read on the colour.
func inkOn(background color.NRGBA) color.NRGBA {
	// The contrast of WCAG 2 is (a + 0.05)/(b + 0.05) for luminances a > b; with
	// black and white it is equal at this one.
	const equal = 0.1791
	if luminance(background) > equal {
		return page.Ink
	}
	return page.White
}

// luminance returns the relative luminance of a colour, from 0 to 1 (IEC
// 61966-2-1).
func luminance(c color.NRGBA) float64 {
	linear := func(channel uint8) float64 {
		v := float64(channel) / 255
		if v <= 0.04045 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}
