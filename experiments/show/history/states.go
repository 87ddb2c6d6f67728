package history

import (
	"slices"

	"bullring/internal/value"
	"bullring/protocols"
)

// states has the fields of the processes after their last steps.
type states struct {
	seen [][]value.Field // by address, nil before the first step
}

func newStates(n int) *states { return &states{make([][]value.Field, n)} }

// changed returns the fields of a process that differ from those after its last step.
func (s *states) changed(p protocols.ID, process any) (changed []value.Field) {
	before, now := s.seen[p], value.Fields(process)
	s.seen[p] = now
	for _, f := range now {
		if !slices.Contains(before, f) {
			changed = append(changed, f)
		}
	}
	return changed
}

// dropConstants drops the fields that no step of the run changed: they are configuration.
func (h *History) dropConstants() {
	type field struct {
		p    protocols.ID
		name string
	}
	first, moving := map[field]string{}, map[string]bool{}
	for i := range h.Events {
		e := &h.Events[i]
		for _, f := range e.Changed {
			key := field{e.Who, f.Name}
			if before, known := first[key]; !known {
				first[key] = f.Value
			} else if before != f.Value {
				moving[f.Name] = true
			}
		}
	}
	for i := range h.Events {
		e := &h.Events[i]
		e.Changed = slices.DeleteFunc(e.Changed, func(f value.Field) bool { return !moving[f.Name] })
	}
}
