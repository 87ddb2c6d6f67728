package live

import (
	"errors"
	"sync"
	"time"

	"bullring/des"
	"bullring/netem"
	"bullring/netem/impair"
	"bullring/protocols"
	"bullring/protocols/box"
	"bullring/protocols/links"
)

// imposed does to messages what Config demands, before the messages go to their sockets: with the
// same words, the same arithmetic and the same random streams as the links of package netem.
// The k-th message of a link has the same fate here and there, if that does not depend on time.
type imposed struct {
	run    *run
	agenda *agenda[departure]

	mutex sync.Mutex // of what follows
	fates *netem.Links
	now   des.Time // of the last offer
	token uint32   // of the last message
	slots map[uint32]*waiting
	gone  []Step // messages that links have lost
}

// departure is a message that goes to its socket, or the service of a link with slots.
type departure struct {
	from, to   protocols.ID
	frame      *frame // nil for a service
	background bool   // the message does not keep the run alive
}

// letter is a message that is handed to its link.
type letter struct {
	to      protocols.ID
	message box.Message
	frame   frame
}

// waiting is a message that waits for a slot of its link, and the number of its copies there.
type waiting struct {
	letter
	copies int
}

// newImposed returns the links of a run, nil if they leave messages alone.
func newImposed(r *run) (*imposed, error) {
	cfg := netem.Config{
		Topology: r.Topology, Delay: r.Delay, FIFO: r.FIFO, Seed: r.Seed,
		Lines: r.Lines, Mode: r.Mode, Delta: r.Delta, GST: r.GST,
	}
	if cfg.Delay == nil {
		cfg.Delay = des.Constant(0)
	}
	if _, longest, bounded := cfg.Delay.Bounds(); bounded && longest == 0 && len(r.Lines) == 0 && r.Oppose == nil {
		return nil, nil
	}
	for _, l := range r.Lines {
		if err := possible(l.Line); err != nil {
			return nil, err
		}
	}
	return &imposed{run: r, agenda: newAgenda[departure](), fates: netem.NewLinks(&cfg), slots: map[uint32]*waiting{}}, nil
}

// possible says why a line cannot be imposed on a live run: a schedule has no word for a message
// that a link altered, so such a run could not be followed.
func possible(line *impair.Line) error {
	if line != nil && line.Alters() {
		return errors.New("link " + line.String() + ": links of live runs do not alter messages; 'corrupt' without 'altered' loses them")
	}
	return nil
}

// hand hands copies of a message to its link now, which delays them by extra beyond its own
// delay. Without a copy a fault has lost the message.
func (l *imposed) hand(now des.Time, copies int, extra time.Duration, x letter) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.now = max(l.now, now)
	if copies == 0 {
		l.lose("cut", x)
		return
	}
	for _, token := range l.fates.Refresh(l.now, x.frame.from, x.to) {
		w := l.slots[token]
		delete(l.slots, token)
		for range w.copies {
			l.transmit(0, w.letter)
			l.left(w.message)
		}
	}
	for range copies {
		l.transmit(extra, x)
	}
}

func (l *imposed) setLine(set links.Set, line *impair.Line) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.fates.SetLine(set, line)
}

// transmit decides the fate of a message.
func (l *imposed) transmit(extra time.Duration, x letter) {
	l.token++
	fate := l.fates.Offer(l.now, x.frame.from, x.to, extra, x.message.Bits(), l.token)
	if !l.run.isBackground(x.message.Kind()) {
		l.run.busy.Add(int64(fate.N + fate.Queued))
		l.run.planned.Add(int64(fate.N + fate.Queued))
	}
	if fate.N+fate.Queued == 0 {
		l.lose("lose", x)
	}
	for _, c := range fate.Copies[:fate.N] {
		l.depart(c, x)
	}
	if fate.Queued > 0 {
		l.slots[l.token] = &waiting{x, fate.Queued}
		l.planService(x.frame.from, x.to)
	}
}

// depart plans the departure of a copy, unless it is damaged.
func (l *imposed) depart(c impair.Copy, x letter) {
	if c.Corrupt != 0 {
		l.lose("damaged", x)
		l.left(x.message)
		return
	}
	f := x.frame
	f.sent = time.Duration(c.At) // so the latency is that of the sockets
	l.agenda.add(c.At, departure{f.from, x.to, &f, l.run.isBackground(x.message.Kind())})
}

// lose records a loss. It has the clock of the step that sent the message, and comes after it.
func (l *imposed) lose(what string, x letter) {
	f := &x.frame
	l.gone = append(l.gone, Step{
		Record: netem.Record{What: what, Who: x.to, From: f.from, Message: x.message, Number: f.number},
		Clock:  f.clock, Wall: l.run.now(),
	})
}

// left counts a copy that will not depart.
func (l *imposed) left(m box.Message) {
	if !l.run.isBackground(m.Kind()) {
		l.run.planned.Add(-1)
		l.run.done()
	}
}

func (l *imposed) planService(from, to protocols.ID) {
	if at, ok := l.fates.NextService(l.now, from, to); ok {
		l.agenda.add(at, departure{from: from, to: to})
	}
}

// send sends the messages to their sockets that are due.
func (l *imposed) send() {
	var sent []netem.Sent
	for {
		due, ok := l.agenda.take(des.Time(l.run.now()))
		if !ok {
			break
		}
		d := due.Item
		if d.frame == nil {
			l.serve(due.At, d.from, d.to)
			continue
		}
		if err := l.run.net.put(d.to, *d.frame); err != nil {
			l.run.panicked(d.from, err)
		}
		if !d.background {
			l.run.planned.Add(-1)
		}
		sent = append(sent, netem.Sent{To: d.to})
	}
	l.run.net.flush(sent)
}

// serve lets the messages depart that a slot of a link has room for.
func (l *imposed) serve(now des.Time, from, to protocols.ID) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.now = max(l.now, now)
	for {
		token, c, ok := l.fates.Serve(l.now, from, to)
		if !ok {
			break
		}
		w := l.slots[token]
		if w.copies--; w.copies == 0 {
			delete(l.slots, token)
		}
		l.depart(c, w.letter)
	}
	l.planService(from, to)
}
