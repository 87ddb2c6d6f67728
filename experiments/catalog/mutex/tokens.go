package mutex

import (
	"slices"
	"time"

	"bullring/experiments/trial"
	"bullring/netem"
	"bullring/protocols"
)

// Parameters and parts of bounds for mutual exclusion by token.

// holderParam is the parameter for the process that has the token at the beginning.
func holderParam() trial.Param {
	return trial.AddressParam("holder", "0", "who has the token in the beginning")
}

// asks reports whether a process is a client that asks.
func asks(in *trial.Instance, p protocols.ID) bool {
	return in.Initiators.Has(p)
}

// onlyClient returns the client that asks, if exactly one does.
func onlyClient(in *trial.Instance) (p protocols.ID, ok bool) {
	if in.Initiators.Len() != 1 {
		return 0, false
	}
	return in.Initiators.At(0), true
}

// greedy: every client asks at 0, and asks again when it leaves.
func greedy(in *trial.Instance) bool {
	think, err := time.ParseDuration(in.Param("think"))
	return err == nil && think == 0 && in.Param("loop") == "closed"
}

// lingers: a client stays inside for a message time or more. So a request that was sent when
// it entered arrives before it leaves.
func lingers(in *trial.Instance) bool {
	unit, ok := in.Unit()
	return ok && in.Duration("cs") >= unit
}

// queueing is the mean delay, in message times, of n clients that enter one after another
// from 0 on, each a message time after the last one has left.
func queueing(in *trial.Instance) float64 {
	unit, _ := in.Unit()
	n := time.Duration(in.N)
	return float64((n-1)*n/2*(in.Duration("cs")+unit)/n) / float64(unit)
}

// tree is a spanning tree of a topology.
type tree struct {
	order  []protocols.ID // breadth first, from the root
	parent []protocols.ID // by address; the root is its own
	depth  []int          // by address
}

// spanningTree is the tree of a breadth-first search from the root. The parent of a process
// is the neighbour that was found first.
func spanningTree(t netem.Topology, root protocols.ID) tree {
	n := t.Len()
	tr := tree{order: append(make([]protocols.ID, 0, n), root), parent: make([]protocols.ID, n), depth: make([]int, n)}
	for p := range tr.parent {
		tr.parent[p] = -1
	}
	tr.parent[root] = root
	for i := 0; i < len(tr.order) && len(tr.order) < n; i++ {
		p := tr.order[i]
		for port := range t.Degree(p) {
			if q := t.Neighbor(p, port); tr.parent[q] < 0 {
				tr.parent[q], tr.depth[q] = p, tr.depth[p]+1
				tr.order = append(tr.order, q)
			}
		}
	}
	return tr
}

// height is the largest distance from the root.
func (t tree) height() int { return slices.Max(t.depth) }

// fromRoot is the sum of the distances from the root.
func (t tree) fromRoot() int {
	sum := 0
	for _, d := range t.depth {
		sum += d
	}
	return sum
}

// diameter is the largest distance in the tree.
func (t tree) diameter() int {
	most := 0
	below := make([]int, len(t.parent)) // the longest way down
	for _, p := range slices.Backward(t.order[1:]) {
		up := t.parent[p]
		most = max(most, below[up]+below[p]+1)
		below[up] = max(below[up], below[p]+1)
	}
	return most
}

// distances is the sum of the distances in the tree over all pairs of processes, each pair
// once. An edge with s processes on one side lies between s(n-s) pairs.
func (t tree) distances() int {
	sum := 0
	size := make([]int, len(t.parent))
	for _, p := range slices.Backward(t.order) {
		size[p]++
		sum += size[p] * (len(t.parent) - size[p])
		if t.parent[p] != p {
			size[t.parent[p]] += size[p]
		}
	}
	return sum
}
