package explore

import (
	"context"
	"math/bits"
	"runtime"
	"sync"
	"sync/atomic"

	"bullring/protocols"
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
	frontier []*block       // the states of this level
	expanded uint32         // the number of the first state of the next level
	next     []*block
	spare    []*block
	kept     uint64 // states that are stored in full
	reserved uint64 // bytes of a table of bits

	reduce  bool
	keep    bool // keep the graph, to look for cycles
	endless bool // keep what a search for endless runs needs, too
	graph   graph

	batches []*batch
	workers []*expander
	result  *Result
	worst   violation
	seen    uint64 // a bit for each property that held in some state
	cyclic  bool   // a step has led to a known state: there may be a cycle
	again   bool   // the search was reduced on a wrong assumption: see learn
	full    bool   // no more states may be added
}

// block has consecutive states of a level.
type block struct {
	first  uint32 // the number of the first state
	words  []uint32
	prints []hash
}

const (
	batchStates  = 256 // states of a block, which one worker expands
	roundBatches = 32  // blocks of a round
)

// batch has the successors of the states of a block, in the order of the moves.
type batch struct {
	words   []uint32
	prints  []hash
	keys    []hash   // that identify them: see recognised
	parents []uint32 // the states from which they come
	ends    []uint32 // by expanded state, where its successors end; if the graph is kept
	actions []uint64 // of the moves; in a search for endless runs
	numbers []uint32 // of the states; with inRound, still the number within the round
	fresh   []bool   // the state was not known, and this is its first copy in the round
	by      [visitedParts][]uint32
	first   uint32 // the number of the first successor within the round

	rests   uint64
	reduced bool // moves were left out
	found   violation
	excused []uint64 // undecided states at rest, by property
	best    uint32   // the largest measure of a state at rest
	bestAt  uint32
}

const inRound = 1 << 31

// violation is a violation of a property.
type violation struct {
	there    bool
	property int    // 0 is NoPanic
	depth    int    // the number of steps that lead to it
	state    uint32 // the state that violates it, or in which the violating step is taken
	step     bool   // a step violates it
}

// before reports whether this violation is reported rather than w.
func (v violation) before(w violation) bool {
	return v.there && (!w.there || v.depth < w.depth)
}

func newSearch(s *space, o Options) *search {
	se := &search{space: s, options: o, reduce: o.Reduce, keep: s.hasLiveness(), result: newResult(s)}
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
	for len(se.frontier) > 0 && !se.worst.there {
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
			se.addState(st.words, st.print, number)
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
		if se.full || se.again {
			return false
		}
		se.progress()
	}
	return true
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
	return se.reserved + se.parts + se.visited.size() + 4*uint64(se.parents.length) + se.graph.size()
}

// round expands the states of some blocks.
func (se *search) round(blocks []*block) {
	round := se.batches[:len(blocks)]
	for _, b := range round {
		b.reset(len(se.properties))
	}
	se.each(len(round), func(x *expander, i int) { se.expand(x, blocks[i], round[i]) })
	count := uint32(0)
	for _, b := range round {
		b.first = count
		count += uint32(len(b.keys))
	}
	se.each(visitedParts, func(_ *expander, part int) { se.insert(round, part) })
	se.number(round, count)
	if !se.full {
		se.each(visitedParts, func(_ *expander, part int) { se.renumber(round, part) })
	}
	for _, b := range round {
		se.account(b)
	}
}

// each calls do for each i below things, on all workers.
func (se *search) each(things int, do func(x *expander, i int)) {
	if len(se.workers) == 1 || things == 1 {
		for i := range things {
			do(se.workers[0], i)
		}
		return
	}
	var next atomic.Int64
	var all sync.WaitGroup
	for _, x := range se.workers {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < things; i = int(next.Add(1)) - 1 {
				do(x, i)
			}
		})
	}
	all.Wait()
}

func (b *batch) reset(properties int) {
	*b = batch{
		words: b.words[:0], prints: b.prints[:0], keys: b.keys[:0], parents: b.parents[:0], actions: b.actions[:0],
		ends: b.ends[:0], numbers: b.numbers[:0], fresh: b.fresh[:0], by: b.by, excused: append(b.excused[:0], make([]uint64, properties)...),
	}
	for i := range b.by {
		b.by[i] = b.by[i][:0]
	}
}

// expand expands the states of a block.
func (se *search) expand(x *expander, from *block, b *batch) {
	for i, print := range from.prints {
		st := state{from.words[i*se.layout.size : (i+1)*se.layout.size], print}
		se.expandState(x, b, &st, from.first+uint32(i))
		if se.keep {
			b.ends = append(b.ends, uint32(len(b.keys)))
		}
	}
}

// expandState expands a state, by the steps of one process if those suffice.
func (se *search) expandState(x *expander, b *batch, st *state, number uint32) {
	only := protocols.ID(-1)
	if se.reduce {
		if p := x.ample(st.words); p >= 0 && se.suffices(x, st, p) {
			only, b.reduced = p, true
		}
	}
	rest := true
	x.expand(st, only, func(m move) {
		rest = rest && m.isFault()
		se.move(x, b, number, m)
	})
	if rest {
		se.atRest(b, st, number, se.result.Depth)
	}
}

// suffices reports whether an expansion may be reduced to the steps of a process. It may
// not if the steps change a watch that depends on their order, nor if they lead to known
// states only: then the steps of the others might be delayed for ever.
func (se *search) suffices(x *expander, st *state, p protocols.ID) bool {
	leads, seen := false, false
	x.expand(st, p, func(move) {
		_, known := se.visited.find(se.recognised(&x.next))
		leads = leads || !known
		seen = seen || x.next.words[se.layout.watch] != st.words[se.layout.watch]
	})
	return leads && (se.Commutes || !seen)
}

// move adds the state to which a move leads.
func (se *search) move(x *expander, b *batch, from uint32, m move) {
	if x.panicked != "" {
		b.find(violation{property: 0, depth: se.result.Depth + 1, state: from, step: true, there: true})
	}
	i, key := uint32(len(b.keys)), se.recognised(&x.next)
	b.by[partOf(key)] = append(b.by[partOf(key)], i)
	b.words = append(b.words, x.next.words...)
	b.prints, b.keys = append(b.prints, x.next.print), append(b.keys, key)
	b.parents = append(b.parents, from)
	b.numbers, b.fresh = append(b.numbers, 0), append(b.fresh, false)
	if se.endless {
		action := m.action()
		if len(x.choices) > 0 && m.amid < 0 {
			action |= byChance
		}
		b.actions = append(b.actions, action)
	}
}

// find notes a violation, if none was found before.
func (b *batch) find(v violation) {
	if v.before(b.found) {
		b.found = v
	}
}

// atRest judges a state at rest at that depth.
func (se *search) atRest(b *batch, st *state, number uint32, depth int) {
	b.rests++
	w := se.watched(st.words)
	if w.lacking > 0 {
		b.find(violation{property: w.lacking, depth: depth, state: number, there: true})
	}
	for left := w.excused; left != 0; left &= left - 1 {
		b.excused[bits.TrailingZeros64(left)]++
	}
	if m := st.words[se.layout.measure]; m > b.best || b.bestAt == 0 {
		b.best, b.bestAt = m, number+1
	}
}

// insert adds the new states of a round to a part of the table, with their numbers within
// the round.
func (se *search) insert(round []*batch, part int) {
	for _, b := range round {
		for _, i := range b.by[part] {
			b.numbers[i], b.fresh[i] = se.visited[part].add(b.keys[i], (b.first+i)|inRound)
		}
	}
}

// number gives the new states of a round their numbers and puts them on the next level
// while there is room.
func (se *search) number(round []*batch, count uint32) {
	numbers, size := make([]uint32, count), se.layout.size
	for _, b := range round {
		for i, fresh := range b.fresh {
			words := b.words[i*size : (i+1)*size]
			if w := se.watched(words); fresh && w.broken > 0 {
				b.find(violation{property: w.broken, depth: se.result.Depth + 1, state: b.parents[i], step: true, there: true})
			}
			switch {
			case fresh && se.isFull():
			case fresh:
				numbers[b.first+uint32(i)] = se.addState(words, b.prints[i], b.parents[i])
				b.numbers[i] = numbers[b.first+uint32(i)]
			case b.numbers[i]&inRound != 0:
				b.numbers[i] = numbers[b.numbers[i]&^inRound]
			default:
				se.cyclic = se.cyclic || b.numbers[i] < se.expanded
			}
		}
	}
}

// isFull reports whether no more states may be added.
func (se *search) isFull() bool {
	count := uint64(se.parents.length)
	if count >= inRound-1 || se.options.MaxStates > 0 && count >= se.options.MaxStates {
		se.full = true
		se.result.Stopped = &StatesError{count}
	}
	return se.full
}

// addState adds a state to the next level, and returns its number.
func (se *search) addState(words []uint32, print hash, parent uint32) uint32 {
	number := se.parents.length
	se.parents.append(parent)
	b := se.lastBlock(number)
	b.words, b.prints = append(b.words, words...), append(b.prints, print)
	se.notice(words)
	se.result.States = uint64(se.parents.length)
	return number
}

// lastBlock is the last block of the next level. It has room for a state with that number.
func (se *search) lastBlock(number uint32) *block {
	if k := len(se.next); k > 0 && len(se.next[k-1].prints) < batchStates {
		return se.next[k-1]
	}
	var b *block
	if k := len(se.spare); k > 0 {
		b, se.spare = se.spare[k-1], se.spare[:k-1]
		b.words, b.prints = b.words[:0], b.prints[:0]
	} else {
		se.kept += batchStates
		b = &block{words: make([]uint32, 0, batchStates*se.layout.size), prints: make([]hash, 0, batchStates)}
	}
	b.first = number
	se.next = append(se.next, b)
	return b
}

// notice looks at a new state.
func (se *search) notice(words []uint32) {
	w := se.watched(words)
	se.seen |= w.holds
	se.result.Highest = max(se.result.Highest, words[se.layout.measure])
	if se.endless {
		se.graph.bad.append(w.bad)
	}
}

func (se *search) renumber(round []*batch, part int) {
	for _, b := range round {
		for _, i := range b.by[part] {
			if b.fresh[i] {
				se.visited[part].renumber(b.keys[i], b.numbers[i])
			}
		}
	}
}

// account adds a batch to the result.
func (se *search) account(b *batch) {
	r := se.result
	r.Transitions += uint64(len(b.keys))
	r.Rests += b.rests
	r.Reduced = r.Reduced || b.reduced
	if b.found.before(se.worst) {
		se.worst = b.found
	}
	for i, n := range b.excused {
		r.Properties[i].Excused += n
	}
	if b.bestAt > 0 && (r.best == 0 || b.best > r.Most) {
		r.Most, r.best = b.best, b.bestAt
	}
	if se.keep && !se.full {
		se.graph.extend(b)
	}
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
