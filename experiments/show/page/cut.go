package page

import (
	"maps"
	"slices"

	"bullring/experiments/show/history"
)

// MostEvents is the largest number of events in a page.
const MostEvents = 100_000

// Cut says which part of a run the data has.
type Cut struct {
	From int `json:"from"` // the number of the first event in the run
	Of   int `json:"of"`   // events of the run
}

// Before is the state of a process before the first event of a part.
type Before struct {
	Process int               `json:"p"`
	Down    bool              `json:"down,omitempty"` // it has crashed
	News    string            `json:"n,omitempty"`    // its last decision
	Fields  map[string]string `json:"v,omitempty"`
}

// Part returns the data of the events from one moment to another, see [history.Window]. A
// branch is only possible where the data begins with the run.
func (d Data) Part(from, to history.Moment) (Data, error) {
	if from == (history.Moment{}) && to == from {
		return d, nil
	}
	at := func(i int) int64 { return d.Events[i].Time }
	if d.Timeless {
		at = nil
	}
	first, end, err := history.Window(from, to, len(d.Events), at)
	if err != nil || first == 0 && end == len(d.Events) {
		return d, err
	}
	return d.part(first, end), nil
}

// part returns the data of the events first to end-1, counted from 0.
func (d Data) part(first, end int) Data {
	from := 1
	if d.Cut != nil {
		from = d.Cut.From
	} else {
		d.Cut = &Cut{Of: len(d.Events)}
	}
	d.Cut = &Cut{From: from + first, Of: d.Cut.Of}
	if first > 0 {
		d.Branch = Branch{Refused: "the page does not have the beginning of the run"}
	}
	d.Before, d.Gone = d.before(first), d.gone(first)
	d.Ground = d.Ground.part(d.Events[first].Time, d.Events[end-1].Time)
	renumber := func(orders []int) (kept []int) {
		for _, k := range orders {
			if k > first && k <= end {
				kept = append(kept, k-first)
			}
		}
		return kept
	}
	d.Targets, d.Slice = renumber(d.Targets), renumber(d.Slice)
	d.Checks = slices.Clone(d.Checks)
	for i := range d.Checks {
		if c := &d.Checks[i]; c.Broke <= first || c.Broke > end {
			c.Broke = 0
		} else {
			c.Broke -= first
		}
	}
	d.Spans = cutSpans(d.Spans, first, end)
	d.Bands = cutBands(d.Bands, first, end)
	d.Events = slices.Clone(d.Events[first:end])
	for i := range d.Events {
		d.Events[i].After = renumber(d.Events[i].After)
	}
	return d
}

// cutSpans returns the spans that overlap with the events first to end-1, numbered anew.
func cutSpans(spans []Span, first, end int) (kept []Span) {
	for _, s := range spans {
		if overlap := cutStretch(&s.From, &s.To, first, end); overlap {
			kept = append(kept, s)
		}
	}
	return kept
}

// cutStretch cuts a stretch to the events first to end-1, and numbers it anew. It reports whether
// there is anything left.
func cutStretch(from, to *int, first, end int) bool {
	if *from > end || *to != 0 && *to <= first {
		return false
	}
	*from = max(*from-first, 1)
	if *to > end {
		*to = 0
	} else if *to != 0 {
		*to -= first
	}
	return true
}

// cutBands returns the bands with what overlaps with the events first to end-1, numbered anew.
func cutBands(bands []Band, first, end int) (kept []Band) {
	for _, b := range bands {
		on, clashes := b.On, b.Clashes
		b.On, b.Clashes = nil, nil
		for _, s := range on {
			if cutStretch(&s[1], &s[2], first, end) {
				b.On = append(b.On, s)
			}
		}
		for _, s := range clashes {
			if cutStretch(&s[0], &s[1], first, end) {
				b.Clashes = append(b.Clashes, s)
			}
		}
		if b.On != nil {
			kept = append(kept, b)
		}
	}
	return kept
}

// before returns the states of the processes before an event.
func (d *Data) before(first int) (states []Before) {
	if first == 0 {
		return d.Before
	}
	byAddress := map[int]*Before{}
	at := func(p int) *Before {
		if byAddress[p] == nil {
			byAddress[p] = &Before{Process: p, Fields: map[string]string{}}
		}
		return byAddress[p]
	}
	for _, b := range d.Before {
		*at(b.Process) = Before{b.Process, b.Down, b.News, maps.Clone(b.Fields)}
	}
	for i := range d.Events[:first] {
		e := &d.Events[i]
		if e.unhandled() {
			continue
		}
		b := at(e.Process)
		switch e.What {
		case "crash":
			b.Down = true
		case "restart":
			b.Down, b.News = false, ""
		}
		if e.News != "" {
			b.News = e.News
		}
		maps.Copy(b.Fields, e.Changed)
	}
	for _, p := range slices.Sorted(maps.Keys(byAddress)) {
		states = append(states, *byAddress[p])
	}
	return states
}

// gone returns the links that are not there before an event.
func (d *Data) gone(first int) [][2]int {
	gone := slices.Clone(d.Gone)
	for i := range d.Events[:first] {
		if e := &d.Events[i]; e.Link != nil {
			link := [2]int{min(e.Link[0], e.Link[1]), max(e.Link[0], e.Link[1])}
			gone = slices.DeleteFunc(gone, func(other [2]int) bool { return other == link })
			if e.Link[2] == 0 {
				gone = append(gone, link)
			}
		}
	}
	return gone
}

// unhandled reports whether no process handled the event.
func (e *Event) unhandled() bool {
	return slices.Contains([]string{"fault", "lost", "damaged", "lose", "cut", "collide"}, e.What)
}
