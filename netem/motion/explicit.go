package motion

import (
	"strings"

	"bullring/des"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/links"
)

// Explicit prints the changes of a run up to an instant in the words of plans of faults, such as
//
//	at 5ms down 0<->1; at 9ms up 0<->1
//
// The links of the topology that are not there at the beginning go down at 0s. Processes that have still
// to boot are not told of that, and others are. all is false if there are more clauses than most.
func (m *Motion) Explicit(t netem.Topology, seed uint64, until des.Time, most int) (plan string, all bool) {
	s, up := m.Source(t, seed), map[netem.Link]bool{}
	s.Begin(func(a, b protocols.ID) { up[netem.LinkBetween(a, b)] = true })
	faults := absent(t, up)
	for c, more := s.Next(); more && c.At <= until; c, more = s.Next() {
		p := netem.LinkBetween(c.A, c.B)
		if up[p] == c.Up {
			continue
		}
		if len(faults) >= most {
			return "", false
		}
		up[p] = c.Up
		faults = append(faults, clause(c.At, c.Up, links.Of(p.A), links.Of(p.B)))
	}
	return strings.Join(faults, "; "), true
}

// absent has the links go down that are not there at the beginning.
func absent(t netem.Topology, up map[netem.Link]bool) (faults []string) {
	gone := map[protocols.ID][]protocols.ID{}
	for _, p := range netem.LinksOf(t) {
		if !up[p] {
			gone[p.A] = append(gone[p.A], p.B)
		}
	}
	for a := range protocols.ID(t.Len()) {
		if to := gone[a]; len(to) > 0 {
			faults = append(faults, clause(0, false, links.Of(a), links.Of(to...)))
		}
	}
	return faults
}

func clause(at des.Time, up bool, a, b links.Addresses) string {
	verb := "down"
	if up {
		verb = "up"
	}
	set := strings.Replace(links.Between(a, b).String(), "->", "<->", 1)
	return "at " + at.String() + " " + verb + " " + set
}
