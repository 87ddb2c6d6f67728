package netem

import (
	"fmt"
	"slices"

	"bullring/des"
	"bullring/protocols"
)

// Change is a link that comes up or goes down, in both directions.
type Change struct {
	At   des.Time
	A, B protocols.ID // its ends, in any order
	Up   bool
}

// Source tells when links come and go. It is for one run.
type Source interface {
	// Begin calls link for each link that is there at the beginning.
	Begin(link func(a, b protocols.ID))
	// Next is the next change, after 0. The instants of successive changes do not decrease. ok is false
	// if there is none. The run is not over before it, unless the source is in the Background.
	Next() (c Change, ok bool)
}

// Background is an optional extension of Source. It reports that the changes do not keep a run alive,
// as those of motion that never ends.
type Background interface{ Background() bool }

// moving is the state of a run whose links come and go. The topology has the links that may ever be.
type moving struct {
	engine *engine
	source Source          // may be nil
	idle   bool            // the source is in the background
	life   map[Link]uint32 // how often the link between two processes has gone down
	born   []uint32        // by message in the slab: the life of its link
}

// present is the present graph.
type present struct {
	topology Topology
	empty    bool             // at the beginning, the graph has no link
	near     [][]protocols.ID // by process, ascending; nil as long as it has those of the beginning
}

// of are the present neighbours of a process.
func (g *present) of(id protocols.ID) []protocols.ID {
	if g.near == nil {
		g.near = make([][]protocols.ID, g.topology.Len())
	}
	switch {
	case g.near[id] != nil:
	case g.empty:
		g.near[id] = []protocols.ID{}
	default:
		g.near[id] = NeighborsOf(g.topology, id)
	}
	return g.near[id]
}

// has reports whether a message can pass from a process to another one now.
func (g *present) has(from, to protocols.ID) bool {
	_, there := slices.BinarySearch(g.of(from), to)
	return there || from == to
}

// set adds or removes a link, in the directions that the topology has. It reports whether that is a change.
func (g *present) set(a, b protocols.ID, up bool) (changed bool) {
	for _, ends := range [2][2]protocols.ID{{a, b}, {b, a}} {
		from, to := ends[0], ends[1]
		near := g.of(from)
		i, there := slices.BinarySearch(near, to)
		_, possible := g.topology.Port(from, to)
		switch {
		case there == up || !possible:
			continue
		case up:
			near = slices.Insert(slices.Clip(near), i, to)
		default:
			near = append(slices.Clone(near[:i]), near[i+1:]...) // a handler may still look at the old ones
		}
		g.near[from], changed = near, true
	}
	return changed
}

// follow makes links come and go as a source says.
func (m *moving) follow(s Source) {
	g := &m.engine.present
	background, ok := s.(Background)
	m.source, m.idle, g.empty = s, ok && background.Background(), true
	s.Begin(func(a, b protocols.ID) {
		g.mustHave(a, b)
		g.set(a, b, true)
	})
	m.next()
}

// next plans the next change of the source.
func (m *moving) next() {
	if c, more := m.source.Next(); more {
		if now := m.engine.now; c.At < max(now, 1) {
			panic(fmt.Sprintf("netem: a source of changes has one at %v, and now it is %v", c.At, now))
		}
		m.plan(c, fromSource)
		if m.idle {
			m.engine.extras.ambient++
		}
	}
}

// The index of a change in the event queue tells where it comes from.
const (
	fromCaller uint32 = iota
	fromSource
)

func (m *moving) plan(c Change, origin uint32) {
	m.engine.present.mustHave(c.A, c.B)
	what := linkDown
	if c.Up {
		what = linkUp
	}
	k := LinkBetween(c.A, c.B)
	m.engine.atFault(c.At, newItem(what, k.A, k.B, 0, 0, origin))
}

// mustHave panics unless the topology has a link between two processes, in one direction at least.
func (g *present) mustHave(a, b protocols.ID) {
	if !HasLink(g.topology, LinkBetween(a, b)) {
		panic(fmt.Sprintf("netem: the %s of %d processes has no link between %d and %d", g.topology, g.topology.Len(), a, b))
	}
}

// change carries out a change and tells both ends. Its event comes before the messages of its instant.
func (m *moving) change(now des.Time, it item) {
	e := m.engine
	a, b, up := it.from(), it.to(), it.what() == linkUp
	if m.idle && it.index() == fromSource {
		e.extras.ambient--
	}
	e.counters.Events++
	e.fingerprint.add(now, it, 0)
	if e.present.set(a, b, up) {
		e.typed.note(it.what(), a, b, 0)
		told := toldUp
		if !up {
			told = toldDown
			m.life[Link{a, b}]++
			m.end(a, b)
			m.end(b, a)
		}
		if e.relinked != nil {
			e.relinked(a, b)
		}
		for _, notice := range [2]item{newItem(told, b, a, 0, 0, 0), newItem(told, a, b, 0, 0, 0)} {
			e.trail.pass(e.counters.Events, e.fingerprint)
			e.applyPlanned(now, notice)
		}
	}
	if it.index() == fromSource {
		m.next()
	}
}

// end ends the life of a link in one direction. What waits in its queue is lost, and the next life
// neither waits for messages of this one nor draws the same.
func (m *moving) end(from, to protocols.ID) {
	e := m.engine
	if _, ok := e.cfg.Topology.Port(from, to); !ok {
		return
	}
	if e.air != nil {
		e.air.silence(from, to)
	}
	k := e.links.lineLinkOf(e.hosts[from], to)
	k.last = 0
	if k.lineState == nil || k.channel == nil {
		return
	}
	for _, token := range k.channel.Clear() {
		p := e.unpark(token)
		for range p.copies - 1 {
			e.drop(cut, p.item.with(e.typed.copy(token)))
		}
		e.drop(cut, p.item)
	}
	k.line, k.channel, k.version = nil, nil, outdated
	k.ended++
}

// bear notes the life of the link on which a message leaves now.
func (m *moving) bear(it item) {
	i := int(it.index())
	if i >= len(m.born) {
		m.born = append(m.born, make([]uint32, i+1-len(m.born))...)
	}
	m.born[i] = m.life[LinkBetween(it.from(), it.to())]
}

// outlives reports whether a message that is under way has outlived its link, which has gone down since
// it left.
func (m *moving) outlives(it item) bool {
	if x := m.engine.extras.altered; x != nil && x.carried[it.index()] {
		return false
	}
	born := uint32(0) // also of messages that left before the first change was planned
	if i := int(it.index()); i < len(m.born) {
		born = m.born[i]
	}
	return born != m.life[LinkBetween(it.from(), it.to())]
}
