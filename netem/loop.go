package netem

import (
	"bytes"
	"encoding/binary"
	"math"
	"time"

	"bullring/des"
	"bullring/internal/value"
)

// Loop is the end of a run in which nothing new can happen: the same events repeat for ever.
type Loop struct {
	After  uint64        // events before it
	Events uint64        // in one round of it
	Period time.Duration // of one round
}

// Idle is an optional extension of Adversary. It reports that the adversary will neither act nor
// hold a timer, as long as no message is sent and no process changes its state for good.
type Idle interface{ Idle() bool }

// loopSearch looks for a Loop. A search begins when a run has done a lot without a message, a
// draw or a look at a clock, and only timers are left. It keeps the state of the run and compares
// it with the states after the next events. If one is the same but for the time, all that follows
// is the same, too, because handlers depend on nothing else. A run looks at fixed numbers of events,
// so that it ends at the same event with and without a trace.
type loopSearch struct {
	next   uint64   // events before the next look whether a search begins
	before activity // at the last look
	least  uint64   // no search begins before so many events

	first []byte // the state that is compared; nil while there is no search
	after uint64 // events before it
	at    des.Time
	until uint64 // the search ends after so many events
	again []byte

	reads uint64 // of clocks by processes
	found Loop
}

// activity counts what makes a part of a run unlike others.
type activity struct{ messages, draws, reads uint64 }

func activityOf(e *engine) activity {
	c := &e.counters
	return activity{c.Messages() + c.Delivered + c.ToDead, c.Draws, e.loop.reads}
}

// Limits of a search.
const (
	lookEvery    = 1 << 14 // events
	searchEvents = 1 << 12 // after the first state
	searchStates = 1 << 18 // of processes
)

func newLoopSearch(cfg *Config) loopSearch {
	if !cfg.Loops {
		return loopSearch{next: math.MaxUint64}
	}
	return loopSearch{next: lookEvery}
}

// seek begins a search if the run has only set timers since the last look.
func (s *loopSearch) seek(e *engine) {
	before := s.before
	s.before, s.next = activityOf(e), s.next+lookEvery
	if s.before != before || e.counters.Events < s.least {
		return
	}
	s.least = 2 * e.counters.Events
	if s.first = timersAndStates(e, s.first[:0]); s.first == nil {
		return
	}
	n := uint64(e.cfg.Topology.Len())
	s.after, s.at, s.until = e.counters.Events, e.now, e.counters.Events+min(searchEvents, searchStates/n)
}

// repeats compares the present state with the first one of the search. It has the run call it
// after the next event, too, as long as the search goes on.
func (s *loopSearch) repeats(e *engine) bool {
	if e.counters.Events > s.after {
		if s.again = timersAndStates(e, s.again[:0]); s.again == nil || e.counters.Events > s.until || activityOf(e) != s.before {
			s.first = nil
			return false
		}
		if bytes.Equal(s.first, s.again) {
			s.found = Loop{s.after, e.counters.Events - s.after, time.Duration(e.now - s.at)}
			return true
		}
	}
	e.pause = min(e.pause, e.counters.Events+1)
	return false
}

// timersAndStates appends all that decides how the run goes on: the armed timers in the order in
// which they expire, and the states of the processes. It returns nil if something else than timers
// is left, or a state cannot be compared.
func timersAndStates(e *engine, text []byte) (all []byte) {
	x := &e.extras
	idle, _ := x.adversary.(Idle)
	if e.plans.waiting > 0 || e.plans.present.n > 0 || e.lane.taken < e.lane.sent || x.clocks != nil || e.cfg.Late != nil ||
		e.queue.Len()-e.idle > e.queue.Timers() || x.room.count+x.room.releases+x.waiting+len(x.pending)+len(x.parked) > 0 || x.adversary != nil && (idle == nil || !idle.Idle()) {
		return nil
	}
	for _, left := range e.queue.Pending() {
		switch left.Item.what() {
		case timeout:
			text = binary.AppendVarint(text, int64(left.At-e.now))
			text = binary.BigEndian.AppendUint64(text, left.Item.who)
			text = binary.BigEndian.AppendUint64(text, left.Item.more)
		case stop:
		default:
			return nil
		}
	}
	defer func() {
		switch x := recover().(type) {
		case nil:
		case value.Incomparable:
			all = nil
		default:
			panic(x)
		}
	}()
	return e.typed.states(append(text, 0))
}
