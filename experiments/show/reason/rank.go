package reason

import (
	"cmp"
	"slices"
)

// mostMeasured is the largest number of sets of which the limits and the differing events are
// measured.
const mostMeasured = 40

// ranked returns reasons from sets: small ones before large ones, and among those of one size
// the one that a lecturer would give before others.
func (s *search) ranked(sets []set) []*Reason {
	sets = slices.Clone(sets)
	slices.SortStableFunc(sets, func(a, b set) int { return cmp.Compare(len(a.changes), len(b.changes)) })
	var reasons []*Reason
	most := mostMeasured
	if s.time.Err() != nil {
		most = mostShown
	}
	for _, one := range sets[:min(len(sets), most)] {
		reasons = append(reasons, s.reason(one))
	}
	slices.SortStableFunc(reasons, func(a, b *Reason) int {
		return cmp.Or(cmp.Compare(a.penalty(), b.penalty()), cmp.Compare(a.differ, b.differ))
	})
	return reasons
}

// reason measures a set.
func (s *search) reason(found set) *Reason {
	h := s.history(found.changes)
	r := &Reason{Changes: found.changes, Effect: found.Effect, Then: found.then, Saved: h.Result.Instance, differ: differ(s.real, h, s.v).size()}
	if len(found.changes) == 1 {
		r.Limit = s.limit(found.changes[0])
	}
	return r
}

// The penalties of a reason, in the events that differ by which a better one may be longer.
const (
	perChange   = 10_000
	forWorse    = 5_000
	withoutRace = 1_000 // of a message that came late, or in another order
	forSlower   = 2_000 // of a message that arrives later: what it led to never comes
	forFault    = 3     // the messages that it took say more
)

// penalty ranks reasons: the best has the least.
func (r *Reason) penalty() int {
	p := perChange*len(r.Changes) + r.differ
	if r.Effect == Worse {
		p += forWorse
	}
	for _, c := range r.Changes {
		if c.Class == Fault {
			p += forFault
		}
	}
	first := r.Changes[0]
	if timed := first.Class == Late || first.Class == Order; timed && len(r.Changes) == 1 && (r.Limit == nil || r.Limit.Race == nil) {
		p += withoutRace
	}
	if first.Class == Order && first.Sent.Add(first.Delay) > first.Came {
		p += forSlower
	}
	return p
}
