// Package links is sets of directed links as text:
//
//	0->1  0<->1  {0 1}->{2 3}  {0..4}<->7  *->3  0->*  *
//
// A set has all links that lead from some addresses to some, and with <-> also those
// that lead back. Addresses in braces are a list; 3..5 in it is 3 4 5. A star is every
// address, and a star alone every link.
package links

import (
	"strings"

	"bullring/protocols"
)

// Set is a set of directed links. The zero value is the set of all.
type Set struct {
	from, to Addresses
	both     bool // links that lead back, too
}

// Between returns the set of the links that lead from some addresses to some.
func Between(from, to Addresses) Set { return Set{from: from, to: to} }

// Parse reads a set of links. Its errors are of type *Error.
func Parse(text string) (Set, error) {
	p := parser{text: text}
	p.skip()
	s := Set{from: p.end()}
	if p.skip(); p.err == nil && p.rest() == "" && s.from.all() {
		return Set{}, nil
	}
	s.both = p.arrow()
	p.skip()
	s.to = p.end()
	if p.skip(); p.err == nil && p.rest() != "" {
		p.fail(p.word(), "stands behind the links; one set of links is enough")
	}
	if p.err != nil {
		return Set{}, p.err
	}
	s.both = s.both && !(s.from.all() && s.to.all())
	return s, nil
}

// Has reports whether the link is in the set.
func (s Set) Has(from, to protocols.ID) bool {
	return s.from.Has(from) && s.to.Has(to) || s.both && s.from.Has(to) && s.to.Has(from)
}

// Max is the largest address that the set names, -1 if it names none.
func (s Set) Max() protocols.ID { return max(s.from.Max(), s.to.Max()) }

// Overlaps reports whether some link may be in both sets.
func (s Set) Overlaps(t Set) bool {
	along := s.from.overlaps(t.from) && s.to.overlaps(t.to)
	return along || (s.both || t.both) && s.from.overlaps(t.to) && s.to.overlaps(t.from)
}

// String prints the set as Parse reads it.
func (s Set) String() string {
	if s.from.all() && s.to.all() {
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
