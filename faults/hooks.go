package faults

import (
	"time"

	"bullring/des"
	"bullring/protocols"
)

// occupied is the time for which a slow process works on its last step.
type occupied struct {
	until des.Time
	wake  des.Time // the last instant for which a release was requested
}

// Steps tells that a process has handled a message of the given kind, or something else
// if handled is -1, and that its own messages are about to leave.
func (i *Injector) Steps(who protocols.ID, handled int) {
	i.handled, i.beginning = handled, false
	if len(i.active[slowed]) > 0 && i.target.Alive(who) {
		i.busy[who].until = i.target.Now().After(i.slowness(who))
	}
}

// slowness is the time that each step of a process takes.
func (i *Injector) slowness(who protocols.ID) (d time.Duration) {
	for _, f := range i.active[slowed] {
		if f.who == who {
			d += f.By
		}
	}
	return d
}

// Leaves decides whether a message of the step leaves, and whether the process crashes at
// it.
func (i *Injector) Leaves(from, to protocols.ID, kind int) (leaves, crash bool) {
	if len(i.active[amid]) > 0 {
		if f, before := i.crashes(from, kind); f != nil {
			i.end(f)
			i.announce(Event{At: i.target.Now(), Fault: f.index, What: Crashed, From: from, To: to, Kind: kind})
			i.revive(f)
			if before {
				return false, true
			}
			crash = true
		}
	}
	if len(i.waiting) > 0 && kind == 0 && i.handled != 0 && !i.beginning {
		i.beginning = true
		i.elections++
		i.fire(Elections, i.elections)
	}
	return true, crash
}

// crashes finds the fault, if any, that crashes the sender at this message, and whether
// it crashes before the message.
func (i *Injector) crashes(from protocols.ID, kind int) (victim *fault, before bool) {
	for _, f := range i.active[amid] {
		if f.Count == 0 && f.sentBy(from, kind) {
			return f, true
		}
	}
	for _, f := range i.active[amid] {
		if !f.sentBy(from, kind) {
			continue
		}
		if f.count++; f.count == f.Count && victim == nil {
			victim = f
		}
	}
	return victim, false
}

func (f *fault) sentBy(from protocols.ID, kind int) bool {
	return f.who == from && (f.Message == "" || f.kind == kind)
}

// Sent decides how many copies of a message its link gets, with which delay and forgery.
func (i *Injector) Sent(from, to protocols.ID, kind int) (copies int, delay time.Duration, forge func(int64) int64) {
	a := &i.active
	i.carried = false
	if len(a[rules])+len(a[severed])+len(a[slowed])+len(a[liars]) == 0 {
		return 1, 0, nil
	}
	copies, lost := 1, i.severed(from, to, kind)
	for _, f := range a[rules] {
		if !f.strikes(from, to, kind) {
			continue
		}
		i.noteMessage(f, from, to, kind)
		switch f.Kind {
		case Delay:
			delay += f.By
		case Duplicate:
			copies++
		case Carry:
			i.carried, i.carry = true, f.By
		default:
			lost = true
		}
	}
	if lost {
		copies = 0
	}
	if lost && !i.carried {
		return 0, 0, nil
	}
	for _, f := range a[liars] {
		if f.who == from && f.forge != nil {
			i.addressee, forge = to, f.forge
			i.noteMessage(f, from, to, kind)
		}
	}
	return copies, delay + i.slowness(from), forge
}

// Carries decides whether exactly one copy of the message of the last Sent arrives, and how long
// after it was sent, whatever else the faults and the link do to it.
func (i *Injector) Carries() (after time.Duration, yes bool) {
	return i.carry, i.carried
}

// strikes reports whether a rule affects this message. It counts every message that
// matches and draws once for it, even if another rule has lost it.
func (f *fault) strikes(from, to protocols.ID, kind int) bool {
	if f.Kind == OmitSends {
		return f.who == from && f.draw()
	}
	matches := (f.from == Anyone || f.from == from) && (f.to == Anyone || f.to == to) && (f.Message == "" || f.kind == kind)
	if !matches {
		return false
	}
	f.count++
	return f.draw() && (f.Count == 0 || f.Count == f.count)
}

func (f *fault) draw() bool {
	return f.With == 0 || f.With.Hit(f.chance.Uint64())
}

// Arrives decides whether a message that arrives at a live process is lost, or
// has to wait.
func (i *Injector) Arrives(to, from protocols.ID, kind int) (wait time.Duration, lost bool) {
	a := &i.active
	if len(a[severed])+len(a[clogged])+len(a[paused])+len(a[slowed])+len(a[deaf]) == 0 {
		return 0, false
	}
	if i.severed(from, to, kind) {
		return 0, true
	}
	for _, f := range a[clogged] {
		if from != to && f.Links.Has(from, to) {
			i.noteMessage(f, from, to, kind)
			return -1, false
		}
	}
	if i.Expires(to) < 0 {
		return -1, false
	}
	for _, f := range a[deaf] {
		if f.who == to && f.draw() {
			i.noteMessage(f, from, to, kind)
			lost = true
		}
	}
	return 0, lost
}

// Expires decides whether a process has to wait before it notices a timer.
func (i *Injector) Expires(who protocols.ID) (wait time.Duration) {
	for _, f := range i.active[paused] {
		if f.who == who {
			return -1
		}
	}
	if len(i.active[slowed]) == 0 || i.slowness(who) == 0 {
		return 0
	}
	b := &i.busy[who]
	if b.until <= i.target.Now() {
		return 0
	}
	if b.wake != b.until {
		b.wake = b.until
		i.target.ReleaseAt(b.until)
	}
	return -1
}

// severed reports whether a link is down. A message of a process to itself passes no
// link.
func (i *Injector) severed(from, to protocols.ID, kind int) bool {
	if from == to || len(i.active[severed]) == 0 {
		return false
	}
	now := i.target.Now()
	for _, f := range i.active[severed] {
		if f.severs(from, to, now) {
			i.noteMessage(f, from, to, kind)
			return true
		}
	}
	return false
}

func (f *fault) severs(from, to protocols.ID, now des.Time) bool {
	if f.Up > 0 && now.Sub(f.begun)%(f.Down+f.Up) >= f.Down {
		return false
	}
	switch {
	case f.Kind == Leave:
		return f.who == from || f.who == to
	case f.Kind == Cut:
		return f.Links.Has(from, to)
	case f.OneWay:
		return f.member[from]&1 != 0 && f.member[to]&2 != 0
	}
	return f.member[from]&f.member[to] == 0
}

// memberships has the groups of each process, a bit for each group of the partition.
func memberships(f *Fault, n int) []uint64 {
	member := make([]uint64, n)
	for g, group := range f.Groups {
		group.Each(n, func(p protocols.ID) { member[p] |= 1 << g })
	}
	return member
}

// forger returns the function that a lying process applies to the identities in its
// messages: its own becomes another. To each process, an equivocating process claims the
// identity of the process after it.
func (i *Injector) forger(f *fault) func(int64) int64 {
	if i.env.Identity == nil {
		return nil
	}
	own := i.env.Identity(f.who)
	return func(identity int64) int64 {
		switch {
		case identity != own:
			return identity
		case f.Kind == Lie:
			return f.As
		}
		return i.env.Identity((i.addressee + 1) % protocols.ID(i.env.N))
	}
}
