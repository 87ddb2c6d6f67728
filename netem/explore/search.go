package explore

import (
	"context"
	"math/bits"
	"runtime"
	"sync"
	"sync/atomic"
)

// search is a breadth-first search: level by level, and a level round by round. Workers
// expand the states of a round, and then its new states get numbers in the order in which
// a single worker would find them. So the result depends neither on the number of workers
// nor on their pace.
type search struct {
	*space
	options  Options
	visited  visited
	parents  column[uint32] // by state, the state from which it was first found; a root has itself
	findable uint32         // the states before this one are in the table by their numbers: those of a round that had no room are not
	frontier []*block       // the states of this level
	expanded uint32         // the number of the first state of the next level
	next     []*block       // all but the last are full
	spare    []*block
	kept     uint64 // states that are stored in full
	reserved uint64 // bytes of a table of bits

	reduce  bool
	keep    bool // keep the graph, to look for cycles
	endless bool // keep what a search for endless runs needs, too
	graph   graph

	batches  []*batch
	assigned []uint32 // the numbers of the new states of a round, by their numbers within it
	workers  []*expander
	result   *Result
	found    violations
	seen     uint64 // a bit for each property that held in some state
	cyclic   bool   // a step has led to a state of the same level or an earlier one: there may be a cycle
	again    bool   // the search has assumed something wrong, and has to be repeated
	full     bool   // no more states may be added
}

func newSearch(s *space, o Options) *search {
	se := &search{space: s, options: o, reduce: o.Reduce, result: newResult(s), found: violations{most: max(o.Counterexamples, 1)}}
	for range o.workers() {
		se.workers = append(se.workers, newExpander(s))
	}
	for range roundBatches {
		se.batches = append(se.batches, &batch{})
	}
	return se
}

// run searches until it finds no new state or has to stop.
func (se *search) run(ctx context.Context) {
	se.begin()
	for len(se.frontier) > 0 && !se.found.enough() {
		if !se.level(ctx) {
			break
		}
		se.result.Depth++
		se.frontier, se.next = se.next, nil
	}
	se.result.Complete = len(se.frontier) == 0 && se.result.Stopped == nil
	se.result.Depth = max(se.result.Depth-1, 0)
	se.result.Memory = se.stored()
	se.result.Reduced = se.result.Reduced || se.Rotations
}

// begin puts the roots on the first level.
func (se *search) begin() {
	for root := range se.roots {
		st := se.space.begin(root)
		h, number := se.recognised(&st), se.parents.length
		if _, added := se.visited[partOf(h)].add(h, number); added {
			b := &batch{found: se.found.none()}
			se.extend(1)
			se.settleAs(number, b, &st, uint64(number))
			b.found.at(se.watched(st.words).broken, violation{state: uint64(number)})
			se.account(b)
		}
	}
	se.frontier, se.next = se.next, nil
}

// level expands the states of a level, and reports whether it has expanded all of them.
func (se *search) level(ctx context.Context) bool {
	se.expanded = se.parents.length
	for len(se.frontier) > 0 {
		if se.stopped(ctx) {
			return false
		}
		blocks := se.frontier[:min(roundBatches, len(se.frontier))]
		se.round(blocks)
		se.spare = append(se.spare, blocks...)
		se.frontier = se.frontier[len(blocks):]
		if se.reduce {
			se.again = se.learn()
		}
		se.again = se.again || se.wantsGraph()
		if se.full || se.again {
			return false
		}
		se.progress()
	}
	return true
}

// wantsGraph reports whether the search has to keep the graph, and does not. That is so from
// the first step on that does not lead to the next level, because a cycle has such a step.
func (se *search) wantsGraph() bool {
	return se.cyclic && !se.keep && !se.options.Safety && !se.found.there() && se.hasLiveness()
}

// stopped reports whether the search has to stop, and notes the reason.
func (se *search) stopped(ctx context.Context) bool {
	switch problem := se.problem.Load(); {
	case problem != nil:
		se.result.Stopped = *problem
	case ctx.Err() != nil:
		se.result.Stopped = context.Cause(ctx)
	case se.size() > se.options.MaxMemory:
		se.result.Stopped = &memoryError{se.options.MaxMemory}
	}
	return se.result.Stopped != nil
}

// size is about the memory of the search, in bytes.
func (se *search) size() uint64 {
	return se.stored() + se.kept*uint64(4*se.layout.size+16)
}

// stored is the memory of the visited states and of their parts. States that are still to
// be expanded are stored in full besides.
func (se *search) stored() uint64 {
	return se.reserved + se.bytes + se.visited.size() + 4*uint64(se.parents.length) + se.graph.size()
}

// each calls do for each i below things, on that many workers.
func (se *search) each(things, workers int, do func(x *expander, i int)) {
	if workers == 1 {
		for i := range things {
			do(se.workers[0], i)
		}
		return
	}
	var next atomic.Int64
	var all sync.WaitGroup
	for _, x := range se.workers[:workers] {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < things; i = int(next.Add(1)) - 1 {
				do(x, i)
			}
		})
	}
	all.Wait()
}

// expandState expands a state, by the steps of one process if those suffice.
func (se *search) expandState(x *expander, b *batch, st *state, number uint64) {
	only := everyone
	if se.reduce {
		only = se.persistent(x, st)
		b.reduced = b.reduced || only != everyone
	}
	rest := true
	x.expand(st, only, func(m move) {
		rest = rest && se.optional(m)
		se.move(x, b, number, m)
	})
	switch {
	case x.cut:
		se.cutOff(b, number)
	case rest:
		se.atRest(b, st, number, se.result.Depth)
	}
}

// cutOff notes a state before a limit. Endless runs through it are not judged: what they put off may be
// behind the limit.
func (se *search) cutOff(b *batch, number uint64) {
	b.cut++
	if se.endless {
		se.graph.bad.set(uint32(number), 0)
	}
}

// atRest judges a state at rest at that depth.
func (se *search) atRest(b *batch, st *state, number uint64, depth int) {
	b.rests++
	w := se.watched(st.words)
	b.found.at(w.lacking, violation{depth: depth, state: number})
	for left := w.excused; left != 0; left &= left - 1 {
		b.excused[bits.TrailingZeros64(left)]++
	}
	if m := st.words[se.layout.measure]; m > b.best || b.bestAt == 0 {
		b.best, b.bestAt = m, number+1
	}
}

// isFull reports whether no more states may be added.
func (se *search) isFull() bool {
	if se.room() == 0 {
		se.full = true
		se.result.Stopped = &StatesError{uint64(se.parents.length)}
	}
	return se.full
}

// room is the number of states that may be added.
func (se *search) room() uint32 {
	most := uint64(inRound - 1)
	if se.options.MaxStates > 0 {
		most = min(most, se.options.MaxStates)
	}
	return uint32(most - min(most, uint64(se.parents.length)))
}

// progress reports the progress of the search.
func (se *search) progress() {
	if se.options.Progress != nil {
		se.options.Progress(Progress{
			States: se.result.States, Transitions: se.result.Transitions, Depth: se.result.Depth,
			Waiting: uint64(se.parents.length - se.expanded), Memory: se.size(),
		})
	}
}

func (o Options) workers() int {
	if o.Workers > 0 {
		return o.Workers
	}
	return runtime.GOMAXPROCS(0)
}
