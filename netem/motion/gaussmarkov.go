package motion

import (
	"math/bits"

	"bullring/des"
	"bullring/netem"
)

// gaussMarkov is the Gauss-Markov model (Liang & Haas 1999) by components, without a drift: in each
// step, each component of the velocity becomes alpha times itself and sqrt(1-alpha^2) times a normal
// deviate. Its mean square is then half of that of the speed. Processes are reflected at the border.
// They begin at random places with such velocities.
type gaussMarkov struct {
	space
	deviation int64 // of a component of the velocity
	step      int64
	keep, new des.Probability
}

func readGaussMarkov(a *arguments) model {
	m := &gaussMarkov{}
	m.width, m.height = a.area()
	m.reach = a.length("range")
	speed := uint64(a.speed(fastestSpeed / 10)) // a component has at most eight times its deviation
	m.deviation = root(0, speed*speed/2)
	m.keep = a.probability("memory alpha", 0)
	m.new = complement(m.keep)
	m.step = a.duration("step", 1000)
	return m
}

// complement is sqrt(1-p^2), rounded down.
func complement(p des.Probability) des.Probability {
	hi, lo := bits.Mul64(uint64(p), uint64(p))
	lo, borrow := bits.Sub64(0, lo, 0)
	hi, _ = bits.Sub64(1<<62, hi, borrow)
	if hi == 1<<62 {
		return des.Always
	}
	return des.Probability(root(hi, lo))
}

func (m *gaussMarkov) source(t netem.Topology, seed uint64) source {
	return newFleet(m, t.Len(), seed)
}
func (m *gaussMarkov) bounds() space { return m.space }
func (m *gaussMarkov) paths(n int, seed uint64) []path {
	return pathsOf(n, seed, func(s des.Stream) path {
		p := &gaussMarkovPath{gaussMarkov: m, stream: s, normal: des.StandardNormal()}
		p.x, p.y = place(&p.stream, m.space)
		p.vx, p.vy, p.left = p.deviate(), p.deviate(), m.step
		return p
	})
}

// gaussMarkovPath is the path of one process.
type gaussMarkovPath struct {
	*gaussMarkov
	ball
	stream des.Stream
	normal *des.Gaussian
}

// renew implements path.
func (p *gaussMarkovPath) renew(s des.Stream) { p.stream = s }

func (p *gaussMarkovPath) next() leg {
	if p.left == 0 {
		p.left = p.step
		p.vx = times(p.keep, p.vx) + times(p.new, p.deviate())
		p.vy = times(p.keep, p.vy) + times(p.new, p.deviate())
	}
	return p.roll(p.width, p.height)
}

// deviate draws a component of a velocity. A deviate is in units of 2^-32.
func (p *gaussMarkovPath) deviate() int64 {
	z := p.normal.Deviate(p.stream.Uint64())
	hi, lo := bits.Mul64(abs(z), uint64(p.deviation))
	v := int64(hi<<32 | lo>>32)
	if z < 0 {
		return -v
	}
	return v
}

// times is p*v, rounded towards 0.
func times(p des.Probability, v int64) int64 {
	hi, lo := bits.Mul64(uint64(p), abs(v))
	part := int64(hi<<1 | lo>>63)
	if v < 0 {
		return -part
	}
	return part
}
