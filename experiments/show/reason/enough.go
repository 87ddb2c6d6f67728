package reason

import "slices"

// enough finds abnormal elements with which the check breaks although all others are repaired:
// each that is enough alone or, if none is, one set of which each is needed. It finds none if
// the check breaks with all of them repaired.
func (s *search) enough(elements []*Element) (found []*Element, alone bool) {
	all := slices.DeleteFunc(slices.Clone(elements), func(e *Element) bool { return e.Class == Cut }) // the fault is
	if len(all) == 0 || s.breaks(all, nil) {
		return nil, false
	}
	for _, e := range all {
		if s.breaks(all, []*Element{e}) {
			found = append(found, e)
		}
	}
	if len(found) > 0 || s.spent() {
		return found, len(found) > 0
	}
	found = all
	for i := 0; i < len(found); {
		if rest := slices.Delete(slices.Clone(found), i, i+1); s.breaks(all, rest) {
			found = rest
		} else {
			i++
		}
	}
	if s.spent() {
		return nil, false
	}
	return found, false
}

// breaks reports whether this violation is there with all elements repaired but those kept.
func (s *search) breaks(all, kept []*Element) bool {
	if s.spent() {
		return false
	}
	repaired := slices.DeleteFunc(slices.Clone(all), func(e *Element) bool { return slices.Contains(kept, e) })
	return !s.try(strongest(repaired)...).Gone()
}
