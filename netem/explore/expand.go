package explore

import (
	"math/bits"

	"bullring/internal/value"
	"bullring/protocols"
)

// state is a state of a system: a row of numbers (see layout) with its hash.
type state struct {
	words []uint32
	print hash
}

func (st *state) set(to *state) {
	copy(st.words, to.words)
	st.print = to.print
}

// move is the short form of a step. Together with its state it determines the step.
type move struct {
	what      StepKind
	who, from uint8
	place     uint16 // which of the messages of the channel
	amid      int16  // the number of sends before the process crashes, -1 if it does not
	leaf      uint32 // the number of the outcome among those of different choices
	label     uint32 // of the timer, by number
}

// action identifies a move for fairness: by its channel, timer or process.
func (m move) action() uint64 {
	return uint64(m.what)<<48 | uint64(m.who)<<40 | uint64(m.from)<<32 | uint64(m.label)
}

// isFault reports whether a move is a fault: a run without it is fair.
func (m move) isFault() bool {
	return m.what >= Crash && m.what <= Duplicate || m.what == Up || m.what == Down
}

// optional reports whether a run can be at rest although a move is possible.
func (sp *space) optional(m move) bool {
	return m.isFault() && !(sp.Returns && m.what == Restart)
}

// expander computes the possible steps of a state.
type expander struct {
	*space
	from     *state
	next     state
	changed  []change // from from to next
	emit     func(move)
	taken    int    // the number of changes that take the event out of the state
	only     uint32 // a bit for each process to whose steps the expansion is reduced
	answers  []int
	choices  []int
	panicked string // of the present step
	cut      bool   // a step of the expansion is behind a limit
	sent     []bool // by channel: a message was sent in some expansion
	setTimer bool   // in some expansion
}

// change is a change of one part of a state.
type change struct {
	position int
	was      uint32
	print    hash // of the state before this change
}

func newExpander(s *space) *expander {
	return &expander{space: s, next: state{words: make([]uint32, s.layout.size)}, sent: make([]bool, len(s.channels.list))}
}

// The setters change a part of the next state.

func (x *expander) setProcess(at int, to uint32) {
	if was := x.next.words[at]; was != to {
		x.replace(at, to, x.handlers.processHash(was), x.handlers.processHash(to))
	}
}

func (x *expander) setTimers(p protocols.ID, to uint32) {
	at := x.layout.timers + int(p)
	if was := x.next.words[at]; was != to {
		x.replace(at, to, x.timers.at(was).hash, x.timers.at(to).hash)
	}
}

func (x *expander) setChannel(c int, to uint32) {
	at := x.layout.channel + c
	if was := x.next.words[at]; was != to {
		x.replace(at, to, x.contents.at(was).hash, x.contents.at(to).hash)
	}
}

func (x *expander) setWatch(to uint32) {
	at := x.layout.watch
	if was := x.next.words[at]; was != to {
		x.replace(at, to, x.watches.at(was).hash, x.watches.at(to).hash)
	}
}

func (x *expander) setNumber(position int, to uint32) {
	if was := x.next.words[position]; was != to {
		x.replace(position, to, number(was), number(to))
	}
}

// replace replaces a part by another. was and is are their hashes.
func (x *expander) replace(position int, to uint32, was, is hash) {
	at := &x.next.words[position]
	x.changed = append(x.changed, change{position, *at, x.next.print})
	x.next.print.replace(was, is, position)
	*at = to
}

// print computes the hash of a state from all its parts, rotated by that many addresses.
func (s *space) print(words []uint32, turned int) (h hash) {
	l, watch := s.layout, words[s.layout.watch]
	turn := func(p int) int { return (p + turned) % s.n }
	for p := range s.n {
		h.add(s.handlers.processHash(words[l.process+p]), l.process+turn(p))
		h.add(s.timers.at(words[l.timers+p]).hash, l.timers+turn(p))
	}
	for c, ch := range s.channels.list {
		to := s.channels.byEnds[turn(int(ch.from))*s.n+turn(int(ch.to))]
		h.add(s.contents.at(words[l.channel+c]).hash, l.channel+to)
	}
	for range turned {
		watch = s.watches.rotated(watch)
	}
	h.add(s.watches.at(watch).hash, l.watch)
	for _, mask := range []int{l.crashed, l.waiting, l.booting} {
		w := uint64(words[mask])
		h.add(number(uint32((w<<turned|w>>(s.n-turned))&(1<<s.n-1))), mask)
	}
	for _, plain := range []int{l.budget, l.now, l.measure} {
		h.add(number(words[plain]), plain)
	}
	if s.mayRestart {
		h.add(number(words[l.root]), l.root)
	}
	if s.idle {
		h.add(s.handlers.processHash(words[l.shadow]), l.shadow)
	}
	if l.expired >= 0 {
		h.add(number(words[l.expired]), l.expired)
	}
	if len(s.links) > 0 {
		for at := l.links; at <= l.changes; at++ {
			h.add(number(words[at]), at)
		}
	}
	return h
}

// recognised is the hash that identifies a state: the least of its rotations if Rotations
// is set.
func (s *space) recognised(st *state) hash {
	least := st.print
	if s.Rotations {
		for turned := 1; turned < s.n; turned++ {
			if h := s.print(st.words, turned); h.first < least.first || h.first == least.first && h.second < least.second {
				least = h
			}
		}
	}
	return least
}

// begin is the first state of a root.
func (s *space) begin(root int) state {
	l, r := s.layout, &s.roots[root]
	st := state{words: make([]uint32, l.size)}
	for _, p := range r.dead {
		st.words[l.crashed] |= 1 << p
	}
	for _, p := range r.initiators {
		st.words[l.waiting] |= 1 << p
	}
	watch := value.Clone(r.watch)
	beginner, looks := watch.(Beginner)
	for p := range protocols.ID(s.n) {
		process, boots := s.handlers.first(root, p)
		if looks {
			beginner.Begins(p, s.handlers.process(process))
		}
		if st.words[l.crashed]>>p&1 == 1 {
			continue
		}
		st.words[l.process+int(p)] = process
		if boots {
			st.words[l.booting] |= 1 << p
		}
	}
	if s.idle {
		st.words[l.shadow] = st.words[l.process+int(s.real)]
	}
	s.beginLinks(st.words, watch)
	st.words[l.watch] = s.watches.watchNumber(watch)
	st.words[l.budget] = s.Budget.word()
	st.words[l.root] = uint32(root)
	st.print = s.print(st.words, 0)
	return st
}

// The budget is kept as a byte for each fault but the changes of links.
const (
	losses     = 0
	duplicates = 8
	crashes    = 16
	restarts   = 24
)

func (b Budget) word() uint32 {
	return uint32(b.Losses)<<losses | uint32(b.Duplicates)<<duplicates | uint32(b.Crashes)<<crashes | uint32(b.Restarts)<<restarts
}

// everyone stands for all processes.
const everyone = ^uint32(0)

// expand emits the possible moves of some processes in a state, or all moves; for a Collector alone
// that gets a message, the first message and no other. While emit runs, next is the state to which the
// move leads.
func (x *expander) expand(from *state, only uint32, emit func(move)) {
	x.from, x.only, x.emit, x.cut = from, only, emit, false
	x.next.set(from)
	x.changed = x.changed[:0]
	l := x.layout
	switch {
	case from.words[l.booting] != 0:
		p := protocols.ID(bits.TrailingZeros32(from.words[l.booting]))
		x.open()
		x.setNumber(l.booting, from.words[l.booting]&^(1<<p))
		x.step(event{what: Boot, who: p}, move{})
		return
	case x.Notice == ExactNotice && len(x.links) > 0 && x.notifies(from.words):
		x.notices()
		return
	case from.words[l.waiting] != 0:
		x.starts()
	case bits.OnesCount32(only) == 1 && only&x.collectors != 0 && x.collected():
		return
	default:
		urgent := x.deliveries()
		if !urgent {
			urgent = x.timeouts()
		}
		if x.Bound > 0 && !urgent {
			x.tick()
		}
	}
	x.crashes()
	x.notices()
	x.linkChanges()
}

// open begins a move, without changes.
func (x *expander) open() { x.rewind(0) }

// rewind undoes all but the first changes.
func (x *expander) rewind(changes int) {
	for i := len(x.changed) - 1; i >= changes; i-- {
		c := &x.changed[i]
		x.next.words[c.position], x.next.print = c.was, c.print
	}
	x.changed = x.changed[:changes]
}

func (x *expander) left(fault int) uint32 { return x.from.words[x.layout.budget] >> fault & 0xff }

func (x *expander) spend(fault int) {
	x.setNumber(x.layout.budget, x.next.words[x.layout.budget]-1<<fault)
}

func (x *expander) crashed(p protocols.ID) bool { return x.from.words[x.layout.crashed]>>p&1 == 1 }

// takes reports whether the expansion includes steps of the process.
func (x *expander) takes(p protocols.ID) bool { return x.only>>p&1 == 1 }

func (x *expander) starts() {
	waiting := x.from.words[x.layout.waiting]
	for p := range protocols.ID(x.n) {
		if waiting>>p&1 == 1 && x.takes(p) {
			x.open()
			x.setNumber(x.layout.waiting, waiting&^(1<<p))
			x.step(event{what: Start, who: p}, move{})
		}
	}
}

// deliveries delivers, loses and duplicates messages. It reports whether a message must
// arrive at this instant.
func (x *expander) deliveries() (urgent bool) {
	for c, ch := range x.channels.list {
		number := x.from.words[x.layout.channel+c]
		if number == 0 {
			continue
		}
		on := x.contents.at(number)
		urgent = urgent || on.urgent
		if !x.takes(ch.to) {
			continue
		}
		for i, it := range on.items {
			if x.FIFO && i > 0 {
				break
			}
			if i > 0 && it == on.items[i-1] {
				continue
			}
			x.delivery(c, number, i, it.message)
		}
	}
	return urgent
}

// collected delivers the first message to the only process, and reports whether there is one.
func (x *expander) collected() bool {
	for c, ch := range x.channels.list {
		if number := x.from.words[x.layout.channel+c]; number != 0 && x.takes(ch.to) {
			x.delivery(c, number, 0, x.contents.at(number).items[0].message)
			return true
		}
	}
	return false
}

// delivery emits the moves of the i-th message of a channel.
func (x *expander) delivery(c int, on uint32, i int, message uint32) {
	ch := x.channels.list[c]
	m := move{who: uint8(ch.to), from: uint8(ch.from), place: uint16(i), amid: -1}
	if !x.FIFO {
		m.label = message // any message may come next
	}
	x.open()
	x.setChannel(c, x.contents.take(on, i))
	if x.crashed(ch.to) {
		m.what = Deliver
		x.emit(m)
	} else {
		x.step(event{Deliver, ch.to, ch.from, message}, m)
	}
	if x.left(losses) > 0 && !x.crashed(ch.to) {
		m.what = Lose
		x.open()
		x.setChannel(c, x.contents.take(on, i))
		x.spend(losses)
		x.tally()
		x.emit(m)
	}
	if x.left(duplicates) > 0 && !x.crashed(ch.to) {
		m.what = Duplicate
		x.open()
		x.setChannel(c, x.contents.double(on, i))
		x.spend(duplicates)
		x.tally()
		x.emit(m)
	}
}

// timeouts lets timers expire, and reports whether a timer must expire at this instant.
func (x *expander) timeouts() (urgent bool) {
	for p := range protocols.ID(x.n) {
		number := x.from.words[x.layout.timers+int(p)]
		if number == 0 {
			continue
		}
		set := x.timers.at(number)
		urgent = urgent || set.urgent
		if !x.takes(p) {
			continue
		}
		for _, t := range set.timers {
			if x.Bound > 0 && t.left > 0 {
				continue
			}
			if x.lastTimeout() {
				x.cut = true
				continue
			}
			x.open()
			x.setTimers(p, x.timers.fire(number, t.label))
			if at := x.layout.expired; at >= 0 {
				x.setNumber(at, x.from.words[at]+1)
			}
			x.step(event{what: Timeout, who: p, more: t.label}, move{label: t.label})
		}
	}
	return urgent
}

// lastTimeout reports whether no more timers may expire.
func (x *expander) lastTimeout() bool {
	at := x.layout.expired
	return at >= 0 && x.from.words[at] >= uint32(x.Limits.Timeouts)
}

// tick lets a step of time pass if a message or a timer is left.
func (x *expander) tick() {
	l, waits := x.layout, false
	x.open()
	for p := range protocols.ID(x.n) {
		if number := x.from.words[l.timers+int(p)]; number != 0 {
			x.setTimers(p, x.timers.age(number))
			waits = true
		}
	}
	for c := range x.channels.list {
		if number := x.from.words[l.channel+c]; number != 0 {
			x.setChannel(c, x.contents.age(number))
			waits = true
		}
	}
	if !waits {
		return
	}
	if x.watches.timed || x.Measure == Time {
		x.setNumber(l.now, x.from.words[l.now]+1)
	}
	x.emit(move{what: Tick, amid: -1})
}

// crashes stops processes between two steps and restarts crashed ones.
func (x *expander) crashes() {
	if x.left(crashes) == 0 && x.left(restarts) == 0 {
		return
	}
	for p := range protocols.ID(x.n) {
		if !x.crashed(p) && x.left(crashes) > 0 {
			x.open()
			x.crash(p)
			x.emit(move{what: Crash, who: uint8(p), amid: -1})
		}
		if x.crashed(p) && x.left(restarts) > 0 {
			x.restart(p)
		}
	}
}

// crash stops a process in the next state.
func (x *expander) crash(p protocols.ID) {
	l, w := x.layout, x.next.words
	if x.mayRestart {
		x.setProcess(l.process+int(p), x.handlers.remains(w[l.process+int(p)]))
	} else {
		x.setProcess(l.process+int(p), 0)
		for from := range protocols.ID(x.n) { // messages to it will never be received
			if c := x.channels.channelOf(from, p); c >= 0 {
				x.setChannel(c, 0)
			}
		}
	}
	x.setTimers(p, 0)
	x.forgetNotices(p)
	x.setNumber(l.crashed, w[l.crashed]|1<<p)
	x.setNumber(l.waiting, w[l.waiting]&^(1<<p))
	x.spend(crashes)
	x.tally()
	x.setWatch(x.watches.after(w[l.watch], Crash, p, 0, w[l.now]))
}

func (x *expander) restart(p protocols.ID) {
	l := x.layout
	x.open()
	x.setNumber(l.crashed, x.from.words[l.crashed]&^(1<<p))
	x.spend(restarts)
	x.step(event{what: Restart, who: p, more: x.from.words[l.root]}, move{})
}

// step lets a process handle an event, which has been taken out of the next state, and
// emits the possible outcomes.
func (x *expander) step(e event, m move) {
	m.what, m.who, m.amid = e.what, uint8(e.who), -1
	x.taken = len(x.changed)
	x.answers, x.choices = x.answers[:0], x.choices[:0]
	process := x.from.words[x.layout.process+int(e.who)]
	x.follow(x.replies.to(process, e), process, e, &m)
}

// answer is the answer of a state to a question of a process.
func (s *space) answer(words []uint32, r *reply, who protocols.ID) int {
	if r.asks == whetherNear && !s.near(words, who, protocols.ID(r.of)) {
		return 0
	}
	if r.asks == whetherNear {
		return 1
	}
	return int(words[s.layout.crashed] >> r.of & 1)
}

// follow tries every answer to the questions of a process.
func (x *expander) follow(r *reply, process uint32, e event, m *move) {
	switch r.asks {
	case nothing:
		x.outcome(r, e, *m)
		m.leaf++
	case whetherCrashed, whetherNear:
		x.rewind(x.taken)
		x.answers = append(x.answers, x.answer(x.next.words, r, e.who))
		x.follow(x.replies.answered(r, process, e, x.answers), process, e, m)
		x.answers = x.answers[:len(x.answers)-1]
	case toChoose:
		for i := range r.of {
			x.answers, x.choices = append(x.answers, i), append(x.choices, i)
			x.follow(x.replies.answered(r, process, e, x.answers), process, e, m)
			x.answers, x.choices = x.answers[:len(x.answers)-1], x.choices[:len(x.choices)-1]
		}
	}
}

// outcome emits a finished step, and the same step with a crash at each point in it.
func (x *expander) outcome(r *reply, e event, m move) {
	if r.panicked != "" {
		x.panicked = r.panicked
		x.rewind(x.taken)
		x.emit(m)
		x.panicked = ""
		return
	}
	if x.Limits.Rounds > 0 && r.round > x.Limits.Rounds {
		x.cut = true
		return
	}
	x.react(r, e, len(r.sends))
	x.emit(m)
	if x.left(crashes) == 0 {
		return
	}
	for sends := range r.sends {
		x.react(r, e, sends)
		x.crash(e.who)
		m.amid = int16(sends)
		x.emit(m)
	}
}

// react makes the next state: the process has handled the event, and its first sends have
// left.
func (x *expander) react(r *reply, e event, sends int) {
	x.rewind(x.taken)
	l, w := x.layout, x.next.words
	process, timers := r.process, x.timers.set(w[l.timers+int(e.who)], r.timers)
	if x.idle {
		process, timers = x.afterIdle(r, e, timers)
	}
	x.setProcess(l.process+int(e.who), process)
	x.setTimers(e.who, timers)
	for _, s := range r.sends[:sends] {
		if s.channel != toAll {
			x.leave(s.channel, s.message)
			continue
		}
		for _, c := range x.channels.linksOf[e.who] {
			x.leave(c, s.message)
		}
	}
	x.tally()
	watch := w[l.watch]
	x.setWatch(x.watches.after(watch, e.what, e.who, r.process, w[l.now]))
	switch x.Measure {
	case Messages:
		x.setNumber(l.measure, w[l.measure]+uint32(r.own[sends]))
	case Bits:
		x.setNumber(l.measure, w[l.measure]+uint32(r.bits[sends]))
	case Depth:
		x.setNumber(l.measure, max(w[l.measure], r.depth))
	case Time:
		if e.what == Deliver || w[l.watch] != watch {
			x.setNumber(l.measure, w[l.now])
		}
	}
}

// leave puts a message on a channel of the next state, if it can arrive.
func (x *expander) leave(c int, message uint32) {
	l, w := x.layout, x.next.words
	if (x.mayRestart || w[l.crashed]>>x.channels.list[c].to&1 == 0) && x.passes(w, c) {
		x.sent[c] = true
		x.setChannel(c, x.contents.push(w[l.channel+c], message))
	}
}
