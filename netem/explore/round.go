package explore

import "slices"

// A round expands some blocks of states. Workers share each pass of it: they expand the
// states; insert what they find into the parts of the table; settle the new states, whose
// numbers follow the order in which a single worker would find them; and put these numbers into
// the table.

// block has consecutive states of a level.
type block struct {
	first  uint64 // the number of the first state
	count  int
	words  []uint32 // of batchStates states
	prints []hash
}

const (
	batchStates  = 64  // states of a block, which one worker expands
	roundBatches = 128 // blocks of a round
)

// state is the i-th state of a block.
func (b *block) state(i, size int) state {
	return state{b.words[i*size : (i+1)*size], b.prints[i]}
}

// batch has the successors of the states of a block, in the order of the moves.
type batch struct {
	from       *block
	successors []successor
	changes    []part // of all successors: the parts in which they differ from their origins
	by         [visitedParts][]lookup
	degrees    []uint32 // by state of the block, the number of its successors
	actions    []uint64 // of the moves; in a search for endless runs

	first   uint32 // the number of the first successor within the round
	fresh   uint32 // the number of states that are new, each counted once
	next    uint32 // the number of the first of them
	settled uint32 // how many of them get numbers: all while there is room

	rests   uint64
	cut     uint64 // states before a limit
	reduced bool   // moves were left out
	cyclic  bool   // a step leads to a state of this level or an earlier one
	seen    uint64 // a bit for each property that holds in a new state
	highest uint32 // the largest measure of a new state
	found   violations
	excused []uint64 // undecided states at rest, by property
	best    uint32   // the largest measure of a state at rest
	bestAt  uint64
}

// successor is a state to which a step leads.
type successor struct {
	print  hash
	origin uint32 // the place in the block of the state that it comes from
	end    uint32 // where its changes end
	// number is the number of the state. With inRound, it is the number within the round of
	// the first successor that is that state.
	number uint32
}

// part is a part of a state.
type part struct{ position, value uint32 }

// lookup is a successor that is to be looked up in a part of the table.
type lookup struct {
	key hash // see recognised
	i   uint32
}

const inRound = 1 << 31

func (b *batch) reset(from *block, properties int, none violations) {
	*b = batch{
		found: none, from: from, successors: b.successors[:0], changes: b.changes[:0], by: b.by, degrees: b.degrees[:0],
		actions: b.actions[:0], excused: append(b.excused[:0], make([]uint64, properties)...),
	}
	for i := range b.by {
		b.by[i] = b.by[i][:0]
	}
}

// isNew reports whether a successor was not known, and is its first copy in the round.
func (b *batch) isNew(i uint32) bool { return b.successors[i].number == (b.first+i)|inRound }

// round expands the states of some blocks.
func (se *search) round(blocks []*block) {
	round, workers := se.lookUp(blocks)
	se.number(round)
	se.each(len(round), workers, func(x *expander, i int) { se.settle(x, round[i]) })
	if !se.full {
		se.each(visitedParts, workers, func(_ *expander, part int) { se.renumber(round, part) })
		se.findable = se.parents.length
	}
	for _, b := range round {
		se.account(b)
		if se.keep && !se.full {
			se.graph.extend(b, se.assigned)
		}
	}
}

// lookUp expands some blocks, and inserts what is found into the table.
func (se *search) lookUp(blocks []*block) (round []*batch, workers int) {
	round, workers = se.batches[:len(blocks)], min(len(blocks), len(se.workers))
	se.each(len(round), workers, func(x *expander, i int) { se.expand(x, blocks[i], round[i]) })
	count := uint32(0)
	for _, b := range round {
		b.first = count
		count += uint32(len(b.successors))
	}
	se.each(visitedParts, workers, func(_ *expander, part int) { se.insert(round, part) })
	se.assigned = slices.Grow(se.assigned[:0], int(count))[:count]
	return round, workers
}

// expand expands the states of a block.
func (se *search) expand(x *expander, from *block, b *batch) {
	b.reset(from, len(se.properties), se.found.none())
	var st state
	for i := range from.count {
		before := len(b.successors)
		st = from.state(i, se.layout.size)
		se.expandState(x, b, &st, from.first+uint64(i))
		b.degrees = append(b.degrees, uint32(len(b.successors)-before))
	}
}

// move adds the state to which a move leads.
func (se *search) move(x *expander, b *batch, from uint64, m move) {
	if !se.judgeMove(x, b, from, m) {
		return
	}
	key := se.recognised(&x.next)
	b.by[partOf(key)] = append(b.by[partOf(key)], lookup{key, uint32(len(b.successors))})
	for _, c := range x.changed {
		b.changes = append(b.changes, part{uint32(c.position), x.next.words[c.position]})
	}
	b.successors = append(b.successors, successor{print: x.next.print, origin: uint32(from - b.from.first), end: uint32(len(b.changes))})
	if se.endless {
		action := m.action()
		if len(x.choices) > 0 && m.amid < 0 {
			action |= byChance
		}
		b.actions = append(b.actions, action)
	}
}

// judgeMove notes what a move violates, and reports whether the search goes on from the state to which it leads. If
// one violation is enough, that of a property is noted where the state is new.
func (se *search) judgeMove(x *expander, b *batch, from uint64, m move) bool {
	v := violation{depth: se.result.Depth + 1, state: from, by: m.by()}
	if x.panicked != "" {
		b.found.add(v)
		return se.found.most == 1
	}
	if se.found.most > 1 {
		b.found.at(se.watched(x.next.words).broken&^se.watched(x.from.words).broken, v)
	}
	return true
}

// insert adds the new states of a round to a part of the table, with their numbers within
// the round.
func (se *search) insert(round []*batch, part int) {
	for _, b := range round {
		for _, l := range b.by[part] {
			b.successors[l.i].number, _ = se.visited[part].add(l.key, (b.first+l.i)|inRound)
		}
	}
}

// number gives each batch the numbers of its new states, while there is room, and makes
// room for these on the next level.
func (se *search) number(round []*batch) {
	for _, b := range round {
		for i := range uint32(len(b.successors)) {
			if b.isNew(i) {
				b.fresh++
			}
		}
		b.next, b.settled = se.parents.length, min(b.fresh, se.room())
		se.extend(b.settled)
		if b.settled < b.fresh {
			se.isFull()
		}
	}
}

// extend makes room for new states on the next level.
func (se *search) extend(states uint32) {
	se.parents.extend(states)
	if se.endless {
		se.graph.bad.extend(states)
	}
	se.result.States = uint64(se.parents.length)
	for states > 0 {
		k := len(se.next)
		if k == 0 || se.next[k-1].count == batchStates {
			se.next = append(se.next, se.emptyBlock(uint64(se.parents.length-states)))
			k++
		}
		more := min(states, uint32(batchStates-se.next[k-1].count))
		se.next[k-1].count += int(more)
		states -= more
	}
}

func (se *search) emptyBlock(first uint64) *block {
	if k := len(se.spare); k > 0 {
		b := se.spare[k-1]
		se.spare = se.spare[:k-1]
		b.first, b.count = first, 0
		return b
	}
	se.kept += batchStates
	return &block{first: first, words: make([]uint32, batchStates*se.layout.size), prints: make([]hash, batchStates)}
}

// settle puts the new states of a batch on the next level.
func (se *search) settle(x *expander, b *batch) {
	number, st := b.next, &x.next
	for i := range uint32(len(b.successors)) {
		if !b.isNew(i) {
			b.cyclic = b.cyclic || b.successors[i].number < se.expanded
			continue
		}
		parent := b.successor(st, i)
		if se.found.most == 1 {
			b.found.at(se.watched(st.words).broken, violation{depth: se.result.Depth + 1, state: parent, by: anyMove})
		}
		if number-b.next < b.settled {
			se.assigned[b.first+i] = number
			se.settleAs(number, b, st, parent)
			number++
		}
	}
}

// successor sets st to a successor, and returns the number of the state that it comes from.
func (b *batch) successor(st *state, i uint32) (parent uint64) {
	size, to, begin := len(st.words), &b.successors[i], uint32(0)
	if i > 0 {
		begin = b.successors[i-1].end
	}
	copy(st.words, b.from.words[int(to.origin)*size:])
	for _, c := range b.changes[begin:to.end] {
		st.words[c.position] = c.value
	}
	st.print = to.print
	return b.from.first + uint64(to.origin)
}

// settleAs puts a state on the next level, and looks at it.
func (se *search) settleAs(number uint32, b *batch, st *state, parent uint64) {
	k := number - se.expanded
	to, i := se.next[k/batchStates], int(k%batchStates)
	copy(to.words[i*se.layout.size:], st.words)
	to.prints[i] = st.print
	se.parents.set(number, uint32(parent))
	if se.endless {
		se.graph.bad.set(number, se.watched(st.words).bad)
	}
	se.notice(b, st.words)
}

// notice looks at a new state.
func (se *search) notice(b *batch, words []uint32) {
	b.seen |= se.watched(words).holds
	b.highest = max(b.highest, words[se.layout.measure])
}

// renumber puts the numbers of new states into a part of the table.
func (se *search) renumber(round []*batch, part int) {
	for _, b := range round {
		for _, l := range b.by[part] {
			if b.isNew(l.i) {
				se.visited[part].renumber(l.key, se.assigned[b.first+l.i])
			}
		}
	}
}

// account adds a batch to the result.
func (se *search) account(b *batch) {
	r := se.result
	r.Transitions += uint64(len(b.successors))
	r.Rests += b.rests
	r.Cut += b.cut
	r.Reduced = r.Reduced || b.reduced
	r.Highest = max(r.Highest, b.highest)
	se.seen |= b.seen
	se.cyclic = se.cyclic || b.cyclic
	for _, v := range b.found.list {
		se.found.add(v)
	}
	for i, n := range b.excused {
		r.Properties[i].Excused += n
	}
	if b.bestAt > 0 && (r.best == 0 || b.best > r.Most) {
		r.Most, r.best = b.best, b.bestAt
	}
}
