package modifiedring

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"bullring/protocols"
)

// The labels of the timers: the watchdog, and from firstPoll one for each poll.
const (
	watchdog protocols.Timer = iota
	firstPoll
)

// nobody is the address of no process.
const nobody protocols.ID = -1

// watch arms the watchdog when a message has come distance places round the ring from
// its initiator. The message of the next circulation comes by within n timeouts. The
// distance gives a process that is nearer to the initiator the time to begin anew first
// and be heard.
func (p *Process) watch(n protocols.Node[Message], distance int) {
	if p.cfg.Watchdog {
		timeouts := min(time.Duration(size(n)+distance), math.MaxInt64/p.cfg.Timeout)
		n.SetTimer(watchdog, timeouts*p.cfg.Timeout)
	}
}

// bark begins an election anew unless the process follows a live leader.
func (p *Process) bark(n protocols.Node[Message]) {
	if p.leader == nobody || n.Suspects(p.leader) {
		p.repeat(n)
	}
}

// repeat begins an election anew, but at most once for each other process: more
// elections cannot have failed by a crash.
func (p *Process) repeat(n protocols.Node[Message]) {
	if p.repeats < n.Degree() {
		p.repeats++
		p.begin(n)
	}
}

// stage is the last message that a process has seen of an initiator.
type stage struct {
	initiator protocols.ID
	round     int
	last      Type
}

// String prints the stage: ELECTION 0.1 is that of the first election of process 0.
func (s stage) String() string { return fmt.Sprintf("%v %d.%d", s.last, s.initiator, s.round) }

// advances notes m, and reports whether it is later than all messages that the process
// has seen of its initiator. Otherwise it is a second copy, or has outlived its
// initiator and gone round again.
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

// distance is the number of places from the initiator to the process.
func distance(n protocols.Node[Message], initiator protocols.ID) int {
	return (int(n.ID()-initiator) + size(n)) % size(n)
}
