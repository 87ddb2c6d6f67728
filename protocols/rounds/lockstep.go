package rounds

import (
	"fmt"
	"math"
	"time"

	"bullring/protocols"
)

// Stamped is a message of an algorithm in lock-step.
type Stamped[M protocols.Message] struct {
	Inner M
	Odd   bool // the number of its round is odd; set by a Sleeper, whose rounds are not counted
}

// Kind implements [protocols.Message].
func (m Stamped[M]) Kind() int { return m.Inner.Kind() }

// Kinds implements [protocols.Message].
func (m Stamped[M]) Kinds() []string { return m.Inner.Kinds() }

// Bits implements [protocols.Message]: 8 for the stamp, beyond the message.
func (m Stamped[M]) Bits() int { return m.Inner.Bits() + 8 }

// Forge implements [protocols.Forgeable], where the message inside does.
func (m Stamped[M]) Forge(f func(identity int64) int64) Stamped[M] {
	m.Inner = protocols.Forge(m.Inner, f)
	return m
}

// String prints the message as a trace shows it: TOKEN(5) in odd rounds, TOKEN(5) even.
func (m Stamped[M]) String() string { return fmt.Sprint(m.Inner) + parity(m.Odd) }

// The timers.
const (
	endOfRound protocols.Timer = 0 // also of a sleep
	woken      protocols.Timer = 1 // a message has arrived during a sleep
)

// Lockstep is a process of a synchronous algorithm. A clock counts its rounds.
type Lockstep[M protocols.Message] struct {
	inner  protocols.Round[M]
	length time.Duration // of a round
	begun  bool
	box    inbox[M]
}

var _ protocols.Process[Stamped[protocols.Message]] = (*Lockstep[protocols.Message])(nil)

// NewLockstep returns the process with rounds of that length, which must be positive.
func NewLockstep[M protocols.Message](inner protocols.Round[M], length time.Duration) *Lockstep[M] {
	if length <= 0 {
		panic(fmt.Sprintf("rounds: a round of %v; it takes some time", length))
	}
	return &Lockstep[M]{inner: inner, length: length}
}

// Start begins round 1. A process that has begun goes on.
func (p *Lockstep[M]) Start(n protocols.Node[Stamped[M]]) {
	if p.begun {
		return
	}
	p.begun, p.box.odd = true, true
	p.inner.Start(p.view(n))
	p.round(n)
}

// Receive keeps a message for the end of its round. A process that has not begun, or has
// halted, takes no part.
func (p *Lockstep[M]) Receive(n protocols.Node[Stamped[M]], from protocols.ID, m Stamped[M]) {
	if !p.begun || p.inner.Halted() {
		return
	}
	if _, sleeps := p.inner.(protocols.Sleeper); sleeps {
		p.box.put(p.box.odd, from, m.Inner)
		n.SetTimer(woken, 0)
		return
	}
	p.box.put(m.Odd, from, m.Inner)
}

// Collects implements [protocols.Collector]. A process that sleeps is woken by messages.
func (p *Lockstep[M]) Collects() bool {
	_, sleeps := p.inner.(protocols.Sleeper)
	return !sleeps
}

// Round implements [protocols.Rounder], if the algorithm numbers its rounds.
func (p *Lockstep[M]) Round() int {
	if round, numbered := protocols.RoundOf(p.inner); numbered {
		return round
	}
	return -1
}

// Timeout ends a round.
func (p *Lockstep[M]) Timeout(n protocols.Node[Stamped[M]], t protocols.Timer) {
	sleeper, sleeps := p.inner.(protocols.Sleeper)
	switch {
	case t == endOfRound && sleeps:
		n.StopTimer(woken)
		sleeper.Wake()
	case t == endOfRound || t == woken && sleeps:
	default:
		panic(fmt.Sprintf("rounds: process %d never sets timer %d, yet it expired", n.ID(), t))
	}
	p.inner.Transition(p.view(n), p.box.turn())
	p.round(n)
}

// LinkUp implements [protocols.Linked], for an algorithm that does.
func (p *Lockstep[M]) LinkUp(n protocols.Node[Stamped[M]], to protocols.ID) {
	if l, ok := p.inner.(protocols.Linked[M]); ok && p.begun {
		l.LinkUp(p.view(n), to)
	}
}

// LinkDown implements [protocols.Linked].
func (p *Lockstep[M]) LinkDown(n protocols.Node[Stamped[M]], to protocols.ID) {
	if l, ok := p.inner.(protocols.Linked[M]); ok && p.begun {
		l.LinkDown(p.view(n), to)
	}
}

// Linked implements [protocols.PartlyLinked].
func (p *Lockstep[M]) Linked() bool {
	_, linked := p.inner.(protocols.Linked[M])
	return linked
}

// TimerName implements [protocols.TimerNamer].
func (*Lockstep[M]) TimerName(t protocols.Timer) string {
	if t == woken {
		return "woken"
	}
	return "end of round"
}

// round sends the messages of a round and waits for its end.
func (p *Lockstep[M]) round(n protocols.Node[Stamped[M]]) {
	if p.inner.Halted() {
		p.box = inbox[M]{}
		n.StopTimer(endOfRound)
		return
	}
	p.inner.Messages(p.view(n))
	rounds := 1
	if sleeper, sleeps := p.inner.(protocols.Sleeper); sleeps {
		rounds = sleeper.Sleep()
	}
	switch {
	case rounds == protocols.Asleep:
		n.StopTimer(endOfRound)
	case rounds != protocols.Unchanged:
		n.SetTimer(endOfRound, p.lasting(rounds))
	}
}

// lasting is the time of a number of rounds, or the longest possible time.
func (p *Lockstep[M]) lasting(rounds int) time.Duration {
	if time.Duration(rounds) > math.MaxInt64/p.length {
		return math.MaxInt64
	}
	return time.Duration(rounds) * p.length
}

func (p *Lockstep[M]) view(n protocols.Node[Stamped[M]]) protocols.Node[M] {
	_, sleeps := p.inner.(protocols.Sleeper)
	stamped := func(m M) Stamped[M] { return Stamped[M]{m, p.box.odd || sleeps} }
	return &broadcaster[M]{
		node[M, Stamped[M]]{n, func(to protocols.ID, m M) { n.Send(to, stamped(m)) }},
		func(m M) { protocols.Broadcast(n, stamped(m)) },
	}
}

// broadcaster is the node of a process in lock-step, whose broadcasts stay one message.
type broadcaster[M protocols.Message] struct {
	node[M, Stamped[M]]
	broadcast func(m M)
}

// Broadcast implements [protocols.Broadcaster].
func (n *broadcaster[M]) Broadcast(m M) { n.broadcast(m) }
