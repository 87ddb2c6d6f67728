package explore

import (
	"cmp"
	"math/bits"
	"slices"

	"bullring/protocols"
)

// A search is reduced by persistent sets (Godefroid, LNCS 1032, 1996, chapter 4), which are
// closed as stubborn sets are (Valmari, LNCS 483, 1991): it follows only the steps of some
// processes if the others, whatever they do first without these, neither change these steps
// nor give these processes more of them.
//
// Steps of different processes commute: each takes a message from the head of one of its
// own incoming channels and appends messages to its own outgoing channels. Only a message
// on a channel to p that is empty now does not commute with the steps of p. A tick depends
// on all steps. So if time is bounded, one of the processes must have a step that comes
// before the next tick.

// A Collector only keeps its messages, so that it makes no difference when one of them arrives. Its
// steps commute also with a message on a channel to it that is empty now. And while it has messages,
// one of them is enough: the first of its first channel. Runs of such steps end, since each takes a
// message away.

// abilities say what processes can do in a state. Each set has a bit for each process.
type abilities struct {
	alone  uint32               // are Collectors: no step of others matters to theirs
	acts   uint32               // can take a step now
	urgent uint32               // have a message that arrives now at the latest
	due    uint32               // have a timer that expires when no message is urgent
	sends  [maxProcesses]uint32 // by process, to which others it may send
	empty  [maxProcesses]uint32 // by process, from which of them nothing is under way to it
}

func (s *space) abilities(words []uint32) (a abilities) {
	l := s.layout
	a.alone = s.collectors
	for c, ch := range s.channels.list {
		content := words[l.channel+c]
		if content != 0 {
			a.acts |= 1 << ch.to
			if s.contents.at(content).urgent {
				a.urgent |= 1 << ch.to
			}
		}
		if s.channels.used[c] && ch.from != ch.to && words[l.crashed]>>ch.from&1 == 0 && s.passes(words, c) {
			a.sends[ch.from] |= 1 << ch.to
			if content == 0 {
				a.empty[ch.to] |= 1 << ch.from
			}
		}
	}
	for p := range s.n {
		if set := words[l.timers+p]; set != 0 && (s.Bound == 0 || s.timers.at(set).urgent) {
			a.due |= 1 << p
		}
	}
	if a.urgent == 0 {
		a.acts |= a.due
	}
	return a
}

// closed is the smallest set of processes with p that the others leave alone: none of them
// can act, before a process of the set does, and send to one of the set on an empty channel.
func (a *abilities) closed(p protocols.ID) uint32 {
	set := uint32(1) << p
	for {
		more := uint32(0)
		if a.due&set != 0 && a.urgent&set == 0 {
			more = a.urgent // after these messages, a timer of the set expires
		}
		others := a.othersThatAct(set)
		for left := set &^ a.alone; left != 0; left &= left - 1 {
			more |= a.empty[bits.TrailingZeros32(left)] & others
		}
		if more&^set == 0 {
			return set
		}
		set |= more
	}
}

// othersThatAct are the processes outside of the set that can act before one of the set
// does: now, or when another of them has sent them something.
func (a *abilities) othersThatAct(set uint32) uint32 {
	others := a.acts &^ set
	for {
		more := others
		for left := others; left != 0; left &= left - 1 {
			more |= a.sends[bits.TrailingZeros32(left)] &^ set
		}
		if more == others {
			return others
		}
		others = more
	}
}

// persistent returns the fewest processes whose steps suffice to expand a state, or
// everyone.
func (se *search) persistent(x *expander, st *state) uint32 {
	l := se.layout
	if set := se.collecting(x, st); set != 0 {
		return set
	}
	// Faults commute with little, so none may be left that can strike. Each change of a link takes
	// from the others, since a run has so many of them.
	spent := st.words[l.budget]&^(0xff<<restarts) == 0 && (st.words[l.budget] == 0 || st.words[l.crashed] == 0)
	if !se.FIFO || !spent || st.words[l.booting] != 0 || !se.settled(st.words) {
		return everyone
	}
	if w := st.words[l.waiting]; w != 0 { // all initiators start before anything else
		if first := w & -w; first != w && se.suffices(x, st, first) {
			return first
		}
		return everyone
	}
	a := se.abilities(st.words)
	for _, set := range a.persistent(se.Bound > 0) {
		if se.Limits.Timeouts > 0 && a.due&set != 0 {
			continue // an expiry leaves fewer to the others
		}
		if se.suffices(x, st, set) {
			return set
		}
	}
	return everyone
}

// collecting is the first Collector that a message can reach, if that message is enough to expand the
// state; else 0. A loss, a copy and a restart do not commute with the message; a crash does.
func (se *search) collecting(x *expander, st *state) uint32 {
	l := se.layout
	if st.words[l.waiting]|st.words[l.booting] != 0 || st.words[l.budget]&^(0xff<<crashes) != 0 || !se.settled(st.words) {
		return 0
	}
	for c, ch := range se.channels.list {
		set := uint32(1) << ch.to
		if st.words[l.channel+c] == 0 || se.collectors&set == 0 || st.words[l.crashed]&set != 0 {
			continue
		}
		seen := false
		x.expand(st, set, func(move) { seen = seen || x.next.words[l.watch] != st.words[l.watch] })
		if !seen {
			return set
		}
	}
	return 0
}

// persistent are the persistent sets that leave out a process, the smallest first.
func (a *abilities) persistent(timed bool) (sets []uint32) {
	begin := a.acts
	if timed {
		begin &= a.urgent | a.due
	}
	for ; begin != 0; begin &= begin - 1 {
		set := a.closed(protocols.ID(bits.TrailingZeros32(begin)))
		if a.acts&^set != 0 && !slices.Contains(sets, set) {
			sets = append(sets, set)
		}
	}
	slices.SortStableFunc(sets, func(s, t uint32) int {
		return cmp.Compare(bits.OnesCount32(s&a.acts), bits.OnesCount32(t&a.acts))
	})
	return sets
}

// suffices reports whether an expansion may be reduced to the steps of a persistent set. It
// may not if the steps change a watch that depends on their order. And one of them has to
// lead to a state that is still to be expanded. Otherwise the steps of the others might be
// put off for ever (Bosnacki, Leue & Lluch Lafuente, SPIN 2006). A step behind
// a limit leads to none.
func (se *search) suffices(x *expander, st *state, set uint32) bool {
	leads, seen := false, false
	x.expand(st, set, func(move) {
		number, known := se.visited.find(se.recognised(&x.next))
		leads = leads || !known || number >= se.expanded
		seen = seen || x.next.words[se.layout.watch] != st.words[se.layout.watch]
	})
	return leads && (se.Commutes || !seen)
}

// learn notes the channels on which messages were sent. It reports whether the search
// assumed that one of them is unused: then the search has to be repeated.
//
// If a search meets no send on a channel that it assumed to be unused, the assumption was
// right. Proof: take a shortest run to such a send. Up to its last step the assumption
// holds, so its steps can be reordered into a run of the reduced search, which meets the
// send.
func (se *search) learn() (more bool) {
	for _, x := range se.workers {
		for c, sent := range x.sent {
			if sent && !se.channels.used[c] {
				more = true
				se.channels.use(c, se.Rotations)
			}
		}
	}
	return more
}
