package hunt

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"bullring/experiments/trial"
	"bullring/netem"
	"bullring/protocols"
)

// Coverage is what the runs of a hunt have shown.
type Coverage struct {
	// Events counts the runs in which an event was seen: start, restart, crash, deliver and the
	// kind of the message, timeout and the first word of the timer's name.
	Events map[string]uint64
	// Pairs counts the runs in which an event followed another one at the same process.
	Pairs map[Pair]uint64
	// Faults counts the runs with a fault of a kind.
	Faults map[string]uint64
	// New is the number of the last setting that showed a new pair, from 1; 0 if none did.
	New uint64
}

// Pair is two events that follow each other at one process.
type Pair struct{ First, Then string }

func newCoverage() Coverage {
	return Coverage{map[string]uint64{}, map[Pair]uint64{}, map[string]uint64{}, 0}
}

// add adds a run, and reports whether it shows a pair that is new.
func (c *Coverage) add(s *seen, faults []string, number uint64) bool {
	for event := range s.events {
		c.Events[event]++
	}
	for _, kind := range faults {
		c.Faults[kind]++
	}
	before := len(c.Pairs)
	for pair := range s.pairs {
		c.Pairs[pair]++
	}
	if len(c.Pairs) == before {
		return false
	}
	c.New = number
	return true
}

// Often returns what was seen, the most often first.
func Often(runs map[string]uint64) []string {
	return slices.SortedFunc(maps.Keys(runs), func(a, b string) int {
		return cmp.Or(cmp.Compare(runs[b], runs[a]), cmp.Compare(a, b))
	})
}

// seen are the events of one run.
type seen struct {
	kinds  []string // of the messages of the algorithm
	last   []string // by process
	events map[string]bool
	pairs  map[Pair]bool
}

func newSeen(in *trial.Instance) *seen {
	return &seen{in.Algorithm.Kinds, make([]string, in.N), map[string]bool{}, map[Pair]bool{}}
}

func (s *seen) tracer(*trial.Traced) netem.Tracer { return s }

// Record implements netem.Tracer.
func (s *seen) Record(r netem.Record) {
	event := r.What
	switch r.What {
	case "deliver":
		k := r.Message.(protocols.Message).Kind()
		if k >= len(s.kinds) { // of a transport or a failure detector
			return
		}
		event += " " + s.kinds[k]
	case "timeout":
		if word, _, _ := strings.Cut(r.Name, " "); word != "" { // the rest names a process
			event += " " + word
		}
	case "start", "restart", "crash", "boot":
	default: // the process does not notice it
		return
	}
	if before := s.last[r.Who]; before != "" {
		s.pairs[Pair{before, event}] = true
	}
	s.last[r.Who], s.events[event] = event, true
}
