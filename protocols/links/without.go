package links

import "bullring/protocols"

// Without returns the set after a process was taken away and the addresses behind it
// have moved up. ok is false if the set is empty then.
func (a Addresses) Without(gone protocols.ID) (rest Addresses, ok bool) {
	if a.all() {
		return a, true
	}
	var spans []span
	for _, s := range a.spans {
		if s.first > gone {
			s.first--
		}
		if s.last >= gone {
			s.last--
		}
		if s.first <= s.last {
			spans = append(spans, s)
		}
	}
	if len(spans) == 0 {
		return Addresses{}, false
	}
	return Addresses{joined(spans)}, true
}

// Without returns the set after a process was taken away and the addresses behind it
// have moved up. ok is false if the set is empty then.
func (s Set) Without(gone protocols.ID) (rest Set, ok bool) {
	if s.list != nil {
		var list []Set
		for _, one := range s.list {
			if one, some := one.Without(gone); some {
				list = append(list, one)
			}
		}
		return union(list).part(s.share), list != nil
	}
	var some, any bool
	rest = s
	rest.from, some = s.from.Without(gone)
	rest.to, any = s.to.Without(gone)
	return rest, some && any
}
