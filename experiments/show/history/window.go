package history

import (
	"errors"
	"fmt"
	"sort"
)

// Moment is the number of an event or, if Timed, a time in ns. The zero value is neither.
type Moment struct {
	Event int
	Timed bool
	At    int64
}

// Window returns which of some events lie between two moments, both included: those from
// first to end-1, counted from 0. The zero Moment is the beginning or the end. at returns the
// time of an event in ns; it is nil if the run has no time.
func Window(from, to Moment, events int, at func(i int) int64) (first, end int, err error) {
	if at == nil && (from.Timed || to.Timed) {
		return 0, 0, errors.New("the run follows a schedule without time; give the numbers of events")
	}
	from.Event, to.Event = max(from.Event, 1), min(to.Event, events)
	first, end = from.Event-1, to.Event
	if from.Timed {
		first = sort.Search(events, func(i int) bool { return at(i) >= from.At })
	}
	switch {
	case to.Timed:
		end = sort.Search(events, func(i int) bool { return at(i) > to.At })
	case to.Event == 0:
		end = events
	}
	if first >= end {
		return 0, 0, fmt.Errorf("no event is left: the run has %d, and the part would be from %d to %d", events, first+1, end)
	}
	return first, end, nil
}
