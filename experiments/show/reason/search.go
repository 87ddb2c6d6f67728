package reason

import (
	"slices"

	"bullring/des"
)

// set is a set of changes with their effect.
type set struct {
	changes []Change
	outcome
}

// search finds but-for sets.
type search struct {
	*replays

	gone []set    // with which this violation is gone
	held []set    // with which the check holds in the whole run
	left []Change // changes with none of which alone the check holds, one of each element
	idle []Change // changes with none of which alone this violation is gone
}

// run searches among elements: each alone, then pairs, then all of them, made smaller.
func (s *search) run(elements []*Element) {
	if len(elements) == 0 {
		return
	}
	for _, e := range elements {
		s.single(e)
	}
	if pairs := len(s.left) * (len(s.left) - 1) / 2; pairs <= s.mostPairs() {
		s.pairs()
	}
	all := strongest(elements)
	if len(s.gone) == 0 {
		s.reduce(all, Effect.Gone, &s.gone)
	}
	if len(s.held) == 0 {
		s.whole(all)
	}
}

// fewPairs is the largest number of pairs that are tried although a change alone has been found.
const fewPairs = 500

// mostPairs is the largest number of pairs that are tried.
func (s *search) mostPairs() int {
	if len(s.held) > 0 {
		return min(fewPairs, s.most-s.runs)
	}
	return s.most - s.runs
}

// single tries the repairs of an element until one helps.
func (s *search) single(e *Element) {
	var last Change
	var found outcome
	for _, last = range e.repairs() {
		if found = s.try(last); found.Gone() {
			s.add(set{[]Change{last}, found})
			break
		}
	}
	if !found.Gone() {
		s.idle = append(s.idle, last)
	}
	if found.Effect != Holds {
		s.left = append(s.left, last)
	}
}

// add adds a set that has been found.
func (s *search) add(found set) {
	s.gone = append(s.gone, found)
	if found.Effect == Holds {
		s.held = append(s.held, found)
	}
}

// pairs tries all pairs of changes of which none alone makes the check hold.
func (s *search) pairs() {
	for i, b := range s.left {
		for _, a := range s.left[:i] {
			found := set{[]Change{a, b}, s.try(a, b)}
			switch {
			case found.Gone() && slices.Contains(s.idle, a) && slices.Contains(s.idle, b):
				s.add(found)
			case found.Effect == Holds:
				s.held = append(s.held, found)
			}
		}
	}
}

// strongest returns the strongest repair of each element.
func strongest(elements []*Element) []Change {
	changes := make([]Change, len(elements))
	for i, e := range elements {
		changes[i] = e.strongest()
	}
	return changes
}

// reduce adds the smallest part of some changes that it finds to do what all of them do.
func (s *search) reduce(all []Change, does func(Effect) bool, to *[]set) {
	found := set{all, s.try(all...)}
	if does(found.Effect) {
		*to = append(*to, s.minimise(found, does))
	}
}

// mostRounds is the number of times that abnormal elements of a changed run are added.
const mostRounds = 20

// whole searches changes with which the check holds in the whole run. It repairs all elements.
// If the check still breaks, it repairs the abnormal elements of the changed run, too, and
// repeats.
func (s *search) whole(all []Change) {
	for range mostRounds {
		switch found := s.try(all...); {
		case found.Effect == Holds:
			s.reduce(all, func(e Effect) bool { return e == Holds }, &s.held)
			return
		case found.Effect == Worse || s.spent():
			return
		}
		more := s.news(all)
		if len(more) == 0 {
			return
		}
		all = append(all, more...)
	}
}

// news are repairs that the changes lack: of faults after the violation, which may break the check again, and
// of the abnormal messages of the changed run.
func (s *search) news(changes []Change) (more []Change) {
	s.runs++
	changed := newReplays(s.ctx, s.changed(changes))
	real := (&collector{h: s.real, fates: s.fates}).passages()
	for _, e := range elementsOf(s.in, changed.real, &Violation{At: des.MaxTime}, changed.fates) {
		known := slices.ContainsFunc(changes, func(c Change) bool {
			if e.Class == Fault {
				return c.Class == Fault && c.Fault == e.Fault
			}
			return c.Class != Fault && c.Key == e.Key
		})
		switch {
		case known || e.Class.Normal():
		case e.Class == Fault:
			more = append(more, e.strongest())
		default:
			e.number, e.Foreign = 0, true // numbers of the real run are others
			if i := slices.IndexFunc(real, func(p *passage) bool { return p.key == e.Key && p.sent == e.Sent && p.content == e.Content }); i >= 0 {
				e.number, e.Foreign = real[i].number, false
			}
			more = append(more, e.strongest())
		}
	}
	return more
}

// minimise leaves changes out as long as the rest does what all of them do (A. Zeller,
// R. Hildebrandt, "Simplifying and isolating failure-inducing input", IEEE TSE 28(2), 2002).
func (s *search) minimise(best set, does func(Effect) bool) set {
	for size := (len(best.changes) + 1) / 2; size > 0 && !s.spent(); {
		smaller := false
		for from := 0; from < len(best.changes); {
			rest := slices.Delete(slices.Clone(best.changes), from, min(from+size, len(best.changes)))
			if found := s.try(rest...); len(rest) > 0 && does(found.Effect) {
				best, smaller = set{rest, found}, true
			} else {
				from += size
			}
		}
		if !smaller || size > 1 {
			size /= 2
		}
	}
	return s.smallest(best, does)
}

// mostParts is the largest size of a set of which every part is tried.
const mostParts = 5

// smallest is the smallest part of a small set that does what all of it does.
func (s *search) smallest(best set, does func(Effect) bool) set {
	if len(best.changes) > mostParts {
		return best
	}
	for bits := 1; bits < 1<<len(best.changes)-1; bits++ {
		var part []Change
		for i, c := range best.changes {
			if bits>>i&1 == 1 {
				part = append(part, c)
			}
		}
		if found := s.try(part...); does(found.Effect) {
			return s.smallest(set{part, found}, does)
		}
	}
	return best
}
