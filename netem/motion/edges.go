package motion

import (
	"math"

	"bullring/des"
	"bullring/netem"
	"bullring/protocols"
)

// edges is the edge-Markovian graph (Clementi, Macci, Monti, Pasquale & Silvestri 2008): in each step,
// a link that is down comes up with one probability, and one that is up goes down with another. Each
// link begins in its stationary law.
type edges struct {
	comes, goes des.Probability
	step        des.Time
}

func readEdges(a *arguments) model {
	m := &edges{}
	least := des.Ratio(1, 1_000_000_000)
	m.comes = a.probability("probability that a link comes up in a step", least)
	m.goes = a.probability("probability that a link goes down in a step", least)
	m.step = des.Time(a.duration("step", 1000)) * microsecond
	return m
}

func (m *edges) source(t netem.Topology, seed uint64) source {
	all := netem.LinksOf(t)
	s := &edgeChanges{edges: m, links: all, streams: make([]des.Stream, len(all)), up: make([]bool, len(all)),
		lives: [2]geometric{newGeometric(m.comes), newGeometric(m.goes)}}
	share := des.Ratio(uint64(m.comes)/2, uint64(m.comes)/2+uint64(m.goes)/2)
	for i, p := range all {
		s.streams[i] = des.NewStream(seed, "motion", uint64(p.A), uint64(p.B))
		s.up[i] = share.Hit(s.streams[i].Uint64())
		s.plan(i, 0)
	}
	return s
}

// edgeChanges is the source. Its events are numbers of links, in the order of their ends.
type edgeChanges struct {
	*edges
	links   []netem.Link
	streams []des.Stream
	up      []bool
	lives   [2]geometric // of links that are down, and up
	queue   heap         // in steps
}

// plan draws when a link changes next.
func (s *edgeChanges) plan(i int, now int64) {
	life := &s.lives[0]
	if s.up[i] {
		life = &s.lives[1]
	}
	at := now + 1 + life.draw(&s.streams[i])
	if at < math.MaxInt64/2/int64(s.step) { // else it is after the end of every run
		s.queue.push(event{at: at, a: int32(i)})
	}
}

// renew implements drawing.
func (s *edgeChanges) renew(stream func(...uint64) des.Stream) {
	for i, p := range s.links {
		s.streams[i] = stream(uint64(p.A), uint64(p.B))
	}
}

// Begin implements source.
func (s *edgeChanges) Begin(link func(a, b protocols.ID)) {
	for i, p := range s.links {
		if s.up[i] {
			link(p.A, p.B)
		}
	}
}

// Next implements source.
func (s *edgeChanges) Next() (c netem.Change, ok bool) {
	if len(s.queue) == 0 {
		return c, false
	}
	e := s.queue.pop()
	i := int(e.a)
	s.up[i] = !s.up[i]
	s.plan(i, e.at)
	return netem.Change{At: des.Time(e.at) * s.step, A: s.links[i].A, B: s.links[i].B, Up: s.up[i]}, true
}

// geometric is how often something does not happen before it happens. The binary digits of such a
// number are independent: with r the probability that it does not happen, digit k is 1 with
// probability r^(2^k)/(1+r^(2^k)).
type geometric struct{ digits []des.Probability }

func newGeometric(p des.Probability) (g geometric) {
	for r := p.Not(); r > 0; r = r.Times(r) {
		g.digits = append(g.digits, des.Ratio(uint64(r), uint64(des.Always)+uint64(r)))
	}
	return g
}

func (g *geometric) draw(s *des.Stream) (n int64) {
	for k, p := range g.digits {
		if p.Hit(s.Uint64()) {
			n |= 1 << k
		}
	}
	return n
}
