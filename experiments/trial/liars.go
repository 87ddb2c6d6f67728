package trial

import (
	"bullring/netem"
	"bullring/protocols"
)

// Liar is a strategy of Byzantine processes. They do not follow the algorithm (L. Lamport, R. Shostak
// and M. Pease, ACM TOPLAS 4(3), 1982).
type Liar struct {
	Name string // a word of plans: byzantine 0 3 as NAME
	Says string // what such a process does
}

// AnyLie is the strategy with which a search looks at all that a Byzantine process can do: it draws
// each message among those that others take for one of the algorithm.
const AnyLie = "random"

// Lied is what the Byzantine processes of a run sent. The counters of the run are of the other
// processes alone.
type Lied struct {
	Sent []uint64 // messages, by kind; nil if no process is Byzantine
	Bits uint64
}

// Messages is the number of their messages.
func (l Lied) Messages() uint64 { return netem.Counters{Sent: l.Sent}.Messages() }

// lies counts the messages of a run with Byzantine processes. It is a netem.Tracer.
type lies struct {
	liars map[protocols.ID]string
	lied  Lied
	sent  []uint64 // by process
}

// liesOf returns what counts the messages of a run of the instance, nil if no process is Byzantine.
func liesOf(in *Instance) *lies {
	liars := in.Strategies()
	if len(liars) == 0 {
		return nil
	}
	return &lies{liars: liars, sent: make([]uint64, in.N)}
}

// Record implements netem.Tracer.
func (l *lies) Record(r netem.Record) {
	for _, s := range r.Sent {
		l.sent[r.Who]++
		if l.liars[r.Who] == "" {
			continue
		}
		m := s.Message.(protocols.Message)
		if more := m.Kind() + 1 - len(l.lied.Sent); more > 0 {
			l.lied.Sent = append(l.lied.Sent, make([]uint64, more)...)
		}
		l.lied.Sent[m.Kind()]++
		l.lied.Bits += uint64(m.Bits())
	}
}

// honest takes what the Byzantine processes sent out of the counters.
func (l *lies) honest(c netem.Counters) (netem.Counters, Lied) {
	if l == nil {
		return c, Lied{}
	}
	for kind, sent := range l.lied.Sent {
		c.Sent[kind] -= sent
	}
	c.Bits -= l.lied.Bits
	c.MaxSent = 0
	for p, sent := range l.sent {
		if l.liars[protocols.ID(p)] == "" {
			c.MaxSent = max(c.MaxSent, sent)
		}
	}
	return c, l.lied
}
