package netem

import (
	"slices"
	"time"

	"bullring/des"
	"bullring/netem/impair"
	"bullring/protocols"
)

// Alteration changes single elements of a run and leaves the others as they are. It is for a run
// that is compared with another one, the real run, which has the same configuration. An empty
// alteration changes nothing. Slots of links cannot be altered.
type Alteration struct {
	// Carry has messages of which exactly one copy arrives, and how long after it was sent,
	// whatever links and faults do. On a link that keeps the order it still waits for the
	// messages before it, and a paused or slow process still notices it late.
	Carry map[MessageKey]time.Duration
	// Coins has the results of some random choices, from 0 on: see protocols.Node.Intn.
	Coins map[CoinKey]int
	// Real, if not nil, has what the links did in the real run. They do it again, to each
	// message that is there, too, unless a fault takes it now, or took it then, or the line of
	// its link is another one.
	Real map[MessageKey]Fate
	// Calm, if above 0, is the most that links delay the other messages, of which they lose
	// none. It has an effect only beside Real.
	Calm time.Duration
	// Log, if not nil, gets what the links do; of a message that is carried, what they would do.
	// Runs at the same time must not share it.
	Log map[MessageKey]Fate
}

// MessageKey names a message in runs that differ: the Nth message of a kind on a link, from 1,
// in the order in which they are handed to the link.
type MessageKey struct {
	From, To  protocols.ID
	Kind, Nth int
}

// CoinKey names the Nth random choice of a process, from 1.
type CoinKey struct {
	Who protocols.ID
	Nth int
}

// Fate is what a link did to a message.
type Fate struct {
	// Cut: a fault took the message before the link did anything to it.
	Cut bool
	// Copies are the copies that arrive; none if the message is lost. At is the time that the
	// link took for the copy, without a delay that a fault added.
	Copies []impair.Copy
	// Line is the line of the link, empty if the link only delays messages.
	Line string

	handed []handed // the same copies, for each time that a fault had the message sent
}

// times are the times that the link was handed the message: once, if the fate does not say.
func (f Fate) times() []handed {
	if f.handed != nil || f.Cut {
		return f.handed
	}
	return []handed{{f.Copies, max(0, 1-len(f.Copies)), len(f.Copies) > 1}}
}

// handed is what a link did to a message that it was handed once.
type handed struct {
	copies     []impair.Copy
	lost       int // copies
	duplicated bool
}

// altered is the state of an alteration during the run.
type altered struct {
	Alteration
	engine  *engine
	sent    map[MessageKey]int // messages of a kind on a link; Nth is 0
	coins   map[protocols.ID]int
	carried map[uint32]bool // by index in the slab
	lines   map[*impair.Line]string
}

// newAltered lets an alteration change a run.
func newAltered(e *engine, a *Alteration) *altered {
	e.links.altered = true
	return &altered{*a, e, map[MessageKey]int{}, map[protocols.ID]int{}, map[uint32]bool{}, map[*impair.Line]string{}}
}

// waitsBehind reports whether a carried message has to wait for another one of its link that a
// fault holds back.
func (x *altered) waitsBehind(it item) bool {
	if !x.carried[it.index()] || !x.engine.links.fifo {
		return false
	}
	q := x.engine.extras.room.queues[waitingFor{to: it.to(), from: it.from()}]
	return q != nil && len(q.items) > 0
}

// key counts a message that is handed to its link, and returns its key.
func (x *altered) key(it item) MessageKey {
	k := MessageKey{From: it.from(), To: it.to(), Kind: it.kind()}
	x.sent[k]++
	k.Nth = x.sent[k]
	return k
}

// coin is the result of a random choice among n. drawn is the one that chance has made.
func (x *altered) coin(who protocols.ID, n, drawn int) int {
	x.coins[who]++
	if c, given := x.Coins[CoinKey{who, x.coins[who]}]; given {
		return c % n
	}
	return drawn
}

// lineOf is the text of the present line of a link.
func (x *altered) lineOf(k lineLink) string {
	if k.alone() {
		return ""
	}
	line := k.channel.Line()
	text, known := x.lines[line]
	if !known {
		text = line.String()
		x.lines[line] = text
	}
	return text
}

// carries decides whether the message that is handed to its link is carried, and how long.
func (x *altered) carries(key MessageKey) (after time.Duration, yes bool) {
	if after, yes = x.Carry[key]; yes {
		return after, yes
	}
	if c, able := x.engine.extras.adversary.(Carrier); able {
		return c.Carries()
	}
	return 0, false
}

// decide overrules what the link did to a message, by the times that it was handed the message.
func (x *altered) decide(key MessageKey, line string, drawn []handed, base, now des.Time) []handed {
	if x.Real == nil {
		return drawn
	}
	var again []handed
	if fate, known := x.Real[key]; known && fate.Line == line {
		again = fate.times()
	}
	all := slices.Clone(drawn)
	again = again[max(0, len(again)-len(all)):] // the message itself is the last one
	for i := range all {
		switch k := i - len(all) + len(again); {
		case k >= 0:
			all[i] = again[k].since(base, now)
		case x.Calm > 0:
			all[i] = all[i].calm(base.After(x.Calm))
		}
	}
	return all
}

// since has instants for the delays of the copies.
func (h handed) since(base, now des.Time) handed {
	h.copies = slices.Clone(h.copies)
	for i := range h.copies {
		c := &h.copies[i]
		c.At = max(now, base.After(time.Duration(c.At)))
	}
	return h
}

// calm is one intact copy, which arrives by then.
func (h handed) calm(by des.Time) handed {
	for _, c := range h.copies {
		by = min(by, c.At)
	}
	return handed{copies: []impair.Copy{{At: by}}}
}

// newFate is the fate of a message that was handed to its link so often. base is the instant from
// which the link delayed it.
func newFate(all []handed, line string, base des.Time) Fate {
	f := Fate{Cut: len(all) == 0, Line: line}
	for _, h := range all {
		h.copies = slices.Clone(h.copies)
		for i := range h.copies {
			h.copies[i].At = des.Time(h.copies[i].At.Sub(base))
		}
		f.Copies = append(f.Copies, h.copies...)
		f.handed = append(f.handed, h)
	}
	return f
}

// hand hands copies of a message to its link, as handToLink does without an alteration. Faults and
// links draw as they would without it, so that later messages draw the same. Then it overrules them.
func (x *altered) hand(now des.Time, s *host, copies int, delay time.Duration, it item) {
	e := x.engine
	key := x.key(it)
	after, carried := x.carries(key)
	k := e.links.lineLinkOf(s, it.to())
	if copies > 0 && k.lineState != nil && k.version != e.links.version {
		e.refresh(now, s, k, it)
	}
	before, drawn := k.arrivals(), make([]handed, copies)
	for i := range drawn {
		drawn[i] = x.draw(now, delay, k, it)
	}
	line, base := x.lineOf(k), now.After(delay)
	all := x.decide(key, line, drawn, base, now)
	if x.Log != nil {
		x.Log[key] = newFate(all, line, base)
	}
	if carried {
		all = []handed{{copies: []impair.Copy{{At: now.After(after)}}}}
	}
	if !slices.EqualFunc(all, drawn, func(a, b handed) bool { return slices.Equal(a.copies, b.copies) }) {
		k.overrule(before, all)
	}
	if len(all) == 0 {
		e.drop(cut, it)
		return
	}
	for i, h := range all { // the last one is the message itself, as in handToLink
		one := it
		if i+1 < len(all) {
			e.counters.Duplicated++
			one = it.with(e.typed.copy(it.index()))
		}
		x.carried[one.index()] = carried
		x.deliver(h, k, one)
	}
}

// draw has the link draw for a message that it is handed, and returns what comes of it. It decides
// as transmit does.
func (x *altered) draw(now des.Time, delay time.Duration, k lineLink, it item) handed {
	e := x.engine
	latest := e.links.latest(now)
	if k.alone() {
		at := min(e.links.drawArrival(now, k.link, delay), latest)
		return handed{copies: []impair.Copy{{At: at}}}
	}
	bits := 0
	if k.channel.Line().Weighs() {
		bits = e.typed.bits(it.index())
	}
	fate := &e.links.fate
	k.channel.Offer(fate, now, delay, bits, it.index())
	if fate.Queued > 0 {
		panic("netem: the slots of a link cannot be altered")
	}
	h := handed{copies: slices.Clone(fate.Copies[:fate.N]), lost: fate.Lost, duplicated: fate.Duplicated}
	if fate.N == 0 && e.links.stable(now) { // a stable network delivers it all the same
		h.copies, h.lost = []impair.Copy{{At: latest}}, h.lost-1
	}
	for i := range h.copies {
		h.copies[i].At = min(h.copies[i].At, latest)
	}
	return h
}

// deliver schedules the arrivals of the copies of a message that was handed to its link, and counts
// what the link did.
func (x *altered) deliver(h handed, k lineLink, it item) {
	e := x.engine
	if h.duplicated {
		e.counters.Duplicated++
	}
	if len(h.copies) == 0 {
		e.counters.Lost += uint64(h.lost - 1)
		e.drop(lose, it)
		return
	}
	e.counters.Lost += uint64(h.lost)
	for i, c := range h.copies {
		one := it
		if i+1 < len(h.copies) {
			one = it.with(e.typed.copy(it.index()))
			x.carried[one.index()] = false
		}
		if k.alone() {
			e.scheduleArrival(c.At, false, k, one)
		} else {
			e.deliverCopy(&c, des.MaxTime, k, one)
		}
	}
}

// arrivals are the arrivals on a link that matter to later messages of its line.
func (k lineLink) arrivals() (a impair.Arrivals) {
	if !k.alone() {
		a = k.channel.Arrivals()
	}
	return a
}

// overrule tells the channel of a link that other copies arrive than it has said since then.
func (k lineLink) overrule(since impair.Arrivals, all []handed) {
	if k.alone() {
		return
	}
	k.channel.Restore(since)
	for _, h := range all {
		for _, c := range h.copies {
			k.channel.Arrives(c.At)
		}
	}
}
