package motion

import (
	"bullring/des"
	"bullring/netem"
)

// walk is a random walk with reflection: legs of one length in time, each in a random direction, which
// go on at a border as light does at a mirror. Then places are uniform and directions isotropic at all
// times (Nain, Towsley, Liu & Liu 2005). The first leg has begun at a random instant before.
type walk struct {
	space
	speed, time int64
}

func readWalk(a *arguments) model {
	m := &walk{}
	m.width, m.height = a.area()
	m.reach = a.length("range")
	m.speed = a.speed(fastestSpeed)
	m.time = a.duration("time of a leg", 1000)
	return m
}

func (m *walk) source(t netem.Topology, seed uint64) source { return newFleet(m, t.Len(), seed) }
func (m *walk) bounds() space                               { return m.space }
func (m *walk) paths(n int, seed uint64) []path {
	return pathsOf(n, seed, func(s des.Stream) path {
		p := &walkPath{walk: m, stream: s}
		p.x, p.y = place(&p.stream, m.space)
		p.left = 1 + below(&p.stream, m.time)
		p.turn()
		return p
	})
}

// walkPath is the path of one process.
type walkPath struct {
	*walk
	ball
	stream des.Stream
}

// renew implements path.
func (p *walkPath) renew(s des.Stream) { p.stream = s }

func (p *walkPath) next() leg {
	if p.left == 0 {
		p.left = p.time
		p.turn()
	}
	return p.roll(p.width, p.height)
}

// turn draws a direction: that of a place in a disc.
func (p *walkPath) turn() {
	const radius = 1 << 30
	for {
		x, y := below(&p.stream, 2*radius+1)-radius, below(&p.stream, 2*radius+1)-radius
		if r := distance(x, y); 0 < r && r < radius {
			p.vx, p.vy = x*p.speed/r, y*p.speed/r
			return
		}
	}
}

// ball rolls in a rectangle, from (0, 0) on, and is reflected at its border.
type ball struct {
	x, y, vx, vy int64
	now          int64
	left         int64 // time, above 0, for which it keeps its direction but for reflection
}

// roll is the leg up to the border, or for the time that is left. At a border it ends in the first
// microsecond beyond it, so that the next one, which leads back, is not empty.
func (b *ball) roll(width, height int64) leg {
	turnX, turnY := until(b.x, b.vx, width), until(b.y, b.vy, height)
	took := min(b.left, turnX, turnY)
	l := leg{b.x, b.y, b.vx, b.vy, b.now, b.now + took}
	b.x, b.y = l.at(l.to)
	b.now, b.left = l.to, b.left-took
	if took == turnX {
		b.vx = -b.vx
	}
	if took == turnY {
		b.vy = -b.vy
	}
	return l
}

// until is the time until a coordinate is beyond the border to which it goes.
func until(x, v, side int64) int64 {
	switch {
	case v > 0:
		return max(0, side-x)/v + 1
	case v < 0:
		return max(0, x)/-v + 1
	}
	return forever
}
