package page

import "gonum.org/v1/plot/vg"

// CirclePath returns a circle of four cubic curves: circles then have the same
// outline in all formats.
func CirclePath(at vg.Point, r vg.Length) vg.Path {
	const k = 0.5523 // 4/3·(√2-1), the handle of a quarter circle
	point := func(x, y vg.Length) vg.Point { return vg.Point{X: at.X + x*r, Y: at.Y + y*r} }
	var p vg.Path
	p.Move(point(1, 0))
	p.CubeTo(point(1, k), point(k, 1), point(0, 1))
	p.CubeTo(point(-k, 1), point(-1, k), point(-1, 0))
	p.CubeTo(point(-1, -k), point(-k, -1), point(0, -1))
	p.CubeTo(point(k, -1), point(1, -k), point(1, 0))
	p.Close()
	return p
}

// Box returns the corners of a rectangle.
func Box(left, right, bottom, top vg.Length) []vg.Point {
	return []vg.Point{{X: left, Y: bottom}, {X: right, Y: bottom}, {X: right, Y: top}, {X: left, Y: top}}
}
