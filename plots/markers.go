package plots

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"

	"bullring/plots/internal/page"
	"bullring/plots/looks"
)

// drawMarker draws a marker in a colour, with a thin white rim that sets it off
// from the lines it lies on.
func drawMarker(c vg.Canvas, m looks.Marker, at vg.Point, radius vg.Length, col color.Color) {
	const rim = 0.45
	fill := func(r vg.Length, col color.Color) {
		c.SetColor(col)
		c.Fill(markerPath(m, at, r))
	}
	fill(radius+rim, page.White)
	fill(radius, col)
	if m >= looks.Ring {
		fill(radius*0.5, page.White)
	}
}

// markerPath returns the outline of a marker. The radii of the shapes differ so that
// they look equally large.
func markerPath(m looks.Marker, at vg.Point, r vg.Length) vg.Path {
	switch m {
	case looks.Square, looks.OpenSquare:
		return polygon(at, 1.25*r, 4, math.Pi/4)
	case looks.Triangle, looks.OpenTriangle:
		return polygon(at, 1.4*r, 3, math.Pi/2)
	case looks.Nabla:
		return polygon(at, 1.4*r, 3, -math.Pi/2)
	case looks.Diamond, looks.OpenDiamond:
		return polygon(at, 1.35*r, 4, 0)
	case looks.Cross:
		return crossPath(at, 1.3*r)
	default:
		return page.CirclePath(at, r)
	}
}

// polygon returns a regular polygon with a corner in the given direction.
func polygon(at vg.Point, r vg.Length, corners int, direction float64) vg.Path {
	var p vg.Path
	for i := range corners {
		sin, cos := math.Sincos(direction + 2*math.Pi*float64(i)/float64(corners))
		corner := vg.Point{X: at.X + r*vg.Length(cos), Y: at.Y + r*vg.Length(sin)}
		if i == 0 {
			p.Move(corner)
		} else {
			p.Line(corner)
		}
	}
	p.Close()
	return p
}

// crossPath returns a saltire whose arms are 0.6 r wide.
func crossPath(at vg.Point, r vg.Length) vg.Path {
	const in, out = 0.42, 0.9 // where the arms meet, and along x or y their ends
	corners := []vg.Point{
		{X: in, Y: 0}, {X: out, Y: out - in}, {X: out - in, Y: out},
		{X: 0, Y: in}, {X: in - out, Y: out}, {X: -out, Y: out - in},
		{X: -in, Y: 0}, {X: -out, Y: in - out}, {X: in - out, Y: -out},
		{X: 0, Y: -in}, {X: out - in, Y: -out}, {X: out, Y: in - out},
	}
	var p vg.Path
	for i, corner := range corners {
		corner = at.Add(corner.Scale(r))
		if i == 0 {
			p.Move(corner)
		} else {
			p.Line(corner)
		}
	}
	p.Close()
	return p
}
