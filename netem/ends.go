package netem

import (
	"cmp"
	"fmt"
	"slices"

	"bullring/protocols"
)

// Link is a link between two processes, in one direction or in both: its ends, the lower address first.
type Link struct{ A, B protocols.ID }

// LinkBetween is the link between two processes.
func LinkBetween(p, q protocols.ID) Link { return Link{min(p, q), max(p, q)} }

// String is the link as it stands in a schedule: 0-2.
func (k Link) String() string { return fmt.Sprintf("%d-%d", k.A, k.B) }

// Compare orders links by their lower address, then by their higher one.
func (k Link) Compare(m Link) int { return cmp.Or(cmp.Compare(k.A, m.A), cmp.Compare(k.B, m.B)) }

// HasLink reports whether a topology has a link, in one direction at least.
func HasLink(t Topology, k Link) bool {
	if k.A < 0 || int(k.B) >= t.Len() || k.A >= k.B {
		return false
	}
	_, there := t.Port(k.A, k.B)
	_, back := t.Port(k.B, k.A)
	return there || back
}

// LinksOf are the links of a topology between two processes, ascending.
func LinksOf(t Topology) []Link { return linksThat(t, func(Link) bool { return true }) }

// linksThat are those of them that are kept.
func linksThat(t Topology, keep func(Link) bool) (all []Link) {
	for p := range protocols.ID(t.Len()) {
		for port := range t.Degree(p) {
			if k := LinkBetween(p, t.Neighbor(p, port)); k.A != k.B && keep(k) {
				all = append(all, k)
			}
		}
	}
	slices.SortFunc(all, Link.Compare)
	return slices.Compact(all)
}

// NeighborsOf are the processes to which a process has a link in a topology: see [protocols.NeighborsOf].
func NeighborsOf(t Topology, p protocols.ID) []protocols.ID {
	return protocols.NeighborsOf(p, ports{t, p})
}

// ports are the ports of a process of a topology.
type ports struct {
	topology Topology
	id       protocols.ID
}

func (p ports) Degree() int                    { return p.topology.Degree(p.id) }
func (p ports) Neighbor(port int) protocols.ID { return p.topology.Neighbor(p.id, port) }
