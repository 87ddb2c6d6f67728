package faults

import (
	"slices"

	"bullring/protocols"
)

// Without returns the plan for a system without one process. Higher addresses move down
// by one, and faults of that process alone are left out.
func (p Plan) Without(gone protocols.ID) Plan {
	var rest Plan
	for _, f := range p {
		if f.leave(gone) {
			rest = append(rest, f)
		}
	}
	return rest
}

// leave adapts the fault, and reports whether anything of it is left.
func (f *Fault) leave(gone protocols.ID) bool {
	for _, p := range []*protocols.ID{&f.Process, &f.From, &f.To} {
		switch {
		case *p == gone && (p != &f.Process || kinds[f.Kind].who):
			return false
		case *p > gone:
			*p--
		}
	}
	ok := true
	if slices.Contains([]Kind{Cut, Clog, Link, Down, Up}, f.Kind) {
		f.Links, ok = f.Links.Without(gone)
	}
	groups := slices.Clone(f.Groups)
	f.Groups = nil
	for _, g := range groups {
		if g, some := g.Without(gone); some {
			f.Groups = append(f.Groups, g)
		}
	}
	if len(f.Groups) < len(groups) && (f.OneWay || len(f.Groups) < 2) {
		return false
	}
	if f.Spared != nil {
		spared := *f.Spared
		ok, f.Spared = spared.leave(gone), &spared
	}
	if r := f.Random; r != nil && r.Sparing != nil {
		changed := *r
		if s, some := r.Sparing.Without(gone); some {
			changed.Sparing = &s
		} else {
			changed.Sparing = nil
		}
		f.Random = &changed
	}
	return ok
}
