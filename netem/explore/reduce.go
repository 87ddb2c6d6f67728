package explore

import (
	"math/bits"

	"bullring/protocols"
)

// ample returns a process whose steps suffice to expand a state (persistent sets:
// Godefroid, LNCS 1032, 1996), or -1 if it knows none.
//
// Steps of different processes commute: each takes a message from the head of one of its
// own incoming channels and appends messages to its own outgoing channels. Only a message
// on a channel to p that is empty now does not commute with the steps of p. So the steps
// of p suffice under three conditions. Every empty channel to p comes from a crashed
// process or is never used; see learn. No fault is left in the budget that can strike,
// since faults commute with little. And there is no time, on which all steps depend.
func (s *space) ample(words []uint32) protocols.ID {
	l := s.layout
	spent := words[l.budget]&^(0xff<<restarts) == 0 && (words[l.budget] == 0 || words[l.crashed] == 0)
	if !spent || !s.FIFO || s.Bound > 0 || words[l.booting] != 0 {
		return -1
	}
	if w := words[l.waiting]; w != 0 { // all initiators start before anything else
		return protocols.ID(bits.TrailingZeros32(w))
	}
	for p := range protocols.ID(s.n) {
		if words[l.crashed]>>p&1 == 0 && s.onItsOwn(words, p) {
			return p
		}
	}
	return -1
}

// onItsOwn reports whether a process has a step to take and no other process can give it
// another step before.
func (s *space) onItsOwn(words []uint32, p protocols.ID) bool {
	l := s.layout
	some := words[l.timers+int(p)] != 0
	for from := range protocols.ID(s.n) {
		c := s.channelOf(from, p)
		if c < 0 {
			continue
		}
		empty := s.used[c] && words[l.channel+c] == 0
		if empty && from != p && words[l.crashed]>>from&1 == 0 {
			return false
		}
		some = some || words[l.channel+c] != 0
	}
	return some
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
			if sent && !se.used[c] {
				more = true
				se.use(c)
			}
		}
	}
	return more
}

// use notes that messages are sent on a channel and, if Rotations is set, on its
// rotations.
func (s *space) use(c int) {
	s.used[c] = true
	if !s.Rotations {
		return
	}
	for turned := range s.n {
		from, to := (int(s.channels[c].from)+turned)%s.n, (int(s.channels[c].to)+turned)%s.n
		s.used[s.byEnds[from*s.n+to]] = true
	}
}
