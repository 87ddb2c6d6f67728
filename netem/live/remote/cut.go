package remote

import (
	"cmp"
	"slices"

	"bullring/netem"
	"bullring/netem/live"
	"bullring/protocols"
	"bullring/protocols/box"
)

// cut is the part of a run that the coordinator knows: the first so many steps of each process. Reports of
// different processes come in any order, so the cut may have the receipt of a message whose
// sending it does not have yet.
//
// The run is at rest if, in the cut, all that was sent was received and no timer is armed. Proof:
// suppose that some step lies beyond the cut, and consider one that no other such step has caused.
// It is no receipt: its message was sent in the cut, and what was sent in the cut was received in
// it. It is no timer: it was set in the cut, and none is armed. All starts, crashes and restarts
// lie in the cut. So there is no such step, although the reports are from different instants
// (Mattern 1987).
//
// Messages and timers in the background do not keep a run alive: they may be left, and steps beyond
// the cut may come of them. Therefore what was received in the cut must also have been sent in it:
// such a cut is consistent (Chandy and Lamport 1985), the run could have passed through it.
type cut struct {
	ambient []bool // by kind: messages in the background; nil for none
	way     map[uint64]letter
	early   map[uint64]bool // messages that were received, and whose sending was not reported
	alive   int             // messages in way that are not in the background
}

// letter is a message that was sent and not received.
type letter struct {
	from, to protocols.ID
	sent     netem.Sent
}

func newCut(sample protocols.Message) *cut {
	return &cut{ambient: protocols.BackgroundKinds(sample), way: map[uint64]letter{}, early: map[uint64]bool{}}
}

// isQuiet reports whether all that was sent was received, but for the background, and all that
// was received was sent.
func (c *cut) isQuiet() bool { return c.alive == 0 && len(c.early) == 0 }

// count counts a message more, or one less, of those that keep the run alive.
func (c *cut) count(s *netem.Sent, by int) {
	if kind := s.Message.(box.Message).Kind(); c.ambient == nil || !c.ambient[kind] {
		c.alive += by
	}
}

// sends adds the sending of a message.
func (c *cut) sends(from protocols.ID, s *netem.Sent) {
	if c.early[s.Number] {
		delete(c.early, s.Number)
		return
	}
	c.way[s.Number] = letter{from, s.To, *s}
	c.count(s, 1)
}

// receives adds the receipt of a message.
func (c *cut) receives(number uint64) {
	if l, ok := c.way[number]; ok {
		delete(c.way, number)
		c.count(&l.sent, -1)
		return
	}
	c.early[number] = true
}

// takes removes the messages that some test is true for, in the order of their numbers.
func (c *cut) takes(which func(l letter) bool) (all []letter) {
	for _, l := range c.way {
		if which(l) {
			all = append(all, l)
		}
	}
	for _, l := range all {
		delete(c.way, l.sent.Number)
		c.count(&l.sent, -1)
	}
	slices.SortFunc(all, func(a, b letter) int { return cmp.Compare(a.sent.Number, b.sent.Number) })
	return all
}

// consistent cuts off, of the steps of each process, what follows from messages whose sending was
// not reported. What is left is a run that may have been.
func consistent(steps [][]live.Step) {
	sent := map[uint64]int{} // by number: how often
	add := func(some []live.Step, by int) {
		for i := range some {
			for _, s := range some[i].Sent {
				sent[s.Number] += by
			}
		}
	}
	for _, of := range steps {
		add(of, 1)
	}
	for more := true; more; {
		more = false
		for p, of := range steps {
			i := slices.IndexFunc(of, func(s live.Step) bool { return s.Message != nil && sent[s.Number] == 0 })
			if i >= 0 {
				add(of[i:], -1)
				steps[p], more = of[:i], true
			}
		}
	}
}
