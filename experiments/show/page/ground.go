package page

import (
	"math"

	"bullring/des"
	"bullring/experiments/trial"
)

// mostCorners is the largest number of corners of the ways of all processes in a page.
const mostCorners = 200_000

// groundOf says where the processes of a run are until an instant. It is nil if they have no places,
// more corners than a page takes, or forks, which change their ways.
func groundOf(in *trial.Instance, until des.Time) *Ground {
	if in.Motion == nil || in.Motion.Drawn() && len(in.Forks) > 0 {
		return nil
	}
	p, ok := in.Motion.Places(in.N, in.Setting.Seed, until, mostCorners)
	if !ok {
		return nil
	}
	g := &Ground{Box: [4]float64{p.Left, p.Bottom, p.Width, p.Height}, Range: p.Range}
	for _, corners := range p.Paths {
		path := make([][3]float64, len(corners))
		for i, c := range corners {
			path[i] = [3]float64{float64(c.At), millimetres(c.X), millimetres(c.Y)}
		}
		g.Paths = append(g.Paths, path)
	}
	return g
}

// millimetres rounds metres to millimetres.
func millimetres(x float64) float64 { return math.Round(x*1000) / 1000 }

// part returns the corners from which processes come or to which they go between two instants.
func (g *Ground) part(from, to int64) *Ground {
	if g == nil {
		return nil
	}
	kept := &Ground{Box: g.Box, Range: g.Range}
	for _, path := range g.Paths {
		first, end := 0, len(path)
		for first+1 < end && path[first+1][0] <= float64(from) {
			first++
		}
		for end-1 > first && path[end-2][0] >= float64(to) {
			end--
		}
		kept.Paths = append(kept.Paths, path[first:end])
	}
	return kept
}
