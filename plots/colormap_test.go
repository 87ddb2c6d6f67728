package plots

import (
	"image/color"
	"math"
	"testing"
)

// lightness returns L* of CIE 1976, from 0 for black to 100 for white.
func lightness(c color.NRGBA) float64 {
	y := luminance(c)
	if y <= 216.0/24389 {
		return y * 24389 / 27
	}
	return 116*math.Cbrt(y) - 16
}

// Equal steps along the scale are equal steps of lightness, so it can be read in grey and
// by colour-blind readers. viridis is straight in the lightness of CAM02-UCS; L* bends it
// by 2.2 of 100.
func TestColormapIsUniform(t *testing.T) {
	lo, hi := lightness(colorAt(0)), lightness(colorAt(1))
	if lo > 20 || hi < 85 {
		t.Errorf("lightness from %.1f to %.1f wastes contrast", lo, hi)
	}
	const steps = 100
	for i := range steps + 1 {
		part := float64(i) / steps
		if got, want := lightness(colorAt(part)), lo+(hi-lo)*part; math.Abs(got-want) > 2.2 {
			t.Errorf("at %v the lightness is %.1f, want %.1f", part, got, want)
		}
		if next := lightness(colorAt(part + 1.0/steps)); i < steps && next <= lightness(colorAt(part)) {
			t.Errorf("at %v it does not get lighter", part)
		}
	}
}

func TestColorsBeyondTheEnds(t *testing.T) {
	if colorAt(-3) != viridis[0] || colorAt(7) != viridis[len(viridis)-1] {
		t.Errorf("beyond the ends: %v and %v", colorAt(-3), colorAt(7))
	}
}

// Text in a cell has at least the contrast of 4.5 that WCAG 2 requires.
func TestInkIsLegible(t *testing.T) {
	for i := range 256 {
		background := colorAt(float64(i) / 255)
		a, b := luminance(background), luminance(inkOn(background))
		if contrast := (max(a, b) + 0.05) / (min(a, b) + 0.05); contrast < 4.5 {
			t.Errorf("on colour %d the contrast is %.2f", i, contrast)
		}
	}
}

func TestValuesInCells(t *testing.T) {
	for _, c := range []struct {
		name   string
		values []float64
		log    bool
		want   []string
	}{
		{"shares", []float64{1, 0.126, 0, 0.6666}, false, []string{"1.00", "0.13", "0.00", "0.67"}},
		{"counts", []float64{7, 12345, 96}, false, []string{"7", "12\u2009345", "96"}},
		{"means", []float64{7.25, 303.64}, false, []string{"7", "304"}},
		{"small means", []float64{7.25, 3}, false, []string{"7.25", "3.00"}},
		{"tens", []float64{72.49, 3}, false, []string{"72.5", "3.0"}},
		{"small shares", []float64{0.0123, 0.004}, false, []string{"0.012", "0.004"}},
		{"on a logarithmic scale", []float64{0.0123, 4567.8, 1.5}, true, []string{"0.012", "4568", "1.50"}},
		{"large", []float64{1234567, 1}, false, []string{"1.2\u2009×\u200910^{6}", "1"}},
		{"negative", []float64{-3.14159, 0.25}, false, []string{"\u22123.14", "0.25"}},
		{"nearly nothing below 0", []float64{-0.001, 1.5}, false, []string{"0.00", "1.50"}},
	} {
		m := &HeatMap{
			X: Side{Values: make([]float64, len(c.values))}, Y: Side{Values: []float64{1}},
			Z: Axis{Log: c.log}, Values: [][]float64{c.values},
		}
		h := m.style(&Figure{}, nil).(*heat)
		for i, v := range c.values {
			if got := h.format(v); got != c.want[i] {
				t.Errorf("%s: %v is written %q, want %q", c.name, v, got, c.want[i])
			}
		}
	}
}
