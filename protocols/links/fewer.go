package links

const (
	mostUnits = 1024 // of a set that Fewer divides: each piece is a set of its own
	mostCuts  = 256  // pieces of which Fewer leaves one out
)

// Fewer returns sets with a part of the links of a set that is a list, or that has one sender and
// some receivers: without one half of them, a quarter and so on. It returns nil for other sets, and
// for very large ones.
func (s Set) Fewer() (fewer []Set) {
	if s.share > 0 || s.size() > mostUnits {
		return nil
	}
	units := s.units()
	for size := (len(units) + 1) / 2; size > 0 && len(units) > 1 && len(units)/size <= mostCuts; size /= 2 {
		for from := 0; from < len(units); from += size {
			rest := append(append([]Set(nil), units[:from]...), units[min(from+size, len(units)):]...)
			fewer = append(fewer, union(merged(rest)))
		}
	}
	return fewer
}

// units are the links that a set names one by one, and what else it has.
func (s Set) units() (units []Set) {
	switch {
	case s.list != nil:
		for _, one := range s.list {
			units = append(units, one.units()...)
		}
		return units
	case !s.single() || s.to.all():
		return []Set{s}
	}
	for _, to := range s.to.spans {
		for id := to.first; id <= to.last; id++ {
			units = append(units, Between(s.from, Of(id)))
		}
	}
	return units
}

// size is the number of units.
func (s Set) size() (n int) {
	for _, one := range s.list {
		n += one.size()
	}
	if s.list == nil {
		n = 1
	}
	for _, to := range s.to.spans {
		if s.single() {
			n += int(to.last - to.first + 1)
		}
	}
	return n
}

// single reports whether the links of the set have one sender.
func (s Set) single() bool {
	from := s.from.spans
	return s.list == nil && !s.both && len(from) == 1 && from[0].first == from[0].last
}

// merged joins neighbours that have the same sender.
func merged(units []Set) (rows []Set) {
	for _, one := range units {
		last := len(rows) - 1
		if last >= 0 && one.single() && rows[last].single() && one.from.Max() == rows[last].from.Max() && !one.to.all() && !rows[last].to.all() {
			rows[last].to = Addresses{joined(append(append([]span(nil), rows[last].to.spans...), one.to.spans...))}
			continue
		}
		rows = append(rows, one)
	}
	return rows
}

// union is all links of some sets together.
func union(list []Set) Set {
	if len(list) == 1 {
		return list[0]
	}
	rows, last := true, Addresses{}.Max()
	for _, one := range list {
		rows = rows && one.single() && one.from.Max() > last
		last = one.from.Max()
	}
	return Set{list: list, rows: rows}
}
