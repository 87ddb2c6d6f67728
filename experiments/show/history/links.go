package history

import (
	"cmp"
	"fmt"
	"slices"

	"bullring/netem"
	"bullring/protocols"
)

// links follows the links of a run that come and go.
type links struct {
	gone  [][2]protocols.ID         // at the beginning
	downs map[[2]protocols.ID][]int // by link, the lower address first: the numbers of the events in which it went down
	ups   map[[2]protocols.ID]int   // by link, the number of the event in which it came up last
}

// ends are the two ends of a link, the lower address first.
func ends(a, b protocols.ID) [2]protocols.ID { return [2]protocols.ID{min(a, b), max(a, b)} }

// change notes a change, the event with that number.
func (l *links) change(order int, c *netem.Change) {
	if l.downs == nil {
		l.downs, l.ups = map[[2]protocols.ID][]int{}, map[[2]protocols.ID]int{}
	}
	if link := ends(c.A, c.B); c.Up {
		l.ups[link] = order
	} else {
		l.downs[link] = append(l.downs[link], order)
	}
}

// latest is the number of the event in which a link changed last, 0 if none.
func (l *links) latest(a, b protocols.ID) int {
	last := l.ups[ends(a, b)]
	if downs := l.downs[ends(a, b)]; len(downs) > 0 {
		last = max(last, downs[len(downs)-1])
	}
	return last
}

// took returns the number of the event in which a link went down and took a message with it that was
// sent in an event: the first one since or, if the link was down at the sending, the last one before.
// It is 0 if the link did not take it.
func (l *links) took(from, to protocols.ID, sent int) int {
	link := ends(from, to)
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
func (l *links) noteGone(now [][2]protocols.ID, first *netem.Record) {
	l.gone = now
	if c := first.Change; c != nil && c.Up {
		l.gone = append(l.gone, ends(c.A, c.B))
		slices.SortFunc(l.gone, byEnds)
	} else if c != nil {
		l.gone = slices.DeleteFunc(l.gone, func(p [2]protocols.ID) bool { return p == ends(c.A, c.B) })
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

// LinksAt are the links that are there after an event, 0 for the beginning: each once, the lower
// address first, in order.
func (h *History) LinksAt(order int) (present [][2]protocols.ID) {
	t := h.Result.Instance.Topology
	for p := range protocols.ID(t.Len()) {
		for port := range t.Degree(p) {
			if q := t.Neighbor(p, port); q != p {
				present = append(present, ends(p, q))
			}
		}
	}
	slices.SortFunc(present, byEnds)
	present = slices.Compact(present)
	down := map[[2]protocols.ID]bool{}
	for _, link := range h.Gone {
		down[link] = true
	}
	for i := range h.Events[:order] {
		if c := h.Events[i].Change; c != nil {
			down[ends(c.A, c.B)] = !c.Up
		}
	}
	return slices.DeleteFunc(present, func(link [2]protocols.ID) bool { return down[link] })
}

func byEnds(p, q [2]protocols.ID) int {
	return cmp.Or(cmp.Compare(p[0], q[0]), cmp.Compare(p[1], q[1]))
}
