// Package testnet is a small event loop for the tests of wrappers: a complete graph on
// which a function decides the fate of every single message. Its order of events is that
// of docs/model.md.
package testnet

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"time"

	"bullring/protocols"
)

// Link decides the fate of message k, from 0, on the link between two processes: it
// returns the delays of the copies that arrive, none if the message is lost.
type Link func(from, to protocols.ID, k int) []time.Duration

// Always is the link on which every message takes the same time.
func Always(delay time.Duration) Link {
	fate := []time.Duration{delay}
	return func(protocols.ID, protocols.ID, int) []time.Duration { return fate }
}

// Net is a run.
type Net[M protocols.Message] struct {
	Link Link
	// Sent counts the messages by kind, lost ones included.
	Sent []int
	// Perfect: nodes have a failure detector without mistakes.
	Perfect bool
	// Clock, if not nil, is the time on the clock of a process at an instant.
	Clock func(p protocols.ID, now time.Duration) time.Duration
	// Observer, if not nil, is told of every step of a process.
	Observer func(p protocols.ID)
	// Trace, if not nil, is where deliveries and timeouts are written.
	Trace io.Writer

	now      time.Duration
	boot     func(protocols.ID) protocols.Process[M]
	seats    []*seat[M]
	queue    []*event
	inserted int
	busy     int // the number of events that are not background
	zero     M
}

type event struct {
	at         time.Duration
	class      class
	number     int
	background bool
	happen     func()
}

type class int

const (
	fault class = iota
	delivery
	timeout
)

func (e *event) compare(f *event) int {
	return cmp.Or(cmp.Compare(e.at, f.at), cmp.Compare(e.class, f.class), cmp.Compare(e.number, f.number))
}

// New returns a run of n processes at time 0. Processes that are alive when it begins are
// booted then.
func New[M protocols.Message](n int, link Link, boot func(protocols.ID) protocols.Process[M]) *Net[M] {
	w := &Net[M]{Link: link, boot: boot}
	w.Sent = make([]int, len(w.zero.Kinds()))
	for i := range n {
		id := protocols.ID(i)
		w.seats = append(w.seats, &seat[M]{net: w, id: id, alive: true, process: boot(id), messages: make([]int, n), timers: map[protocols.Timer]*event{}})
		w.At(0, func() {
			if b, ok := w.seats[i].process.(protocols.Booter[M]); ok {
				w.step(w.seats[i], func(n protocols.Node[M]) { b.Boot(n) })
			}
		})
	}
	return w
}

// Now is the present instant.
func (w *Net[M]) Now() time.Duration { return w.now }

// Process is the present process at an address.
func (w *Net[M]) Process(p protocols.ID) protocols.Process[M] { return w.seats[p].process }

// At plans an event. It happens before the deliveries and timeouts of that instant.
func (w *Net[M]) At(t time.Duration, happen func()) { w.insert(t, fault, false, happen) }

// Start starts a process.
func (w *Net[M]) Start(p protocols.ID) {
	s := w.seats[p]
	w.step(s, s.process.Start)
}

// Crash stops a process.
func (w *Net[M]) Crash(p protocols.ID) {
	s := w.seats[p]
	s.alive = false
	for _, e := range s.timers {
		w.remove(e)
	}
	clear(s.timers)
}

// Restart brings a crashed process back.
func (w *Net[M]) Restart(p protocols.ID) {
	s := w.seats[p]
	crashed := s.process
	s.alive, s.process = true, w.boot(p)
	if stable, ok := s.process.(protocols.Stable[M]); ok {
		stable.Restore(crashed)
	}
	w.step(s, func(n protocols.Node[M]) {
		if b, ok := s.process.(protocols.Booter[M]); ok {
			b.Boot(n)
		}
		if r, ok := s.process.(protocols.Recoverer[M]); ok {
			r.Recover(n)
		}
	})
}

// Run runs all events up to an instant.
func (w *Net[M]) Run(until time.Duration) {
	for len(w.queue) > 0 && w.queue[0].at <= until {
		w.next()
	}
	w.now = until
}

// Settle runs until the run is at rest, and reports whether it is by that instant.
func (w *Net[M]) Settle(limit time.Duration) bool {
	for w.busy > 0 && w.queue[0].at <= limit {
		w.next()
	}
	return w.busy == 0
}

func (w *Net[M]) next() {
	e := w.queue[0]
	w.remove(e)
	w.now = e.at
	e.happen()
}

func (w *Net[M]) insert(at time.Duration, c class, background bool, happen func()) *event {
	w.inserted++
	e := &event{at, c, w.inserted, background, happen}
	i, _ := slices.BinarySearchFunc(w.queue, e, (*event).compare)
	w.queue = slices.Insert(w.queue, i, e)
	if !background {
		w.busy++
	}
	return e
}

func (w *Net[M]) remove(e *event) {
	i, found := slices.BinarySearchFunc(w.queue, e, (*event).compare)
	if !found {
		panic("testnet: an event that is not there")
	}
	w.queue = slices.Delete(w.queue, i, i+1)
	if !e.background {
		w.busy--
	}
}

func (w *Net[M]) step(s *seat[M], handle func(protocols.Node[M])) {
	if !s.alive {
		return
	}
	handle(s)
	if w.Observer != nil {
		w.Observer(s.id)
	}
}

func (w *Net[M]) trace(format string, args ...any) {
	if w.Trace != nil {
		fmt.Fprintf(w.Trace, "%8v  %s\n", w.now, fmt.Sprintf(format, args...))
	}
}

// seat is an address with its process, and the node of that process.
type seat[M protocols.Message] struct {
	net      *Net[M]
	id       protocols.ID
	alive    bool
	process  protocols.Process[M]
	messages []int // sent so far, by receiver
	timers   map[protocols.Timer]*event
}

func (s *seat[M]) ID() protocols.ID { return s.id }

func (s *seat[M]) Degree() int { return len(s.net.seats) - 1 }

func (s *seat[M]) Neighbor(port int) protocols.ID {
	return protocols.ID((int(s.id) + 1 + port) % len(s.net.seats))
}

// Intn chooses the first.
func (s *seat[M]) Intn(int) int { return 0 }

func (s *seat[M]) Now() time.Duration {
	if s.net.Clock != nil {
		return s.net.Clock(s.id, s.net.now)
	}
	return s.net.now
}

func (s *seat[M]) Send(to protocols.ID, m M) {
	w := s.net
	k := s.messages[to]
	s.messages[to]++
	w.Sent[m.Kind()]++
	background := protocols.IsBackground(w.zero, m.Kind())
	for _, delay := range w.Link(s.id, to, k) {
		w.insert(w.now+delay, delivery, background, func() { w.deliver(s.id, w.seats[to], m) })
	}
}

func (w *Net[M]) deliver(from protocols.ID, to *seat[M], m M) {
	if !to.alive {
		w.trace("%d -> %d  %v  lost", from, to.id, m)
		return
	}
	w.trace("%d -> %d  %v", from, to.id, m)
	w.step(to, func(n protocols.Node[M]) { to.process.Receive(n, from, m) })
}

func (s *seat[M]) SetTimer(t protocols.Timer, after time.Duration) {
	s.StopTimer(t)
	w := s.net
	s.timers[t] = w.insert(w.now+after, timeout, t <= protocols.Background, func() {
		delete(s.timers, t)
		w.trace("%d  timer %d", s.id, t)
		w.step(s, func(n protocols.Node[M]) { s.process.Timeout(n, t) })
	})
}

func (s *seat[M]) StopTimer(t protocols.Timer) {
	if e, ok := s.timers[t]; ok {
		s.net.remove(e)
		delete(s.timers, t)
	}
}

// Suspects is a failure detector without mistakes, if the run has one.
func (s *seat[M]) Suspects(p protocols.ID) bool { return s.net.Perfect && !s.net.seats[p].alive }
