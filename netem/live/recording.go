package live

import (
	"cmp"
	"slices"
	"time"
)

// recording collects the steps of all nodes, which have ended.
func (r *run) recording(end End) *Recording {
	rec := &Recording{End: end, Failed: r.failed}
	if r.failed != nil {
		rec.End = Panicked
	}
	for _, n := range r.nodes {
		rec.Steps = append(rec.Steps, n.log...)
		for i := range n.log {
			rec.Wall = max(rec.Wall, n.log[i].Wall)
		}
	}
	// Starts and boots stand first: they have been taken before anything was delivered.
	slices.SortStableFunc(rec.Steps, func(a, b Step) int {
		return cmp.Or(cmp.Compare(rank(&a), rank(&b)), cmp.Compare(a.Clock, b.Clock), cmp.Compare(a.Who, b.Who))
	})
	return rec
}

func rank(s *Step) int {
	if s.What == "start" || s.What == "boot" {
		return 0
	}
	return 1
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
