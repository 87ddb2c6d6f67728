package netem

import (
	"time"

	"bullring/des"
	"bullring/netem/impair"
	"bullring/protocols"
	"bullring/protocols/links"
)

// Links decide the fates of messages as the links of a Network do, from the same streams. They
// are for a driver with a time of its own. Only one goroutine may use them at a time.
type Links struct{ table linkTable }

// NewLinks returns the links of a configuration.
func NewLinks(cfg *Config) *Links {
	l := &Links{}
	l.table.reset(cfg)
	if l.table.constant {
		l.table.makeRoom()
	}
	return l
}

// SetLine changes the line of a set of links, as Network.SetLine does.
func (l *Links) SetLine(set links.Set, line *impair.Line) { l.table.set(set, line) }

// Refresh lets a link have its present line. Call it before Offer. It returns the tokens of the
// messages that wait for a slot of the former line, each once: they have to be offered again.
func (l *Links) Refresh(now des.Time, from, to protocols.ID) (again []uint32) {
	k := l.link(from, to)
	if k.lineState == nil || k.version == l.table.version {
		return nil
	}
	former := k.channel
	if l.table.refresh(now, k, from, to) && former != nil {
		again = former.Clear()
	}
	return again
}

// Offer hands a message to a link; see impair.Channel.Offer. The instants of successive calls for
// a link do not decrease.
func (l *Links) Offer(now des.Time, from, to protocols.ID, extra time.Duration, bits int, token uint32) impair.Fate {
	k, latest := l.link(from, to), l.table.latest(now)
	alone := impair.Fate{N: 1}
	if k.alone() {
		alone.Copies[0] = l.settled(impair.Copy{At: min(l.table.drawArrival(now, k.link, extra), latest)}, k)
		return alone
	}
	var fate impair.Fate
	k.channel.Offer(&fate, now, extra, bits, token)
	if fate.N+fate.Queued == 0 && l.table.stable(now) { // a stable network delivers it all the same
		alone.Copies[0] = l.settled(impair.Copy{At: latest}, k)
		return alone
	}
	for i := range fate.N {
		fate.Copies[i].At = min(fate.Copies[i].At, latest)
		fate.Copies[i] = l.settled(fate.Copies[i], k)
	}
	return fate
}

// settled is a copy with the instant at which it arrives after those before it.
func (l *Links) settled(c impair.Copy, k lineLink) impair.Copy {
	early := c.Overtook && k.channel.Line().Reorders()
	c.At, c.Overtook = l.table.arrival(c.At, early, k.link)
	return c
}

// NextService is the instant at which the driver has to call Serve, because messages wait for a
// slot of the link. ok is false if it need not, or will anyway.
func (l *Links) NextService(now des.Time, from, to protocols.ID) (at des.Time, ok bool) {
	k := l.link(from, to)
	if k.alone() {
		return 0, false
	}
	return k.nextService(now)
}

// Serve returns the next copy that leaves a slot of the link now, with its token. ok is false if
// none is left; then the driver asks for the next service.
func (l *Links) Serve(now des.Time, from, to protocols.ID) (token uint32, c impair.Copy, ok bool) {
	k := l.link(from, to)
	if k.alone() { // a fault has changed the line
		return 0, c, false
	}
	if now >= k.service {
		k.service = 0
	}
	if token, c, ok = k.channel.Serve(now); ok {
		c = l.settled(c, k)
	}
	return token, c, ok
}

func (l *Links) link(from, to protocols.ID) lineLink {
	s := newHost(from, l.table.topology)
	return l.table.lineLinkOf(&s, to)
}
