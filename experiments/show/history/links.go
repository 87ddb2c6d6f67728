package history

import (
	"fmt"
	"slices"

	"bullring/netem"
	"bullring/protocols"
)

// links follows the links of a run that come and go.
type links struct {
	gone  []netem.Link         // at the beginning
	downs map[netem.Link][]int // by link: the numbers of the events in which it went down
	ups   map[netem.Link]int   // by link, the number of the event in which it came up last
}

// change notes a change, the event with that number.
func (l *links) change(order int, c *netem.Change) {
	if l.downs == nil {
		l.downs, l.ups = map[netem.Link][]int{}, map[netem.Link]int{}
	}
	if link := netem.LinkBetween(c.A, c.B); c.Up {
		l.ups[link] = order
	} else {
		l.downs[link] = append(l.downs[link], order)
	}
}

// latest is the number of the event in which a link changed last, 0 if none.
func (l *links) latest(a, b protocols.ID) int {
	last := l.ups[netem.LinkBetween(a, b)]
	if downs := l.downs[netem.LinkBetween(a, b)]; len(downs) > 0 {
		last = max(last, downs[len(downs)-1])
	}
	return last
}

// took returns the number of the event in which a link went down and took a message with it that was
// sent in an event: the first one since or, if the link was down at the sending, the last one before.
// It is 0 if the link did not take it.
func (l *links) took(from, to protocols.ID, sent int) int {
	link := netem.LinkBetween(from, to)
	downs := l.downs[link]
	next, _ := slices.BinarySearch(downs, sent)
	switch {
	case next < len(downs):
		return downs[next]
	case next > 0 && l.ups[link] < downs[next-1]:
		return downs[next-1]
	}
	return 0
}

// noteGone notes the links that are not there at the beginning of the run. first is its first record,
// which may be a change.
func (l *links) noteGone(now []netem.Link, first *netem.Record) {
	l.gone = now
	if c := first.Change; c != nil && c.Up {
		l.gone = append(l.gone, netem.LinkBetween(c.A, c.B))
		slices.SortFunc(l.gone, netem.Link.Compare)
	} else if c != nil {
		l.gone = slices.DeleteFunc(l.gone, func(p netem.Link) bool { return p == netem.LinkBetween(c.A, c.B) })
	}
}

// WithLink says with which link a message was lost, and since when that is down, or returns "".
func (h *History) WithLink(e *Event) string {
	if e.Took == 0 {
		return ""
	}
	change := &h.Events[e.Took-1]
	return fmt.Sprintf("with the link %d-%d, which went down at %s", change.Change.A, change.Change.B, change.When())
}

// Moves reports whether links come or go in the run, or may.
func (h *History) Moves() bool {
	return h.Gone != nil || slices.ContainsFunc(h.Events, func(e Event) bool { return e.Change != nil })
}

// LinksAt are the links that are there after an event, 0 for the beginning, ascending.
func (h *History) LinksAt(order int) []netem.Link {
	down := map[netem.Link]bool{}
	for _, link := range h.Gone {
		down[link] = true
	}
	for i := range h.Events[:order] {
		if c := h.Events[i].Change; c != nil {
			down[netem.LinkBetween(c.A, c.B)] = !c.Up
		}
	}
	return slices.DeleteFunc(netem.LinksOf(h.Result.Instance.Topology), func(link netem.Link) bool { return down[link] })
}
