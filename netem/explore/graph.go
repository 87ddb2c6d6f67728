package explore

import (
	"iter"
	"maps"
	"slices"
	"unsafe"
)

// graph is the graph of states and steps.
type graph struct {
	pieces []edges
	index  []uint32 // by state, every batchStates states, the piece that has its edges
	states uint32
	bytes  uint64 // of the pieces
	// bad has, by state, a bit for each property that an endless run in such states
	// violates. Only searches for endless runs have it.
	bad column[uint64]
	// The reasons why cycles of such states violate nothing: they delay a step for
	// ever, or avoid for ever what a process may draw.
	unfair, lucky bool
}

// edges are the edges of consecutive states.
type edges struct {
	first   uint32   // the first of the states
	to      packed   // the states to which they lead
	ends    packed   // by state, where its edges end
	actions []uint64 // see move.action; only in searches for endless runs
}

// edge is a step in the graph.
type edge struct {
	to     uint32
	action uint64
	chance bool // the state to which it leads depends on a draw
}

// byChance marks the actions of such steps.
const byChance = 1 << 63

func (g *graph) size() uint64 { return g.bytes + 8*uint64(g.bad.length) }

// extend adds the edges of a batch. assigned are the numbers of the new states of the round.
func (g *graph) extend(b *batch, assigned []uint32) {
	to, ends := make([]uint32, len(b.successors)), slices.Clone(b.degrees)
	for i, s := range b.successors {
		to[i] = s.number
		if s.number&inRound != 0 {
			to[i] = assigned[s.number&^inRound]
		}
	}
	for i := 1; i < len(ends); i++ {
		ends[i] += ends[i-1]
	}
	e := edges{g.states, pack(to), pack(ends), slices.Clone(b.actions)}
	g.pieces = append(g.pieces, e)
	g.states += uint32(len(ends))
	for len(g.index)*batchStates < int(g.states) {
		g.index = append(g.index, uint32(len(g.pieces)-1))
	}
	g.bytes += uint64(unsafe.Sizeof(e)) + uint64(len(e.to.bytes)+len(e.ends.bytes)+8*len(e.actions))
}

// edgesOf returns the edges of a state: a range of a piece.
func (g *graph) edgesOf(v uint32) (p *edges, begin, end uint32) {
	i := int(g.index[v/batchStates])
	for i+1 < len(g.pieces) && g.pieces[i+1].first <= v {
		i++
	}
	p = &g.pieces[i]
	if k := v - p.first; k > 0 {
		begin = p.ends.at(k - 1)
	}
	return p, begin, p.ends.at(v - p.first)
}

// leads are the successors of a state.
func (g *graph) leads(v uint32) []uint32 {
	p, begin, end := g.edgesOf(v)
	to := make([]uint32, 0, end-begin)
	for i := begin; i < end; i++ {
		to = append(to, p.to.at(i))
	}
	return to
}

// from are the edges of a state.
func (g *graph) from(v uint32) iter.Seq[edge] {
	return func(yield func(edge) bool) {
		p, begin, end := g.edgesOf(v)
		for i := begin; i < end; i++ {
			if !yield(edge{p.to.at(i), p.actions[i] &^ byChance, p.actions[i]&byChance != 0}) {
				return
			}
		}
	}
}

// hasCycle reports whether some state leads back to itself.
func (g *graph) hasCycle() (has bool) {
	return len(g.cycles(func(uint32) bool { return true }, g.leads)) > 0
}

// lasso looks for a fair cycle on which a property is violated. Fair means that an action
// that is possible in all states of the cycle is taken on it, and that the cycle need not
// avoid for ever what a process may draw: a draw that is repeated for ever has every
// result. It returns the states of the cycle, in order, and the steps between them. If
// timed is true, time passes on the cycle.
func (g *graph) lasso(property int, timed bool) (cycle []uint32, by []edge) {
	components := g.cycles(func(v uint32) bool { return g.bad.at(v)>>property&1 == 1 }, g.leads)
	for len(components) > 0 {
		component := components[0]
		components = components[1:]
		within := g.regionOf(component)
		if len(within.avoided) > 0 {
			parts := g.cycles(func(v uint32) bool { return within.states[v] }, func(v uint32) []uint32 { return g.staying(v, within) })
			if len(parts) != 1 || len(parts[0]) != len(component) {
				components, g.lucky = append(components, parts...), true
				continue
			}
		}
		if taken := g.taken(component, within); g.fair(component, taken, timed) {
			return g.tour(slices.Min(component), within, taken, timed)
		}
		g.unfair = true
	}
	return nil, nil
}

// region is a set of states in which a run may stay for ever, with the actions that it
// must avoid because chance may lead out of the region.
type region struct {
	states  map[uint32]bool
	avoided map[avoided]bool
}

type avoided struct {
	state  uint32
	action uint64
}

func (g *graph) regionOf(component []uint32) region {
	r := region{map[uint32]bool{}, map[avoided]bool{}}
	for _, v := range component {
		r.states[v] = true
	}
	for _, v := range component {
		for e := range g.from(v) {
			if e.chance && !r.states[e.to] {
				r.avoided[avoided{v, e.action}] = true
			}
		}
	}
	return r
}

// keeps reports whether a step leads from a state of the region to another.
func (r region) keeps(v uint32, e edge) bool {
	return r.states[e.to] && !(e.chance && r.avoided[avoided{v, e.action}])
}

// staying are the successors of a state within a region.
func (g *graph) staying(v uint32, within region) (to []uint32) {
	for e := range g.from(v) {
		if within.keeps(v, e) {
			to = append(to, e.to)
		}
	}
	return to
}

// cycles are the strongly connected components that lead back to themselves.
func (g *graph) cycles(in func(uint32) bool, leads func(uint32) []uint32) (all [][]uint32) {
	g.components(in, leads, func(component []uint32) {
		if len(component) > 1 || slices.Contains(leads(component[0]), component[0]) {
			all = append(all, slices.Clone(component))
		}
	})
	return all
}

// taken are the actions of the edges within a component.
func (g *graph) taken(component []uint32, within region) map[uint64]bool {
	taken := map[uint64]bool{}
	for _, v := range component {
		for e := range g.from(v) {
			if within.keeps(v, e) {
				taken[e.action] = true
			}
		}
	}
	return taken
}

// fair reports whether every action that is possible throughout a component is taken in
// it (weak fairness). Faults do not count.
func (g *graph) fair(component []uint32, taken map[uint64]bool, timed bool) bool {
	if timed && !taken[move{what: Tick}.action()] {
		return false
	}
	var always map[uint64]bool
	for _, v := range component {
		possible := g.possible(v)
		if always == nil {
			always = possible
		}
		maps.DeleteFunc(always, func(a uint64, _ bool) bool { return !possible[a] })
	}
	for a := range always {
		if !taken[a] {
			return false
		}
	}
	return true
}

// possible are the actions that are possible in a state, without faults.
func (g *graph) possible(v uint32) map[uint64]bool {
	possible := map[uint64]bool{}
	for e := range g.from(v) {
		if !(move{what: StepKind(e.action >> 48)}).isFault() {
			possible[e.action] = true
		}
	}
	return possible
}

// tour is a fair cycle within a component through a state: for each action that is
// possible in that state, the cycle takes it or passes a state where it is not possible.
// If timed, time passes on it.
func (g *graph) tour(start uint32, within region, taken map[uint64]bool, timed bool) (cycle []uint32, by []edge) {
	at := start
	walk := func(done func(v uint32, e edge) bool) {
		states, steps := g.way(at, within, done)
		cycle, by = append(cycle, states...), append(by, steps...)
		at = steps[len(steps)-1].to
	}
	possible := g.possible(start)
	for e := range g.from(start) { // in the order of the edges: numbers in actions depend on the pace of the workers
		if !possible[e.action] {
			continue
		}
		delete(possible, e.action)
		if taken[e.action] {
			walk(func(_ uint32, f edge) bool { return f.action == e.action })
		} else {
			walk(func(_ uint32, f edge) bool { return !g.possible(f.to)[e.action] })
		}
	}
	tick := move{what: Tick}.action()
	if timed && !slices.ContainsFunc(by, func(e edge) bool { return e.action == tick }) {
		walk(func(_ uint32, e edge) bool { return e.action == tick })
	}
	if at != start || len(by) == 0 {
		walk(func(_ uint32, e edge) bool { return e.to == start })
	}
	return cycle, by
}

// way is the shortest path within a component from a state to the end of an edge for which
// done is true.
func (g *graph) way(start uint32, within region, done func(v uint32, e edge) bool) (states []uint32, steps []edge) {
	type reached struct {
		state uint32
		from  int // index in way
		by    edge
	}
	way, known := []reached{{start, -1, edge{}}}, map[uint32]bool{start: true}
	for i := 0; i < len(way); i++ {
		v := way[i].state
		for e := range g.from(v) {
			if within.keeps(v, e) && done(v, e) {
				states, steps = []uint32{v}, []edge{e}
				for k := i; way[k].from >= 0; k = way[k].from {
					states, steps = append(states, way[way[k].from].state), append(steps, way[k].by)
				}
				slices.Reverse(states)
				slices.Reverse(steps)
				return states, steps
			}
			if within.keeps(v, e) && !known[e.to] {
				known[e.to] = true
				way = append(way, reached{e.to, i, e})
			}
		}
	}
	panic("explore: no way through a strongly connected component")
}

// components finds the strongly connected components of the states for which in is true
// (Tarjan, SIAM J. Comput. 1(2) 1972), without recursion. The slice that found gets is
// reused.
func (g *graph) components(in func(uint32) bool, leads func(uint32) []uint32, found func([]uint32)) {
	c := &connected{in: in, leads: leads, found: found, index: make([]uint32, g.states), low: make([]uint32, g.states)}
	for root := range g.states {
		if in(root) && c.index[root] == 0 {
			c.search(root)
		}
	}
}

// connected is the state of that search.
type connected struct {
	in         func(uint32) bool
	leads      func(uint32) []uint32
	index, low []uint32 // of a state, from 1; a finished state has low = done
	count      uint32
	stack      []uint32
	found      func([]uint32)
}

const done = 1<<32 - 1

func (c *connected) search(root uint32) {
	type call struct {
		v    uint32
		rest []uint32
	}
	enter := func(v uint32) call {
		c.count++
		c.index[v], c.low[v] = c.count, c.count
		c.stack = append(c.stack, v)
		return call{v, c.leads(v)}
	}
	calls := []call{enter(root)}
	for len(calls) > 0 {
		top := &calls[len(calls)-1]
		if len(top.rest) == 0 {
			c.leave(top.v)
			calls = calls[:len(calls)-1]
			if len(calls) > 0 {
				up := calls[len(calls)-1].v
				c.low[up] = min(c.low[up], c.low[top.v])
			}
			continue
		}
		to := top.rest[0]
		top.rest = top.rest[1:]
		switch {
		case !c.in(to):
		case c.index[to] == 0:
			calls = append(calls, enter(to))
		case c.low[to] != done:
			c.low[top.v] = min(c.low[top.v], c.index[to])
		}
	}
}

// leave ends the search at a state. If it reached no earlier state, the states behind it
// on the stack are its component.
func (c *connected) leave(v uint32) {
	if c.low[v] != c.index[v] {
		return
	}
	i := len(c.stack) - 1
	for c.stack[i] != v {
		i--
	}
	for _, u := range c.stack[i:] {
		c.low[u] = done
	}
	c.found(c.stack[i:])
	c.stack = c.stack[:i]
}
