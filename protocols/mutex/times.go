package mutex

import (
	"time"

	"bullring/protocols"
)

// Service is the quality of the service that clients got.
type Service struct {
	Entries []Entry // the first MaxEntries, in their order
	Count   int     // of all entries
	// Delay is the mean time from the arrival of a request to its entry, Longest the
	// longest.
	Delay, Longest time.Duration
	// Handover is the synchronization delay: the mean time from an exit to the next
	// entry, over the Handovers exits at which a process was waiting.
	Handover  time.Duration
	Handovers int
	// Last is the instant of the last exit.
	Last time.Duration
	// Fairness is Jain's index of the mean delays of the clients (Jain, Chiu & Hawe,
	// DEC TR-301, 1984): 1 if all wait equally, 1/k if one of k does all the waiting.
	Fairness float64
}

// Entry is an entry into the critical section.
type Entry struct {
	Process protocols.ID
	At      time.Duration
}

// MaxEntries is the number of entries that are kept one by one.
const MaxEntries = 1000

// times gathers the service of a run. A nil one measures nothing.
type times struct {
	queues   []queue
	entries  []Entry
	count    int
	delay    time.Duration // of all entries together
	longest  time.Duration
	exit     time.Duration // the last exit at which a process was waiting; -1 after the next entry
	handover time.Duration // of all handovers together
	handed   int
	last     time.Duration
}

// queue has the waiting requests of one process, and the delays of earlier ones.
type queue struct {
	since   []time.Duration // the arrivals of waiting requests
	delay   time.Duration   // of all entries together
	entries int
}

func newTimes(n int) *times { return &times{queues: make([]queue, n), exit: -1} }

func (t *times) arrived(p protocols.ID, now time.Duration) {
	if t == nil {
		return
	}
	t.queues[p].since = append(t.queues[p].since, now)
}

func (t *times) entered(p protocols.ID, now time.Duration) {
	if t == nil {
		return
	}
	s := &t.queues[p]
	delay := now - s.since[0]
	s.since = s.since[1:]
	s.delay += delay
	s.entries++
	t.delay += delay
	t.longest = max(t.longest, delay)
	t.count++
	if len(t.entries) < MaxEntries {
		t.entries = append(t.entries, Entry{p, now})
	}
	if t.exit >= 0 {
		t.handover += now - t.exit
		t.handed++
		t.exit = -1
	}
}

func (t *times) left(now time.Duration, waited bool) {
	if t == nil {
		return
	}
	t.last = now
	if waited {
		t.exit = now
	}
}

// forget drops the requests of a process that has crashed.
func (t *times) forget(p protocols.ID) {
	if t != nil {
		t.queues[p].since = nil
	}
}

// Service is the service so far. It panics unless Measure was called.
func (c *Checker) Service() Service {
	t := c.times
	s := Service{Entries: t.entries, Count: t.count, Longest: t.longest, Handovers: t.handed, Last: t.last, Fairness: 1}
	if t.count > 0 {
		s.Delay = t.delay / time.Duration(t.count)
	}
	if t.handed > 0 {
		s.Handover = t.handover / time.Duration(t.handed)
	}
	var clients int
	var sum, squares float64
	for i := range t.queues {
		if l := &t.queues[i]; l.entries > 0 {
			mean := float64(l.delay) / float64(l.entries)
			clients++
			sum += mean
			squares += float64(mean * mean)
		}
	}
	if squares > 0 {
		s.Fairness = sum * sum / (float64(clients) * squares)
	}
	return s
}
