package motion

import (
	"fmt"
	"math/bits"

	"bullring/des"
	"bullring/netem"
)

// waypoint is the random waypoint model (Johnson & Maltz 1996): a process goes to a random place at a
// random speed, pauses, and goes on. It begins at a random place, on the way; the longer it goes on,
// the denser are processes in the middle.
type waypoint struct {
	space
	slowest, fastest, pause int64
	steady                  bool
}

func readWaypoint(a *arguments) model {
	m := &waypoint{}
	m.width, m.height = a.area()
	m.reach = a.length("range")
	m.slowest, m.fastest = a.speeds()
	m.pause = a.duration("pause", 0)
	return m
}

// mostTries bounds the draws of a steady beginning, by the ratio of the speeds.
const mostTries = 1000

// beginSteady has processes begin in the stationary law.
func (m *waypoint) beginSteady() error {
	if m.slowest < m.fastest/mostTries {
		return fmt.Errorf("takes a slowest speed of %d times less than the fastest at most", mostTries)
	}
	m.steady = true
	return nil
}

func (m *waypoint) source(t netem.Topology, seed uint64) source { return newFleet(m, t.Len(), seed) }
func (m *waypoint) bounds() space                               { return m.space }
func (m *waypoint) paths(n int, seed uint64) []path {
	return pathsOf(n, seed, func(s des.Stream) path { return &waypointPath{waypoint: m, stream: s} })
}

// pathsOf makes the path of each process, which draws from a stream of its own.
func pathsOf(n int, seed uint64, of func(des.Stream) path) []path {
	paths := make([]path, n)
	for i := range paths {
		paths[i] = of(des.NewStream(seed, "motion", uint64(i)))
	}
	return paths
}

// waypointPath is the path of one process.
type waypointPath struct {
	*waypoint
	stream des.Stream
	leg    leg
	moves  bool // the leg is no pause
	begun  bool
}

// renew implements path.
func (p *waypointPath) renew(s des.Stream) { p.stream = s }

func (p *waypointPath) next() leg {
	x, y := p.leg.at(p.leg.to)
	switch {
	case !p.begun:
		p.begin()
	case p.moves && p.pause > 0:
		p.leg, p.moves = leg{x: x, y: y, from: p.leg.to, to: p.leg.to + p.pause}, false
	default:
		p.leg, p.moves = p.trip(x, y, p.leg.to), true
	}
	return p.leg
}

// trip goes to a random place.
func (p *waypointPath) trip(x, y, from int64) leg {
	toX, toY := place(&p.stream, p.space)
	speed := p.slowest + below(&p.stream, p.fastest-p.slowest+1)
	took := max(1, (distance(toX-x, toY-y)+speed-1)/speed)
	return leg{x, y, (toX - x) / took, (toY - y) / took, from, from + took}
}

// begin makes the first leg.
func (p *waypointPath) begin() {
	p.begun, p.moves = true, true
	x, y := place(&p.stream, p.space)
	p.leg = p.trip(x, y, 0)
	if !p.steady {
		return
	}
	// In the stationary law a trip with its pause is as likely as it is long, and an instant of it as
	// likely as any other (Le Boudec & Vojnovic 2005).
	longest := distance(p.width, p.height)/p.slowest + 1 + p.pause
	for below(&p.stream, longest) >= p.leg.to+p.pause {
		x, y = place(&p.stream, p.space)
		p.leg = p.trip(x, y, 0)
	}
	took := p.leg.to
	gone := below(&p.stream, took+p.pause)
	if p.moves = gone < took; p.moves {
		x, y = p.leg.at(gone)
		p.leg.x, p.leg.y, p.leg.to = x, y, took-gone
		return
	}
	x, y = p.leg.at(took)
	p.leg = leg{x: x, y: y, to: took + p.pause - gone}
}

// place draws a place, on a whole micrometre.
func place(s *des.Stream, in space) (x, y int64) {
	const micrometre = metre / 1_000_000
	return in.left + below(s, in.width/micrometre)*micrometre, in.bottom + below(s, in.height/micrometre)*micrometre
}

// below draws from 0..n-1 without bias (Lemire, ACM TOMACS 29(1) 2019), as des.Stream.Intn does for an
// int.
func below(s *des.Stream, n int64) int64 {
	bound := uint64(n)
	hi, lo := bits.Mul64(s.Uint64(), bound)
	for lo < bound && lo < -bound%bound {
		hi, lo = bits.Mul64(s.Uint64(), bound)
	}
	return int64(hi)
}
