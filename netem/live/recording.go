package live

import (
	"cmp"
	"slices"
	"time"

	"bullring/protocols"
)

// recording collects the steps of all nodes.
func (r *run) recording(end End) *Recording {
	if end == Rest && r.target != nil && r.target.room.alive > 0 {
		end = Stalled
	}
	var steps []Step
	for _, n := range r.nodes {
		steps = n.appendSteps(steps)
	}
	if r.imposed != nil {
		r.imposed.mutex.Lock()
		defer r.imposed.mutex.Unlock()
		for _, s := range r.imposed.gone { // after the step that sent the message, and after all starts
			s.Clock = max(s.Clock, r.opened)
			steps = append(steps, s)
		}
	}
	rec := NewRecording(steps, end, protocols.Sample(r.nodes[0].process))
	if end == Panicked {
		rec.Failed = r.failed
	}
	return rec
}

// NewRecording orders the steps of a run with messages like the sample. Those of each process are in
// their order.
func NewRecording(steps []Step, end End, sample protocols.Message) *Recording {
	rec := &Recording{Steps: steps, End: end, Kinds: slices.Clone(sample.Kinds())}
	for i := range steps {
		rec.Wall = max(rec.Wall, steps[i].Wall)
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
func (r *Recording) Latencies() []time.Duration { return r.latencies("deliver") }

// Lateness returns how late the timers expired, ascending.
func (r *Recording) Lateness() []time.Duration { return r.latencies("timeout") }

// latencies are those of the steps of a kind, ascending.
func (r *Recording) latencies(what string) []time.Duration {
	var all []time.Duration
	for i := range r.Steps {
		if r.Steps[i].What == what {
			all = append(all, r.Steps[i].Latency)
		}
	}
	slices.Sort(all)
	return all
}
