package explore

import (
	"cmp"
	"fmt"

	"bullring/protocols"
)

// Next returns the first step that can happen without a fault: a process is told of a link, a process
// starts, the oldest message arrives, the timer expires that was set first, or time passes. ok is false if the
// run is at rest.
func (p *Player[M]) Next() (s Step, ok bool) {
	if p.Rest() {
		return s, false
	}
	if len(p.notices) > 0 {
		return p.notices[0], true
	}
	for i := range p.seats {
		switch seat, id := &p.seats[i], protocols.ID(i); {
		case seat.boots:
			return Step{What: Boot, Who: id, Sends: -1}, true
		case seat.waits && !seat.crashed:
			return Step{What: Start, Who: id, Sends: -1}, true
		}
	}
	if s, ok := p.oldest(); ok {
		return s, true
	}
	return p.nextTimer()
}

// oldest is the arrival of the message that was sent first.
func (p *Player[M]) oldest() (s Step, ok bool) {
	least := uint64(0)
	for on, messages := range p.links {
		for _, m := range messages {
			if !ok || m.number < least {
				least, ok = m.number, true
				s = Step{What: Deliver, Who: on.to, From: on.from, Message: fmt.Sprint(m.content), Sends: -1}
			}
		}
	}
	return s, ok
}

// nextTimer is the expiry of the timer that is due first or, without time, that was set first;
// or a step of time towards it.
func (p *Player[M]) nextTimer() (s Step, ok bool) {
	var first setTimer
	for i := range p.seats {
		for _, t := range p.seats[i].timers {
			if !ok || cmp.Or(cmp.Compare(t.at, first.at), cmp.Compare(t.set, first.set)) < 0 {
				first, ok = t, true
				s = Step{What: Timeout, Who: protocols.ID(i), Timer: t.label, Sends: -1}
			}
		}
	}
	if ok && p.system.Bound > 0 && first.at > p.now {
		s = Step{What: Tick, Sends: -1}
	}
	return s, ok
}

// DrawBy sets what draws the numbers that a step does not name. Without it such a step is not
// possible.
func (p *Player[M]) DrawBy(intn func(of int) int) { p.intn = intn }
