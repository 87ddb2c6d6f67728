package election_test

import (
	"slices"
	"testing"

	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/election"
)

// seat is a node that can tell its neighbours and nothing else.
type seat struct {
	protocols.Node[struct{}]
	topology netem.Topology
	id       protocols.ID
}

func (s seat) ID() protocols.ID               { return s.id }
func (s seat) Degree() int                    { return s.topology.Degree(s.id) }
func (s seat) Neighbor(port int) protocols.ID { return s.topology.Neighbor(s.id, port) }

func TestNeighbors(t *testing.T) {
	for _, c := range []struct {
		topology netem.Topology
		id       protocols.ID
		want     []protocols.ID
	}{
		{netem.BiRing(1), 0, nil},
		{netem.BiRing(2), 1, []protocols.ID{0}},
		{netem.BiRing(5), 0, []protocols.ID{1, 4}},
		{netem.Complete(1), 0, nil},
		{netem.Complete(4), 2, []protocols.ID{0, 1, 3}},
		{netem.Ring(3), 2, []protocols.ID{0}},
	} {
		got := election.Neighbors[struct{}](seat{topology: c.topology, id: c.id})
		if !slices.Equal(got, c.want) {
			t.Errorf("%d of %v has the neighbours %v, want %v", c.id, c.topology, got, c.want)
		}
	}
}

// Remove does what slices.Delete does, wherever in the list.
func TestRemove(t *testing.T) {
	for n := 1; n <= 6; n++ {
		for i := range n {
			list := []int{10, 11, 12, 13, 14, 15}[:n]
			want := slices.Delete(slices.Clone(list), i, i+1)
			if got := election.Remove(slices.Clone(list), i); !slices.Equal(got, want) {
				t.Errorf("%v without the element %d: %v; want %v", list, i, got, want)
			}
		}
	}
}
