package live

import (
	"cmp"
	"slices"
	"time"

	"bullring/protocols"
)

// recording collects the steps of all nodes, which have ended.
func (r *run) recording(end End) *Recording {
	rec := &Recording{End: end, Failed: r.failed}
	switch {
	case r.failed != nil:
		rec.End = Panicked
	case end == Rest && r.target != nil && r.target.room.alive > 0:
		rec.End = Stalled
	}
	for _, n := range r.nodes {
		rec.Steps = append(rec.Steps, n.log...)
		for i := range n.log {
			rec.Wall = max(rec.Wall, n.log[i].Wall)
		}
	}
	if r.imposed != nil {
		for _, s := range r.imposed.gone { // after the step that sent the message, and after all starts
			s.Clock = max(s.Clock, r.opened)
			rec.Steps = append(rec.Steps, s)
		}
	}
	slices.SortStableFunc(rec.Steps, func(a, b Step) int {
		return cmp.Or(cmp.Compare(a.Clock, b.Clock), cmp.Compare(a.place(), b.place()))
	})
	return rec
}

// place is the process in whose order a step stands: a loss has the clock of the sender.
func (s *Step) place() protocols.ID {
	switch s.What {
	case "lose", "cut", "damaged":
		return s.From
	}
	return s.Who
}

// Latencies returns the latencies of the messages that were handled, ascending.
func (r *Recording) Latencies() []time.Duration {
	var all []time.Duration
	for i := range r.Steps {
		if r.Steps[i].What == "deliver" {
			all = append(all, r.Steps[i].Latency)
		}
	}
	slices.Sort(all)
	return all
}
