package reason

import (
	"context"
	"fmt"
	"slices"
	"time"

	"bullring/des"
	"bullring/experiments/show/history"
	"bullring/experiments/trial"
)

// Explanation is what is known about why a check of a run does not hold.
type Explanation struct {
	Real      *history.History
	Violation *Violation // nil if every check holds
	// Reasons are but-for sets, the best first. They are empty if Unable says why.
	Reasons []*Reason
	// Enough are the abnormal elements with which the check breaks although all others are
	// repaired. If Alone, each of them is enough.
	Enough []*Element
	Alone  bool
	// Normal: the reasons are of what the model allows.
	Normal   bool
	Abnormal []*Element
	Elements []*Element
	Bound    time.Duration // that the model allows messages, or the longest delay
	Runs     int
	Steps    int    // of the schedule that the run follows
	Spent    bool   // the search ended before it was complete
	Unable   string // why there are no reasons
}

// Reason is a set of changes that saves the run, with what is known about it.
type Reason struct {
	Changes []Change
	Effect  Effect
	Then    string  // the violation that follows instead
	Chain   Chain   // of the best reasons only
	Limit   *Limit  // of a single message, or nil
	Window  *Window // of a single crash in the middle of a step, or nil
	// Later is when a single fault could have begun instead; 0 if that is not known.
	Later des.Time
	// Within are the changes of the same element, alone or with another, that bring messages
	// within the bound and no further. It is nil if Changes do so, or if none are known.
	Within []Change
	// Too are further changes, with which the check holds in the whole run. It is nil if it
	// does so without, or if none are known.
	Too   []Change
	Saved *trial.Instance // the run with the changes, everything else equal

	// Again is the run with the changes as a plan, and all else drawn as the setting says. It is
	// nil if that is not the saved run up to the violation, or if its effect is another.
	Again *trial.Instance
	// Whole: Again is the saved run to its end. Else links draw otherwise in it, after the
	// violation, for messages that the real run lacks.
	Whole bool

	differ int // events that differ up to the violation
}

// Texts are the changes in words.
func (r *Reason) Texts() []string {
	texts := make([]string, len(r.Changes))
	for i, c := range r.Changes {
		texts[i] = c.String()
	}
	return texts
}

// Explain runs an instance and looks for what would have saved it. A cancelled context ends the
// search: then the explanation has what was found so far.
func (f Effort) Explain(ctx context.Context, registry *trial.Registry, in *trial.Instance) *Explanation {
	r := newReplays(ctx, in)
	r.v = r.v.orOf(r.real, f.check)
	e := &Explanation{Real: r.real, Violation: r.v}
	if r.v == nil {
		return e
	}
	defer f.bound(r)()
	err := trial.CanAlter(in)
	if err == nil {
		err = r.repeats()
	}
	switch {
	case err != nil:
		e.Unable = fmt.Sprintf("no change was tried: %v", err)
	case in.Script == nil:
		e.search(&search{replays: r})
		for _, one := range e.Reasons {
			r.again(registry, one)
		}
	default:
		s := newSchedules(r, registry)
		e.Reasons = s.run()
		e.Steps = len(s.steps)
		e.Spent = r.spent()
	}
	e.Runs, e.Spent = r.runs, e.Spent || r.time.Err() != nil
	if len(e.Reasons) == 0 && e.Unable == "" {
		e.Unable = fmt.Sprintf("%d runs were made with changes, and none saves the run", e.Runs)
	}
	return e
}

// search looks for sets of abnormal elements and, without any, of all elements.
func (e *Explanation) search(s *search) {
	all := elementsOf(s.in, s.real, s.v, s.fates)
	normal := slices.IndexFunc(all, func(e *Element) bool { return e.Class.Normal() })
	if normal < 0 {
		normal = len(all)
	}
	e.Abnormal, e.Elements, e.Bound = all[:normal], all[:normal], allowedBy(s.in).bound
	s.run(e.Abnormal)
	if len(s.gone) > 0 {
		e.Enough, e.Alone = s.enough(e.Abnormal)
	} else {
		s.run(all[normal:])
		if len(s.gone) > 0 || len(s.held) == 0 {
			e.Normal, e.Elements = true, all
		}
	}
	e.Spent = s.spent()
	s.most = s.runs + min(measuring, s.most)
	e.Reasons = s.ranked(s.gone)
	e.addWhole(s)
	for i, r := range e.Reasons {
		if i < mostShown {
			s.measure(r, e.Abnormal)
		}
	}
}

// mostShown is the largest number of reasons that are measured in full.
const mostShown = 4

// addWhole adds the best set with which the check holds in the whole run, if no set that is
// there does so.
func (e *Explanation) addWhole(s *search) {
	if len(s.held) == 0 || slices.ContainsFunc(e.Reasons, func(r *Reason) bool { return r.Effect == Holds }) {
		return
	}
	e.Reasons = append(e.Reasons, s.ranked(s.held)[0])
}

// measure completes a reason.
func (s *search) measure(r *Reason, abnormal []*Element) {
	r.Chain = differ(s.real, s.history(r.Changes), s.v)
	if r.Effect == Other {
		r.Too = s.too(r)
	}
	if len(r.Changes) > 1 {
		return
	}
	switch c := r.Changes[0]; c.Class {
	case Fault:
		if at, ok := s.later(c); ok {
			r.Later = at
		}
		r.Window = s.window(c)
	case Late:
		r.Within = s.within(r, abnormal)
	}
}

// too returns what else the smallest set changes that has the changes of a reason, and with
// which the check holds in the whole run.
func (s *search) too(r *Reason) (more []Change) {
	for _, one := range s.held {
		rest := slices.DeleteFunc(slices.Clone(one.changes), func(c Change) bool {
			return slices.ContainsFunc(r.Changes, func(has Change) bool { return has.Element == c.Element })
		})
		if len(rest) == len(one.changes)-len(r.Changes) && (more == nil || len(rest) < len(more)) {
			more = rest
		}
	}
	return more
}

// within returns what saves the run without a message that is faster than the bound: the change
// at its bound, with another late message at its own.
func (s *search) within(r *Reason, abnormal []*Element) []Change {
	c, bound := r.Changes[0], allowedBy(s.in).bound
	if c.Delay == bound {
		return nil
	}
	c.Delay = bound
	for _, e := range abnormal {
		other := Change{Element: e, Delay: bound}
		if e.Class == Late && e != c.Element && s.try(c, other).Gone() {
			return []Change{c, other}
		}
	}
	return nil
}
