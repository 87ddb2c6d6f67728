package detector

import (
	"cmp"
	"iter"
	"slices"
	"time"

	"bullring/protocols"
)

// Suspecter is a process with a failure detector, for the judge of a run.
type Suspecter interface {
	// Suspicions are the neighbours that the process takes for crashed, by
	// address. The slice is valid until the next step of the process and must not
	// be modified.
	Suspicions() []protocols.ID
}

// Topology says which processes a process watches: those to which it has a link.
type Topology interface {
	Len() int
	Degree(id protocols.ID) int
	Neighbor(id protocols.ID, port int) protocols.ID
}

// Monitor watches the suspicions of a run and judges them. The driver of the run tells it
// of every event, in order and with the true time since the run began.
type Monitor struct {
	process   func(protocols.ID) Suspecter
	observers []observer
	tally     tally
}

// observer is a process, and its view of the processes that it watches.
type observer struct {
	up    bool
	last  []protocols.ID // its suspicions at the last look
	pairs []pair         // by address of the watched
}

// pair is an observer and a process that it watches. It is meaningless while the
// observer is down.
type pair struct {
	watched   protocols.ID
	suspected bool
	mistaken  bool          // the suspicion began while the watched was up, and it still is
	since     time.Duration // the beginning of the suspicion
	phase     time.Duration // the last instant at which one of the two went up or down
}

// NewMonitor returns a monitor of a run at time 0, in which all processes are up and
// suspect none. process returns the present process at an address.
func NewMonitor(t Topology, process func(protocols.ID) Suspecter) *Monitor {
	m := &Monitor{process: process, observers: make([]observer, t.Len())}
	for i := range m.observers {
		m.observers[i] = observer{up: true, pairs: pairs(t, protocols.ID(i))}
	}
	return m
}

func pairs(t Topology, id protocols.ID) []pair {
	var ps []pair
	for port := range t.Degree(id) {
		if q := t.Neighbor(id, port); q != id {
			ps = append(ps, pair{watched: q})
		}
	}
	slices.SortFunc(ps, func(p, q pair) int { return cmp.Compare(p.watched, q.watched) })
	return slices.Compact(ps)
}

// Stepped tells that a process has handled an event.
func (m *Monitor) Stepped(p protocols.ID, now time.Duration) {
	o := &m.observers[p]
	suspicions := m.process(p).Suspicions()
	if slices.Equal(suspicions, o.last) {
		return
	}
	o.last = append(o.last[:0], suspicions...)
	for i := range o.pairs {
		q := &o.pairs[i]
		if _, suspected := slices.BinarySearch(suspicions, q.watched); suspected != q.suspected {
			m.changed(q, suspected, now)
		}
	}
}

func (m *Monitor) changed(q *pair, suspected bool, now time.Duration) {
	up := m.observers[q.watched].up
	switch {
	case suspected:
		q.since, q.mistaken = now, up
		if up {
			m.tally.mistakes++
		}
	case up:
		m.tally.endWrong(q, now)
	}
	q.suspected = suspected
}

// Crashed tells that a process stopped.
func (m *Monitor) Crashed(p protocols.ID, now time.Duration) {
	o := &m.observers[p]
	for i := range o.pairs {
		switch q := &o.pairs[i]; {
		case m.observers[q.watched].up:
			m.tally.endUp(q, now)
		case q.suspected:
			m.tally.endDown(q)
		}
	}
	o.up = false
	for q := range m.watching(p) {
		m.tally.endUp(q, now)
		q.mistaken, q.phase = false, now
	}
}

// Restarted tells that a new process runs at an address.
func (m *Monitor) Restarted(p protocols.ID, now time.Duration) {
	for q := range m.watching(p) {
		m.tally.endDown(q)
		q.phase = now
	}
	o := &m.observers[p]
	o.up, o.last = true, o.last[:0]
	for i := range o.pairs {
		o.pairs[i] = pair{watched: o.pairs[i].watched, phase: now}
	}
	m.Stepped(p, now)
}

// watching yields the pairs in which a process that is up watches p.
func (m *Monitor) watching(p protocols.ID) iter.Seq[*pair] {
	return func(yield func(*pair) bool) {
		for i := range m.observers {
			o := &m.observers[i]
			k, found := slices.BinarySearchFunc(o.pairs, p, func(q pair, p protocols.ID) int { return cmp.Compare(q.watched, p) })
			if o.up && found && !yield(&o.pairs[k]) {
				return
			}
		}
	}
}

// Quality judges the run up to now. The run may go on.
func (m *Monitor) Quality(now time.Duration) Quality {
	t := m.tally
	for i := range m.observers {
		if !m.observers[i].up {
			continue
		}
		for k := range m.observers[i].pairs {
			if q := &m.observers[i].pairs[k]; m.observers[q.watched].up {
				t.endUp(q, now)
			} else {
				t.endDown(q)
			}
		}
	}
	return t.quality()
}
