package links

import (
	"slices"
	"sort"
	"strconv"

	"bullring/protocols"
)

// Addresses is a set of addresses. The zero value is the set of all.
type Addresses struct {
	spans []span // in order, with gaps between them
}

// span is the addresses from first to last.
type span struct{ first, last protocols.ID }

// Of returns the set of these addresses. It panics if there are none.
func Of(ids ...protocols.ID) Addresses {
	if len(ids) == 0 {
		panic("links: a set of no addresses")
	}
	spans := make([]span, len(ids))
	for i, id := range ids {
		spans[i] = span{id, id}
	}
	return Addresses{joined(spans)}
}

// joined sorts spans and joins those that touch.
func joined(spans []span) []span {
	slices.SortFunc(spans, func(a, b span) int { return int(a.first) - int(b.first) })
	out := spans[:1]
	for _, s := range spans[1:] {
		if last := &out[len(out)-1]; s.first <= last.last+1 {
			last.last = max(last.last, s.last)
		} else {
			out = append(out, s)
		}
	}
	return slices.Clip(out)
}

// ParseAddresses reads a list such as `0 1 5..9`, or a star for all. Its errors
// are of type *Error.
func ParseAddresses(text string) (Addresses, error) {
	p := parser{text: text}
	p.skip()
	var a Addresses
	if !p.take("*") {
		a = p.list()
	}
	if p.skip(); p.err == nil && p.rest() != "" {
		p.fail(p.word(), notAddress)
	}
	if p.err != nil {
		return Addresses{}, p.err
	}
	return a, nil
}

func (a Addresses) all() bool { return a.spans == nil }

// Has reports whether the address is in the set.
func (a Addresses) Has(id protocols.ID) bool {
	if a.all() {
		return true
	}
	i := sort.Search(len(a.spans), func(i int) bool { return a.spans[i].last >= id })
	return i < len(a.spans) && a.spans[i].first <= id
}

// Max is the largest address that the set names, -1 if it names none.
func (a Addresses) Max() protocols.ID {
	if a.all() {
		return -1
	}
	return a.spans[len(a.spans)-1].last
}

// Each calls f with the addresses of the set below n, in order.
func (a Addresses) Each(n int, f func(protocols.ID)) {
	spans := a.spans
	if a.all() {
		spans = []span{{0, protocols.ID(n) - 1}}
	}
	for _, s := range spans {
		for id := s.first; id <= s.last && int(id) < n; id++ {
			f(id)
		}
	}
}

func (a Addresses) overlaps(b Addresses) bool {
	if a.all() || b.all() {
		return true
	}
	for i, j := 0, 0; i < len(a.spans) && j < len(b.spans); {
		s, t := a.spans[i], b.spans[j]
		switch {
		case s.last < t.first:
			i++
		case t.last < s.first:
			j++
		default:
			return true
		}
	}
	return false
}

// String prints the set as ParseAddresses reads it, with 3..5 for three addresses or
// more in a row.
func (a Addresses) String() string {
	if a.all() {
		return "*"
	}
	var text []byte
	for i, s := range a.spans {
		if i > 0 {
			text = append(text, ' ')
		}
		text = strconv.AppendInt(text, int64(s.first), 10)
		switch {
		case s.last == s.first+1:
			text = append(text, ' ')
			text = strconv.AppendInt(text, int64(s.last), 10)
		case s.last > s.first:
			text = append(text, ".."...)
			text = strconv.AppendInt(text, int64(s.last), 10)
		}
	}
	return string(text)
}
