package explore

import (
	"context"
	"slices"
)

// depthFirst is a search by one worker that follows a run to its end before the next. It
// keeps no levels. It visits the same states as a breadth-first search, but its
// counterexamples are longer.
type depthFirst struct {
	*search
	x    *expander
	path []branch
	on   map[uint32]bool // the states on the path
	bits *bitTable       // recognises states in place of visited, which numbers them; nil for none
}

// branch is a state on the path with its successors that are still to be visited.
type branch struct {
	number uint32
	key    hash
	next   []state
}

func inDepth(ctx context.Context, s *space, o Options) *search {
	d := newDepthFirst(s, o)
	d.fromRoots(ctx)
	d.result.Complete = d.result.Stopped == nil && !d.found.there()
	return d.search
}

func newDepthFirst(s *space, o Options) *depthFirst {
	o.Workers, o.Reduce = 1, false // which steps may be delayed is not known before the end
	d := &depthFirst{search: newSearch(s, o), on: map[uint32]bool{}}
	d.x, d.keep = d.workers[0], false
	return d
}

// fromRoots searches from each root.
func (d *depthFirst) fromRoots(ctx context.Context) {
	for root := range d.roots {
		st := d.space.begin(root)
		if d.enter(&st, 0, true) {
			d.run(ctx)
		}
		if d.found.there() {
			break
		}
	}
	d.result.Reduced = d.Rotations
	d.result.Memory = d.stored()
}

// run searches until the path is empty.
func (d *depthFirst) run(ctx context.Context) {
	for len(d.path) > 0 && !d.found.there() {
		if d.result.Transitions&0xfff == 0 {
			if d.stopped(ctx) {
				return
			}
			d.progress()
		}
		top := &d.path[len(d.path)-1]
		if len(top.next) == 0 {
			delete(d.on, top.number)
			d.path = d.path[:len(d.path)-1]
			continue
		}
		st := top.next[len(top.next)-1]
		top.next = top.next[:len(top.next)-1]
		d.kept--
		if !d.enter(&st, top.number, false) && d.result.Stopped != nil {
			return
		}
	}
}

// enter goes to a state, and reports whether it is new.
func (d *depthFirst) enter(st *state, from uint32, root bool) bool {
	key := d.recognised(st)
	if d.knows(key) || d.full() {
		return false
	}
	number := d.add(key, from, root)
	d.result.States++
	d.path = append(d.path, branch{number: number, key: key})
	d.path[len(d.path)-1].next = d.expand(st, number)
	d.result.Depth = max(d.result.Depth, len(d.path)-1)
	return true
}

// full reports whether no more states may be visited.
func (d *depthFirst) full() bool {
	if d.bits == nil {
		return d.isFull()
	}
	if most := d.options.MaxStates; most > 0 && d.result.States >= most {
		d.result.Stopped = &StatesError{most}
	}
	return d.result.Stopped != nil
}

// knows reports whether a state was visited.
func (d *depthFirst) knows(key hash) bool {
	if d.bits != nil {
		return d.bits.has(key)
	}
	at, known := d.visited.find(key)
	d.cyclic = d.cyclic || known && d.on[at]
	return known
}

// add marks a state as visited, and gives it a number if states have numbers.
func (d *depthFirst) add(key hash, from uint32, root bool) (number uint32) {
	if d.bits != nil {
		d.bits.add(key)
		return 0
	}
	number = d.parents.length
	d.visited[partOf(key)].add(key, number)
	if root {
		from = number
	}
	d.parents.append(from)
	d.findable = d.parents.length
	d.on[number] = true
	return number
}

// expand returns the new successors of a state.
func (d *depthFirst) expand(st *state, number uint32) (next []state) {
	b := &batch{found: d.found.none(), excused: make([]uint64, len(d.properties))}
	d.notice(b, st.words)
	rest, depth := true, len(d.path)-1
	b.found.at(d.watched(st.words).broken, violation{depth: depth, state: uint64(number)}) // of a root: other states end the search before
	d.x.expand(st, everyone, func(m move) {
		rest = rest && d.optional(m)
		d.result.Transitions++
		v := violation{depth: depth + 1, state: uint64(number), by: anyMove}
		if d.x.panicked != "" {
			b.found.add(v)
		} else {
			b.found.at(d.watched(d.x.next.words).broken, v)
		}
		if !d.knows(d.recognised(&d.x.next)) {
			next = append(next, state{slices.Clone(d.x.next.words), d.x.next.print})
			d.kept++
		}
	})
	switch {
	case d.x.cut:
		d.cutOff(b, uint64(number))
	case rest:
		d.atRest(b, st, uint64(number), depth)
	}
	d.account(b)
	slices.Reverse(next) // the last is taken first
	return next
}
