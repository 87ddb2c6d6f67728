package modifiedring

import (
	"cmp"
	"math"
	"slices"
	"time"

	"bullring/protocols"
)

// The labels of the timers: the watchdog, and behind it one a poll.
const (
	watchdog protocols.Timer = iota
	firstPoll
)

// nobody is the address that no process has.
const nobody protocols.ID = -1

// watch arms the watchdog on handling a message that has come distance places
// round the ring from its initiator. It takes n timeouts at most until the
// message of the next circulation comes by; the distance makes a process wait
// until the one that is nearer to the initiator, if it began anew, would have
// been heard.
func (p *Process) watch(n protocols.Node[Message], distance int) {
	if p.cfg.Watchdog {
		timeouts := min(time.Duration(size(n)+distance), math.MaxInt64/p.cfg.Timeout)
		n.SetTimer(watchdog, timeouts*p.cfg.Timeout)
	}
}

// bark is what the watchdog does: it wants a leader, and one that lives.
func (p *Process) bark(n protocols.Node[Message]) {
	if p.leader == nobody || protocols.Suspects(n, p.leader) {
		p.repeat(n)
	}
}

// repeat begins an election anew, unless it did so once for each of the others:
// nobody is left whose crash could be the reason.
func (p *Process) repeat(n protocols.Node[Message]) {
	if p.repeats < n.Degree() {
		p.repeats++
		p.begin(n)
	}
}

// stage is how far the elections of an initiator have come.
type stage struct {
	initiator protocols.ID
	round     int
	last      Type
}

// advances reports whether m is later than all that the process has seen of its
// initiator, and takes note of it. What does not advance is a second copy, or
// came by before and has outlived its initiator.
func (p *Process) advances(m Message) bool {
	i, found := slices.BinarySearchFunc(p.stages, m.Initiator, func(s stage, initiator protocols.ID) int {
		return cmp.Compare(s.initiator, initiator)
	})
	now := stage{m.Initiator, m.Round, m.Type}
	if !found {
		p.stages = slices.Insert(p.stages, i, now)
		return true
	}
	seen := p.stages[i]
	if cmp.Or(cmp.Compare(now.round, seen.round), cmp.Compare(now.last, seen.last)) <= 0 {
		return false
	}
	p.stages[i] = now
	return true
}

// size is the number of places on the ring.
func size(n protocols.Node[Message]) int { return n.Degree() + 1 }

// distance is how many places ahead of the initiator the process sits.
func distance(n protocols.Node[Message], initiator protocols.ID) int {
	return (int(n.ID()-initiator) + size(n)) % size(n)
}
