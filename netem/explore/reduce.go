package explore

import (
	"math/bits"

	"bullring/protocols"
)

// ample is a process to whose steps the expansion of a state can be reduced
// (persistent sets: Godefroid, LNCS 1032, 1996), -1 if none is known.
//
// Steps of different processes commute: each takes a message from the head of a
// channel of its own, and puts others behind what is on channels of its own. What
// does not commute with the steps of p is a message that reaches p on a channel
// that is empty now. So the steps of p suffice if there is no such channel, or only
// from those that have crashed, or only such that nobody ever sends on, see learn; if
// nothing that is left of the budget can strike, since faults commute with little;
// and if there is no time, which everybody's steps depend on.
func (s *space) ample(words []uint32) protocols.ID {
	l := s.layout
	spent := words[l.budget]&^(0xff<<restarts) == 0 && (words[l.budget] == 0 || words[l.crashed] == 0)
	if !spent || !s.FIFO || s.Bound > 0 || words[l.booting] != 0 {
		return -1
	}
	if w := words[l.waiting]; w != 0 { // nothing else happens before all have started
		return protocols.ID(bits.TrailingZeros32(w))
	}
	for p := range protocols.ID(s.n) {
		if words[l.crashed]>>p&1 == 0 && s.onItsOwn(words, p) {
			return p
		}
	}
	return -1
}

// onItsOwn reports whether a process has steps to take, and no other can make one
// more of them possible before it has taken one.
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

// learn notes on which channels messages were sent, and reports whether some of them
// were taken for unused: then the search has to be made again.
//
// A search that meets no send on a channel that it took for unused is right to have
// done so. For take a shortest run to such a send. Up to its last step the channels
// are as the search supposes, so its steps can be put, one after another, into an
// order in which the search goes; and so it meets the send.
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

// use notes that messages are sent on a channel and, where states that differ by a
// rotation are taken for one, on those that a rotation makes of it.
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
