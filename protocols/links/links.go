// Package links is sets of directed links as text:
//
//	0->1  0<->1  {0 1}->{2 3}  {0..4}<->7  *->3  0->*  *  {0->1 2->{3 4}}  10% of *
//
// A set has all links that lead from some addresses to some, and with <-> also those
// that lead back. Addresses in braces are a list; 3..5 in it is 3 4 5. A star is every
// address, and a star alone every link. Sets in braces are all of their links together.
// A share of a set stands for links of it that are drawn: see [Set.Draw].
package links

import (
	"slices"
	"sort"
	"strings"

	"bullring/protocols"
)

// Set is a set of directed links. The zero value is the set of all.
type Set struct {
	from, to Addresses
	both     bool  // links that lead back, too
	list     []Set // if not nil the set is their union, and from, to and both are not used
	share    Share // so many of the links, to be drawn; 0 is the set itself
	rows     bool  // the list has a set for each sender, in the order of the senders
}

// Between returns the set of the links that lead from some addresses to some.
func Between(from, to Addresses) Set { return Set{from: from, to: to} }

// Has reports whether the link is in the set. It panics if the set is a share that was not
// drawn.
func (s Set) Has(from, to protocols.ID) bool {
	switch {
	case s.share > 0:
		panic("links: " + s.String() + " was not drawn")
	case s.rows:
		i := sort.Search(len(s.list), func(i int) bool { return s.list[i].from.Max() >= from })
		return i < len(s.list) && s.list[i].from.Max() == from && s.list[i].to.Has(to)
	case s.list != nil:
		return slices.ContainsFunc(s.list, func(one Set) bool { return one.Has(from, to) })
	}
	return s.from.Has(from) && s.to.Has(to) || s.both && s.from.Has(to) && s.to.Has(from)
}

// Max is the largest address that the set names, -1 if it names none.
func (s Set) Max() protocols.ID {
	most := max(s.from.Max(), s.to.Max())
	for _, one := range s.list {
		most = max(most, one.Max())
	}
	return most
}

// Overlaps reports whether some link may be in both sets.
func (s Set) Overlaps(t Set) bool {
	switch {
	case s.list != nil:
		return slices.ContainsFunc(s.list, t.Overlaps)
	case t.list != nil:
		return slices.ContainsFunc(t.list, s.Overlaps)
	}
	along := s.from.overlaps(t.from) && s.to.overlaps(t.to)
	return along || (s.both || t.both) && s.from.overlaps(t.to) && s.to.overlaps(t.from)
}

// String prints the set as Parse reads it.
func (s Set) String() string {
	switch {
	case s.share > 0:
		share := s.share
		s.share = 0
		return share.String() + " of " + s.String()
	case s.list != nil:
		texts := make([]string, len(s.list))
		for i, one := range s.list {
			texts[i] = one.String()
		}
		return "{" + strings.Join(texts, " ") + "}"
	case s.from.all() && s.to.all() && !s.both:
		return "*"
	}
	arrow := "->"
	if s.both {
		arrow = "<->"
	}
	return s.from.inSet() + arrow + s.to.inSet()
}

func (a Addresses) inSet() string {
	text := a.String()
	if strings.ContainsAny(text, " .") {
		return "{" + text + "}"
	}
	return text
}
